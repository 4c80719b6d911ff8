// Package lex has the building blocks for rules about untrusted text. They are sets of
// bytes, a search for many literals in one pass, decoders for the escapes of JSON,
// URLs and HTML, and lists of words and patterns that are made at their first use.
// Redaction (gate/secret), escaping (gate/escape), the scan (gate/scan), the reader of
// English (gate/speech) and the embedded planner call it.
//
// It vouches only for cost: each function takes time in proportion to the text,
// whatever the text is.
package lex

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Words makes a set of the words of a list, at its first use. A run that reads no such
// text does not pay for it.
//
//go:noinline
func Words(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(list) {
			m[w] = true
		}
		return m
	})
}

// Table reads named rows. A row is a name, a colon and its text. A line that begins with a
// space continues the row before it, and "#" begins a comment.
func Table(text string) map[string]string {
	rows, name := map[string]string{}, ""
	for line := range strings.Lines(text) {
		line, more := strings.TrimSpace(line), strings.HasPrefix(line, " ")
		switch head, rest, _ := strings.Cut(line, ":"); {
		case line == "", line[0] == '#':
		case more:
			rows[name] += " " + line
		default:
			name, rows[head] = head, strings.TrimSpace(rest)
		}
	}
	return rows
}

// Pattern compiles an expression when it is first used.
//
//go:noinline
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Expressions reads a table of expressions and returns a function that finds them by name,
// and compiles each at its first use. A line "[name]" begins an expression, with an
// alternative on each line behind a tab. The alternatives take the place of the "…" in a
// form behind the name. Other lines are comments. A name in capitals is replaced by its
// expression in the others, and form has the last word on them. A name that begins with raw
// excepts an expression from both. A name that the table lacks is an error of the program,
// so it panics.
func Expressions(text string, form func(expr string) string) func(name string) *regexp.Regexp {
	all := sync.OnceValue(func() map[string]func() *regexp.Regexp {
		rows, name := map[string]string{}, ""
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if head, is := strings.CutPrefix(line, "["); is {
				name, line, _ = strings.Cut(head, "]")
				rows[name] = cmp.Or(strings.TrimSpace(line), "…")
			} else if one, is := strings.CutPrefix(line, "\t"); is {
				rows[name] = strings.Replace(rows[name], "…", one+"|…", 1)
			}
		}
		return compiled(rows, form)
	})
	return func(name string) *regexp.Regexp {
		expr, is := all()[name]
		if !is {
			panic("lex: the table has no " + name)
		}
		return expr()
	}
}

func compiled(rows map[string]string, form func(expr string) string) map[string]func() *regexp.Regexp {
	all, lists := map[string]func() *regexp.Regexp{}, []string{}
	for name, expr := range rows {
		rows[name] = strings.Replace(expr, "|…", "", 1)
		if name == strings.ToUpper(name) {
			lists = append(lists, name, rows[name])
		}
	}
	replaced := strings.NewReplacer(lists...)
	for name, expr := range rows {
		all[name] = sync.OnceValue(func() *regexp.Regexp {
			if !strings.HasPrefix(name, "raw ") {
				expr = form(replaced.Replace(expr))
			}
			return regexp.MustCompile(expr)
		})
	}
	return all
}

// Class is a set of bytes. The zero value is empty.
type Class [4]uint64

// ClassOf returns the set of the bytes of a string.
func ClassOf(bytes string) Class {
	var c Class
	for i := range len(bytes) {
		c[bytes[i]>>6] |= 1 << (bytes[i] & 63)
	}
	return c
}

// Has reports whether b is in the set.
func (c *Class) Has(b byte) bool { return c[b>>6]&(1<<(b&63)) != 0 }

// WordBytes are the letters, digits and the underscore of ASCII.
const WordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// Leading counts the bytes at the beginning of the text that are in the set.
func (c *Class) Leading(text string) int {
	n := 0
	for n < len(text) && c.Has(text[n]) {
		n++
	}
	return n
}

// Lower returns the small letter for a capital of ASCII, and any other byte unchanged.
func Lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// Letter reports whether c is a letter of ASCII, or part of a character outside ASCII.
func Letter(c byte) bool { return Lower(c) >= 'a' && Lower(c) <= 'z' || c >= utf8.RuneSelf }

// Finder finds all places in a text where one of many short literals begins. It takes
// one pass, and its cost does not grow with the number of literals: a table of 64 KiB
// says for each pair of bytes whether a literal begins with it. It compares ASCII
// letters without their case; a rule that depends on the case says so in its pattern.
type Finder struct {
	first [1 << 16]uint8 // 1 + index into begin; 0: no literal begins so
	begin [][]Literal
}

// Literal is a literal of two bytes or more, in lower case, and its rule.
type Literal struct {
	Text string
	Rule int
}

// NewFinder accepts at most 255 different beginnings of two letters.
func NewFinder(literals []Literal) *Finder {
	f := &Finder{}
	for _, l := range literals {
		slot := 0
		for _, a := range cases(l.Text[0]) {
			for _, b := range cases(l.Text[1]) {
				slot = f.put(uint16(a)<<8|uint16(b), slot)
			}
		}
		f.begin[slot-1] = append(f.begin[slot-1], l)
	}
	return f
}

// put assigns the slot to the pair, or a new slot if it is 0, unless the pair has one
// already.
func (f *Finder) put(pair uint16, slot int) int {
	switch {
	case f.first[pair] != 0:
		return int(f.first[pair])
	case slot == 0:
		f.begin = append(f.begin, nil)
		slot = len(f.begin)
	}
	f.first[pair] = uint8(slot)
	return slot
}

// cases returns both cases of an ASCII letter, and any other byte alone.
func cases(c byte) []byte {
	if Lower(c) >= 'a' && Lower(c) <= 'z' {
		return []byte{Lower(c), Lower(c) &^ 0x20}
	}
	return []byte{c}
}

// Each calls at with every place where a literal begins, and the literal's rule. It
// continues at the place that at returns, if that is further.
func (f *Finder) Each(s string, at func(i, rule int) int) {
	for i := 0; i+1 < len(s); {
		slot := f.first[uint16(s[i])<<8|uint16(s[i+1])]
		next := i + 1
		if slot != 0 {
			for _, l := range f.begin[slot-1] {
				if Begins(s[i:], l.Text) {
					next = max(next, at(i, l.Rule))
				}
			}
		}
		i = next
	}
}

// Begins reports whether s begins with the text, which is in lower case.
func Begins(s, text string) bool {
	if len(s) < len(text) {
		return false
	}
	for i := range len(text) {
		if Lower(s[i]) != text[i] {
			return false
		}
	}
	return true
}
