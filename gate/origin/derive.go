package origin

import (
	"strings"

	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/trace"
)

// Bounds of a value that is recomputed from pieces.
const (
	maxPieces  = 12
	proseWords = 5 // a text of more words is written, and not composed
	runWords   = 5 // words in a row that show a copied sentence
	lineWords  = 2 // words of a line that shows a copied line
	maxRuns    = 24
)

// composed finds a value whose pieces all have a source: "octo/site" of a message and a result.
func (s *search) composed(b *trace.OriginBody, l intent.Leaf) bool {
	pieces := strings.FieldsFunc(l.Value, func(r rune) bool { return strings.ContainsRune(" /.:,;=&?|()[]{}\"'<>~@+\n\t_-", r) })
	if l.Literal || len(pieces) < 2 || len(pieces) > maxPieces {
		return false
	}
	var last trace.OriginBody
	for _, piece := range pieces {
		if len(piece) < 2 || operators()[strings.ToLower(piece)] || strings.Contains(folded(l.Pointer), folded(piece)) {
			continue
		}
		found := trace.OriginBody{}
		if !s.piece(&found, piece) {
			return false
		}
		if last.Origin == "" || found.Origin == Result {
			last = found
		}
	}
	if last.Origin == "" {
		return false
	}
	*b, b.Pointer = last, l.Pointer
	b.Origin, b.By, b.Marked = Derived, "pieces", s.guessed(l.Value)
	return true
}

// guessed reports whether an address was put together from pieces. A URL is not if its host has a
// source as a whole.
func (s *search) guessed(v string) bool {
	if !address(v) {
		return false
	}
	_, rest, is := strings.Cut(v, "://")
	host, _, _ := strings.Cut(rest, "/")
	return !is || !s.piece(&trace.OriginBody{}, host)
}

// operators are words of search languages and addresses.
var operators = lex.Words(`https http www com org net example and or not is in from to subject label repo user author state type after before the of a for with on main index
	html txt md json csv pdf yaml yml xml toml py go js ts png jpg docx xlsx re fwd`)

func (s *search) piece(b *trace.OriginBody, piece string) bool {
	key := folded(strings.Trim(piece, ".!?*#%"))
	for _, word := range []string{key, strings.TrimSuffix(key, "s"), key + "s"} {
		if word == "" {
			return true
		}
		for i, p := range s.talk.messages.with(word) {
			if at, found := p.find(word, s); found {
				s.message(b, Stated, i, at.start, at.end)
				return true
			}
		}
	}
	if all := s.talk.values[key]; len(all) > 0 {
		s.result(b, Result, all[len(all)-1].result, all[len(all)-1].pointer, piece)
		return true
	}
	for i, p := range s.talk.results.with(key) {
		if at, found := p.find(key, s); found {
			s.result(b, Result, i, p.pointer(at.start), piece)
			return true
		}
	}
	return false
}

// moments are words for a time that only a clock can recompute.
var moments = lex.Pattern(`(?i)\b(?:today|tonight|tomorrow|yesterday|now|(?:next|this|last|coming|past) \w+|mon|tue|wed|thu|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week(?:end)?s?|months?|in \w+ (?:minutes|hours|days)|` +
	`noon|midday|midnight|morning|afternoon|evening|\d{1,2}(?::\d\d)? ?(?:am|pm|h|o'clock)?)\b`)

// dated finds a date or a time.
var dated = lex.Pattern(`^(?:\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\d\d:\d\d(?::\d\d)?)$`)

// relative finds the source of a date or a time. It is a result that has its clock time, or the
// newest message that names a time. The package has no clock and does not recompute it.
func (s *search) relative(b *trace.OriginBody, l intent.Leaf) bool {
	if !dated().MatchString(l.Value) {
		return false
	}
	if at := clock().FindString(l.Value); at != "" && at != "00:00" && s.inResults(b, intent.Leaf{}, at, true) {
		b.Origin, b.By = Derived, "its time"
		return true
	}
	for i := len(s.talk.how) - 1; i >= 0; i-- {
		text := s.talk.messages.passages[i].text
		if at := moments().FindStringIndex(text[:min(len(text), maxCompare)]); at != nil {
			s.message(b, Derived, i, at[0], at[1])
			b.By = "a time in words; not recomputed"
			return true
		}
	}
	return false
}

// clock finds the hours and minutes of a time.
var clock = lex.Pattern(`\d\d:\d\d`)

