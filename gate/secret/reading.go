package secret

import (
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// reading is one way to read a text. It has the resulting bytes, and for each byte the
// place in the text that spells it.
type reading struct {
	bytes    []byte
	from, to []int32
}

// levels is how often a text's escapes are undone. A message in JSON that
// quotes JSON that quotes JSON has three.
const levels = 4

func readingOf(text string) reading {
	r := reading{bytes: []byte(text), from: make([]int32, len(text)), to: make([]int32, len(text))}
	for i := range r.bytes {
		r.from[i], r.to[i] = int32(i), int32(i+1)
	}
	return r
}

// readings returns the text with its escapes undone zero or more times. Each of these
// is also decoded from base64 and from hexadecimal.
func readings(text string) []reading {
	var all []reading
	r := readingOf(text)
	for range levels {
		all = append(all, r, r.packed(4, 0, hexDigit), r.packed(4, 1, hexDigit))
		for shift := range 4 {
			all = append(all, r.packed(6, shift, base64Digit))
		}
		next := r.unescaped()
		if len(next.bytes) == len(r.bytes) {
			break
		}
		r = next
	}
	return all
}

// plain returns the text without escapes.
func (r reading) plain() reading {
	for range levels {
		r = r.unescaped()
	}
	return r
}

// room returns an empty reading with room for as many bytes as r.
func (r reading) room() reading {
	n := len(r.bytes)
	return reading{make([]byte, 0, n), make([]int32, 0, n), make([]int32, 0, n)}
}

func (r *reading) add(spelled string, from, to int32) {
	for i := range len(spelled) {
		r.bytes, r.from, r.to = append(r.bytes, spelled[i]), append(r.from, from), append(r.to, to)
	}
}

// unescaped undoes each escape of JSON, programming languages, URLs and HTML once.
func (r reading) unescaped() reading {
	out := r.room()
	for i := 0; i < len(r.bytes); {
		spelled, n := lex.Escape(r.bytes[i:])
		if n == 0 {
			spelled, n = string(r.bytes[i:i+1]), 1
		}
		out.add(spelled, r.from[i], r.to[i+n-1])
		i += n
	}
	return out
}

// packed decodes every run of digits, with so many bits a digit, from the shift-th
// digit on. A value may begin anywhere in a run. Line breaks belong to a run.
func (r reading) packed(bits, shift int, digit func(byte) int) reading {
	out := r.room()
	value, have, skip, start := 0, 0, shift, 0
	for i, c := range r.bytes {
		d := digit(c)
		switch {
		case c == '\r' || c == '\n':
			continue
		case d < 0:
			out.add("\x00", r.from[i], r.to[i]) // separates the runs
			value, have, skip = 0, 0, shift
			continue
		case skip > 0:
			skip--
			continue
		case have == 0:
			start = i
		}
		value, have = value<<bits|d, have+bits
		if have >= 8 {
			have -= 8
			out.add(string([]byte{byte(value >> have)}), r.from[start], r.to[i])
			value, start = value&(1<<have-1), i
		}
	}
	return out
}

func hexDigit(c byte) int { return strings.IndexByte("0123456789abcdef", lex.Lower(c)) }

// base64Digit reads both alphabets of RFC 4648.
func base64Digit(c byte) int {
	switch c {
	case '-':
		return 62
	case '_':
		return 63
	}
	return strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", c)
}
