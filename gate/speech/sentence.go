package speech

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// Mood is how a sentence uses a verb.
type Mood string

// The moods. The zero value is a plain order or statement.
const (
	Plain       Mood = ""
	Forbidden   Mood = "forbidden"
	AskedAbout  Mood = "asked about"
	Quoted      Mood = "quoted"
	Conditional Mood = "conditional"
	Reported    Mood = "reported"
)

// Range is the tokens from From up to To.
type Range struct{ From, To int }

// Sentence is some words of a text that are read together. Words inside quotations and
// values are skipped, as gaps.
type Sentence struct {
	Range
	Head int  // the first word, without greetings and courtesies
	Asks bool // it asks something, and is not an order that is put as a question

	text *Text
	lows []string
}

// Bounds of the reading: the first tokens of a text, and the tokens of one sentence if it
// has no end.
const (
	maxRead     = 2048
	MaxSentence = 96
)

// Words that show how a sentence uses its verbs.
var (
	negations  = lex.Words(`not never don't dont mustn't shouldn't cannot can't won't wouldn't avoid refrain without against nobody refuse deny forbid forbidden nor neither pretend undo`)
	bars       = lex.Words(`not never don't dont mustn't shouldn't`)
	pleonasms  = lex.Words(`forget hesitate fail worry`) // a negation before them asks for the next verb
	questions  = lex.Words(`who what which why how where whether whose is are was were does did do should would may might am has had can could shall`)
	conditions = lex.Words(`if unless provided providing assuming supposing`)
	needless   = lex.Words(`possible needed necessary that's`) // behind the "if" of a courtesy
	indirect   = lex.Words(`know see check me`)                // before the "if" of a question
	times      = lex.Words(`when whenever until before after`)
	counts     = lex.Words(`a per every more`) // behind a "once" that counts
	reports    = lex.Words(`said says told tells asked asks wants wanted wrote writes suggested suggests proposes proposed recommends recommended claims
		thinks believes demands demanded insists ordered orders instructs instructed plans planned planning mentioned mentions supposed according considering wondering thinking
		might maybe perhaps should would will going gonna intends hopes pretend imagine simulate hypothetically remind refused whoever`)
	guesses  = lex.Words(`maybe perhaps according`) // anywhere in a sentence
	openers  = lex.Words(`please pls kindly now just also then and so hi hello hey ok okay thanks well oh actually`)
	wishes   = lex.Words(`need needs want like please have get must let's lets ought time mind`)
	sub      = lex.Words(subordinate)
	ends     = lex.Words(subordinate + " but")
	polite   = lex.Words(`can could will would`)
	ours     = lex.Words(`can could`)
	personal = lex.Words(`i we i'd we'd i'm i'll i've`)
	manner   = lex.Words(`how what who`)
	naming   = lex.Words(`a an the this that my our your its of for in any some new with`) // before a noun
	passives = lex.Words(`was were been`)
	intended = lex.Words(`plan idea intention`)
)

// subordinate are words that begin a clause which only adds something.
const subordinate = `because since which that who where while although though explaining saying about titled called named describing asking whether how so`

// pairs are two words; the first alone means less.
var pairs = map[string]map[string]bool{
	"negation":  set("no need|no reason|instead of|rather than"),
	"exception": set("other than|rather than|apart from|aside from|instead of|all but|everything but"),
	"condition": set("in case|as soon|as long"),
	"request":   set("can please|could please|will please|would please|can someone|could someone|will someone|would someone|why not|why don't"),
	"rest":      set("leave alone|keep alone|do alone|leave nothing|keep nothing|do nothing|leave untouched|keep untouched|do untouched"),
}

func set(list string) map[string]bool {
	all := map[string]bool{}
	for one := range strings.SplitSeq(list, "|") {
		all[one] = true
	}
	return all
}

// Naming reports whether a noun follows a word.
func Naming(word string) bool { return naming()[word] }

// Sentences are the sentences of a text. A colon ends one, because the words after it have
// their own verb. held reports that a token belongs to a value.
func (t *Text) Sentences(held func(i int) bool) (all []Sentence) {
	lows := make([]string, min(maxRead, len(t.Tokens)))
	for i := range lows {
		if k := t.Tokens[i]; !k.Quoted && !held(i) {
			lows[i] = strings.ReplaceAll(strings.ToLower(t.NFC[k.Start:k.End]), "’", "'")
		}
	}
	for from := 0; from < len(lows); {
		s := Sentence{text: t, lows: lows}
		s.Range = Range{from, s.end(from)}
		for s.Head = from; openers()[s.Low(s.Head)] && s.Head+1 < s.To; {
			s.Head++
		}
		s.Asks = !s.requests() && s.inquires()
		all, from = append(all, s), s.To
	}
	return all
}

