package intent

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/speech"
)

// directions marks the values that have a contradicting word before them. Such a word is
// from or to, or the name of another argument.
func (c *comparison) directions(leaves []leaf) {
	words := make([]string, len(leaves))
	for i := range leaves {
		l := &leaves[i]
		if l.Differs != "" {
			continue
		}
		if no := c.denies(l); no != "" {
			l.By, l.Differs = byDirection, no
			continue
		}
		word, said := c.before(l)
		if words[i] = word; word == "" {
			continue
		}
		at, weak := sideOf(l.name())
		differs := c.another(leaves, l, word)
		switch {
		case at == 0:
			differs = differs || word == "from" && c.moved(l)
		case said != 0 && said != at:
			differs = differs || !weak || c.leavesOpen(leaves, l, at)
		}
		if differs {
			l.By, l.Differs = byDirection, word
		}
	}
	backwards(leaves, words)
	c.reversed(leaves, words)
}

// reversed marks the two values of a pair, such as source and destination, that are in the
// other order in the question. It marks them only if no word before them gives their
// direction: "copy a.txt b.txt" as from b.txt to a.txt. In the order of the pair they get
// no mark, because most people write them so.
func (c *comparison) reversed(leaves []leaf, words []string) {
	for i := range leaves {
		for j := range leaves {
			from, to := &leaves[i], &leaves[j]
			switch {
			case i == j, !paired(from, to), sides[words[i]] != 0, sides[words[j]] != 0:
				continue
			case c.question.says(end(from)), c.question.says(end(to)):
				continue // the new string is "b", the old string "a"
			}
			if to.Span.End <= from.Span.Start {
				from.By, from.Differs = byOrder, to.name()
				to.By, to.Differs = byOrder, from.name()
			}
		}
	}
}

// says reports whether a word is in a text.
func (t *text) says(word string) bool {
	for i := range t.Tokens {
		if t.Label(i) == word {
			return true
		}
	}
	return false
}

// paired reports whether two leaves are the two ends of one way, by their names, and have
// places in the question.
func paired(from, to *leaf) bool {
	a, weakFrom := sideOf(from.name())
	b, weakTo := sideOf(to.name())
	switch {
	case a != fromSide, b != toSide, weakFrom && !succeeding()[end(from)], weakTo && !succeeding()[end(to)]:
		return false
	case !from.placed(), !to.placed(), from.Differs != "", to.Differs != "":
		return false
	}
	return from.Literal == to.Literal && ends(from) == ends(to)
}

// succeeding are the weak names with values that people write in this order: the old one
// before the new one. A base is as often before its head as behind it.
var succeeding = lex.Words(`old new start end begin until departure arrival`)

// end is the word of a leaf's name that names a side. ends are the other words.
func end(l *leaf) string {
	for part := range strings.SplitSeq(speech.Snake(l.name()), "_") {
		if named[part].side != 0 {
			return part
		}
	}
	return ""
}

func ends(l *leaf) string {
	parts := slices.DeleteFunc(strings.Split(speech.Snake(l.name()), "_"), func(part string) bool { return named[part].side != 0 })
	return strings.Join(parts, "_")
}

// exclusive are words of parameters that take excluded values.
var exclusive = lex.Words(`exclude excluded excludes excluding not without except ignore ignored skip omit neg negative avoid old before previous`)

// denies is the word that excludes a value: "not the local ones". If the question has the
// value twice, the other place may be meant.
func (c *comparison) denies(l *leaf) string {
	t := &c.question
	if !l.placed() || l.Name || l.By == byName {
		return ""
	}
	word := t.denial(t.At(l.Span.Start))
	if word == "" || strings.Count(t.NFC, l.Span.Text) > 1 {
		return ""
	}
	for part := range strings.SplitSeq(speech.Snake(l.name()), "_") {
		if exclusive()[part] {
			return ""
		}
	}
	return word
}

// excluding are words before values that the question excludes.
var excluding = lex.Words(`not except excluding don't never`)

// denial is the word before token i that means "not"; articles may be between.
func (t *text) denial(i int) string {
	for ; i > 0 && strings.Trim(t.Gap(i), " ") == ""; i-- {
		switch low := t.Label(i - 1); {
		case low == "for", low == "with", low == "new":
			return ""
		case speech.Naming(low):
			continue
		}
		switch t.Label(i - 2) {
		case "or", "why", "if":
			return ""
		}
		return t.Negation(i, 1, excluding())
	}
	return ""
}

