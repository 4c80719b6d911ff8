package lexical

import (
	"slices"
	"strings"
)

// textual is how well v fits a string slot by itself.
func (m *match) textual(s *slot, v *value) float64 {
	w := s.wants
	text := m.render(s, v)
	switch {
	case (v.shape == phrase || v.shape == proper) && m.merely(s, v):
		return none
	case text == "" || v.shape == listing || v.shape == literal && s.kind != "":
		return none
	case s.pattern != nil:
		return pick(s.pattern.MatchString(text), 5, none)
	case len(s.enum) > 0 || w.unit || w.currency:
		return none // chosen by their words, not taken from them
	case w.email:
		return pick(v.shape == mailbox, 5, none)
	case w.date && v.shape == dated:
		return 4
	case w.date && !w.span && v.shape != quoted && v.shape != literal:
		return none // no word of another kind is a date
	case w.time && v.shape == clocked:
		return 4
	case w.year && v.shape == numeral:
		return pick(yearLike(v.text), 3, none)
	case w.formula:
		return of(v.shape, map[shape]float64{formula: 5, quoted: 2, identifier: 0})
	case w.glob:
		return of(v.shape, map[shape]float64{quoted: 2, pathname: 0}) + pick(strings.Contains(text, "*"), 3, 0)
	case w.path:
		return of(v.shape, map[shape]float64{pathname: 5, quoted: 2, identifier: 1})
	case w.url:
		return of(v.shape, map[shape]float64{address: 5, quoted: 1, identifier: 0.5, pathname: 0.5}) + pick(s.format == "uri" && v.shape != address, none, 0)
	case w.identifier:
		return m.identifies(v)
	}
	return m.written(s, v)
}

func of(k shape, weights map[shape]float64) float64 {
	if w, ok := weights[k]; ok {
		return w
	}
	return none
}

// identifies: an identifier is taken from the question as it stands there and
// is never made of common words.
func (m *match) identifies(v *value) float64 {
	switch v.shape {
	case identifier:
		return 3
	case quoted:
		return 2.5
	case numeral:
		return pick(v.num.plain, 1.5, none)
	case proper:
		return pick(v.to-v.from == 1, 0, none)
	}
	return none
}

// written weighs a value for a slot whose values have no form of their own.
func (m *match) written(s *slot, v *value) float64 {
	w := s.wants
	b := of(v.shape, map[shape]float64{quoted: 2, proper: 1.3, identifier: 1, formula: 0.5, phrase: 0.6, numeral: -0.6, dated: -0.6, clocked: 0, pathname: 0, address: 0, mailbox: 0})
	if v.shape == phrase {
		b += 0.15*float64(min(v.to-v.from, 4)-1) - pick(m.known(v), 1.2, 0)
	}
	if w.span {
		b += m.spans(v)
	}
	return b + m.role(s, v)
}

// spans: a time frame is 2 weeks, the 19th century, 2021 or next month.
func (m *match) spans(v *value) float64 {
	switch {
	case v.shape == numeral && (v.num.unit.dim == "time" || v.num.unit.dim == "years"):
		return 3
	case v.shape == numeral && yearLike(v.text), v.shape == identifier && strings.HasPrefix(v.text, "20"), v.shape == dated:
		return 2
	}
	return 0
}

// known reports whether every word of v is one of the tool's own: words that
// chose the tool are seldom a value too.
func (m *match) known(v *value) bool {
	for i := v.from; i < v.to; i++ {
		tok := &m.t.toks[i]
		if !tok.stop && m.e.words[tok.stem]&(inName|inTitle|inDescription) == 0 {
			return false
		}
	}
	return true
}

// role is what the preposition before v says: in Oslo, from Oslo, by Rodin.
func (m *match) role(s *slot, v *value) float64 {
	w := s.wants
	b := 0.0
	switch v.prep {
	case "from":
		b += pick(w.source, 3, pick(w.target, -3, 0))
	case "to", "into":
		b += pick(w.target, 3, pick(w.source, -2, 0))
	case "on", "regarding":
		b += pick(w.topic, 2.5, 0)
	case "by":
		b += pick(w.person, 2, pick(w.place, -1.5, 0))
	case "in", "near", "around", "nearby", "across", "within", "located":
		b += pick(w.place || w.country || w.state, 2.2, pick(w.person, -1, 0))
	}
	if w.place || w.country || w.state || w.city {
		b += of(v.shape, map[shape]float64{proper: 1, quoted: -0.3, identifier: -1, phrase: -0.6, numeral: -2, dated: -2, clocked: -2, pathname: -2, address: -2, mailbox: -2})
		b += m.partOf(s, v)
	}
	return b
}

// partOf chooses between "Boston, MA", "Boston" and "MA".
func (m *match) partOf(s *slot, v *value) float64 {
	other := false
	for i := range m.e.slots {
		o := &m.e.slots[i]
		other = other || o != s && (o.wants.country || o.wants.state)
	}
	second := m.second(v)
	switch {
	case s.wants.country || s.wants.state:
		return pick(second, 2, pick(v.tail > 0, -2, 0))
	case v.tail > 0:
		return pick(other || s.wants.city && !s.wants.joined, -1.5, 0.7)
	case second:
		return -1
	}
	return 0
}

// second reports whether v is what follows the comma of "Boston, MA".
func (m *match) second(v *value) bool {
	return v.from > 0 && v.shape == proper && v.tail == 0 && strings.TrimSpace(m.t.gap(v.from)) == "," && m.t.toks[v.from-1].upper
}

// measures reports whether what stands before the "of" of v only leads to what
// follows: a unit, or words of the tool's own. "Grams of salt" are salt.
func (m *match) measures(v *value) bool {
	for i := v.from; i < v.of-1; i++ {
		tok := &m.t.toks[i]
		if _, unit := units()[tok.word]; unit || m.e.words[tok.stem]&(inName|inTitle|inDescription) != 0 || genericNames()[tok.stem] {
			return true
		}
	}
	return false
}

// render is the text of v for the slot: its words as the question has them,
// without those at its edges that chose the tool or name the slot.
func (m *match) render(s *slot, v *value) string {
	if v.shape != phrase && v.shape != proper {
		return v.text
	}
	from, to := v.from, v.to
	drop := func(i int) bool {
		tok := &m.t.toks[i]
		if tok.stop || modifiers()[tok.word] || m.used != nil && m.used[i] {
			return true
		}
		if v.shape == proper && (tok.upper || placeNouns()[tok.word]) {
			return false
		}
		for _, st := range tok.stems {
			if m.edge[st] || slices.Contains(s.name, st) {
				return true
			}
		}
		return false
	}
	if v.shape == phrase {
		if v.of > 0 && m.measures(v) {
			return ""
		}
		for from < to && drop(from) {
			from++
		}
	}
	for from < to && drop(to-1) && (v.shape == phrase || to-from > 1) {
		to--
	}
	if from == v.from && to == v.to {
		return v.text
	}
	if from >= to {
		return ""
	}
	return m.t.wording(from, to)
}
