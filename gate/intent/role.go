package intent

import (
	"slices"
	"strconv"
	"strings"
)

// side is which end of a way a word or a name speaks of.
type side int

const (
	fromSide side = iota + 1
	toSide
)

// sides are the words before a value.
var sides = map[string]side{
	"from": fromSide, "replace": fromSide, "replacing": fromSide, "since": fromSide, "starting": fromSide, "between": fromSide,
	"to": toSide, "into": toSide, "onto": toSide, "until": toSide, "till": toSide, "through": toSide, "->": toSide, "→": toSide,
}

// named are the words of names of parameters. Of a weak one, such as the start
// of a meeting that is moved to three, the word before its value says something
// only where a value of the other side is there that is not said to be it.
var named = map[string]struct {
	side
	weak bool
}{
	"from": {fromSide, false}, "source": {fromSide, false}, "src": {fromSide, false}, "origin": {fromSide, false},
	"to": {toSide, false}, "destination": {toSide, false}, "dest": {toSide, false},
	"start": {fromSide, true}, "begin": {fromSide, true}, "head": {fromSide, true}, "old": {fromSide, true}, "departure": {fromSide, true}, "sender": {fromSide, true},
	"end": {toSide, true}, "base": {toSide, true}, "new": {toSide, true}, "target": {toSide, true}, "arrival": {toSide, true}, "recipient": {toSide, true}, "until": {toSide, true},
}

// sideOf is the side that a parameter's name speaks of, 0 for none and for both.
func sideOf(name string) (at side, weak bool) {
	for part := range strings.SplitSeq(snake(name), "_") {
		if n := named[part]; n.side != 0 && at != 0 && n.side != at {
			return 0, false
		} else if n.side != 0 {
			at, weak = n.side, n.weak
		}
	}
	return at, weak
}

// outer and inner are names of what the first and the second part of a/b are.
var (
	outer = words("owner org organization organisation namespace group user username workspace account host")
	inner = words("repo repository project package port")
)

// swapped reports whether two names say that the second one's value comes first.
func swapped(first, second string) bool {
	a, _ := sideOf(first)
	b, _ := sideOf(second)
	return a == toSide && b == fromSide || inner()[snake(first)] && outer()[snake(second)]
}

// name is the member that a leaf is the value of, or is in.
func (l *leaf) name() string {
	parts := strings.Split(l.Pointer, "/")
	for i := len(parts) - 1; i > 0; i-- {
		if strings.Trim(parts[i], "0123456789") != "" {
			return parts[i]
		}
	}
	return ""
}

// array is the place of the array that a leaf is an element of, "" where it is of none.
func (l *leaf) array() string {
	if at := strings.LastIndexByte(l.Pointer, '/'); strings.Trim(l.Pointer[at+1:], "0123456789") == "" {
		return l.Pointer[:at]
	}
	return ""
}

func (l *leaf) number() int {
	n, _ := strconv.Atoi(l.Pointer[strings.LastIndexByte(l.Pointer, '/')+1:])
	return n
}

// directions marks the values before which the question says something else
// than the argument's name: from or to, or the name of another argument.
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
		differs := at != 0 && said != 0 && said != at && (!weak || c.opposed(leaves, l, at))
		if differs || c.another(leaves, l, word) || at == 0 && word == "from" && c.moved(l) {
			l.By, l.Differs = byDirection, word
		}
	}
	backwards(leaves, words)
	c.reversed(leaves, words)
}

// reversed marks the two values of a pair, such as source and destination, whose
// order in the question is the other one, where no word before them says which is
// which: "copy a.txt b.txt" as from b.txt to a.txt. In the order of the pair they
// carry no mark, for most people write them so.
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
	for i := range t.tokens {
		if t.label(i) == word {
			return true
		}
	}
	return false
}

// paired reports whether two leaves are the two ends of one way, by their names,
// and have places in the question.
func paired(from, to *leaf) bool {
	a, weakFrom := sideOf(from.name())
	b, weakTo := sideOf(to.name())
	switch {
	case a != fromSide || b != toSide, weakFrom && !succeeding()[end(from)], weakTo && !succeeding()[end(to)]:
		return false
	case from.Span == nil || to.Span == nil, from.Origin == Context || to.Origin == Context:
		return false
	}
	return from.Differs == "" && to.Differs == "" && from.Literal == to.Literal && ends(from) == ends(to)
}

// succeeding are the weak names whose values people write in this order: the old one
// before the new one. A base is as often before its head as behind it.
var succeeding = words(`old new start end begin until departure arrival`)

// end is the word of a leaf's name that names a side, and ends the others.
func end(l *leaf) string {
	for part := range strings.SplitSeq(snake(l.name()), "_") {
		if named[part].side != 0 {
			return part
		}
	}
	return ""
}

func ends(l *leaf) string {
	parts := slices.DeleteFunc(strings.Split(snake(l.name()), "_"), func(part string) bool { return named[part].side != 0 })
	return strings.Join(parts, "_")
}

// apart are the words of names that take what is not meant.
var apart = words(`exclude excluded excludes excluding not without except ignore ignored skip omit neg negative avoid old before previous`)

// denies is the word that says that a value is not meant: "not the local ones". What
// the question says twice may be meant at the other place.
func (c *comparison) denies(l *leaf) string {
	t := &c.question
	if l.Span == nil || l.Name || l.Origin == Context || l.By == byName {
		return ""
	}
	word := t.denial(t.tokenAt(l.Span.Start))
	if word == "" || strings.Count(t.all, l.Span.Text) > 1 {
		return ""
	}
	for part := range strings.SplitSeq(snake(l.name()), "_") {
		if apart()[part] {
			return ""
		}
	}
	return word
}

