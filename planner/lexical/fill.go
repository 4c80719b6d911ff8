package lexical

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// argument is one filled slot.
type argument struct {
	literal jsontext.Value
	words   string // the question's words that it rests on
	origin  string
}

// The origins of an argument.
const (
	fromQuestion = "question"
	fromContext  = "context"
	fromEnum     = "enum"    // an enum value that the question names
	fromWords    = "phrase"  // a boolean that the question's phrasing decides
	fromSchema   = "schema"  // const, or the default of a required parameter
	fromContent  = "content" // the question without the words that chose the tool
)

// filling is what became of a tool's slots.
type filling struct {
	args    map[int]argument
	missing []int  // required slots without a value
	used    []bool // tokens that became arguments
}

// reading is a text with all that was found in it.
type reading struct {
	text
	values []value
	near   []int
}

func newReading(s string) reading {
	r := reading{text: stemmer{}.read(s)}
	r.values = r.text.values()
	r.near = r.nearest(r.values)
	return r
}

// fill fills the slots of e from the question; what is still missing and has
// a form of its own may come from the context.
func fill(e *entry, q, context reading, now time.Time) filling {
	f := filling{args: map[int]argument{}, used: make([]bool, len(q.toks)+1)}
	m := newMatch(q.text, q.near, e)
	m.used = f.used
	f.choices(m)
	f.flags(m)
	f.named(m)
	f.cited(m, q.values)
	f.exampled(m)
	f.values(m, q.values, now)
	f.content(m)
	if len(context.toks) > 0 {
		f.fromContext(newMatch(context.text, context.near, e), context.values, now)
	}
	f.presets(e)
	for i := range e.slots {
		if _, ok := f.args[i]; !ok && e.needs(i, f) {
			f.missing = append(f.missing, i)
		}
	}
	return f
}

// needs reports whether slot i must have a value: it is required, and so is
// the object around it, or that object has another.
func (e *entry) needs(i int, f filling) bool {
	s := &e.slots[i]
	if !s.required || s.group {
		return s.required && s.group && !e.anyOf(i, f)
	}
	if len(s.path) == 1 {
		return true
	}
	for j := range e.slots {
		if o := &e.slots[j]; o.group && o.path[0] == s.path[0] {
			return o.required || e.anyOf(j, f)
		}
	}
	return false
}

// anyOf reports whether a property of group i has a value.
func (e *entry) anyOf(i int, f filling) bool {
	if _, ok := f.args[i]; ok {
		return true
	}
	for j := range e.slots {
		if _, ok := f.args[j]; ok && len(e.slots[j].path) == 2 && e.slots[j].path[0] == e.slots[i].path[0] {
			return true
		}
	}
	return false
}

// open are the slots that a value may fill and none has.
func (f *filling) open(e *entry, want func(*slot) bool) []int {
	var is []int
	for i := range e.slots {
		if _, ok := f.args[i]; !ok && want(&e.slots[i]) {
			is = append(is, i)
		}
	}
	return is
}

// values assigns the question's values to the slots.
func (f *filling) values(m *match, vs []value, now time.Time) {
	free := slices.DeleteFunc(slices.Clone(vs), func(v value) bool { return f.covers(v) })
	slots := f.open(m.e, func(s *slot) bool {
		return !s.group && !s.takesContent() && s.kind != "boolean" && len(s.enum) == 0 && s.constant == nil
	})
	for _, p := range m.assign(slots, free) {
		v := free[p.value]
		if lit, ok := m.literal(&m.e.slots[slots[p.slot]], &v, now); ok {
			f.set(slots[p.slot], argument{lit, m.t.span(v.from, v.to), fromQuestion}, v.from, v.to)
		}
	}
}

func (f *filling) set(i int, a argument, from, to int) {
	f.args[i] = a
	for k := from; k < to && k < len(f.used); k++ {
		f.used[k] = true
	}
}

// covers reports whether every word of v has become an argument.
func (f *filling) covers(v value) bool {
	for i := v.from; i < v.to; i++ {
		if !f.used[i] {
			return false
		}
	}
	return true
}

