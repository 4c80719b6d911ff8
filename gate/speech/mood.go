package speech

import "strings"

// Mood is the mood of the sentence for the verb at token i, with the words that show it.
func (s *Sentence) Mood(i int) (Mood, Range) {
	clause, end := s.clause(i)
	if k := s.negation(clause, i, end); k >= 0 {
		return Forbidden, Range{k, end}
	}
	if s.Asks {
		return AskedAbout, s.Range
	}
	for k := s.From; k < s.To && (k <= i || !sub()[s.Low(k)]); k++ {
		near := k >= clause-1 && k < i
		switch {
		case s.condition(k, i):
			return Conditional, Range{k, s.To}
		case (near || guesses()[s.Low(k)]) && s.reports(k):
			return Reported, Range{k, s.To}
		}
	}
	if s.From > 0 && strings.Contains(s.text.Gap(s.From), ":") && s.reports(s.From-1) {
		return Reported, Range{s.From - 1, s.To}
	}
	return Plain, Range{}
}

// Excluded are the words that the sentence with the verb at token i excludes. They are
// behind its negation, or behind "except" and the like.
func (s *Sentence) Excluded(i int) (all []Range) {
	clause, end := s.clause(i)
	if k := s.negation(clause, i, end); k >= 0 {
		if bars()[s.Low(k)] {
			all = append(all, Range{k, end})
		}
		return all
	}
	for k := i + 1; k < s.To; k++ {
		if s.excepts(k) {
			all = append(all, Range{k, s.To})
		}
	}
	return all
}

// clause is the first token of the clause of token i, and the token after its last.
func (s *Sentence) clause(i int) (from, to int) {
	from, to = i, i+1
	for from > s.From && !s.comma(from) && s.Low(from-1) != "but" {
		from--
	}
	for to < s.To && !s.comma(to) && !ends()[s.Low(to)] {
		to++
	}
	return from, to
}

// comma reports whether a comma is before token i.
func (s *Sentence) comma(i int) bool { return strings.Contains(s.text.Gap(i), ",") }

// negation is the token that negates the verb at i, or -1.
func (s *Sentence) negation(clause, i, end int) int {
	for k := clause; k < i; k++ {
		no := negations()[s.Low(k)] || s.pair("negation", k)
		done := pleonasms()[s.Low(k+1)] || pleonasms()[s.Low(k+2)] || s.Low(k-1) == "why"
		if no && !done {
			return k
		}
	}
	for k := i + 1; k < end; k++ {
		switch s.Low(k) {
		case "nothing", "none", "never":
			return k
		case "not":
			if k == end-1 {
				return k
			}
		case "no":
			if k == i+1 {
				return k
			}
		}
	}
	denied := negations()[s.Low(i-3)] || negations()[s.Low(i-4)]
	if pleonasms()[s.Low(i-2)] && !denied { // forget to delete it
		return i - 2
	}
	return -1
}

// excepts reports whether token k excludes the words after it.
func (s *Sentence) excepts(k int) bool {
	switch s.Low(k) {
	case "except", "excepting", "excluding", "not":
		return true
	case "but":
		return s.pair("exception", k-1) || s.Low(k-2) == "all" || s.Low(k-2) == "every"
	}
	return s.pair("exception", k-1)
}

// condition reports whether a condition of the verb at i begins at token k.
func (s *Sentence) condition(k, i int) bool {
	low, before, next := s.Low(k), s.Low(k-1), s.Low(k+1)
	switch {
	case conditions()[low]:
		return !s.courtesy(k) && !indirect()[before]
	case low == "once":
		return k == s.From || !counts()[next] && next != ""
	case s.pair("condition", k-1):
		return low != "long" || next == "as"
	case !times()[low]:
		return false
	case k == s.From:
		return k < i && next != ""
	case low == "when" && k > i:
		return before == "" || before == "it" || before == "only"
	}
	return before == "only"
}

// courtesy reports whether the "if" at token k is one: if possible, if you could.
func (s *Sentence) courtesy(k int) bool {
	if s.Low(k+1) != "you" {
		return needless()[s.Low(k+1)]
	}
	switch s.Low(k + 2) {
	case "don't", "can", "could":
		return true
	}
	return k+3 >= s.To
}

// reports reports whether token k makes the rest another person's words, or only a thought.
func (s *Sentence) reports(k int) bool {
	low, before, next := s.Low(k), s.Low(k-1), s.Low(k+1)
	mine := personal()[before]
	switch {
	case low == "will", low == "going":
		mine = mine || personal()[s.Low(k-2)] || k == 0
		yours := before == "you" || s.Low(k-2) == "you" || next == "you"
		return !mine && !yours && next != "need"
	case low == "would":
		return next != "you" && next != "like" && !mine
	case intended()[low]:
		return next == "is" || next == "was"
	case passives()[before]:
		return reports()[low]
	}
	return reports()[low] && !mine && !personal()[s.Low(k-2)]
}