// moved reports whether a change leaves a value behind. A ticket that goes from rosa to
// yannick will not be rosa's. Then another word is behind a "to", and that word is not a
// value.
func (c *comparison) moved(l *leaf) bool {
	t := &c.question
	i := slices.IndexFunc(t.Tokens, func(k speech.Token) bool { return k.Start >= l.Span.End })
	if !c.changes || i < 0 || i+1 >= len(t.Tokens) {
		return false
	}
	if next := t.Label(i); next != "to" && next != "into" {
		return false
	}
	gap := strings.Trim(t.NFC[l.Span.End:t.Tokens[i].Start], " \t\n\"'`’”»")
	return gap == "" && !t.used(i+1, i+1) && !speech.Changes(t.Label(i+1))
}

// backwards marks the values of a list that contradict the direction in the question: [b,
// a] for "from a to b".
func backwards(leaves []leaf, words []string) {
	ends := map[string]int{} // of each list the first value that is said to be the end
	for i := range leaves {
		l := &leaves[i]
		list := l.array()
		if list == "" || l.Differs != "" {
			continue
		}
		if end, behind := ends[list]; behind && words[i] == "from" {
			l.By, l.Differs = byDirection, words[i]
			leaves[end].By, leaves[end].Differs = byDirection, words[end]
		} else if !behind && words[i] == "to" {
			ends[list] = i
		}
	}
}

// before is the word before a value in the question, and the side that it names. It skips
// articles and the words of the argument's own name. If the question has the text twice,
// the word is unknown.
func (c *comparison) before(l *leaf) (word string, said side) {
	t := &c.question
	if !l.placed() || l.Name || strings.Count(t.NFC, l.Span.Text) > 1 {
		return "", 0
	}
	i, own := t.At(l.Span.Start)-1, "_"+speech.Snake(l.name())+"_"
	for i >= 0 && t.skips(i, own) {
		i--
	}
	if i < 0 || strings.ContainsAny(t.NFC[t.Tokens[i].End:l.Span.Start], ".;!?\n") {
		return "", 0
	}
	if word = t.Label(i); t.replaces(i, word) {
		return word, toSide
	}
	return word, sides[word]
}

// skips reports whether token i is only an article, or a word of the argument's own name.
func (t *text) skips(i int, own string) bool {
	low := t.Label(i)
	return skipped()[low] || sides[low] == 0 && strings.Contains(own, "_"+low+"_")
}

// skipped are words between a value and the word that gives its side.
var skipped = lex.Words(`the a an my our branch account file folder`)

// replacing are the verbs whose second object follows a "with" or a "by".
var replacing = map[string]func() map[string]bool{
	"with": lex.Words(`replace replacing exchange`),
	"by":   lex.Words(`replace replacing exchange substitute`),
}

// maxReplaced bounds the words between "replace" and "with".
const maxReplaced = 12

// replaces reports whether "replace a" is before the "with" at token i.
func (t *text) replaces(i int, with string) bool {
	verbs := replacing[with]
	for k := i - 1; verbs != nil && k >= max(0, i-maxReplaced); k-- {
		if verbs()[t.Label(k)] {
			return true
		}
	}
	return false
}

// placed reports whether a leaf has a place in the question.
func (l *leaf) placed() bool { return l.Span != nil && l.Origin != Context }

// leavesOpen reports whether a value of the other side is in the question, without a word that
// gives its side.
func (c *comparison) leavesOpen(leaves []leaf, l *leaf, at side) bool {
	for i := range leaves {
		o := &leaves[i]
		other, _ := sideOf(o.name())
		switch {
		case o == l, o.Span == nil, other == 0, other == at:
			continue
		}
		_, said := c.before(o)
		return said != other
	}
	return false
}

// another reports whether a word is the name of another argument of the call, and not the
// order itself. An example is "scale deployment web", for a tool with an argument scale.
func (c *comparison) another(leaves []leaf, l *leaf, word string) bool {
	if sides[word] != 0 || len(word) < 3 || slices.Contains(c.orders, word) {
		return false
	}
	return slices.ContainsFunc(leaves, func(o leaf) bool {
		return o.name() != l.name() && strings.ToLower(o.name()) == word && o.Value != l.Value
	})
}
