package guard

import "strings"

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
	return len(s.word(i)) == len(word) && begins(s.word(i), word)
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
	for s.is(first-1, polite|leads|hides|hurries) && !s.tokens[first].clause {
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

// speaksToModel reports whether the sentence is addressed to a model.
func (s *sentence) speaksToModel() bool {
	for i := range s.tokens {
		if s.is(i, model) && (s.called(i) || s.bound(i) || s.meant(i)) {
			return true
		}
	}
	return false
}

// called reports whether the model at i is called by its name: "Assistant, …",
// "dear agent", "note to AI agents".
func (s *sentence) called(i int) bool {
	alone := s.tokens[i].clause && i+1 < len(s.tokens) && s.tokens[i+1].clause
	if s.is(i-1, model) {
		return alone || s.says(i-2, "to") || s.says(i-2, "dear")
	}
	return alone || s.says(i-1, "dear") || s.says(i-1, "attention") || s.says(i-1, "hey")
}

// bound reports whether the model at i must do something: "the agent must", "LLM
// reviewers should".
func (s *sentence) bound(i int) bool {
	for _, j := range []int{i + 1, i + 2} {
		if s.says(j, "must") || s.says(j, "should") {
			return true
		}
	}
	return s.says(i+1, "has") && s.says(i+2, "to")
}

// meant reports whether the reader is taken for the model at i: "if you are a
// language model", "as an AI".
func (s *sentence) meant(i int) bool {
	const reach = 5
	for j := max(0, i-reach); j < i; j++ {
		if s.says(j, "if") && (s.says(j+1, "you're") || s.says(j+1, "you") && s.says(j+2, "are")) {
			return true
		}
	}
	return s.says(i-2, "as") && s.tokens[i-2].clause && (s.says(i-1, "an") || s.says(i-1, "a"))
}

// overrides is where the sentence tells somebody to drop what he was told
// before, or -1; and whether it says so as an order.
func (s *sentence) overrides() (at int, order bool) {
	if !s.any(drops|heeds) || !s.any(duties|lawful|whole) {
		return -1, false
	}
	at = -1
	for i := range s.tokens {
		if !s.dropsAt(i) || !s.dropped(i) {
			continue
		}
		if s.commands(i) {
			return i, true
		}
		at = i
	}
	return at, false
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

// dropsAt reports whether the verb at i is to drop: ignore, pay no attention, set
// aside, do not follow.
func (s *sentence) dropsAt(i int) bool {
	switch {
	case s.is(i, drops):
		return !s.is(i-1, refers) && !s.says(i-1, "the") && !s.says(i-1, "an")
	case !s.is(i, heeds):
		return false
	case s.says(i, "attention"):
		return s.says(i-1, "no")
	case s.says(i, "aside"):
		return s.says(i-1, "set") || s.says(i-1, "setting") || s.says(i-1, "put")
	case s.says(i, "follow"), s.says(i, "obey"):
		return s.is(i-1, negates)
	case s.says(i, "following"), s.says(i, "obeying"):
		return s.says(i-1, "stop")
	}
	return false
}

// dropped reports whether what follows the verb at i is what somebody was told.
func (s *sentence) dropped(i int) bool {
	const reach = 8
	var seen role
	for j := i + 1; j < len(s.tokens) && j <= i+reach; j++ {
		r := s.tokens[j].role
		if seen&whole != 0 && j <= i+5 && r&(before|duties) != 0 {
			return true
		}
		seen |= r
		switch {
		case seen&duties != 0 && seen&(earlier|any_) != 0, seen&lawful != 0 && seen&earlier != 0:
			return true
		}
	}
	return false
}

// conceals reports whether the sentence wants something kept from somebody, and
// whether that is the user.
func (s *sentence) conceals() (conceals, fromUser bool) {
	if !s.has(informs|negates) || !s.any(audience|others) {
		return false, false
	}
	for i := range s.tokens {
		if !s.is(i, informs) || !s.negated(i) {
			continue
		}
		some, user := s.untold(i)
		if user {
			return true, true
		}
		conceals = conceals || some
	}
	return conceals, false
}

// untold reports who is not to be told by the verb at i, if anybody.
func (s *sentence) untold(i int) (some, user bool) {
	const reach = 6
	var seen role
	for j := i + 1; j < len(s.tokens) && j <= i+reach; j++ {
		seen |= s.tokens[j].role
		if s.is(j, audience) && (seen&refers != 0 || s.says(i-1, "without") || s.says(j+1, "about") || s.says(j+1, "that")) {
			return true, true
		}
	}
	if (s.says(i, "find") || s.says(i, "know") || s.says(i, "learn")) && (s.says(i-1, "never") || s.is(i-2, obliges)) { // "the user must never know"
		for j := max(0, i-2*reach); j < i; j++ {
			some, user = some || s.is(j, audience|others), user || s.is(j, audience)
		}
		return some, user
	}
	return seen&others != 0, false
}

func (s *sentence) negated(i int) bool {
	return s.is(i-1, negates) || s.is(i-2, negates) || s.says(i-1, "to") && s.is(i-3, negates)
}
