package summarize

import (
	"strings"
	"unicode"
)

// span is a stretch of a text, in bytes.
type span struct{ from, to int }

// line is one line of a text without the white space around it.
type line struct {
	span
	text   string
	indent int
	blank  bool // a blank line or a rule stands before it
}

// blocks cuts a text at the lines where something new begins for certain: at
// blank lines, headings, list items and labelled lines. A new line alone is
// no such place, for the text may only be wrapped there. Lines stay together
// where cutting could part a statement from what rules it: a list and the
// words that introduce it, an item and those below it, a line that does not
// end, a heading that negates and its section, a table, a fenced block.
func blocks(s string) []block {
	var out []block
	var r reader
	for _, l := range lines(s) {
		if r.begins(l) {
			out = append(out, block{l.span, len(s)})
		} else {
			b := &out[len(out)-1]
			if b.to = l.to; l.blank || item(l.text) || r.ruled > 0 || r.fenced {
				b.solid = min(b.solid, r.last.to)
			}
		}
		r.last = l
	}
	return out
}

// block is a stretch that sentences are looked for in. From solid on it holds
// what belongs to the words before: no sentence of that stands alone.
type block struct {
	span
	solid int
}

func lines(s string) []line {
	var out []line
	blank := true
	for from := 0; from < len(s); {
		end := len(s)
		if n := strings.IndexByte(s[from:], '\n'); n >= 0 {
			end = from + n
		}
		text := strings.Trim(s[from:end], blanks)
		if text == "" {
			blank = true
		} else {
			indent := strings.Index(s[from:end], text)
			out = append(out, line{span{from + indent, from + indent + len(text)}, text, indent, blank})
			blank = false
		}
		from = end + 1
	}
	return out
}

// reader remembers what rules the line that comes next.
type reader struct {
	last   line
	fenced bool
	list   bool // the last line belongs to a list whose items stand at base
	base   int
	led    bool // the list's items belong to the words that introduce it
	ruled  int  // the level of a heading that rules its section, or 0
}

func (r *reader) begins(l line) bool {
	first := r.last.text == ""
	apart := r.apart(l)
	r.list = r.list && (item(l.text) || !l.blank || l.indent > r.base)
	if level := heading(l.text); level > 0 && !r.fenced {
		if r.ruled >= level {
			r.ruled = 0
		}
		if rules(l.text) && r.ruled == 0 {
			r.ruled = level
		}
	}
	if strings.HasPrefix(l.text, "```") || strings.HasPrefix(l.text, "~~~") {
		r.fenced = !r.fenced
	}
	return first || apart
}

func (r *reader) apart(l line) bool {
	level, item := heading(l.text), item(l.text)
	switch {
	case r.fenced, r.ruled > 0 && (level == 0 || level > r.ruled):
		return false
	case item && !r.list:
		return r.opensList(l)
	case item:
		return l.indent <= r.base && !r.led && !unfinished(r.last.text)
	case unfinished(r.last.text):
		return false
	case level > 0, heading(r.last.text) > 0:
		return true
	case r.list && (l.indent > r.base || !l.blank):
		return false
	case l.blank:
		return r.list || closed(r.last.text) || !rules(r.last.text)
	}
	return label(l.text) && label(r.last.text)
}

// opensList decides whether a list stands for itself or belongs to the words
// before it, which may be "Never:".
func (r *reader) opensList(l line) bool {
	before := r.last.text
	r.list, r.base = true, l.indent
	r.led = before != "" && (unfinished(before) || rules(before) && !closed(before) || !l.blank && !closed(before) && heading(before) == 0)
	return !r.led
}

// marker is the length of the list marker that a line begins with, its blank
// included, or 0. A minus or a comparison before a digit is none.
func marker(s string) int {
	n := 0
	for _, bullet := range []string{"- ", "* ", "+ ", "• ", "> ", "# ", "## ", "### ", "#### ", "##### ", "###### "} {
		if strings.HasPrefix(s, bullet) {
			n = len(bullet)
		}
	}
	if n > 0 {
		if (s[0] == '-' || s[0] == '>') && digitFollows(s[n:]) {
			return 0
		}
		return n
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits <= 3 && len(s) > digits+1 && (s[digits] == '.' || s[digits] == ')') && s[digits+1] == ' ' {
		return digits + 2
	}
	return 0
}

// item reports whether a line is a list item. A quoted line is none: quotations are wrapped too.
func item(s string) bool { return marker(s) > 0 && s[0] != '#' && s[0] != '>' }

// heading is the level of a Markdown heading, or 0.
func heading(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "#"))
	if n > 6 || n == len(s) || s[n] != ' ' {
		return 0
	}
	return n
}

// label reports whether a line begins like "Review date: ".
func label(s string) bool {
	name, _, found := strings.Cut(s, ": ")
	if !found || name == "" || len(name) > 40 || !unicode.IsUpper([]rune(name)[0]) {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(" -/&()", r) }) < 0
}

// rules reports whether a line holds a word that could rule what stands below it.
func rules(s string) bool {
	for _, w := range words(s) {
		if w.negates() || conditions[w.key] || w.odd() {
			return true
		}
	}
	return false
}

// closed reports whether a line ends like a sentence.
func closed(s string) bool {
	s = strings.TrimRight(s, "\"'”’»)]*_`」』）")
	return strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "..") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") ||
		strings.HasSuffix(s, "。") || strings.HasSuffix(s, "！") || strings.HasSuffix(s, "？")
}

// unfinished reports whether a line cannot be the end of anything.
func unfinished(s string) bool {
	if s = strings.TrimRight(s, "*_` "); strings.HasSuffix(s, ",") && len(s) < 48 && salutations[firstWord(s)] {
		return false
	}
	for _, end := range []string{",", ";", ":", "-", "–", "—", "(", "[", "{", "/", "&", "，", "；", "：", "、", "…", ".."} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return dangling[strings.ToLower(s[strings.LastIndexAny(s, " \t")+1:])]
}
