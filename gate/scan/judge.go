package scan

import (
	"slices"
	"strings"
)

// judge tells what is wrong with a sentence, by itself and after the one before
// it.
func (s *sentence) judge(p Part, last *sentence, found finding) {
	if at, order := s.overrides(); at >= 0 {
		found("override", soft(!order || s.inQuotation(at)), s.hit())
	}
	switch some, fromUser := s.conceals(); {
	case fromUser:
		found("secrecy", soft(s.quoted()), s.hit())
	case some, s.any(hides) && (s.orderOf(carries|calls) || len(s.verbs) > 0 && !described(p.Kind)):
		found("secrecy", Soft, s.hit())
	}
	if described(p.Kind) && s.poisons() {
		found("poisoning", Soft, s.hit())
	}
	if len(s.verbs) == 0 {
		return
	}
	target := s.any(place | name | tools | keyword | hoard | file)
	switch {
	case s.forged:
		found("forged-role", soft(!s.reaches() || s.quoted()), s.hit())
	case s.speaks(last):
		found("model-order", soft(!target || s.quoted()), s.hit())
	case s.leaks():
		found("leak", soft(s.quoted()), s.hit())
	case s.chains(last):
		found("tool-chain", soft(s.quoted()), s.hit())
	case s.requests(p.Kind):
		found("request", Soft, s.hit())
	}
}

// quoted reports whether all of the orders are in quotations.
func (s *sentence) quoted() bool {
	for _, i := range s.verbs {
		if !s.inQuotation(i) {
			return false
		}
	}
	return len(s.verbs) > 0 || s.tokens[0].quoted
}

// inQuotation reports whether the order of the verb at i is quoted, and not the
// verb alone.
func (s *sentence) inQuotation(i int) bool {
	return s.tokens[i].quoted && (i+1 == len(s.tokens) || s.tokens[i+1].quoted)
}

// speaks reports whether it, or the sentence before it, is addressed to a model.
func (s *sentence) speaks(last *sentence) bool {
	return s.addressed || last.addressed && len(last.verbs) == 0
}

// reaches reports whether one of the orders names a tool, or brings something to
// an address.
func (s *sentence) reaches() bool {
	return slices.ContainsFunc(s.verbs, func(i int) bool { return s.brings(i) || s.employs(i) })
}

// employs reports whether a tool is named after the verb at i: delete_all, and
// not delete_all.go.
func (s *sentence) employs(i int) bool {
	for j := i + 1; j < len(s.tokens); j++ {
		if s.is(j, tools) || s.is(j, name) && !strings.Contains(s.word(j), ".") {
			return true
		}
	}
	return false
}

func (s *sentence) brings(i int) bool { return s.is(i, carries) && s.after(i, place) }

// leaks reports whether it wants what a model alone has brought somewhere.
func (s *sentence) leaks() bool {
	return s.has(hoard|carries|place) && s.orderOf(carries)
}

// chains reports whether it wants the conversation or a file given to a tool, one
// that it names or that the sentence before it does.
func (s *sentence) chains(last *sentence) bool {
	tool := s.any(tools|name) || last.any(tools|name) && len(last.verbs) > 0
	return tool && s.any(hoard|file) && s.any(carries) && s.mentions("as", "argument", "parameter", "along", "context", "field")
}

func (s *sentence) mentions(words ...string) bool {
	for i := range s.tokens {
		for _, w := range words {
			if s.says(i, w) {
				return true
			}
		}
	}
	return false
}

// orderOf reports whether one of the orders is such a verb.
func (s *sentence) orderOf(r role) bool {
	for _, i := range s.verbs {
		if s.is(i, r) {
			return true
		}
	}
	return false
}

// requests reports whether somebody is asked for something of the asker's or for
// something exact, or to bring something somewhere.
func (s *sentence) requests(kind string) bool {
	for _, i := range s.verbs {
		if s.is(i-1, negates) || s.forbids(i) || s.spares(i) || s.is(i, drops) && !s.is(i, acts) { // to ignore is to do nothing
			continue
		}
		switch {
		case s.brings(i):
			return true
		case described(kind): // which is made of orders
		case s.asked && s.exact(i), s.owned(i), s.is(i, calls) && s.has(tools|name):
			return true
		}
	}
	return false
}

// forbids reports whether the verb at i, which is none of the lexicon's, has its
// negation behind it, as in German: "bitte nutzen Sie ihn nicht".
func (s *sentence) forbids(i int) bool {
	const reach = 3
	for j := i + 1; j <= i+reach; j++ {
		if s.is(j, negates) {
			return s.tokens[i].role == 0
		}
	}
	return false
}

// exact reports whether something is named exactly after the verb at i: by an
// address, a path, an identifier, a number.
func (s *sentence) exact(i int) bool {
	last := s.tokens[len(s.tokens)-1]
	return s.after(i, place|name|tools|keyword|hoard|file) || strings.ContainsAny(s.text[s.tokens[i].end:last.end], "0123456789")
}

// owned reports whether something of the asker's comes after the verb at i.
// "Send me the report" names no place where it would be found.
func (s *sentence) owned(i int) bool {
	if s.says(i+1, "me") {
		i++
	}
	return s.after(i, mine)
}

// spares reports whether the verb at i is of what pages and mails are full of:
// see, contact, call me, let me know.
func (s *sentence) spares(i int) bool {
	if s.says(i, "call") || s.says(i, "allow") || s.says(i, "let") {
		return s.says(i+1, "me")
	}
	return s.is(i, spared) && !s.is(i+1, mine) && !s.is(i+2, mine)
}

// after reports whether such a token follows the one at i.
func (s *sentence) after(i int, r role) bool {
	for j := i + 1; j < len(s.tokens); j++ {
		if s.is(j, r) {
			return true
		}
	}
	return false
}

// described reports whether texts of the kind tell a model how to use a tool, which
// is their purpose.
func described(kind string) bool {
	return kind == "description" || kind == "instructions" || kind == "schema"
}

func soft(is bool) Tier {
	if is {
		return Soft
	}
	return Hard
}
