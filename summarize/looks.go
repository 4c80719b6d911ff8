package summarize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/lex"
)

// kindOf classifies a line by its look, and by the block before it.
func (r *reader) kindOf(l line) kind {
	together := r.open != nil && !r.blank && r.open.depth == l.depth
	begins := func(of kind) bool { return !together || r.open.kind == of || leads(r.open.text) }
	switch {
	case together && r.open.kind == fenced:
		return fenced
	case stamped(l.text), timed(l.text) && begins(logged):
		return logged
	case together && r.open.kind == logged:
		return prose
	case !together || r.open.kind != row:
		r.header = nil
	}
	switch {
	case l.fence():
		return fenced
	case r.level(l) > 0:
		return head
	case together && r.open.kind == row, r.tabled(l, together):
		return row
	case sender(l.text):
		return entry
	case marker(l.text) > 0:
		return item
	case !begins(entry):
		return prose
	case label(l.text), keyed().MatchString(l.text):
		return entry
	case strings.HasPrefix(l.text, "{") && strings.HasSuffix(l.text, "}"): // an object of JSON
		return entry
	}
	return prose
}

// level is the level of a heading, or 0. It knows Markdown's two forms, and a line in
// bold.
func (r *reader) level(l line) int {
	n := len(l.text) - len(strings.TrimLeft(l.text, "#"))
	switch {
	case n > 0 && n <= 6 && strings.HasPrefix(l.text[n:], " "):
		return n
	case r.open != nil && !r.blank:
		return 0
	}
	switch next := lineAt(r.text, min(l.next, len(r.text))).text; {
	case len(next) > 1 && strings.Trim(next, "=") == "" && marker(l.text) == 0:
		return 1
	case len(next) > 1 && strings.Trim(next, "-") == "" && marker(l.text) == 0:
		return 2
	case len(l.text) > 4 && (bold(l.text, "**") || bold(l.text, "__")):
		return 7
	}
	return 0
}

func bold(s, mark string) bool {
	s = strings.TrimSuffix(s, ":")
	return strings.HasPrefix(s, mark) && strings.HasSuffix(s, mark) && strings.Count(s, mark) == 2
}

func (l line) fence() bool {
	return strings.HasPrefix(l.text, "```") || strings.HasPrefix(l.text, "~~~")
}

// tabled reports whether a table begins with a line. Such a line has bars, or as many
// cells as the next line, between tabs, commas, semicolons or bars.
func (r *reader) tabled(l line, together bool) bool {
	if strings.HasPrefix(l.text, "|") {
		return true
	}
	if together && !leads(r.open.text) || marker(l.text) > 0 {
		return false
	}
	next := lineAt(r.text, min(l.next, len(r.text))).text
	if strings.Contains(l.text, "|") && ruled(next) {
		return true
	}
	if ruled(l.text) && strings.HasPrefix(next, "|") {
		return true
	}
	for _, by := range "\t,;|" {
		if n := cells(l.text, by); n > 1 && n == cells(next, by) && !strings.ContainsAny(l.text, "0123456789.") {
			return true
		}
	}
	if len(l.text) > maxText {
		return false
	}
	// columns separated by blanks; the first may have no head
	n, m := len(wide().Split(l.text, -1)), len(wide().Split(next, -1))
	aligned := n == m || l.indent > 0 && n+1 == m
	return n > 1 && aligned && !strings.ContainsAny(l.text, "0123456789.")
}

// cells is the number of cells in a line, or 0 if it looks like prose.
func cells(s string, by rune) int {
	parts := strings.Split(s, string(by))
	for _, p := range parts {
		inProse := by == ',' || by == ';'
		if inProse && strings.HasPrefix(p, " ") || len(p) > 80 {
			return 0
		}
	}
	return len(parts)
}

// ruled reports whether a line separates the head of a table from its rows.
func ruled(s string) bool {
	return strings.Contains(s, "-") && strings.ContainsAny(s, "|+") && strings.Trim(s, "|:-+= \t") == ""
}

// marker is the length of the mark at the beginning of a list item, or 0.
func marker(s string) int {
	for _, m := range []string{"- ", "* ", "+ ", "• ", "– ", "◦ ", "▪ ", "‣ "} {
		if strings.HasPrefix(s, m) {
			return len(m)
		}
	}
	return len(numbered().FindString(s))
}

// mark identifies the mark of a list. All numbers count as one mark.
func mark(s string) byte {
	if numbered().MatchString(s) {
		return '1'
	}
	return s[0]
}

// later reports whether an item has a number other than the first of a list.
func later(s string) bool {
	switch strings.Trim(numbered().FindString(s), "(.) ") {
	case "", "1", "a", "i":
		return false
	}
	return true
}

// sender reports whether a line of mail names the sender.
func sender(s string) bool {
	return strings.HasPrefix(strings.TrimLeft(s, "*_"), "From:") && len(s) > len("From: ")
}

// label reports whether a line begins like "Review date: ".
func label(s string) bool {
	name, _, found := strings.Cut(strings.TrimLeft(s, "*_"), ": ")
	first, _ := utf8.DecodeRuneInString(name)
	if !found || len(name) > 40 || !unicode.IsUpper(first) {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(" -/&()*_", r) }) < 0
}

// leads reports whether a line leads to the lines below it.
func leads(s string) bool {
	s = strings.TrimRight(s, "*_ ")
	return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")
}

// closed reports whether a line ends like a sentence.
func closed(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, closers+"*_`~"))
	return stop(r) && r != '…'
}

// stamped reports whether a text begins with the time of a log line.
func stamped(s string) bool { return len(s) > 0 && stamp().MatchString(s[:min(len(s), 64)]) }

// timed reports whether a line may be from a log: it has a time near its beginning.
func timed(s string) bool { return clock().MatchString(s[:min(len(s), 128)]) }

var (
	numbered = lex.Pattern(`^(?:\d{1,3}[.)]|\(?[a-z0-9]{1,3}\)) `)
	wide     = lex.Pattern(`[ \t]{2,}`)
	keyed    = lex.Pattern(`^"?[A-Za-z_][\w./-]*"?:(?: |$)`)
	wrote    = lex.Pattern(`(?s)^On .* wrote:$`)
	clock    = lex.Pattern(`^(?:\S{1,24} ){0,3}\S{0,12}\d\d:\d\d:\d\d`)
	stamp    = lex.Pattern(`^[\[(]?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d?:\d\d|\d\d?:\d\d:\d\d|\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d|(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} +\d\d? \d\d:\d\d:\d\d|\S+ \S+ \S+ \[\d\d/[A-Z][a-z]{2}/\d{4}:|\[?\d\d?:\d\d\])`)
)
