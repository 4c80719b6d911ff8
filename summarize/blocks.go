package summarize

import (
	"iter"
	"strings"
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
func blocks(s string) iter.Seq[block] {
	return func(yield func(block) bool) {
		var r reader
		var b block
		for l := range lines(s) {
			first := r.last.text == ""
			switch {
			case r.begins(l):
				if !first && !yield(b) {
					return
				}
				b = block{l.span, len(s)}
			case l.blank, item(l.text), r.ruled > 0, r.fenced:
				b.solid = min(b.solid, r.last.to)
				fallthrough
			default:
				b.to = l.to
			}
			switch {
			case delimits(l.text):
				b.solid = min(b.solid, max(b.from, r.last.from)) // the heads stand above
			case strings.HasPrefix(strings.TrimLeft(l.text, "> "), "|"):
				b.solid = min(b.solid, l.from)
			}
			r.last = l
		}
		if r.last.text != "" {
			yield(b)
		}
	}
}

// delimits reports whether a line parts the heads of a table from its rows. In
// a row nothing is cut: one cell may say that another is not so.
func delimits(s string) bool {
	return strings.Contains(s, "|") && strings.Contains(s, "-") && strings.Trim(s, "|:-> \t") == ""
}

// block is a stretch that sentences are looked for in. From solid on it holds
// what belongs to the words before: no sentence of that stands alone.
type block struct {
	span
	solid int
}

func lines(s string) iter.Seq[line] {
	return func(yield func(line) bool) {
		blank := true
		for from := 0; from < len(s); {
			end := len(s)
			if n := strings.IndexByte(s[from:], '\n'); n >= 0 {
				end = from + n
			}
			text := strings.Trim(s[from:end], blanks)
			if text != "" {
				indent := strings.Index(s[from:end], text)
				if !yield(line{span{from + indent, from + indent + len(text)}, text, indent, blank}) {
					return
				}
			}
			blank = text == ""
			from = end + 1
		}
	}
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
	r.list = r.list && (item(l.text) || !l.blank || l.indent > r.base || r.led && !apart)
	if level := l.level(); level > 0 && !r.fenced {
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
	level, item, above := l.level(), item(l.text), r.last.level()
	switch {
	case r.fenced, r.ruled > 0 && (level == 0 || level > r.ruled):
		return false
	case item && !r.list:
		return r.opensList(l)
	case item:
		return l.indent <= r.base && !r.led && !unfinished(r.last.text)
	case unfinished(r.last.text):
		return false
	case level > 0, above > 0 && (above < bold || l.blank):
		return true
	case r.list && (l.indent > r.base || !l.blank):
		return false
	case r.list && r.led && goesOn(l.text):
		return false // "and also"
	case l.blank:
		return r.list || closed(r.last.text) || !rules(r.last.text)
	}
	return label(l.text) && label(r.last.text)
}

// opensList decides whether a list stands for itself or belongs to the words
// before it, which may be "Never:" or "These get you fired".
func (r *reader) opensList(l line) bool {
	before := r.last.text
	r.list, r.base = true, l.indent
	r.led = before != "" && (unfinished(before) || rules(before) || !closed(before) && heading(before) == 0)
	return !r.led
}
