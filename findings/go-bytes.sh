#!/usr/bin/env bash
# A Go tool that returns a []byte or a *big.Int fails on every call, after its handler has run.
#
# Guess:   The SDK derives the output schema from the Go type by the rules of encoding/json: a []byte is base64 text, a
#          *big.Int a number.
# Happens: The schema says array of integers for []byte (and json.RawMessage), and string for *big.Int. The result is
#          written as encoding/json does, does not fit, and the call is an error. The same []byte as a parameter takes
#          [104, 105] and refuses base64.
# Package: Go modules github.com/modelcontextprotocol/go-sdk v1.8.0
# Other:   github.com/modelcontextprotocol/go-sdk v1.7.0
# Seen:    2026-11-27
# Meets:   Authors of Go servers that return files, hashes, signatures, raw JSON or large numbers.

. "$(dirname "$0")/lib/finding.bash"

cat >main.go <<'END'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type value[T any] struct {
	V T `json:"v"`
}

func returns[T any](s *mcp.Server, name string, v T) {
	mcp.AddTool(s, &mcp.Tool{Name: name}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, value[T], error) {
		fmt.Printf("%s: the handler ran; ", name)
		return nil, value[T]{v}, nil
	})
}

func main() {
	ctx := context.Background()
	s := mcp.NewServer(&mcp.Implementation{Name: "files"}, nil)
	returns(s, "text", "hi")
	returns(s, "bytes", []byte("hi"))
	returns(s, "big", big.NewInt(5))
	mcp.AddTool(s, &mcp.Tool{Name: "takes"}, func(_ context.Context, _ *mcp.CallToolRequest, in value[[]byte]) (*mcp.CallToolResult, any, error) {
		return nil, string(in.V), nil
	})
	near, far := mcp.NewInMemoryTransports()
	go s.Run(ctx, far)
	c, err := mcp.NewClient(&mcp.Implementation{Name: "reader"}, nil).Connect(ctx, near, nil)
	if err != nil {
		panic(err)
	}
	call := func(name, arguments string) {
		r, err := c.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.IsError, r.Content[0].(*mcp.TextContent).Text)
	}
	call("text", "{}")
	call("bytes", "{}")
	call("big", "{}")
	call("takes", `{"v": [104, 105]}`)
	call("takes", `{"v": "aGk="}`)
}
END
go_build github.com/modelcontextprotocol/go-sdk@v1.8.0
./main >>seen

expect <<'END'
github.com/modelcontextprotocol/go-sdk v1.8.0
text: the handler ran; false {"v":"hi"}
bytes: the handler ran; calling "tools/call": validating tool output: validating root: validating /properties/v: type: aGk= has type "string", want one of "null, array"
big: the handler ran; calling "tools/call": validating tool output: validating root: validating /properties/v: type: 5 has type "integer", want one of "null, string"
false "hi"
true validating "arguments": validating root: validating /properties/v: type: aGk= has type "string", want one of "null, array"
END
