package intent

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// match is a place in a text that has a value.
type match struct {
	start, end int
	exact      bool // byte for byte; else but for case, white space, "_" and "-"
	taken      bool // another leaf has it
}

// better orders matches: exact ones first, free ones before those that are taken.
func (m match) better(other match) bool {
	if m.exact != other.exact {
		return m.exact
	}
	return !m.taken && other.taken
}

// find looks for the value of a string: whole literals, or a run of whole words.
func (t *text) find(value string) (best match, found bool) {
	v := cut(value)
	if len(v.pieces) == 0 {
		return best, false
	}
	first, last := v.pieces[0], v.pieces[len(v.pieces)-1]
	for i := range t.starts(first.text) {
		if !t.follows(i, v.pieces) {
			continue
		}
		m, fits := t.around(t.pieces[i], t.pieces[i+len(v.pieces)-1], v.all, first.start, len(v.all)-last.end)
		if fits && (!found || m.better(best)) {
			best, found = m, true
		}
		if found && best.exact && !best.taken {
			break
		}
	}
	return best, found
}

// starts are the pieces that begin a token and are the same but for case.
func (t *text) starts(with string) iter.Seq[int] {
	return func(yield func(int) bool) {
		if t.index != nil {
			for _, i := range t.index[fold(with)] {
				if !t.spend(1) || !yield(int(i)) {
					return
				}
			}
			return
		}
		for i, p := range t.pieces {
			if p.first && strings.EqualFold(p.text, with) && !yield(i) {
				return
			}
		}
	}
}

func (t *text) spend(n int) bool {
	t.work -= n
	return t.work > 0
}

// follows reports whether the pieces from i on are these, and end a token.
func (t *text) follows(i int, pieces []piece) bool {
	if i+len(pieces) > len(t.pieces) || !t.pieces[i+len(pieces)-1].last {
		return false
	}
	for j, p := range pieces {
		if !t.spend(1) || !strings.EqualFold(t.pieces[i+j].text, p.text) {
			return false
		}
	}
	return true
}

// around widens a run of pieces by the punctuation that the value has around
// its own, and compares: pieces alone leave out what is between them.
func (t *text) around(first, last piece, value string, before, after int) (match, bool) {
	m := match{start: first.start - before, end: last.end + after}
	if from, to := t.tokens[first.token], t.tokens[last.token]; m.start < from.outer || m.start > from.start || m.end < to.end || m.end > to.outerEnd {
		return m, false // a sign, or a mark that belongs to the token, is left out or added
	}
	said := t.all[m.start:m.end]
	m.exact = said == value
	m.taken = t.used(first.token, last.token)
	return m, m.exact || t.spend(len(said)/8) && joined(said) == joined(value)
}

func (t *text) used(first, last int32) bool {
	return slices.ContainsFunc(t.tokens[first:last+1], func(k token) bool { return k.used })
}

// joined is a text with its case folded, and with every run of white space,
// "_" and "-" written as one space.
func joined(s string) string { return strings.Join(strings.FieldsFunc(fold(s), joins), " ") }

// findNumber looks for a number literal of the same value.
func (t *text) findNumber(literal string) (best match, found bool) {
	want := decimal(literal)
	if t.numerals == nil {
		t.numerals = make([]numeral, len(t.literals))
		for n, i := range t.literals {
			t.numerals[n] = numeralOf(t.all[t.tokens[i].start:t.tokens[i].end])
		}
	}
	for n, i := range t.literals {
		if !t.spend(1) {
			break
		}
		k := t.tokens[i]
		equal, exact := t.numerals[n].states(want)
		m := match{k.start, k.end, exact, k.used}
		if equal && (!found || m.better(best)) {
			best, found = m, true
		}
	}
	return best, found
}

// partOf is the first literal that the value is a proper part of.
func (t *text) partOf(value string) (token, bool) {
	value = norm.NFC.String(value)
	for _, i := range t.literals {
		k := t.tokens[i]
		if value == "" || !t.spend(1) {
			break
		}
		if len(value) < k.end-k.start && strings.Contains(t.all[k.start:k.end], value) {
			return k, true
		}
	}
	return token{}, false
}

// take marks every token of a place as used.
func (t *text) take(start, end int) {
	from, _ := slices.BinarySearchFunc(t.tokens, start, func(k token, at int) int { return cmp.Compare(k.outerEnd, at+1) })
	for i := from; i < len(t.tokens) && t.tokens[i].outer < end; i++ {
		t.tokens[i].used = true
	}
}

func (t *text) span(start, end int) *Span { return &Span{start, end, t.all[start:end]} }

// unused are the literals in which no leaf has a place, but for those without
// a digit that spell a name of the chosen tool, or whole words of one.
func (t *text) unused(names []string) []Span {
	var all []Span
	for _, k := range t.tokens {
		said := t.all[k.start:k.end]
		spells := func(name string) bool { return strings.Contains(" "+joined(name)+" ", " "+joined(said)+" ") }
		if k.literal && !k.used && (strings.ContainsAny(said, "0123456789") || !slices.ContainsFunc(names, spells)) {
			all = append(all, Span{k.start, k.end, said})
		}
	}
	return all
}
