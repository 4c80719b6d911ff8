package secret

import (
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// quotedAt returns the end of the string that begins at i, in the same line. A
// quotation mark, escaped or not, is before i.
func quotedAt(text string, i int) (int, bool) {
	if i < 1 || strings.IndexByte("\"'`", text[i-1]) < 0 {
		return 0, false
	}
	quote := text[i-1]
	escaped := i > 1 && text[i-2] == '\\'
	for n := i; n < min(len(text), i+valueRead); n++ {
		switch c := text[n]; {
		case c == '\n' || c == '\r':
			return 0, false
		case c == quote && !escaped:
			return n, true
		case escaped && strings.HasPrefix(text[n:], `\`+string(quote)):
			return n, true
		case c == '\\':
			n++
		}
	}
	return 0, false
}

// endOfWord returns the end of the word that begins at i. As in YAML, the name must begin
// the line, and the word must end it.
func (l label) endOfWord(i int) (int, bool) {
	from := max(0, l.start-leadMax)
	if before := strings.TrimRight(l.text[from:l.start], "\"' \t-"); before == "" && from > 0 || !lineStart(before) {
		return 0, false
	}
	n := i
	for n < min(len(l.text), i+valueRead) && l.text[n] > ' ' && !lineEnd(l.text[n:]) {
		if l.text[n] == '"' || l.text[n] == '\'' {
			break
		}
		n++
	}
	tail := strings.TrimLeft(l.text[n:min(len(l.text), n+leadMax)], " \t")
	switch {
	case n >= i+valueRead:
		return n, false
	case tail == "", lineEnd(tail):
		return n, true
	}
	return n, tail[0] == '#' && l.text[n] <= ' '
}

// lineStart reports whether a line begins after the text, and lineEnd whether one ends
// at its beginning. A line break may be escaped.
func lineStart(text string) bool {
	return text == "" || text[len(text)-1] == '\n' || strings.HasSuffix(text, `\n`)
}

func lineEnd(text string) bool {
	if text[0] == '\n' || text[0] == '\r' {
		return true
	}
	return strings.HasPrefix(text, `\n`) || strings.HasPrefix(text, `\r`)
}

// opens reports whether the name is the name of an element that begins there.
func (l label) opens() bool {
	return l.start > 0 && (l.text[l.start-1] == '<' || l.text[l.start-1] == ':')
}

// element finds the text of <NAME>TEXT</NAME>.
func (l label) element() (from, to int, ok bool) {
	attributes := attributesOf().FindString(l.text[l.end:min(len(l.text), l.end+valueRead)])
	if !l.opens() || attributes == "" {
		return 0, 0, false
	}
	const open, shut = "<![CDATA[", "]]>"
	from = l.end + len(attributes)
	if strings.HasPrefix(l.text[from:], open) {
		from += len(open)
		to = l.until(from, shut)
	} else {
		to = l.until(from, "</")
	}
	text := strings.TrimSpace(l.text[from:to])
	return from, to, text != "" && secretMember(l.name(), text)
}

// until returns the place of a sign after i, or i if it is not near.
func (l label) until(i int, sign string) int {
	return i + max(strings.Index(l.text[i:min(len(l.text), i+valueRead)], sign), 0)
}

// content finds the text of <entry key="NAME">TEXT</entry>, and of a value element
// inside it. Forms and anchors have names too, so only one word with a digit is a
// secret.
func (l label) content() (from, to int, ok bool) {
	tag := l.text[max(0, l.start-leadMax):l.start]
	tag = tag[strings.LastIndexByte(tag, '<')+1:]
	m := contentOf().FindString(l.text[l.end:min(len(l.text), l.end+valueRead)])
	if m == "" || !named().MatchString(tag) {
		return 0, 0, false
	}
	from = l.end + len(m)
	to = l.until(from, "</")
	text := strings.TrimSpace(l.text[from:to])
	return from, to, mixed(text) && !strings.ContainsAny(text, " \t\r\n") && secretString(l.name(), text)
}

// block finds the value of NAME: | in YAML: the lines below that have the indentation
// of the first one.
func (l label) block() (from, to int, ok bool) {
	m := blockOf().FindStringSubmatchIndex(l.text[l.end:min(len(l.text), l.end+valueRead)])
	if m == nil || !lineStart(strings.TrimRight(l.text[max(0, l.start-leadMax):l.start], "\"' \t-")) {
		return 0, 0, false
	}
	from = l.end + m[1]
	indent := l.text[l.end+m[2] : from]
	to = endOfLine(l.text, from)
	if ok = to > from && secretLine(l.name(), l.text[from:to]); !ok {
		return 0, 0, false
	}
	for to < len(l.text) && strings.HasPrefix(l.text[to:], indent) && to-from < keyRead {
		to = endOfLine(l.text, to+len(indent))
	}
	return from, to, true
}

// endOfLine returns the end of the line, or of the part of it that is read.
func endOfLine(text string, i int) int {
	end := min(len(text), i+valueRead)
	if n := strings.IndexAny(text[i:end], "\r\n"); n >= 0 {
		return i + n
	}
	return end
}

// constant finds the value of define('NAME', 'VALUE').
func (l label) constant() (from, to int, ok bool) {
	before := strings.TrimRight(l.text[max(0, l.start-leadMax):l.start], `"' `)
	if !strings.HasSuffix(before, "define(") {
		return 0, 0, false
	}
	m := comma().FindString(l.text[l.end:min(len(l.text), l.end+leadMax)])
	if m == "" {
		return 0, 0, false
	}
	from = l.end + len(m)
	to, ok = quotedAt(l.text, from)
	return from, to, ok && (secretString(l.name(), l.text[from:to]) || long(l.text[from:to]))
}

// long reports whether a constant is a random key of all signs, including blanks.
func long(value string) bool {
	if len(value) < 48 || strings.Contains(value, mark) {
		return false
	}
	return mixed(value) && strings.ContainsAny(value, "!@#$%^&*")
}

// entry finds the value of key="NAME" value="VALUE", and of the same in JSON and YAML.
func (l label) entry() (from, to int, ok bool) {
	if equals.Has(l.text[l.end]) {
		return 0, 0, false
	}
	m := behindName().FindString(l.text[l.end:min(len(l.text), l.end+2*leadMax)])
	if m == "" {
		return 0, 0, false
	}
	return l.valueAt(l.end+len(m), false)
}

// option finds the value of --NAME VALUE.
func (l label) option() (from, to int, ok bool) {
	from = l.end + 1
	if !strings.HasPrefix(l.name(), "--") || l.text[l.end] != ' ' {
		return 0, 0, false
	}
	if strings.HasPrefix(l.text[from:], "-") {
		return 0, 0, false
	}
	return l.valueAt(from+gap(l.text[from:]), false)
}

var (
	attributesOf = lex.Pattern(`^(?:\s{1,16}[A-Za-z:_-]{1,32}\s?=\s?(?:"[^"<>\n]{0,64}"|'[^'<>\n]{0,64}')){0,8}\s{0,8}>`)
	contentOf    = lex.Pattern(`^["'](?:\s[^<>\n]{0,128})?>\s{0,32}(?i:<value>)?`)
	named        = lex.Pattern(`^[A-Za-z:_-]{1,32}\s[^<>]{0,32}\b(?i:name|key)=["'][^"'<>]{0,32}$`)
	blockOf      = lex.Pattern(`^:[ \t]{1,4}[|>][+-]?[ \t]{0,8}(\r?\n[ \t]{1,32})`)
	comma        = lex.Pattern(`^['"]\s{0,16},\s{0,16}['"]`)
	behindName   = lex.Pattern(`^(?:\\?["'])?[,\s]{0,32}(?:\\?["'])?\bvalue(?:\\?["'])?\s{0,4}[:=]\s{0,4}(?:\\?["'])?`)
)
