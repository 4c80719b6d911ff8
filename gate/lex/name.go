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
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case '0' <= c && c <= '9':
		case c == '_', c == '.', c == '-':
		default:
			return false
		}
	}
	return true
}

// Repeat returns the part of a model's text that a refusal may repeat. That is a
// [Name] in quotes, and of any other text only its length. A person and the model's
// next turn read a refusal, so a text in it could pose as our advice.
func Repeat(s string) string {
	if Name(s) {
		return strconv.Quote(s)
	}
	return unnamed(s)
}

func unnamed(s string) string { return fmt.Sprintf("(%d bytes that are not a name)", len(s)) }

// RepeatPath applies [Repeat] to each name of a JSON Pointer. It repeats a name
// unchanged if known reports it; known may be nil.
func RepeatPath(pointer string, known func(name string) bool) string {
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if name == "" || Name(name) {
			continue
		}
		if known == nil || !known(name) {
			steps[i] = unnamed(name)
		}
	}
	return strings.Join(steps, "/")
}
