package lexical

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// Bounds on what is read of one tool, so that a long descriptor costs its
// server more than it gains: past them nothing is scored or filled.
const (
	maxSlots = 48
	maxEnum  = 64
	maxCue   = 12 // words of a parameter's description that a value can stand beside
	maxDesc  = 48 // different words of a tool's description that score
)

// slot is one parameter, or one property of an object parameter.
type slot struct {
	path     []string // one name, or two
	kind     string   // the JSON type: string, integer, number, boolean, array, object
	item     *slot    // of an array
	required bool
	group    bool // an object: its properties follow as slots of their own

	enum     []choice
	examples []choice // what its words name as values: not all that it takes
	told     int      // how many of them its description says
	constant jsontext.Value
	preset   jsontext.Value // the schema's default
	format   string
	pattern  *regexp.Regexp
	min, max *float64

	words []string // stems of the name
	name  []string // those of them that say which value is meant
	cues  []string // stems of the description, after those of the name
	hint  string   // the description, folded: read for units and forms, never copied
	unit  unit     // the unit that name or description ask for
	wants wants
}

// choice is one value of an enum, or an example of a string.
type choice struct {
	literal jsontext.Value // of an enum
	spelled string         // of an example
	stems   []string
	word    string
}

// property is what is read of one property's schema.
type property struct {
	Type        jsontext.Value            `json:"type"`
	Description string                    `json:"description"`
	Title       string                    `json:"title"`
	Enum        []jsontext.Value          `json:"enum"`
	Const       jsontext.Value            `json:"const"`
	Default     jsontext.Value            `json:"default"`
	Format      string                    `json:"format"`
	Pattern     string                    `json:"pattern"`
	Minimum     *float64                  `json:"minimum"`
	Maximum     *float64                  `json:"maximum"`
	Items       jsontext.Value            `json:"items"`
	Properties  jsontext.Value            `json:"properties"`
	Required    []string                  `json:"required"`
	AnyOf       []jsontext.Value          `json:"anyOf"`
	OneOf       []jsontext.Value          `json:"oneOf"`
	Ref         string                    `json:"$ref"`
	Defs        map[string]jsontext.Value `json:"$defs"`
	Definitions map[string]jsontext.Value `json:"definitions"`
}

// reader reads the slots of one tool.
type reader struct {
	stem  stemmer
	defs  map[string]jsontext.Value
	slots []slot
}

// slots reads a tool's input schema. What is not understood leaves a slot
// that nothing fills; the gate, not this, decides what fits.
func (m stemmer) slots(raw jsontext.Value) []slot {
	r := reader{stem: m}
	root := r.property(raw)
	r.defs = root.Defs
	if r.defs == nil {
		r.defs = root.Definitions
	}
	r.object(nil, root, nil)
	return r.slots
}

// property reads one schema, through a reference and through the first
// alternative that is not null.
func (r *reader) property(raw jsontext.Value) property {
	var p property
	if raw.Kind() != '{' || schema.DecodeOpen(raw, &p, schema.DescriptorLimits) != nil {
		return property{}
	}
	if name := p.Ref[strings.LastIndexByte(p.Ref, '/')+1:]; p.Ref != "" && r.defs[name] != nil {
		var q property
		if schema.DecodeOpen(r.defs[name], &q, schema.DescriptorLimits) == nil {
			return q
		}
	}
	for _, alt := range slices.Concat(p.AnyOf, p.OneOf) {
		if q := r.alternative(alt); p.Type == nil && q.typ() != "null" && q.typ() != "" {
			p.Type, p.Items, p.Enum, p.Properties, p.Required = q.Type, q.Items, append(p.Enum, q.Enum...), q.Properties, q.Required
			p.Format, p.Pattern = q.Format, q.Pattern
		}
	}
	return p
}

// alternative reads one branch of anyOf or oneOf; branches of branches are not
// followed.
func (r *reader) alternative(raw jsontext.Value) property {
	var q property
	if raw.Kind() != '{' || schema.DecodeOpen(raw, &q, schema.DescriptorLimits) != nil || len(q.AnyOf)+len(q.OneOf) > 0 {
		return property{}
	}
	return r.property(raw)
}

