package scan

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/lex"
)

// The parser finds verbs; expressions read the words around them. They are RE2, which reads
// in linear time, and each reads one sentence at a time. The table says what each matches.
//
//go:embed phrases.txt
var phraseTable string

var phrase = lex.Expressions(phraseTable)

// expression compiles an expression of words when it is first used. Words in capitals are
// lists of words, and a space may have a comma before it.
func expression(name string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(strings.ReplaceAll(lists().Replace(phrase(name)), " ", ",? "))
	})
}

// rawText compiles an expression that reads a text unchanged.
func rawText(name string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(phrase(name)) })
}

var lists = sync.OnceValue(func() *strings.Replacer {
	var all []string
	for list := range strings.FieldsSeq("NOT EARLIER TAUGHT LAW ALL USER THIS LEADS POLITE MUST CARRY MACHINE") {
		all = append(all, list, phrase(list))
	}
	return strings.NewReplacer(all...)
})

var (
	ordered           = expression("ordered")
	led               = expression("led")
	overriding        = expression("overriding")
	mild              = expression("mild")
	dropping          = expression("dropping")
	heeded            = expression("heeded")
	heeding           = expression("heeding")
	conceal           = expression("conceal")
	speaking          = expression("speaking")
	reading           = expression("reading")
	abroad            = expression("abroad")
	bidden            = expression("bidden")
	reaches           = expression("reaches")
	leaks             = expression("leaks")
	brings            = expression("brings")
	requests          = expression("requests")
	tasked            = expression("tasked")
	wanted            = expression("wanted")
	overridesUnspaced = rawText("overridesUnspaced")
	speaksUnspaced    = rawText("speaksUnspaced")
	private           = rawText("private")
	bids              = rawText("bids")
	urges             = rawText("urges")
	exits             = rawText("exits")
	posing            = rawText("posing")
	unseen            = rawText("unseen")
	value             = rawText("value")
	undue             = expression("undue")
	furtive           = expression("furtive")
	unasked           = expression("unasked")
	option            = expression("option")
)

// overrides is the place of an order to drop earlier instructions, or -1. A report of such
// an order does not count.
func (s *sentence) overrides() int {
	for i := range s.tokens {
		const reach = 8
		if s.is(i, drops) && s.dropped(i) && overriding().MatchString(s.around(i, 0, reach)) {
			return i
		}
	}
	return -1
}

// dropped reports whether the verb at i orders to ignore something.
func (s *sentence) dropped(i int) bool {
	near := s.around(i, 3, 0)
	if dropping().MatchString(near) {
		return heeding().MatchString(near)
	}
	return !heeded().MatchString(near) && s.order(i)
}

// conceals reports whether the sentence wants something kept from the user.
func (s *sentence) conceals() bool {
	for i := range s.tokens {
		if s.is(i, informs) && conceal().MatchString(s.around(i, 12, 7)) {
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
	ordered, bid := len(s.verbs) > 0, bids()
	if purpose {
		bid = urges()
	}
	asks := ordered && !purpose || bid.MatchString(raw)
	text := s.around(-1, 0, sentenceMax) + " "
	switch {
	case asks && private().MatchString(raw):
		return true
	case exits().MatchString(raw), ordered && furtive().MatchString(s.whole()):
		return true
	case len(s.tokens) < undueMin:
		return false
	case undue().MatchString(text), unasked().MatchString(text) && !option().MatchString(text):
		return true
	}
	return len(s.tokens) >= valueMin && ordered && value().MatchString(p.Where)
}
