package intent

import (
	"cmp"
	"slices"
)

// comparison places leaves in the texts. The context is cut when a leaf has to
// be looked for in it.
type comparison struct {
	question, around, value text
	context                 string
	spans                   []Span // room for those of the leaves
}

// place gives every leaf its origin. Long values choose first, whatever
// parameter they are of: so what is repeated does not hang on the order, and
// no exchange of values between parameters hides a mark.
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
}

func (c *comparison) origin(l *leaf) {
	v := l.scalar()
	if v.kind == '"' {
		c.value.cut(v.text)
	}
	l.Listed = l.at.lists(v)
	said, found := c.in(&c.question, v)
	switch {
	case found && said.exact:
		l.Origin = Stated
	case l.at.fixes(v):
		l.Origin = Schema
		return
	case l.at.assumes(v):
		l.Origin = Default
		return
	case found:
		l.Origin = Respelled
	default:
		c.elsewhere(l, v)
		return
	}
	c.settle(l, &c.question, said)
}

// settle gives a leaf its place.
func (c *comparison) settle(l *leaf, t *text, m match) {
	c.spans = append(c.spans, t.span(m.start, m.end))
	l.Span, l.Repeated = &c.spans[len(c.spans)-1], m.taken
	t.take(m.start, m.end)
}

// elsewhere is for what the question does not hold as a whole.
func (c *comparison) elsewhere(l *leaf, v scalar) {
	if v.kind == '"' {
		if whole, found := c.question.partOf(&c.value); found {
			l.Origin = Part
			c.settle(l, &c.question, match{start: whole.start, end: whole.end})
			return
		}
	}
	if c.context == "" {
		return
	}
	if c.around.all == "" {
		c.around.cut(c.context)
		c.around.index()
	}
	if m, found := c.in(&c.around, v); found {
		l.Origin = Context
		c.settle(l, &c.around, m)
	}
}

// in looks for a value in a text. What is neither a string nor a number is
// never there: "true" in a true story is not a yes.
func (c *comparison) in(t *text, v scalar) (match, bool) {
	switch v.kind {
	case '"':
		return t.find(&c.value)
	case '0':
		return t.findNumber(v.text)
	}
	return match{}, false
}

// Marks are the leaves that a person has to look at. A respelled value is one
// where the call may change something, unless the schema lists it as it is.
func (r Report) Marks(reads bool) []Leaf {
	var marked []Leaf
	for _, l := range r.Leaves {
		if l.Repeated || l.Origin.marks() || l.Origin == Respelled && !reads && !l.Listed {
			marked = append(marked, l)
		}
	}
	return marked
}

func (o Origin) marks() bool {
	switch o {
	case Stated, Schema, Default, Respelled, Given:
		return false
	}
	return true
}

// Marked reports whether anything has to be looked at.
func (r Report) Marked(reads bool) bool { return len(r.Unused) > 0 || len(r.Marks(reads)) > 0 }
