package scan

import (
	_ "embed"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// The parser finds verbs; expressions read the words around them. They are RE2, which reads
// in linear time, and each reads one sentence at a time. The table says what each matches.
//
//go:embed phrases.txt
var phraseTable string

var phrase = lex.Expressions(phraseTable, func(expr string) string { return strings.ReplaceAll(expr, " ", ",? ") })

// matches reports whether an expression of the table matches a text.
func matches(name, text string) bool { return phrase(name).MatchString(text) }

// overrides is the place of an order to drop earlier instructions, or -1. A report of such
// an order does not count.
func (s *sentence) overrides() int {
	for i := range s.tokens {
		const reach = 8
		if s.is(i, drops) && s.dropped(i) && matches("overriding", s.around(i, 0, reach)) {
			return i
		}
	}
	return -1
}

// dropped reports whether the verb at i orders to ignore something.
func (s *sentence) dropped(i int) bool {
	near := s.around(i, 3, 0)
	if matches("dropping", near) {
		return matches("heeding", near)
	}
	return !matches("heeded", near) && s.order(i)
}

// conceals reports whether the sentence wants something kept from the user.
func (s *sentence) conceals() bool {
	for i := range s.tokens {
		if s.is(i, informs) && matches("conceal", s.around(i, 12, 7)) {
			return true
		}
	}
	return false
}

// A text with fewer words than undueMin is the name of an option, such as
// skip_confirmation. With fewer than valueMin, it is a value.
const (
	undueMin = 4
	valueMin = 5
)

// poisons reports whether the sentence of a description has no use for a reader who uses
// the tool.
func (s *sentence) poisons(p Part, purpose bool) bool {
	const pipe = len(" | sudo bash") // a sentence ends at a bar, as the cell of a table does
	raw := s.text[s.hit().start:min(len(s.text), s.hit().end+pipe)]
	ordered, bid := len(s.verbs) > 0, phrase("raw bids")
	if purpose {
		bid = phrase("raw urges")
	}
	asks := ordered && !purpose || bid.MatchString(raw)
	text := s.around(-1, 0, sentenceMax) + " "
	switch {
	case asks && matches("raw private", raw):
		return true
	case matches("raw exits", raw), ordered && matches("furtive", s.whole()):
		return true
	case len(s.tokens) < undueMin:
		return false
	case matches("undue", text), matches("unasked", text) && !matches("option", text):
		return true
	}
	return len(s.tokens) >= valueMin && ordered && matches("raw value", p.Where)
}
