package lexical

import (
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// argument is one filled parameter.
type argument struct {
	literal jsontext.Value
	origin  string
	words   string // the words that it is taken from
	form    int    // how strongly its form supports the slot
	told    bool   // the words around it or its form make its place certain
}

// Origins of an argument.
const (
	fromQuestion = "question"
	fromContext  = "context"
	fromEnum     = "enum"
	fromName     = "name" // true, because the question has the parameter's name
	fromSchema   = "schema"
)

// filling is one tool with its arguments from the question.
type filling struct {
	x   *index
	e   *entry
	t   text
	now time.Time

	values  []value
	args    map[int]argument // by slot
	used    []bool           // words that are part of an argument
	missing []int            // required slots that stay empty
	unclear []value          // values of more than one reading
	loose   bool             // for a suggestion, from which a person chooses
}

// fill fills a tool's parameters from the question. It begins with values that the schema
// and its enums fix. Then come values with a certain place, and the words that are marked
// as the question's topic. Last, required parameters take values that have one place left.
func fill(x *index, e *entry, t text, vs []value, now time.Time, loose bool) *filling {
	f := &filling{x: x, e: e, t: t, now: now, args: map[int]argument{}, used: make([]bool, len(t.words)), loose: loose}
	f.values = f.arrange(vs)
	f.pair()
	f.choices()
	f.values = append(f.values, f.plainValues()...)
	f.assign(told)
	f.subject()
	f.assign(0)
	if loose {
		f.fillLoosely()
	}
	f.presets()
	return f
}

func (f *filling) set(k int, a argument, from, to int) {
	f.args[k] = a
	for i := from; i < to; i++ {
		f.used[i] = true
	}
}

// open reports whether slot k takes a value yet.
func (f *filling) open(k int) bool {
	_, filled := f.args[k]
	return !filled && f.e.slots[k].constant == nil
}

// held reports whether word i is part of an argument.
func (f *filling) held(i int) bool { return i >= 0 && i < len(f.used) && f.used[i] }

func (f *filling) taken(v *value) bool { return slices.Contains(f.used[v.from:v.to], true) }

// at is the fields in which the tool has word i of a text.
func (e *entry) at(t text, i int) field { return e.words[t.words[i].stem] }

// own reports whether a word is in the tool's name, title or server.
func (e *entry) own(w *word) bool {
	has := func(st string) bool { return e.words[st]&(inName|inTitle) != 0 }
	return has(w.stem) || len(w.parts) > 0 && !slices.ContainsFunc(w.parts, func(p string) bool { return !has(p) })
}

// arrange adapts the values to this tool. It removes the tool's own name, and makes lists
// if the tool takes one.
func (f *filling) arrange(vs []value) []value {
	list := slices.DeleteFunc(slices.Clone(vs), func(v value) bool {
		switch v.shape {
		case named:
			capitals := allCapitals(strings.TrimSuffix(v.text, "s"))
			phrase := capitals && everydayWords()[f.t.low(v.from)] != nil // a PR is not a value
			return phrase || f.ownName(v.from, v.to)
		case identifier:
			return f.ownName(v.from, v.to)
		}
		return false
	})
	if slices.ContainsFunc(f.e.slots, func(s slot) bool { return s.examples().shows == withComma }) {
		list = f.t.placed(list)
	}
	if slices.ContainsFunc(f.e.slots, func(s slot) bool { return s.kind == "array" && s.item != nil }) {
		list = f.t.grouped(list)
	}
	return list
}

// ownName reports whether a name consists of the tool's own words or those of its
// parameters.
func (f *filling) ownName(from, to int) bool {
	return !slices.ContainsFunc(f.t.words[from:to], func(w word) bool {
		return !f.e.own(&w) && !glue()[w.low] && f.e.words[w.stem]&inParameter == 0
	})
}

// convert makes a value the argument of a slot, if it can be one.
func (f *filling) convert(v *value, s *slot) (argument, bool) {
	if s.kind == "array" && s.item != nil && len(s.enum) == 0 {
		return f.list(v, s)
	}
	if v.shape == listing || len(s.enum) > 0 {
		return argument{}, false
	}
	words := f.t.span(v.from, v.to)
	switch s.kind {
	case "integer", "number":
		if v.shape != numeral {
			return argument{}, false
		}
		literal, ok := v.num.literal(s)
		return argument{literal: jsontext.Value(literal), origin: fromQuestion, words: words}, ok
	case "string":
		text, ok := f.text(v, s)
		return argument{literal: schema.Literal(text), origin: fromQuestion, words: words}, ok
	}
	return argument{}, false
}

func (f *filling) list(v *value, s *slot) (argument, bool) {
	items := v.items
	if v.shape != listing {
		items = []value{*v}
	}
	var all []jsontext.Value
	for i := range items {
		a, ok := f.convert(&items[i], s.item)
		if !ok {
			return argument{}, false
		}
		all = append(all, a.literal)
	}
	b, err := json.Marshal(all)
	return argument{literal: b, origin: fromQuestion, words: f.t.span(v.from, v.to)}, err == nil
}

// text is a value as a string of the slot.
func (f *filling) text(v *value, s *slot) (string, bool) {
	switch {
	case s.pattern != nil && !s.pattern.MatchString(v.text), !s.shaped(v), s.file() && f.e.refuses(v.text):
		return "", false
	case v.shape == named && s.says(zoneNames()) && s.examples().shows == withSlash:
		return zone(v.text)
	case clockForm().MatchString(s.hint):
		return clock(v.text)
	case v.shape == dated:
		if !s.day() {
			return "", false
		}
		return v.write(s, f.now, f.loose)
	}
	return v.text, s.takesShape(v)
}

// takesShape reports whether a slot of text takes a value that is not a date.
func (s *slot) takesShape(v *value) bool {
	switch {
	case s.format == "date" || s.format == "date-time":
		return false
	case s.format == "email" && v.shape != mailbox:
		return false
	case s.mail() && !slices.Contains([]shape{mailbox, plain, identifier, named}, v.shape):
		return false
	case s.page() && v.shape != address && v.shape != pathname:
		return false
	case v.shape == pathname && strings.Contains(v.text, "*"):
		return s.says(globNames()) || !s.file()
	case v.shape == numeral:
		return v.num.digits && s.counts
	}
	return true
}

// presets fills required slots that the question does not mention from the schema, and
// notes the slots that stay empty.
func (f *filling) presets() {
	for k := range f.e.slots {
		s := &f.e.slots[k]
		if !f.open(k) && s.constant == nil {
			continue
		}
		fixed := s.constant
		if fixed == nil && len(s.enum) == 1 {
			fixed = s.enum[0].literal
		}
		if fixed == nil {
			fixed = s.preset
		}
		switch {
		case !s.required:
		case fixed != nil:
			f.args[k] = argument{literal: fixed, origin: fromSchema}
		default:
			f.missing = append(f.missing, k)
		}
	}
}

// borrow fills missing parameters from the context. The parameter must have a distinct
// form, and the context exactly one value of it.
func (f *filling) borrow(context text) {
	f.missing = slices.DeleteFunc(f.missing, func(k int) bool {
		s := &f.e.slots[k]
		if !s.telling() || s.kind != "string" {
			return false
		}
		fits := map[string]bool{}
		for i := range context.words {
			if w := context.words[i].raw; s.pattern.MatchString(w) {
				fits[w] = true
				f.args[k] = argument{literal: schema.Literal(w), origin: fromContext, words: w}
			}
		}
		if len(fits) > 1 {
			delete(f.args, k)
		}
		return len(fits) == 1
	})
}

// encode writes the arguments in the order of the schema.
func (f *filling) encode() jsontext.Value {
	var members []string
	for k := range f.e.slots {
		if a, ok := f.args[k]; ok {
			members = append(members, string(schema.Literal(f.e.slots[k].label))+":"+string(a.literal))
		}
	}
	return jsontext.Value("{" + strings.Join(members, ",") + "}")
}
