package scan

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/speech"
)

// token is a word of a sentence, or an address, a path or a name.
type token struct {
	speech.Word
	role role
}

// sentence is one sentence of a text, with the roles of its words.
type sentence struct {
	text   string
	tokens []token
	roles  role // of all of them

	verbs     []int // the tokens that are verbs of orders
	addressed bool  // it speaks to a model
	abroad    bool  // it speaks to a model in a language without known orders
	decoded   bool  // the text was hidden in an encoding
	forged    bool  // it poses as another turn of the conversation
	tasked    bool  // it speaks of the reader's own task
}

func (s *sentence) hit() hit { return hit{s.tokens[0].Start, s.tokens[len(s.tokens)-1].End} }

func (s *sentence) any(of role) bool { return s.roles&of != 0 }

func (s *sentence) is(i int, r role) bool { return i >= 0 && s.tokens[i].role&r != 0 }

func (s *sentence) word(i int) string { return s.text[s.tokens[i].Start:s.tokens[i].End] }

// begins reports whether the word at i begins a clause.
func (s *sentence) begins(i int) bool { return s.tokens[i].Begins >= speech.Clause }

func (s *sentence) add(w speech.Word) {
	r := roleOf(s.text[w.Start:w.End])
	s.tokens = append(s.tokens, token{w, r})
	s.roles |= r
}

// rendered is a part of the sentence in the form that expressions read. It has small
// letters, unmasked, a comma before each clause, and marks before words.
func (s *sentence) rendered(from, to int, mark func(i int) string) string {
	var b strings.Builder
	for i := max(0, from); i < min(len(s.tokens), to); i++ {
		if s.begins(i) {
			b.WriteByte(',')
		}
		b.WriteString(" " + mark(i) + unmasked(s.word(i)))
	}
	return b.String()
}

// around is a window of the sentence, with ">" before the word at i.
func (s *sentence) around(i, before, after int) string {
	return s.rendered(i-before, i+after+1, func(j int) string {
		if j == i {
			return ">"
		}
		return ""
	})
}

// whole is the whole sentence. The verb of an order has "!" before it, or "~" if it is
// common on pages. An address, a path and an identifier have "@".
func (s *sentence) whole() string {
	return s.rendered(0, len(s.tokens), func(i int) string {
		verb, r := slices.Contains(s.verbs, i), s.tokens[i].role
		switch {
		case verb && r&acts == 0: // to ignore is to do nothing
			return ""
		case verb && r&spared != 0:
			return "~"
		case verb:
			return "!"
		case r&place != 0:
			return "@to:"
		case r&file != 0:
			return "@in:"
		case r&name != 0:
			return "@id:"
		}
		return ""
	}) + " "
}

// sentenceMax is how many tokens are read as one sentence: a list of a thousand names has
// no full stop.
const sentenceMax = 64

// orders finds the orders in a text.
func orders(p Part, decoded bool, found finding) {
	if strings.ContainsFunc(p.Text, unspaced) {
		found.matches("override", Hard, phrase("raw overridesUnspaced"), p.Text, 1)
		found.matches("model-order", Soft, phrase("raw speaksUnspaced"), p.Text, 1)
	}
	turns := turnsIn(p.Text)
	last, s := &sentence{}, &sentence{text: p.Text}
	judge := func() {
		s.forged, turns = s.forges(turns)
		s.decoded = decoded
		s.tasked = speaksOfTask(s.around(-1, 0, sentenceMax))
		s.read(last, described(p.Kind))
		s.judge(p, last, found)
		*last = sentence{text: p.Text, tokens: last.tokens[:0], verbs: last.verbs[:0]}
		last, s = s, last
	}
	for w := range speech.Words(p.Text) {
		if n := len(s.tokens); n == sentenceMax || n > 0 && w.Begins >= speech.Part {
			judge()
		}
		s.add(w)
	}
	if len(s.tokens) > 0 {
		judge()
	}
}

// taskWords are parts of words. Each match of the expression "tasked" has one of them.
var taskWords = []string{"conversation", "instruction", "prompt", "que", "task", "user"}

// speaksOfTask reports whether a sentence speaks of the reader's own task. Most sentences
// have no such word, and need no expression.
func speaksOfTask(text string) bool {
	return slices.ContainsFunc(taskWords, func(word string) bool { return strings.Contains(text, word) }) && matches("tasked", text)
}

// read finds the orders of a sentence. The tokens of the last one are no longer available.
func (s *sentence) read(last *sentence, described bool) {
	if !s.any(acts | drops | model) {
		return
	}
	for i := range s.tokens {
		if s.is(i, acts|drops) && s.order(i) {
			s.verbs = append(s.verbs, i)
		}
	}
	if s.any(model) {
		text := s.around(-1, 0, sentenceMax)
		s.abroad = !described && matches("abroad", text)
		s.addressed = s.abroad || matches("speaking", text)
		s.addressed = s.addressed || !described && matches("reading", text)
	}
	s.forged = s.forged || last.forged && len(last.verbs) == 0
}

// order reports whether the verb at i gives an order. Such a verb begins a clause, or
// follows "please", "you must", "could you", or another order and an "and".
func (s *sentence) order(i int) bool {
	const reach = 7
	switch {
	case s.begins(i):
		return !s.names(i)
	case !s.is(i-1, leads):
		return false
	}
	return matches("ordered", s.around(i, reach, 0)) || len(s.verbs) > 0 && matches("led", s.around(i, 1, 0))
}

// names reports whether the word at i, which begins a clause, is the whole clause. It is
// then the name of something, and not a verb: "Email: ada@example.com". A word in "marks"
// or *emphasis* counts as any other word.
func (s *sentence) names(i int) bool {
	if i+1 == len(s.tokens) {
		return true
	}
	between := s.text[s.tokens[i].End:s.tokens[i+1].Start]
	return s.begins(i+1) && strings.Trim(between, " _*\"'`”»’])") != ""
}

// turnMarks are the signs by which chat templates begin a turn, in lower case.
var turnMarks = []string{
	"<|im_start|>", "<|start_header_id|>", "<|system|>", "<|user|>", "<|assistant|>", "[inst]", "<<sys>>", "<system>", "</tool_result>", "</tool_response>", "</function_results>",
	"</tool_output>", "</document>", "</context>", "system message:", "system prompt:", "### system", "### instruction", "new instructions", "updated instructions", "revised instructions", "[system]", "human:", "assistant:", "\"role\":\"system\"", "\"role\": \"system\"",
}

// turnReach is how far behind a sign its turn may begin.
const turnReach = 16

var turnFinder = sync.OnceValue(func() *lex.Finder {
	var all []lex.Literal
	for i, m := range turnMarks {
		all = append(all, lex.Literal{Text: m, Rule: i})
	}
	return lex.NewFinder(all)
})

// turnsIn are the signs of turns in a text, in their order.
func turnsIn(text string) []hit {
	var all []hit
	turnFinder().Each(text, func(i, mark int) int {
		all = append(all, hit{i, i + len(turnMarks[mark])})
		return 0
	})
	return all
}

// forges reports whether the sentence begins with a sign of a turn, or after it. Turns are
// the signs that are not passed yet; it returns the rest of them.
func (s *sentence) forges(turns []hit) (bool, []hit) {
	start := s.hit().start
	for len(turns) > 0 && turns[0].end+turnReach < start {
		turns = turns[1:]
	}
	return len(turns) > 0 && turns[0].start <= start, turns
}

// unspaced reports whether a script may put no spaces between words.
func unspaced(r rune) bool { return speech.Unspaced(r) || unicode.Is(unicode.Hangul, r) }