// quoted finds a literal, a line or a run of words of a result within a longer text. A mail's body
// may carry an address that no user gave.
func (s *search) quoted(b *trace.OriginBody, l intent.Leaf) bool {
	if l.Literal || len(strings.Fields(l.Value)) < 2 && len(l.Value) < maxPieces {
		return false
	}
	for _, w := range strings.FieldsFunc(l.Value, separates) {
		w = strings.Trim(w, ".:!?*#")
		if len(w) < shortNumber || !strings.ContainsAny(w, "@0123456789") && !strings.Contains(w, "://") {
			continue
		}
		if found := (trace.OriginBody{Pointer: l.Pointer}); s.literal(&found, w) {
			*b = found
			return true
		}
	}
	return s.copied(b, l.Value)
}

// separates reports whether a rune ends a literal within a text.
func separates(r rune) bool { return strings.ContainsRune(" \n\t\r,;\"'`()[]{}<>|", r) }

// copied finds a run of words of a text, or one of its lines, in a result.
func (s *search) copied(b *trace.OriginBody, text string) bool {
	words := strings.Fields(text)
	var runs []string
	for i := 0; i+runWords <= len(words) && i < maxRuns; i++ {
		runs = append(runs, strings.Join(words[i:i+runWords], " "))
	}
	if strings.Contains(text, "\n") {
		for line := range strings.Lines(text) {
			if len(strings.Fields(line)) >= lineWords && len(runs) < 2*maxRuns {
				runs = append(runs, line)
			}
		}
	}
	for _, run := range runs {
		if s.inResults(b, intent.Leaf{}, folded(strings.Trim(run, " \n\t.,;:!?\"'")), true) {
			b.By = "copied words"
			return true
		}
	}
	return false
}

// literal finds a literal of a longer text. It reports a literal of a result or
// of no text, and never a literal of a message.
func (s *search) literal(b *trace.OriginBody, w string) bool {
	key := folded(w)
	for _, p := range s.talk.messages.with(key) {
		if _, found := p.find(key, s); found {
			return false
		}
	}
	if !s.inResults(b, intent.Leaf{Value: w}, key, true) {
		b.Origin, b.Marked = None, address(w)
		return b.Marked
	}
	b.By = "contains a value"
	return true
}

// addresses are values that name where something goes.
var addresses = lex.Pattern(`(?i)^(?:[^\s@]+@[^\s@]+\.[^\s@]+|[a-z][a-z0-9+.-]*://\S+|(?:[a-z0-9-]+\.)+[a-z]{2,}/\S*|\+\d[\d ()/-]{7,}|[A-Z]{2}\d\d[A-Z0-9 ]{10,})$`)

// named reports whether the user typed a word of an address: anna, for anna@example.com.
func (s *search) named(v string) bool {
	key := folded(v)
	if host := strings.LastIndexByte(key, '@'); host > 0 { // a domain like "example" is in many addresses
		key = key[:max(host, strings.LastIndexByte(key, '.'))]
	}
	for _, word := range strings.FieldsFunc(key, func(r rune) bool { return r < 0x80 && !wordly(byte(r)) }) {
		if len(word) < shortNumber || operators()[word] {
			continue
		}
		for i, p := range s.talk.messages.with(word) {
			typed := s.talk.how[i] == "typed" || s.talk.how[i] == "command"
			if _, found := p.find(word, s); found && typed {
				return true
			}
		}
	}
	return false
}

func address(v string) bool {
	return len(v) < maxWhole && addresses().MatchString(strings.TrimSpace(v))
}

// designates reports whether a value without a source names a thing: a person checks that. A text
// that the model wrote, a truth value, and a small number are not marked.
func designates(l intent.Leaf) bool {
	v, name := strings.TrimSpace(l.Value), l.Pointer[strings.LastIndexByte(l.Pointer, '/')+1:]
	if l.Literal {
		return len(v) >= shortNumber && !bounds().MatchString(name) && strings.Trim(v, "-.0123456789") == ""
	}
	words := len(strings.Fields(v))
	switch {
	case address(v):
		return true
	case words > proseWords, written().MatchString(name) && words > 1:
		return false
	}
	return v != ""
}

// written finds names of parameters that take text of the model's own.
var written = lex.Pattern(`(?i)(?:text|query|q|search|keywords?|terms?|prompt|subject|message|msg|body|content|description|summary|comment|notes?|title|topic|reason|caption|heading|question|reply|details|memo|purpose)s?$`)

// bounds finds names of parameters that bound an answer. A model chooses those.
var bounds = lex.Pattern(`(?i)limit|max|min|count|size|length|timeout|top|page|width|height|depth|lines|head|tail|offset`)
