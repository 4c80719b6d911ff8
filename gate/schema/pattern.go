package schema

import (
	"regexp/syntax"
	"strings"
)

const maxPattern = 1024

// pattern admits a regular expression that RE2 compiles and that means the
// same to ECMA 262, which JSON Schema asks for. Two differences remain: RE2's
// \s is ASCII white space alone, and its dot matches every character but
// newline.
func pattern(v any) (any, string) {
	p, ok := v.(string)
	if !ok {
		return nil, "is not a string"
	}
	if len(p) > maxPattern {
		return nil, "is longer than 1024 bytes"
	}
	if _, err := syntax.Parse(p, syntax.Perl); err != nil { // what parses compiles, and a{1000} is small until then
		return nil, "is not an RE2 expression"
	}
	if !portable(p) {
		return nil, "uses what RE2 and ECMA 262 read differently"
	}
	return v, ""
}

// portable looks at an expression that RE2 compiles.
func portable(p string) bool {
	class := false
	for i := 0; i < len(p); i++ {
		rest := p[i:]
		switch {
		case p[i] == '\\':
			if !portableEscape(rest) {
				return false
			}
			i++
		case class && strings.HasPrefix(rest, "[:"):
			return false // a POSIX class to RE2, three letters to ECMA
		case class:
			class = p[i] != ']'
		case strings.HasPrefix(rest, "[]"), strings.HasPrefix(rest, "[^]"):
			return false // RE2 goes on, ECMA has come to the end of the class
		case p[i] == '[':
			class = true
		case strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:") && !strings.HasPrefix(rest, "(?<"):
			return false // flags
		}
	}
	return true
}

// portableEscape looks at what follows a backslash: RE2's \A \z \a \C \Q \E
// and \x{…} are letters to ECMA, and \pL needs braces there.
func portableEscape(s string) bool {
	switch s[1] {
	case 'A', 'z', 'a', 'C', 'Q', 'E':
		return false
	case 'x':
		return !strings.HasPrefix(s[2:], "{")
	case 'p', 'P':
		return strings.HasPrefix(s[2:], "{")
	}
	return true
}

// instructions is at least how many an admitted pattern compiles to, and is
// known without compiling it: every counted repetition is written out, as
// regexp/syntax does. A class counts with its ranges, which every copy of a
// compiled pattern has: \p{L} has 650.
func instructions(p string) int {
	re, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		return 0
	}
	return 3 + writtenOut(re)
}

func writtenOut(re *syntax.Regexp) int {
	n := 0
	for _, sub := range re.Sub {
		n += writtenOut(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass:
		return 1 + len(re.Rune)/16 // four bytes each, where an instruction is forty and more
	case syntax.OpConcat:
		return n
	case syntax.OpAlternate:
		return n + len(re.Sub)
	case syntax.OpQuest, syntax.OpPlus:
		return n + 1
	case syntax.OpRepeat:
		if re.Max == 0 {
			return 1 // an empty match, whatever it repeats
		}
		// What must be there, and what may, each within the one before.
		return n*max(re.Max, re.Min, 1) + max(re.Max-re.Min, 0) + 2
	}
	return n + 2
}

// program is how many instructions an admitted pattern compiles to.
func program(p string) int {
	re, err := syntax.Parse(p, syntax.Perl)
	if err != nil {
		return 0
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 0
	}
	return len(prog.Inst)
}