// denial is the word before token i that says "not", articles between.
func (t *text) denial(i int) string {
	for i--; i >= 0 && i+1 < len(t.tokens) && strings.Trim(t.all[t.tokens[i].end:t.tokens[i+1].start], " ") == ""; i-- {
		switch low := t.label(i); {
		case naming()[low] && low != "for" && low != "with" && low != "new":
			continue
		case low == "except" || low == "excluding":
			return low
		case low == "not" && t.label(i-1) != "or" && t.label(i-1) != "why" && t.label(i-1) != "if":
			return low
		case low == "than" && (t.label(i-1) == "rather" || t.label(i-1) == "other"):
			return t.label(i - 1)
		}
		break
	}
	return ""
}

// moved reports whether a change leaves a value behind: a ticket that goes from rosa
// to yannick is not to be rosa's. Then another word is behind a "to", and no value.
func (c *comparison) moved(l *leaf) bool {
	t := &c.question
	i := slices.IndexFunc(t.tokens, func(k token) bool { return int(k.start) >= l.Span.End })
	if !c.changes || i < 0 || i+1 >= len(t.tokens) {
		return false
	}
	if next := t.label(i); next != "to" && next != "into" {
		return false
	}
	gap := t.all[l.Span.End:t.tokens[i].start]
	return strings.Trim(gap, " \t\n\"'`’”»") == "" && !t.tokens[i+1].used && !changes()[t.label(i+1)]
}

// backwards marks the values of a list whose order is not that of the way which the
// question says: [b, a] of "from a to b".
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

// before is the word before a value in the question, without articles and the
// words of the argument's own name, and the side that it speaks of. Of a text that
// the question says twice it is not known.
func (c *comparison) before(l *leaf) (word string, said side) {
	t := &c.question
	if l.Span == nil || l.Origin == Context || l.Name || strings.Count(t.all, l.Span.Text) > 1 {
		return "", 0
	}
	i := t.tokenAt(l.Span.Start) - 1
	own := "_" + snake(l.name()) + "_"
	for ; i >= 0; i-- {
		switch low := t.label(i); {
		case low == "the" || low == "a" || low == "an" || low == "my" || low == "our" || low == "branch" || low == "account" || low == "file" || low == "folder":
			continue
		case sides[low] == 0 && strings.Contains(own, "_"+low+"_"):
			continue
		case low == "and":
			for k := i - 1; k >= max(0, i-6); k-- {
				if t.label(k) == "between" {
					return low, toSide
				}
			}
		}
		break
	}
	if i < 0 || strings.ContainsAny(t.all[t.tokens[i].end:l.Span.Start], ".;!?\n") {
		return "", 0
	}
	if low := t.label(i); (low == "with" || low == "by") && t.replaces(i) {
		return low, toSide
	}
	return t.label(i), sides[t.label(i)]
}

// replaces reports whether "replace a" is before token i.
func (t *text) replaces(i int) bool {
	for k := i - 1; k >= max(0, i-maxReplaced); k-- {
		if low := t.label(k); low == "replace" || low == "replacing" || low == "exchange" || low == "substitute" && t.label(i) == "by" {
			return true
		}
	}
	return false
}

// maxReplaced is how many words there are between "replace" and "with".
const maxReplaced = 12

// label is token i in lower case, without what ends a label.
func (t *text) label(i int) string { return strings.TrimRight(strings.ToLower(t.word(int32(i))), ":=") }

// tokenAt is the first token that ends behind a place.
func (t *text) tokenAt(at int) int {
	for i := range t.tokens {
		if int(t.tokens[i].outerEnd) > at {
			return i
		}
	}
	return len(t.tokens)
}

// opposed reports whether a value of the other side is in the question, and not said to be of it.
func (c *comparison) opposed(leaves []leaf, l *leaf, at side) bool {
	for i := range leaves {
		o := &leaves[i]
		if other, _ := sideOf(o.name()); o != l && other != 0 && other != at && o.Span != nil {
			_, said := c.before(o)
			return said != other
		}
	}
	return false
}

// another reports whether a word is the name of another argument of the call, and
// not the order itself: "scale deployment web", of a tool with an argument scale.
func (c *comparison) another(leaves []leaf, l *leaf, word string) bool {
	if sides[word] != 0 || len(word) < 3 || slices.Contains(c.orders, word) {
		return false
	}
	for i := range leaves {
		if o := &leaves[i]; o.name() != l.name() && strings.ToLower(o.name()) == word && o.Value != l.Value {
			return true
		}
	}
	return false
}

// maxBefore is how much of what is before a value is shown with it.
const maxBefore = 40

// Shown is the report with the word before each value in the question, and the
// article between: `to the` of "to the savings". The record of an approval is without
// them, for question and place say them.
func (r Report) Shown(question string) Report {
	var t text
	t.cut(question)
	r.Leaves = slices.Clone(r.Leaves)
	for n, l := range r.Leaves {
		if l.Span == nil || l.Origin == Context {
			continue
		}
		i := t.tokenAt(l.Span.Start)
		if i == len(t.tokens) {
			continue
		}
		from := i
		for ; from > 0; from-- {
			if strings.ContainsAny(t.all[t.tokens[from-1].end:t.tokens[from].start], ".;!?\n") {
				break
			}
			if low := t.label(from - 1); low != "the" && low != "a" && low != "an" && low != "my" && low != "our" {
				from--
				break
			}
		}
		if from < i && int(t.tokens[i].outer)-int(t.tokens[from].start) <= maxBefore {
			r.Leaves[n].Before = t.all[t.tokens[from].start:t.tokens[i-1].end]
		}
	}
	return r
}
