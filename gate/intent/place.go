package intent

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// comparison places leaves in the texts. The context is cut when a leaf is first looked for
// in it.
type comparison struct {
	question, around, value, other text
	context                        string
	changes                        bool     // the call may change something
	orders                         []string // the verbs of the tool's name
	resource                       []string // places of the arguments that name the resource of the call
	spans                          []Span   // memory for the spans of the leaves
	lower                          string   // the question
	tried                          int      // values that were recomputed
}

// place gives every leaf its origin. Long values choose first, in any parameter. So a
// repeated value does not depend on the order, and no exchange of values between parameters
// hides a mark.
func (c *comparison) place(leaves []leaf) {
	order := make([]*leaf, len(leaves))
	for i := range leaves {
		order[i] = &leaves[i]
	}
	slices.SortStableFunc(order, func(a, b *leaf) int {
		return cmp.Or(cmp.Compare(len(b.Value), len(a.Value)), cmp.Compare(a.Value, b.Value))
	})
	c.spans = make([]Span, 0, len(leaves))
	for _, l := range order {
		c.origin(l)
	}
	c.parts(leaves)
	c.directions(leaves)
}

func (c *comparison) origin(l *leaf) {
	v := l.scalar()
	if v.kind == '"' {
		c.value.cut(v.text)
	}
	l.Listed = l.at.lists(v)
	said, found, differs := c.recompute(l, v)
	switch {
	case found && said.exact && said.by == "":
		l.Origin = Stated
	case l.at.fixes(v):
		l.Origin = Schema
		return
	case found && said.by != "":
		l.Origin, l.By = Derived, said.by
	case l.at.assumes(v):
		l.Origin = Default
	case found:
		l.Origin = Respelled
	default:
		c.elsewhere(l, v)
	}
	if differs != nil {
		s := c.question.span(differs.start, differs.end)
		l.By, l.Differs, l.Source = differs.by, differs.want, &s
	}
	if found && l.Origin != Default {
		c.settle(l, &c.question, said)
	}
}

// recompute looks for a value in the question, and for words that require another value.
func (c *comparison) recompute(l *leaf, v scalar) (said match, found bool, differs *match) {
	switch {
	case l.Name || v.kind == '"':
		said, found = c.question.find(&c.value)
	case v.kind == 't' || v.kind == 'f':
		m, yes, spoken := c.spoken(l)
		if spoken && yes != (v.kind == 't') {
			m.want = strconv.FormatBool(yes)
			return said, false, &m
		}
		return m, spoken, nil
	case v.kind != '0':
		return said, false, nil
	}
	if l.Name {
		return said, found, nil
	}
	if v.kind == '0' || len(v.text) < maxDerived && isNumber(v.text) {
		n, is, other := c.number(l, v.text)
		if v.kind == '"' && n.by == "" { // the user wrote no such text
			n.by = byNumber
		}
		if !found {
			said, found = n, is
		}
		if !is {
			differs = other
		}
	}
	if v.kind == '"' && !found && c.tried < maxTried {
		c.tried++
		if said, found = c.derive(l, v.text); !found {
			said, found, differs = c.moment(v.text)
		}
		if !found {
			said, found = c.period(l, v.text)
		}
	}
	return said, found, differs
}

// maxTried bounds the texts of one call that are recomputed. Later ones are marked.
const maxTried = 128

// isNumber reports whether a string is a number's digits.
func isNumber(s string) bool {
	if s == "" || strings.Trim(s, "0123456789.-") != "" {
		return false
	}
	return strings.LastIndexByte(s, '-') < 1 && strings.TrimRight(s, ".-") == s
}

// settle gives a leaf its place.
func (c *comparison) settle(l *leaf, t *text, m match) {
	c.spans = append(c.spans, t.span(m.start, m.end))
	l.Span, l.Repeated = &c.spans[len(c.spans)-1], m.taken
	if m.by != byCurrency { // the sign belongs to the number
		t.take(m.start, m.end)
	}
}

// elsewhere looks for a value that the question does not have as a whole.
func (c *comparison) elsewhere(l *leaf, v scalar) {
	if v.kind == '"' {
		if whole, found := c.question.partOf(&c.value); found {
			l.Origin = Part
			c.settle(l, &c.question, match{start: whole.Start, end: whole.End})
			return
		}
	}
	if c.context == "" {
		return
	}
	if c.around.NFC == "" {
		c.around.cut(c.context)
		c.around.index()
	}
	m, found := match{}, false
	switch v.kind {
	case '"':
		m, found = c.around.find(&c.value)
	case '0':
		m, found = c.around.findNumber(v.text)
	}
	if found {
		l.Origin = Context
		c.settle(l, &c.around, m)
	}
}

// Marks are the leaves that a person has to check. A respelled value is marked if the call
// may change something, unless the schema lists exactly this value.
func (r Report) Marks(reads bool) []Leaf {
	var marked []Leaf
	for _, l := range r.Leaves {
		if l.marked(reads) {
			marked = append(marked, l)
		}
	}
	return marked
}

func (l Leaf) marked(reads bool) bool {
	switch {
	case l.Repeated, l.Differs != "":
		return true
	case l.Origin == Respelled:
		return !reads && !l.Listed
	}
	return l.Origin.marks()
}

func (o Origin) marks() bool {
	switch o {
	case Stated, Schema, Default, Respelled, Given, Derived, Client, Operator:
		return false
	}
	return true
}

// Marked reports whether anything has to be checked.
func (r Report) Marked(reads bool) bool {
	return slices.ContainsFunc(r.Unused, func(s Span) bool { return !s.Aside }) || r.NotAsked != nil || len(r.Marks(reads)) > 0
}

// certain are the ways of deriving a value that need no check by a person.
var certain = map[string]bool{byPart: true, byNumberWord: true, byDateWords: true}

// Certain reports whether a call has no mark if no person reads it. Then a derived value
// counts as marked, except parts of the user's text, number words, and dates with their
// month in words. Every literal that is left over counts as a mark, too. Nothing that a
// client's model wrote is certain.
func (r Report) Certain(reads bool) bool {
	if r.Client || r.Marked(reads) || len(r.Unused) > 0 {
		return false
	}
	return !slices.ContainsFunc(r.Leaves, func(l Leaf) bool { return l.Origin == Derived && !certain[l.By] })
}
