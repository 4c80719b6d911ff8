package scan

import (
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/lex"
)

// sentence is one sentence of a text, and what its words can be.
type sentence struct {
	text   string
	tokens []token
	roles  role // of all of them

	verbs     []int // the tokens that are verbs of orders
	asked     bool  // one of them is asked for: please, could you
	addressed bool  // it speaks to a model
	forged    bool  // it poses as another turn of the conversation
}

func (s *sentence) hit() hit { return hit{int(s.tokens[0].start), int(s.tokens[len(s.tokens)-1].end)} }

func (s *sentence) has(all role) bool { return s.roles&all == all }

func (s *sentence) any(of role) bool { return s.roles&of != 0 }

func (s *sentence) is(i int, r role) bool {
	return i >= 0 && i < len(s.tokens) && s.tokens[i].role&r != 0
}

func (s *sentence) word(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	t := s.tokens[i]
	return s.text[t.start:t.end]
}

func (s *sentence) says(i int, word string) bool {
	return len(s.word(i)) == len(word) && lex.Begins(s.word(i), word)
}

// sentenceMax is how many tokens are read as one sentence: a list of a
// thousand names has no full stop.
const sentenceMax = 64

// orders finds what a text wants done.
func orders(p Part, found finding) {
	if h, ok := overridesUnspaced(p.Text); ok {
		found("override", Hard, h)
	}
	l, turns := newLexer(p.Text), turnsIn(p.Text)
	last, s := &sentence{}, &sentence{}
	for l.fill(s) {
		s.forged, turns = s.forges(turns)
		s.read(last)
		s.judge(p, last, found)
		last, s = s, last
	}
}

// read finds the orders of a sentence. Of the last one, the tokens are gone.
func (s *sentence) read(last *sentence) {
	if !s.any(acts | drops | model | polite) {
		return
	}
	for i := range s.tokens {
		if s.verb(i) && s.order(i) {
			s.verbs = append(s.verbs, i)
		}
	}
	s.addressed = s.any(model) && s.speaksToModel()
	s.forged = s.forged || last.forged && len(last.verbs) == 0
}

// verb reports whether the word at i may be the verb of an order: one of the
// lexicon, or whatever comes after "please".
func (s *sentence) verb(i int) bool {
	return s.is(i, acts|drops) || s.is(i-1, polite) && s.tokens[i].role == 0 && !s.tokens[i].clause
}

// order reports whether the verb at i gives an order: it begins a clause, or
// follows "please", "you must", "could you", or another order and an "and".
func (s *sentence) order(i int) bool {
	first := i
	for s.is(first-1, polite|leads|hides) && !s.tokens[first].clause {
		first--
		s.asked = s.asked || s.is(first, polite)
	}
	switch {
	case s.tokens[first].clause:
		return first < i || !s.names(i)
	case first < i && len(s.verbs) > 0:
		return true
	case s.is(first-1, you) && s.is(first-2, asks):
		return true
	case s.says(first-1, "to"):
		return s.is(first-2, polite) || s.is(first-2, obliges) && s.obliged(first-2) || s.is(first-2, you) || s.says(first-2, "sure")
	}
	return s.is(first-1, obliges) && s.obliged(first-1)
}

// obliged reports whether the word at i obliges who is spoken to, or a model.
func (s *sentence) obliged(i int) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		if s.is(j, you|model) {
			return true
		}
	}
	return false
}

// names reports whether the word at i, which begins a clause, is all of it: the
// name of something, and no verb: "Email: ada@example.com". A word in "marks" or
// *emphasis* is one like any other.
func (s *sentence) names(i int) bool {
	if i+1 == len(s.tokens) {
		return true
	}
	next := s.tokens[i+1]
	between := s.text[s.tokens[i].end:next.start]
	return next.clause && !next.quoted && strings.Trim(between, " _*\"'`”»’])") != ""
}

// commands reports whether the verb at i, by which something is dropped, is an
// order and no report of one.
func (s *sentence) commands(i int) bool {
	if s.is(i, drops) {
		return s.order(i)
	}
	for j := i; j >= max(0, i-2); j-- { // "pay no attention", "do not follow"
		if s.tokens[j].clause || s.is(j, polite|leads) {
			return true
		}
	}
	return false
}

// turnMarks are the signs by which chat templates begin a turn, in lower case.
var turnMarks = []string{
	"<|im_start|>", "<|start_header_id|>", "<|system|>", "<|user|>", "<|assistant|>", "[inst]", "<<sys>>", "<system>", "</tool_result>", "</tool_response>", "</function_results>",
	"</tool_output>", "</document>", "</context>", "system message:", "system prompt:", "### system", "### instruction", "new instructions", "updated instructions", "revised instructions", "[system]", "human:", "assistant:", "\"role\":\"system\"", "\"role\": \"system\"",
}

// turnReach is how far behind a sign the sentence may begin that is its turn.
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

// forges reports whether the sentence begins with a sign of a turn, or after it.
// Turns are those that are not passed yet; it returns what is left of them.
func (s *sentence) forges(turns []hit) (bool, []hit) {
	start := s.hit().start
	for len(turns) > 0 && turns[0].end+turnReach < start {
		turns = turns[1:]
	}
	return len(turns) > 0 && turns[0].start <= start, turns
}

// overridesUnspaced reports whether a text in Chinese, Japanese or Korean wants
// instructions ignored. These have no spaces to cut words at.
func overridesUnspaced(text string) (hit, bool) {
	const reach = 60 // bytes
	for _, verb := range []string{"忽略", "无视", "無視", "忘记", "忘記", "忽視", "무시"} {
		i := strings.Index(text, verb)
		if i < 0 {
			continue
		}
		from, to := max(0, i-reach), min(len(text), i+reach)
		for _, noun := range []string{"指令", "指示", "提示词", "提示詞", "规则", "規則", "지시", "명령", "프롬프트"} {
			if strings.Contains(text[from:to], noun) {
				return hit{i, i + len(verb)}, true
			}
		}
	}
	return hit{}, false
}
