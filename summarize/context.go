package summarize

import (
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
	lead     *anchor   // what the list itself hangs on, or the one before
	header   *anchor   // of the table
	listed   bool      // the block is of the same list as the one before
}

type heading struct {
	level int
	at    *anchor
}

type listed struct {
	indent int
	mark   byte
	leads  bool
	at     *anchor
}

// above is what a block hangs on.
func (r *reader) above(k kind, l line, last *block) *anchor {
	r.quote(l, last)
	if r.listed = false; k == head {
		r.headings = r.headings[:r.enclosing(l)]
		r.items, r.lead = nil, nil
		return r.section(l.depth)
	}
	goesOn := k == item && (len(r.items) > 0 || r.lead != nil && later(l.text))
	r.items = r.items[:r.holding(k, l)]
	r.listed = goesOn || len(r.items) > 0
	switch {
	case goesOn && len(r.items) == 0:
		return r.lead // the next item of the list
	case k == row && r.header != nil:
		return r.header
	case r.led(k, l, last):
		return last.self
	case len(r.items) > 0:
		return r.items[len(r.items)-1].at
	}
	return r.section(l.depth)
}

// joins reports whether a block of some kind is of the same group as the one
// before: the items of a list and what is below them, the rows of a table, and
// lines without a blank one between. Each log line and each heading is alone.
func (r *reader) joins(k kind) bool {
	switch {
	case r.last == nil, k == head, k == logged, r.last.kind == head, r.last.kind == logged:
		return false
	case k == row:
		return r.header != nil
	}
	return r.listed || !r.blank && r.last.kind != row
}

// holding is how many items a block is below. One that ends with a colon also
// holds those of another mark that are not indented.
func (r *reader) holding(k kind, l line) int {
	n := len(r.items)
	for n > 0 && r.items[n-1].indent >= l.indent {
		n--
	}
	for n < len(r.items) && k == item && r.items[n].indent == l.indent && r.items[n].leads && r.items[n].mark != mark(l.text) {
		n++
	}
	return n
}

// led reports whether the block before leads to this one: it ends with a colon,
// or it is not a sentence yet, and a list or a small letter goes on.
func (r *reader) led(k kind, l line, last *block) bool {
	if last == nil || last.depth != l.depth || last.kind == head {
		return false
	}
	first, _ := utf8.DecodeRuneInString(l.text)
	completes := k == item && len(r.items) == 0 || k == prose && unicode.IsLower(first)
	return leads(last.text) || completes && (last.kind == prose || last.kind == entry) && !closed(last.text)
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
		r.items = append(r.items, listed{l.indent, mark(l.text), leads(l.text), self})
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
	r.headings, r.items, r.lead = nil, nil, nil
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
	case l.depth != last.depth: // an answer inside a quotation changes no speaker's words
		r.headings, r.items, r.lead = nil, nil, nil
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
