package schema

import (
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf16"
)

const maxPattern = 1024

// pattern admits a regular expression that RE2 compiles and that means the same in
// ECMA 262, the dialect of JSON Schema. Two differences remain: RE2's \s is ASCII
// white space alone, and its dot matches every character but newline.
func pattern(v any) (any, string) {
	p, ok := v.(string)
	if !ok {
		return nil, "is not a string"
	}
	if len(p) > maxPattern {
		return nil, "is longer than 1024 bytes"
	}
	shown, ok := inRE2(p)
	if _, err := syntax.Parse(shown, syntax.Perl); !ok || err != nil { // what parses also compiles; a{1000} is small until then
		return nil, "is not an RE2 expression" + unsupported(p)
	}
	if !portable(p) {
		return nil, "uses what RE2 and ECMA 262 read differently"
	}
	return shown, ""
}

// inRE2 rewrites each \uXXXX of ECMA 262 in p as RE2's \x{XXXX}. Half of a surrogate
// pair is a character to some engines but not to RE2, so such a pattern has no
// equivalent.
func inRE2(p string) (string, bool) {
	if !strings.Contains(p, `\u`) {
		return p, true
	}
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch rest := p[i:]; {
		case !strings.HasPrefix(rest, `\`):
			b.WriteByte(p[i])
		case !strings.HasPrefix(rest, `\u`):
			b.WriteString(rest[:min(2, len(rest))])
			i++
		default:
			hex := rest[2:min(6, len(rest))]
			n, err := strconv.ParseUint(hex, 16, 16)
			if len(hex) != 4 || err != nil || utf16.IsSurrogate(rune(n)) {
				return p, false
			}
			b.WriteString(`\x{` + hex + `}`)
			i += 5
		}
	}
	return b.String(), true
}

// unsupported names, for readers, the construct in p that RE2 seems to lack.
func unsupported(p string) string {
	for _, has := range []struct{ text, name string }{
		{"(?<=", "a look-behind"},
		{"(?<!", "a look-behind"},
		{"(?=", "a look-ahead"},
		{"(?!", "a look-ahead"},
		{`\k<`, "a back-reference"},
		{`\1`, "a back-reference"},
		{`\2`, "a back-reference"},
		{`\u{`, `an escape \u{…}`},
	} {
		if strings.Contains(p, has.text) {
			return ": it has " + has.name
		}
	}
	return ""
}

// portable reports whether an expression that RE2 compiles means the same to ECMA.
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
			return false // for RE2 the class goes on; for ECMA it has ended
		case p[i] == '[':
			class = true
		case strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:") && !strings.HasPrefix(rest, "(?<"):
			return false // flags
		}
	}
	return true
}

// portableEscape reports whether RE2 and ECMA read an escape alike. RE2's \A \z \a \C
// \Q \E and \x{…} are letters to ECMA, which also needs braces after \p.
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

// instructions returns at least as many instructions as an admitted pattern compiles
// to, without compiling it. Every counted repetition counts as written out, as
// regexp/syntax does. A class counts with its ranges, which every copy of a compiled
// pattern has: \p{L} has 650.
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
		// The required copies, and the optional ones, each nested in the one before.
		return n*max(re.Max, re.Min, 1) + max(re.Max-re.Min, 0) + 2
	}
	return n + 2
}

// program returns how many instructions an admitted pattern compiles to.
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
