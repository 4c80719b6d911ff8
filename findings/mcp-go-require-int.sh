#!/usr/bin/env bash
# RequireInt of mcp-go makes 2 of the number 2.9 without an error, and refuses the text "2.9".
#
# Guess:   A reader whose name says that it requires an integer returns an error for 2.9, as it does for text.
# Happens: A JSON number is cut to an integer, with a nil error. Only text is parsed strictly. The schema that
#          WithNumber publishes says "number", so the client had no reason to send an integer.
# Package: Go modules github.com/mark3labs/mcp-go v1.2.1
# Other:   github.com/mark3labs/mcp-go v1.2.0
# Seen:    2026-11-27
# Meets:   Go servers that take counts, identifiers or amounts from a language model.

. "$(dirname "$0")/lib/finding.bash"

cat >main.go <<'END'
package main

import (
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

func main() {
	for _, arguments := range []string{`{"n": 2}`, `{"n": 2.9}`, `{"n": "2"}`, `{"n": "2.9"}`} {
		var r mcp.CallToolRequest
		if err := json.Unmarshal([]byte(`{"params": {"name": "t", "arguments": `+arguments+`}}`), &r); err != nil {
			panic(err)
		}
		n, err := r.RequireInt("n")
		fmt.Println(arguments, n, err)
	}
}
END
go_build github.com/mark3labs/mcp-go@v1.2.1
./main >>seen

expect <<'END'
github.com/mark3labs/mcp-go v1.2.1
{"n": 2} 2 <nil>
{"n": 2.9} 2 <nil>
{"n": "2"} 2 <nil>
{"n": "2.9"} 0 argument "n" cannot be converted to int
END
