package lex

import (
	"fmt"
	"strconv"
	"strings"
)

// nameMax is twice the longest name among 630 tools of public servers.
const nameMax = 128

// Name reports whether s is 1 to 128 bytes of A-Z a-z 0-9 _ . and -.
func Name(s string) bool {
	if s == "" || len(s) > nameMax {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '.' || c == '-') {
			return false
		}
	}
	return true
}

// Repeat is what a refusal repeats of a text that a model wrote: a [Name] in
// quotes, and of anything else only its length. A refusal is read by a person and
// by the model's next turn, so a text in it could pose as advice of ours.
func Repeat(s string) string {
	if Name(s) {
		return strconv.Quote(s)
	}
	return unnamed(s)
}

func unnamed(s string) string { return fmt.Sprintf("(%d bytes that are not a name)", len(s)) }

// RepeatPath is [Repeat] of each name of a JSON Pointer. A name that known reports
// is repeated as it is; known may be nil.
func RepeatPath(pointer string, known func(name string) bool) string {
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if name != "" && !Name(name) && (known == nil || !known(name)) {
			steps[i] = unnamed(name)
		}
	}
	return strings.Join(steps, "/")
}
