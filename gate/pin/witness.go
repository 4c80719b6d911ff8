package pin

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
)

// budget bounds the search for witnesses. Its unit is one schema that checks a value, about
// three microseconds. Once it is spent, no witness is found.
type budget int

const (
	maxWork    = 100_000 // of two descriptors
	maxAllWork = 300_000 // of one listing
	maxTries   = 160     // values of one difference
	perSchema  = 256     // bytes of a compiled schema that cost as much as one check of a value
)

func (b *budget) spend(n int) bool {
	*b -= budget(n)
	return *b >= 0
}

// question is a difference that needs a witness.
type question struct {
	*Difference
	here     spot
	was, now *schema.Node // the schemas at that place; may be nil
}

// ask queues a search for a witness, with the schemas at a place.
func (s *contract) ask(d *Difference, here spot, at string) {
	s.open = append(s.open, question{d, here, s.was.node(at), s.now.node(at)})
}

// above is the place of the schema that a keyword is in.
func above(at string) string { return at[:strings.LastIndexByte(at, '/')] }

// local is a place of a descriptor as a place in its schema, "" for the whole schema.
func local(at string) string {
	_, way, inside := strings.Cut(strings.TrimPrefix(at, "/"), "/")
	if !inside {
		return ""
	}
	return "/" + way
}

func (f *form) node(at string) *schema.Node { return f.admitted.Root().At(local(at)) }

// witness answers the questions. A difference that takes less by its structure, but has no
// witness for it, is not safer.
func (s *contract) witness() {
	t, ok := s.newTrial()
	for _, q := range s.open {
		if ok && q.here.known {
			t.answer(q)
		}
		if q.Class == Safer && q.Narrower == nil {
			q.Class, q.Why = Contract, q.Why+", but no example value was found"
		}
	}
}

// trial checks values against both schemas.
type trial struct {
	was, now *form
	old, new schema.Validator
	price    int // of checking one value against both
	budget   *budget
	tries    int
}

func (s *contract) newTrial() (*trial, bool) {
	if len(s.open) == 0 || !s.was.enforced() || !s.now.enforced() {
		return nil, false
	}
	t := &trial{was: s.was, now: s.now, price: s.was.admitted.Root().Size(maxNodes) + s.now.admitted.Root().Size(maxNodes), budget: s.budget}
	if !t.budget.spend((s.was.admitted.Weight() + s.now.admitted.Weight()) / perSchema) {
		return nil, false
	}
	var err error
	if t.old, err = s.was.admitted.Compile(); err != nil {
		return nil, false
	}
	t.new, err = s.now.admitted.Compile()
	return t, err == nil
}

// answered reports whether the expected witnesses of a difference are found. A removed
// safeguard or keyword lets more pass; an added one less. Any other change needs both.
func (q question) answered() bool {
	switch {
	case q.Class == Safer, q.now == nil:
		return q.Narrower != nil
	case q.was == nil: // a new parameter; an old schema that took any parameter takes less of it now
		return q.Wider != nil || q.Narrower != nil
	case q.Class == Lowering, q.Now == nil:
		return q.Wider != nil
	case q.Was == nil:
		return q.Narrower != nil
	}
	return q.Wider != nil && q.Narrower != nil
}

// answer searches for two values: one is taken by the new schema alone, the other by the
// old one alone. For a safer difference the first is not needed: another difference may
// well make it.
func (t *trial) answer(q question) {
	t.tries = maxTries
	for _, v := range t.values(q) {
		if t.tries--; q.answered() || t.tries < 0 || !t.budget.spend(t.price) {
			return
		}
		value := schema.Literal(v)
		switch before, after := t.old.Check(value) == nil, t.new.Check(value) == nil; {
		case before == after:
		case after && q.Wider == nil && q.Class != Safer:
			q.Wider = value
		case before && q.Narrower == nil:
			q.Narrower = value
		}
	}
}

// values are whole values, with a part at the place of the difference. One of the two
// schemas may take that part and the other not.
func (t *trial) values(q question) []any {
	var all []any
	before, after := t.was.sampler(q.here.through), t.now.sampler(q.here.through)
	near := append(before.Near(q.was, q.now, probes...), after.Near(q.now, q.was, probes...)...)
	was, now := t.was.admitted.Root(), t.now.admitted.Root()
	for _, base := range []any{before.Value(was, false), after.Value(now, false), before.Value(was, true), after.Value(now, true)} {
		for _, v := range near {
			all = append(all, put(base, q.here.way, v))
		}
	}
	return all
}

// sampler makes values of the schema that follow these alternatives.
func (f *form) sampler(through []string) *schema.Sampler {
	g := schema.NewSampler(maxSamples)
	for _, at := range through {
		keyword, index := above(at), at[strings.LastIndexByte(at, '/')+1:]
		if i, err := strconv.Atoi(index); err == nil {
			g.Choose(f.admitted.Root().At(above(keyword)), keyword[strings.LastIndexByte(keyword, '/')+1:], i)
		}
	}
	return g
}

// maxSamples bounds the values that are made for one difference.
const maxSamples = 2_000

// put is a value with x at a place of it; the way to it is copied.
func put(v any, way []step, x any) any {
	if len(way) == 0 {
		return x
	}
	if name := way[0].name; name != "" {
		m, _ := v.(map[string]any)
		out := make(map[string]any, len(m)+1)
		maps.Copy(out, m)
		out[name] = put(out[name], way[1:], x)
		return out
	}
	out := slices.Clone(listOf(v))
	for len(out) <= way[0].index {
		out = append(out, nil)
	}
	out[way[0].index] = put(out[way[0].index], way[1:], x)
	return out
}