// object appends the slots of an object's properties in document order.
func (r *reader) object(path []string, p property, outer []string) {
	members, err := schema.Members(p.Properties)
	if err != nil {
		return
	}
	for _, m := range members {
		if len(r.slots) >= maxSlots {
			return
		}
		q := r.property(m.Value)
		s := r.slot(append(slices.Clip(path), m.Name), q)
		s.required = slices.Contains(p.Required, m.Name)
		s.cues = append(s.cues, outer...)
		s.group = s.kind == "object" && q.Properties != nil && len(path) == 0
		r.slots = append(r.slots, s)
		if s.group {
			r.object(s.path, q, s.name)
		}
	}
}

// slot reads one property's schema as a slot.
func (r *reader) slot(path []string, p property) slot {
	name := path[len(path)-1]
	s := slot{path: path, kind: p.typ(), constant: p.Const, preset: p.Default, format: p.Format, min: p.Minimum, max: p.Maximum}
	s.hint = fold(p.Title + " " + p.Description)
	if len(p.Pattern) > 0 && len(p.Pattern) <= 256 {
		s.pattern, _ = regexp.Compile(p.Pattern)
	}
	for _, e := range p.Enum[:min(len(p.Enum), maxEnum)] {
		s.enum = append(s.enum, r.choice(e))
	}
	for _, w := range splitName(name) {
		s.words = append(s.words, r.stem.stem(w))
	}
	s.name, s.cues = r.cues(name, s.hint)
	if p.Items != nil {
		item := r.slot(path, r.property(p.Items))
		s.item = &item
	}
	s.unit = unitOf(name, s.hint)
	s.wants = wantsOf(&s, name)
	r.examples(&s, p.Description)
	return s
}

// cues are the stems of a name that tell its value from others, and those of
// its description.
func (r *reader) cues(name, hint string) (names, cues []string) {
	for _, w := range splitName(strings.TrimRight(name, "0123456789")) {
		if st := r.stem.stem(w); !genericNames()[st] && !stopWords()[w] {
			names = append(names, st)
		}
	}
	if len(names) == 0 {
		names = append(names, r.stem.stem(fold(strings.TrimRight(name, "0123456789_"))))
	}
	for _, tok := range r.stem.read(firstWords(hint)).toks {
		if len(cues) == maxCue {
			break
		}
		if !tok.stop && !genericNames()[tok.stem] && (!weakStems()[tok.stem] || positions()[tok.word]) && !slices.Contains(names, tok.stem) && !slices.Contains(cues, tok.stem) {
			cues = append(cues, tok.stem)
		}
	}
	return names, cues
}

// positions tell a slot for the head of something from one for its tail.
var positions = set("first last")

// firstWords is the beginning of a description, without the examples and
// defaults that follow.
func firstWords(hint string) string {
	for _, mark := range []string{"default", "e.g", "example", "for instance", "such as", "i.e", "options", "supported", "possible values", "if not"} {
		if i := strings.Index(hint, mark); i > 0 {
			hint = hint[:i]
		}
	}
	return hint[:min(len(hint), 400)]
}

func (r *reader) choice(v jsontext.Value) choice {
	word := string(v)
	if v.Kind() == '"' {
		if err := schema.DecodeOpen(v, &word, schema.DescriptorLimits); err != nil {
			word = ""
		}
	}
	c := choice{literal: v, word: fold(word)}
	for _, w := range splitName(word) {
		c.stems = append(c.stems, r.stem.stem(w))
	}
	return c
}

// typ is the first type that is not null.
func (p property) typ() string {
	var one string
	var many []string
	switch p.Type.Kind() {
	case '"':
		_ = schema.DecodeOpen(p.Type, &one, schema.DescriptorLimits)
	case '[':
		_ = schema.DecodeOpen(p.Type, &many, schema.DescriptorLimits)
		for _, t := range many {
			if one == "" || one == "null" {
				one = t
			}
		}
	default:
		switch {
		case p.Properties != nil:
			one = "object"
		case p.Items != nil:
			one = "array"
		case len(p.Enum) > 0:
			one = kindName(p.Enum[0])
		case p.Const != nil:
			one = kindName(p.Const)
		}
	}
	return one
}

func kindName(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		return "string"
	case '0':
		if _, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return "integer"
		}
		return "number"
	case 't', 'f':
		return "boolean"
	}
	return ""
}

// label is how a question to the user names the slot.
func (s slot) label() string { return strings.Join(s.path, ".") }
