package lexical

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/speech"
)

// Bounds on the parts of one tool that are read. They make a long descriptor cost its
// server more than it gains: parts past them are not scored or filled.
const (
	maxSlots = 48
	maxEnum  = 64
	maxCue   = 8  // words of a parameter's description that can support a value
	maxRefs  = 4  // references that lead to references
	maxAlts  = 16 // alternatives of one parameter
	maxDesc  = 64 // different words of a tool's description that score
)

// slot is one parameter. An object is a slot that is never filled.
type slot struct {
	label    string
	kind     string // the JSON type: string, integer, number, boolean, array, object
	item     *slot  // of an array
	required bool

	enum     []choice
	constant jsontext.Value
	preset   jsontext.Value // the schema's default
	format   string
	pattern  *regexp.Regexp
	min, max *float64

	name       []string      // stems of the name's words that identify the value
	short      []string      // short forms of these words: org and orga of organization
	nameless   bool          // the name identifies nothing, and the tool's name replaces it
	base       string        // the name without the number or letter at its end: num of num1
	cues       []string      // stems of the description's first words
	hint       string        // the description, folded: read for units and forms, never copied
	units      []speech.Unit // the unit that name or description ask for
	free       bool          // the name is one for a person's own words
	counts     bool          // the name is one for digits, in a string too
	limits     bool          // it is the number of results
	identifies bool          // the name ends in a word for an identifier

	examples func() examples // in its description, read when first asked for
}

// examples is what the examples in a description have in common.
type examples struct {
	shows string // the common feature: a comma, a slash, capitals
	likes string // the outline of one: A-0 of OPS-118
}

// choice is one value of an enum.
type choice struct {
	literal jsontext.Value
	stems   []string
}

// slots reads a tool's input schema, in the order of the document. A property that it does
// not understand becomes a slot that is never filled; the gate, not this, decides which
// values fit.
func (m stemmer) slots(input schema.Schema, nouns []string) (slots []slot) {
	root := input.Root()
	properties, required := root.Named("properties"), of[[]any](root, "required")
	for _, name := range input.Names() {
		if len(slots) < maxSlots {
			s := m.slot(name, propertyOf(properties[name]), nouns)
			s.required = slices.Contains(required, any(name))
			slots = append(slots, s)
		}
	}
	return slots
}

// slot reads one property's schema as a slot.
func (m stemmer) slot(name string, p property, nouns []string) slot {
	s := slot{
		label: name, kind: p.typ(), constant: literal(p.Node, "const"), preset: p.preset, format: of[string](p.Node, "format"),
		min: bound(p.Node, "minimum"), max: bound(p.Node, "maximum"), hint: fold(p.description),
	}
	if text := of[string](p.Node, "pattern"); len(text) > 0 && len(text) <= 256 {
		s.pattern, _ = regexp.Compile(text)
	}
	enum := of[[]any](p.Node, "enum")
	for _, e := range enum[:min(len(enum), maxEnum)] {
		written := schema.Literal(e)
		text, isText := e.(string)
		if !isText {
			text = string(written)
		}
		s.enum = append(s.enum, choice{written, m.stems(speech.NameParts(text))})
	}
	if items := p.One("items"); items != nil {
		item := m.slot(name, propertyOf(items), nouns)
		s.item = &item
	}
	s.base = strings.TrimRight(fold(name), "0123456789_")
	if len(s.base) == 1 {
		s.base = "letter"
	}
	words := m.stems(speech.NameParts(name))
	s.free = len(words) > 0 && freeText()[words[len(words)-1]]
	s.identifies = len(words) > 0 && identifiers()[words[len(words)-1]]
	s.counts = slices.ContainsFunc(words, func(st string) bool { return counting()[st] })
	m.cues(&s, name, nouns)
	s.limits = s.says(limitNames())
	s.units = unitsOf(name, s.hint)
	s.examples = sync.OnceValue(func() examples { return examples{shown(p.description), exampleOutline(p.description)} })
	return s
}

// cues are the words of a slot's name that distinguish its value, and the first words of
// its description. A name without a meaning, such as "id", takes the nouns of the tool's
// name.
func (m stemmer) cues(s *slot, name string, nouns []string) {
	words := speech.NameParts(strings.TrimRight(name, "0123456789"))
	for _, w := range words {
		st := m.stem(w)
		if generic()[st] {
			continue
		}
		s.name = append(s.name, st)
		for n := 3; n <= 4 && n+3 <= len(w); n++ {
			s.short = append(s.short, w[:n])
		}
	}
	if named := slices.ContainsFunc(words, func(w string) bool { return itself()[w] }); len(s.name) == 0 && !named {
		s.name, s.nameless = m.stems(words), true
	} else if len(s.name) == 0 {
		s.name, s.nameless = append(slices.Clip(m.stems(words)), nouns...), true
	}
	for _, w := range strings.FieldsFunc(firstWords(s.hint), func(c rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz-'", c) }) {
		st := m.stem(w)
		if glue()[w] || generic()[st] || len(s.cues) == maxCue {
			continue
		}
		if !slices.Contains(s.name, st) && !slices.Contains(s.cues, st) {
			s.cues = append(s.cues, st)
		}
	}
}

// counting are names of parameters that may take digits, in a string too.
var counting = stems("id number code zip postcode phone version year season identifier no ref room")

var identifiers = stems("id uuid uid guid key")

// itself are names of parameters that identify one of the tool's things.
var itself = set("name id identifier number key uid uuid no")

// firstWords is the beginning of a description, without the examples and defaults that
// follow.
func firstWords(hint string) string {
	for _, mark := range []string{"default", "e.g", "example", "for instance", "such as", "i.e", "options", "possible values", "if not"} {
		if i := strings.Index(hint, mark); i > 0 {
			hint = hint[:i]
		}
	}
	return hint[:min(len(hint), 240)]
}

// unitsOf are the readings of the unit that a parameter's name or description asks for.
func unitsOf(name, hint string) []speech.Unit {
	for _, w := range speech.NameParts(name) {
		if u := speech.Units(w); u != nil && len(w) > 2 {
			return u
		}
	}
	if m := inUnit().FindStringSubmatch(hint); m != nil {
		return speech.Units(m[1])
	}
	return nil
}

var inUnit = pattern(`\b(?:in|number of) (?:the )?([\p{L}°/]{1,})\b`)

// telling reports whether the slot's pattern distinguishes an identifier from a word.
func (s *slot) telling() bool {
	return s.pattern != nil && !slices.ContainsFunc([]string{"a", "word", "Word", "two words", "7", "2026", "a-b", "word1"}, s.pattern.MatchString)
}

// says reports whether the slot's name has one of the words.
func (s *slot) says(words map[string]bool) bool {
	return slices.ContainsFunc(s.name, func(st string) bool { return words[st] })
}

// named reports whether a word is in the slot's name, or short for a word of it.
func (s *slot) named(w *word) bool {
	if slices.Contains(s.name, w.stem) {
		return true
	}
	return slices.Contains(s.short, w.low) && !glue()[w.low] && !generic()[w.stem]
}

// open reports whether the slot takes any string at all.
func (s *slot) open() bool {
	if s.kind != "string" || s.constant != nil {
		return false
	}
	return len(s.enum) == 0 && s.pattern == nil && s.format == ""
}

// takesText reports whether the slot takes a person's own words.
func (s *slot) takesText() bool {
	return s.free && s.open()
}
