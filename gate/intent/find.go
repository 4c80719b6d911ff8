package intent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/speech"
)

// match is a place in a text that has a value.
type match struct {
	start, end int
	exact      bool // byte for byte; else it may differ in case, white space, "_" and "-"
	taken      bool // another leaf has it

	by   string // how the value was derived from this place, "" if it is not derived
	want string // the value of this place, if the argument has another
}

// better orders matches: exact ones first, then those without a leaf.
func (m match) better(other match) bool {
	if m.exact != other.exact {
		return m.exact
	}
	return !m.taken && other.taken
}

// find looks for a value's text: whole literals, or a run of whole words.
func (t *text) find(v *text) (best match, found bool) {
	if len(v.pieces) == 0 {
		return best, false
	}
	before, after := int(v.pieces[0].start), len(v.NFC)-int(v.pieces[len(v.pieces)-1].end)
	for _, i := range t.begins[folded(v.of(v.pieces[0]))] {
		if !t.spend(1) {
			break
		}
		if !t.follows(i, v) {
			continue
		}
		m, fits := t.around(t.pieces[i], t.pieces[i+len(v.pieces)-1], v.NFC, before, after)
		if fits && (!found || m.better(best)) {
			best, found = m, true
		}
		if found && best.exact && !best.taken {
			break
		}
	}
	if !found {
		return t.quotes(v.NFC)
	}
	return best, found
}

// quotes finds a value that is a whole quotation, with the marks at its end: "Fixed."
func (t *text) quotes(v string) (best match, found bool) {
	for _, i := range t.Literals {
		k := t.Tokens[i]
		if !t.spend(1) {
			break
		}
		if !k.Quoted || k.End-k.Start != len(v) || t.NFC[k.Start:k.End] != v {
			continue
		}
		if m := (match{start: k.Start, end: k.End, exact: true, taken: t.used(i, i)}); !found || m.better(best) {
			best, found = m, true
		}
	}
	return best, found
}

// index notes the pieces that begin a token by their folded text, in the order of the text.
func (t *text) index() {
	t.begins = map[string][]int{}
	for i, p := range t.pieces {
		if p.first {
			of := folded(t.of(p))
			t.begins[of] = append(t.begins[of], i)
		}
	}
}

// follows reports whether the pieces from i on are the value's, and end a token.
func (t *text) follows(i int, v *text) bool {
	if i+len(v.pieces) > len(t.pieces) || !t.pieces[i+len(v.pieces)-1].last {
		return false
	}
	for j, p := range v.pieces {
		if !t.spend(1) || !strings.EqualFold(t.of(t.pieces[i+j]), v.of(p)) {
			return false
		}
	}
	return true
}

// around widens a run of pieces by the punctuation around the value's own pieces, and
// compares. It is needed because pieces leave out the text between them.
func (t *text) around(first, last piece, value string, before, after int) (match, bool) {
	m := match{start: int(first.start) - before, end: int(last.end) + after}
	from, to := t.Tokens[first.token], t.Tokens[last.token]
	switch { // a sign, or a mark that belongs to the token, is left out or added
	case m.start < from.Outer, m.start > from.Start, m.end < to.End, m.end > to.OuterEnd:
		return m, false
	}
	said := t.NFC[m.start:m.end]
	m.exact = said == value
	m.taken = t.used(int(first.token), int(last.token))
	return m, m.exact || t.spend(len(said)/8) && joined(said) == joined(value)
}

// partOf is the first literal that contains the value's text and more.
func (t *text) partOf(v *text) (speech.Token, bool) {
	if v.NFC == "" {
		return speech.Token{}, false
	}
	for _, i := range t.Literals {
		k := t.Tokens[i]
		if !t.spend(1) {
			break
		}
		if len(v.NFC) < k.End-k.Start && strings.Contains(t.NFC[k.Start:k.End], v.NFC) {
			return k, true
		}
	}
	return speech.Token{}, false
}

// unused are the literals in which no leaf has a place. It omits literals that spell a name
// of the chosen tool, or whole words of one: the r2 bucket. Aside are literals that spell
// the name of an argument, or first letters of a name (PR of create_pull_request), and
// literals that the question excludes.
func (t *text) unused(leaves []leaf, names []string) []Span {
	all := []Span{}
	for _, i := range t.Literals {
		if k := t.Tokens[i]; !t.used(i, i) {
			s := t.span(k.Start, k.End)
			s.Aside = t.Negation(i, 3, excluding()) != ""
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return all
	}
	tool, others, initials := spelled(names), []string{}, strings.Builder{}
	for i := range leaves[:min(len(leaves), maxNames)] {
		others = append(others, leaves[i].name(), speech.Snake(leaves[i].name()))
	}
	for _, name := range slices.Concat(names, others) {
		for part := range strings.FieldsSeq(joined(speech.Snake(name))) {
			initials.WriteByte(part[0])
		}
		initials.WriteByte('\n')
	}
	given := spelled(others)
	all = slices.DeleteFunc(all, func(s Span) bool { return t.is(s, tool) })
	for i, s := range all {
		all[i].Aside = s.Aside || t.is(s, given) || shortFor(s.Text, initials.String())
	}
	return all
}

// shortFor reports whether a literal consists of the first letters of names, as PR does.
func shortFor(literal, initials string) bool {
	if len(literal) < 2 || strings.ToUpper(literal) != literal || strings.ContainsAny(literal, "0123456789") {
		return false
	}
	return strings.Contains(initials, strings.ToLower(literal))
}

// maxNames bounds the arguments that give names.
const maxNames = 64

func spelled(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(" " + joined(name) + " \n")
		if parts := speech.NameParts(name); len(parts) > 1 {
			b.WriteString(" " + joined(strings.Join(parts, " ")) + " \n")
		}
	}
	return b.String()
}

// is reports whether a literal is whole words of a list of names. A literal that begins
// with a digit is not: a number in a name counts something else than the question does.
func (t *text) is(s Span, names string) bool {
	return strings.IndexAny(s.Text, "0123456789") != 0 && strings.Contains(names, " "+joined(s.Text)+" ")
}

// fold is a character without its case, as strings.EqualFold compares.
func fold(r rune) rune {
	least := r
	if r >= utf8.RuneSelf {
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
	}
	if 'A' <= least && least <= 'Z' {
		return least + 'a' - 'A' // as most text is written, which is then not copied
	}
	return least
}

// folded is a text with its case folded.
func folded(s string) string { return strings.Map(fold, s) }

// joined is a text with its case folded, and with every run of white space, "_" and "-"
// written as one space.
func joined(s string) string {
	return strings.Join(strings.FieldsFunc(folded(s), joins), " ")
}
