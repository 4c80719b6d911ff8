package summarize

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// scope is what a block hangs on, as far as the lines before it tell: the
// closed list of docs/evidence.md.
type scope struct {
	blank    bool      // a blank line stands before
	headings []heading // that the section is under, outermost first
	senders  []*anchor // the last From: or attribution, by depth of quotation
	items    []listed  // of the list, outermost first
	lead     *anchor   // what the list itself hangs on
	header   *anchor   // of the table
}

type heading struct {
	level int
	at    *anchor
}

type listed struct {
	indent int
	at     *anchor
}

// above is what a block hangs on.
func (r *reader) above(k kind, l line, last *block) *anchor {
	r.quote(l, last)
	if k == head {
		r.headings = r.headings[:r.enclosing(l)]
		r.items = nil
		return r.section(l.depth)
	}
	for len(r.items) > 0 && r.items[len(r.items)-1].indent >= l.indent {
		r.items = r.items[:len(r.items)-1]
		if k == item && len(r.items) == 0 {
			return r.lead // the next item of the list
		}
	}
	switch {
	case k == row && r.header != nil:
		return r.header
	case r.led(k, l, last):
		return last.self
	case len(r.items) > 0:
		return r.items[len(r.items)-1].at
	}
	return r.section(l.depth)
}

// led reports whether the block before leads to this one: it ends with a colon,
// or it is not a sentence yet, and a list or a small letter goes on.
func (r *reader) led(k kind, l line, last *block) bool {
	if last == nil || last.depth != l.depth || last.kind == head {
		return false
	}
	first, _ := utf8.DecodeRuneInString(l.text)
	completes := k == item && len(r.items) == 0 || k == prose && unicode.IsLower(first)
	return leads(last.text) || completes && last.kind == prose && !closed(last.text)
}

// enter remembers what hangs on a block that begins.
func (r *reader) enter(k kind, l line, self *anchor) {
	switch k {
	case head:
		r.headings = append(r.headings, heading{r.level(l), self})
	case item:
		if len(r.items) == 0 {
			r.lead = self.under
		}
		r.items = append(r.items, listed{l.indent, self})
	case row:
		if r.header == nil && !ruled(l.text) {
			r.header = self
		}
	}
	if k == entry && sender(l.text) {
		self.under = nil
		if n := len(r.headings); n > 0 {
			self.under = r.headings[n-1].at
		}
		r.sent(l.depth, self)
	}
}

// sent puts everything from here on under what names a sender.
func (r *reader) sent(depth int, by *anchor) {
	r.senders = r.senders[:min(depth, len(r.senders))]
	for len(r.senders) < depth {
		r.senders = append(r.senders, nil)
	}
	r.senders = append(r.senders, by)
	r.headings, r.items = nil, nil
}

// quote follows the depth of quotation. What leads to a deeper one names who
// wrote it; after "On … wrote:" a quotation may also have no marks.
func (r *reader) quote(l line, last *block) {
	if last == nil {
		return
	}
	switch {
	case l.depth > last.depth && leads(last.text):
		r.sent(l.depth, last.self)
	case l.depth < last.depth:
		r.senders = r.senders[:min(l.depth+1, len(r.senders))]
		fallthrough
	case l.depth > last.depth:
		r.headings, r.items = nil, nil
	case wrote().MatchString(r.text[last.self.from:last.self.to]):
		r.sent(l.depth, last.self)
	}
}

// section is the heading that a block stands under, or who wrote it.
func (r *reader) section(depth int) *anchor {
	if n := len(r.headings); n > 0 {
		return r.headings[n-1].at
	}
	for i := min(depth, len(r.senders)-1); i >= 0; i-- {
		if r.senders[i] != nil {
			return r.senders[i]
		}
	}
	return nil
}

// enclosing is how many headings a heading stands under.
func (r *reader) enclosing(l line) int {
	n, level := len(r.headings), r.level(l)
	for n > 0 && r.headings[n-1].level >= level {
		n--
	}
	return n
}

// kindOf reads a line by its look, and by what it follows.
func (r *reader) kindOf(l line) kind {
	together := r.open != nil && !r.blank && r.open.depth == l.depth
	switch {
	case together && r.open.kind == fenced:
		return fenced
	case stamped(l.text):
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
	case (label(l.text) || record(l.text)) && (!together || r.open.kind == entry || leads(r.open.text)):
		return entry
	}
	return prose
}

// level is that of a heading, or 0: Markdown's two forms, and a line that is
// set in bold.
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

// tabled reports whether a table begins with a line: one of bars, or one that
// the next line has as many cells as, between tabs, commas, semicolons or bars.
func (r *reader) tabled(l line, together bool) bool {
	if strings.HasPrefix(l.text, "|") {
		return true
	}
	if together && !leads(r.open.text) || marker(l.text) > 0 {
		return false
	}
	next := lineAt(r.text, min(l.next, len(r.text))).text
	if strings.Contains(l.text, "|") && ruled(next) || ruled(l.text) && strings.HasPrefix(next, "|") {
		return true
	}
	for _, by := range "\t,;|" {
		if n := cells(l.text, by); n > 1 && n == cells(next, by) && !strings.ContainsAny(l.text, "0123456789.") {
			return true
		}
	}
	return false
}

// cells is how many a line has, or 0 where it looks like prose.
func cells(s string, by rune) int {
	parts := strings.Split(s, string(by))
	for _, p := range parts {
		if (by == ',' || by == ';') && strings.HasPrefix(p, " ") || len(p) > 80 {
			return 0
		}
	}
	return len(parts)
}

// ruled reports whether a line parts the head of a table from its rows.
func ruled(s string) bool {
	return strings.Contains(s, "-") && strings.ContainsAny(s, "|+") && strings.Trim(s, "|:-+= \t") == ""
}

// marker is the length of the mark that a list item begins with, or 0.
func marker(s string) int {
	for _, m := range []string{"- ", "* ", "+ ", "• ", "– ", "◦ ", "▪ ", "‣ "} {
		if strings.HasPrefix(s, m) {
			return len(m)
		}
	}
	return len(numbered().FindString(s))
}

// sender reports whether a line of mail says who it is from.
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

// record reports whether a line is an object of JSON by its look.
func record(s string) bool { return strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") }

// leads reports whether a line leads to what stands below it.
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

//go:noinline
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

var (
	numbered = pattern(`^(?:\d{1,3}[.)]|\(?[a-z0-9]{1,3}\)) `)
	wrote    = pattern(`(?s)^On .* wrote:$`)
	stamp    = pattern(`^[\[(]?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d?:\d\d|\d\d?:\d\d:\d\d|\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d|(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} +\d\d? \d\d:\d\d:\d\d|\S+ \S+ \S+ \[\d\d/[A-Z][a-z]{2}/\d{4}:|\[?\d\d?:\d\d\])`)
)