// end is the token after the sentence that begins at from.
func (s *Sentence) end(from int) int {
	for i := from + 1; i < len(s.lows); i++ {
		gap := s.text.Gap(i)
		dash := s.Low(i-1) != "" && strings.Trim(s.Low(i-1), "-–—") == ""
		switch {
		case dash, i-from == MaxSentence, strings.ContainsAny(gap, "!?;:\n"), strings.Contains(gap, ". "):
			return i
		}
	}
	return len(s.lows)
}

// Low is token i in lower case, "" if it is quoted, in a value, or out of range.
func (s *Sentence) Low(i int) string {
	if i < 0 || i >= len(s.lows) {
		return ""
	}
	return s.lows[i]
}

// pair reports whether token i and the next one are a pair of this kind.
func (s *Sentence) pair(kind string, i int) bool { return pairs[kind][s.Low(i)+" "+s.Low(i+1)] }

// Rests reports whether a sentence asks for no action: leave it alone.
func (s *Sentence) Rests() bool {
	first := s.Low(s.Head)
	for _, low := range s.lows[s.Head+1 : s.To] {
		if pairs["rest"][first+" "+low] || low == "touch" && negations()[first] {
			return true
		}
	}
	return false
}

// Seeks reports whether token i is a verb that asks for information.
func (s *Sentence) Seeks(i int) bool {
	switch next := s.Low(i + 1); s.Low(i) {
	case "get":
		return next != "rid"
	case "tell":
		return next == "me" || next == "us"
	}
	return Reads(s.Low(i))
}

// Sought reports whether token i is part of the information that the sentence asks for.
// Words that an "and" or "then" adds are not.
func (s *Sentence) Sought(i int) bool {
	if i == s.Head || !s.Seeks(s.Head) {
		return false
	}
	for ; i > s.Head; i-- {
		before := s.Low(i - 1)
		switch {
		case before == "and", before == "then", s.comma(i):
			return false
		case !openers()[before]:
			return true
		}
	}
	return true
}

// Noun reports whether the word before token i makes it a thing: "the update".
func (s *Sentence) Noun(i int) bool { return naming()[s.Low(i-1)] && s.text.Gap(i) == " " }

// Inquires reports whether the sentence is a question, or asks for information: "show me",
// "can you show me".
func (s *Sentence) Inquires() bool {
	if s.Asks || s.Seeks(s.Head) {
		return true
	}
	return polite()[s.Low(s.Head)] && s.Seeks(s.Head+2)
}

// Wishes reports whether a sentence expresses a wish.
func (s *Sentence) Wishes() bool {
	return slices.ContainsFunc(s.lows[s.From:s.To], func(low string) bool { return wishes()[low] })
}

// inquires reports whether a sentence has the mark or the first word of a question.
func (s *Sentence) inquires() bool {
	end := len(s.text.NFC)
	if s.To < len(s.text.Tokens) {
		end = s.text.Tokens[s.To].Start
	}
	if strings.Contains(s.text.NFC[s.text.Tokens[s.To-1].End:end], "?") {
		return true
	}
	first, next := s.Low(s.Head), s.Low(s.Head+1)
	if first == "do" { // do it; but not: do you know
		return personal()[next] || next == "you" || next == "they"
	}
	return questions()[first]
}

// requests reports whether a sentence is an order, also in the form of a question.
func (s *Sentence) requests() bool {
	return s.pair("request", s.Head) || s.begs()
}

// begs reports whether a sentence has "can you" and the like: "any chance you could …?"
func (s *Sentence) begs() bool {
	switch first := s.Low(s.Head); {
	case manner()[first], first == "why", first == "when", first == "which":
		return false
	}
	for i := s.Head; i < s.To; i++ {
		if polite()[s.Low(i)] && s.addressed(i) && s.Low(i+2) != "ever" {
			return true
		}
	}
	return false
}

// addressed reports whether a word next to the "can" at token i names the addressee.
func (s *Sentence) addressed(i int) bool {
	for _, who := range []string{s.Low(i + 1), s.Low(i - 1)} {
		switch who {
		case "you", "u":
			return true
		case "we":
			return i == s.Head && ours()[s.Low(i)]
		}
	}
	return false
}