// fromContext takes what has a form of its own: an identifier, a path, an
// address, a date, or something quoted. Prose of a context is not read.
func (f *filling) fromContext(m *match, vs []value, now time.Time) {
	formed := slices.DeleteFunc(slices.Clone(vs), func(v value) bool { return v.shape == phrase || v.shape == proper || v.shape == listing })
	slots := f.open(m.e, func(s *slot) bool {
		return s.required && !s.group && !s.takesContent() && s.kind != "boolean" && len(s.enum) == 0 && s.constant == nil
	})
	for _, p := range m.assign(slots, formed) {
		v := formed[p.value]
		if lit, ok := m.literal(&m.e.slots[slots[p.slot]], &v, now); ok {
			f.args[slots[p.slot]] = argument{lit, m.t.span(v.from, v.to), fromContext}
		}
	}
}

// presets gives required slots what their schema says: the one value that a
// const allows, or a default. An optional default is the server's to apply.
func (f *filling) presets(e *entry) {
	for _, i := range f.open(e, func(s *slot) bool { return s.required && len(s.path) == 1 }) {
		s := &e.slots[i]
		switch {
		case s.constant != nil:
			f.args[i] = argument{s.constant, "", fromSchema}
		case s.preset != nil && s.preset.Kind() != 'n' && s.fits(s.preset):
			f.args[i] = argument{s.preset, "", fromSchema}
		}
	}
}

// fits reports whether a default is of the slot's type.
func (s *slot) fits(v jsontext.Value) bool {
	k := kindName(v)
	return k == s.kind || k == "integer" && s.kind == "number" || s.kind == "array" && v.Kind() == '[' || s.kind == "object" && v.Kind() == '{'
}

// literal writes v as the slot's type wants it.
func (m *match) literal(s *slot, v *value, now time.Time) (jsontext.Value, bool) {
	switch s.kind {
	case "integer", "number":
		if v.shape == dated && !s.lasts(v) {
			return jsontext.Value(strconv.Itoa(v.date.year)), v.date.year > 0
		}
		lit, ok := s.number(v.num)
		return jsontext.Value(lit), ok
	case "array":
		return m.array(s, v, now)
	case "object":
		return object(v.text)
	}
	if v.shape == dated && (s.wants.date || s.format != "") {
		text, ok := v.write(s, now)
		return quote(text), ok
	}
	return quote(m.render(s, v)), true
}

func (m *match) array(s *slot, v *value, now time.Time) (jsontext.Value, bool) {
	items := v.items
	if v.shape == literal {
		return object(v.text)
	}
	if v.shape != listing {
		items = []value{*v}
	}
	parts := make([]string, len(items))
	for i := range items {
		lit, ok := m.literal(s.item, &items[i], now)
		if !ok {
			return nil, false
		}
		parts[i] = string(lit)
	}
	return jsontext.Value("[" + strings.Join(parts, ",") + "]"), true
}

// object reads JSON that stands in a question, with ' for " where that is
// how it was written.
func object(text string) (jsontext.Value, bool) {
	for _, t := range []string{text, strings.ReplaceAll(text, "'", `"`)} {
		if schema.Check([]byte(t), schema.PlanLimits) == nil {
			return jsontext.Value(t), true
		}
	}
	return nil, false
}

func quote(s string) jsontext.Value {
	b, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	return b
}

// encode writes the arguments, in the schema's order, as one object.
func (f filling) encode(e *entry) jsontext.Value {
	var b strings.Builder
	b.WriteByte('{')
	member := func(name string, v string) {
		if s := b.String(); s[len(s)-1] != '{' {
			b.WriteByte(',')
		}
		b.WriteString(string(quote(name)) + ":" + v)
	}
	for i := range e.slots {
		s := &e.slots[i]
		if len(s.path) != 1 {
			continue
		}
		if a, ok := f.args[i]; ok {
			member(s.path[0], string(a.literal))
		} else if s.group {
			if inner := f.inner(e, s.path[0]); inner != "" {
				member(s.path[0], "{"+inner+"}")
			}
		}
	}
	b.WriteByte('}')
	return jsontext.Value(b.String())
}

func (f filling) inner(e *entry, group string) string {
	var parts []string
	for i := range e.slots {
		if s := &e.slots[i]; len(s.path) == 2 && s.path[0] == group {
			if a, ok := f.args[i]; ok {
				parts = append(parts, string(quote(s.path[1]))+":"+string(a.literal))
			}
		}
	}
	return strings.Join(parts, ",")
}
