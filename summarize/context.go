package summarize

import (
	"unicode"
	"unicode/utf8"
)

// scope is the context of a block, as far as the lines before it determine it: the closed
// list in docs/evidence.md.
type scope struct {
	blank    bool      // a blank line comes before
	headings []heading // headings of the section, outermost first
	senders  []*anchor // the last From: or attribution, by depth of quotation
	items    []listed  // items of the list, outermost first
	lead     *anchor   // context of the list, or of the previous list
	header   *anchor   // header of the table
	listed   bool      // the block is in the same list as the previous one
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

// above returns the context of a block.
func (r *reader) above(k kind, l line, last *block) *anchor {
	r.quote(l, last)
	if r.listed = false; k == head {
		r.headings = r.headings[:r.enclosing(l)]
		r.items, r.lead = nil, nil
		return r.section(l.depth)
	}
	goesOn := len(r.items) > 0 || r.lead != nil && later(l.text)
	goesOn = goesOn && k == item
	r.items = r.items[:r.holding(k, l)]
	r.listed = goesOn || len(r.items) > 0
	switch {
	case goesOn && len(r.items) == 0:
		return r.lead // the list continues
	case k == row && r.header != nil:
		return r.header
	case r.led(k, l, last):
		return last.self
	case len(r.items) > 0:
		return r.items[len(r.items)-1].at
	}
	return r.section(l.depth)
}

// joins reports whether a block of some kind is in the same group as the previous one. A
// group is the items of a list and everything below them, the rows of a table, or lines
// without a blank line between them. Each log line and each heading is a separate group.
func (r *reader) joins(k kind) bool {
	switch {
	case r.last == nil, k == head, k == logged, r.last.kind == head, r.last.kind == logged:
		return false
	case k == row:
		return r.header != nil
	}
	return r.listed || !r.blank && r.last.kind != row
}

// holding is the number of items that contain a block. An item that ends with a colon
// also contains items with another mark and the same indent.
func (r *reader) holding(k kind, l line) int {
	n := len(r.items)
	for n > 0 && r.items[n-1].indent >= l.indent {
		n--
	}
	if k != item {
		return n
	}
	for _, above := range r.items[n:] {
		if above.indent != l.indent || !above.leads || above.mark == mark(l.text) {
			break
		}
		n++
	}
	return n
}

// led reports whether the previous block leads to this one. Either it ends with a colon,
// or it is an incomplete sentence that a list or a lower-case letter continues.
func (r *reader) led(k kind, l line, last *block) bool {
	if last == nil || last.depth != l.depth || last.kind == head {
		return false
	}
	first, _ := utf8.DecodeRuneInString(l.text)
	completes := false
	switch k {
	case item:
		completes = len(r.items) == 0
	case prose:
		completes = unicode.IsLower(first)
	}
	if last.kind != prose && last.kind != entry {
		completes = false
	}
	return leads(last.text) || completes && !closed(last.text)
}

// enter records a new block as context for later blocks.
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

// sent puts everything from here on under the line that names a sender.
func (r *reader) sent(depth int, by *anchor) {
	r.senders = r.senders[:min(depth, len(r.senders))]
	for len(r.senders) < depth {
		r.senders = append(r.senders, nil)
	}
	r.senders = append(r.senders, by)
	r.headings, r.items, r.lead = nil, nil, nil
}

// quote follows the depth of quotation. The line before a deeper quotation names its
// author. After "On … wrote:" a quotation may also have no marks.
func (r *reader) quote(l line, last *block) {
	if last == nil {
		return
	}
	switch {
	case l.depth > last.depth && leads(last.text):
		r.sent(l.depth, last.self)
	case l.depth != last.depth: // an answer inside a quotation does not change a speaker
		r.headings, r.items, r.lead = nil, nil, nil
	case wrote().MatchString(r.text[last.self.from:last.self.to]):
		r.sent(l.depth, last.self)
	}
}

// section returns the heading above a block, or the line that names its author.
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

// enclosing is the number of headings above a heading.
func (r *reader) enclosing(l line) int {
	n, level := len(r.headings), r.level(l)
	for n > 0 && r.headings[n-1].level >= level {
		n--
	}
	return n
}
