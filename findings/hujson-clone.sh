#!/usr/bin/env bash
# A clone of a HuJSON value is not what it was cloned from.
#
# Guess:   Clone makes a deep copy: packed again, it has the bytes of the original, as Parse and Pack have.
# Happens: Comments and blanks are kept and every trailing comma is lost, so an editor that works on a clone changes
#          lines it did not touch.
# Package: Go modules github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f
# Other:   github.com/tailscale/hujson v0.0.0-20250605163823-992244df8c5a
# Seen:    2026-11-27
# Meets:   Programs that edit the settings of editors and clients, which allow comments and trailing commas.

. "$(dirname "$0")/lib/finding.bash"

cat >main.go <<'END'
package main

import (
	"fmt"

	"github.com/tailscale/hujson"
)

func main() {
	const text = "{\n\t\"a\": [1, 2,], // two\n}\n"
	value, err := hujson.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	clone := value.Clone()
	fmt.Printf("original: %q\nvalue:    %q\nclone:    %q\n", text, value.Pack(), clone.Pack())
}
END
go_build github.com/tailscale/hujson@v0.0.0-20260727124030-b80ff77dac4f
./main >>seen

expect <<'END'
github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f
original: "{\n\t\"a\": [1, 2,], // two\n}\n"
value:    "{\n\t\"a\": [1, 2,], // two\n}\n"
clone:    "{\n\t\"a\": [1, 2] // two\n}\n"
END
