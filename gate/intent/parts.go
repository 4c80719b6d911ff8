package intent

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/speech"
)

// parts looks for values that are together one literal, all of which they use. Examples are
// owner and repository of a/b, host and port, the words of a quoted command in order.
func (c *comparison) parts(leaves []leaf) {
	t := &c.question
	for _, i := range t.Literals {
		k := t.Tokens[i]
		all := t.NFC[k.Start:k.End]
		if len(all) > maxParted || !t.spend(len(leaves)) {
			continue
		}
		used := within(all, leaves)
		if len(used) < 2 || ordered(used) || !t.covers(all, used) {
			continue
		}
		if !slices.ContainsFunc(used, func(p parted) bool { return p.Origin != Stated }) {
			continue
		}
		for _, p := range used {
			if p.Origin == Stated { // at another place of the question
				continue
			}
			s := t.span(k.Start+p.at, k.Start+p.at+len(p.Value))
			p.Origin, p.By, p.Span, p.Repeated = Derived, byPart, &s, false
			if strings.Contains(all, "://") {
				p.By = byAddress
			}
		}
		t.take(k.Start, k.End)
	}
}

// maxParted is the length of the longest literal that is split into parts.
const maxParted = 256

// parted is a leaf at a place of a literal.
type parted struct {
	*leaf
	at int
}

// within are the leaves that are whole parts of a literal, in its order. Nothing else
// explains them except another place of the question.
func within(all string, leaves []leaf) (used []parted) {
	var free []*leaf
	for i := range leaves {
		if l := &leaves[i]; l.mayBePart() && len(l.Value) < len(all) {
			free = append(free, l)
		}
	}
	for at := 0; at < len(all); {
		longest := -1
		for i, l := range free {
			if partAt(all, at, l.Value) && (longest < 0 || len(l.Value) > len(free[longest].Value)) {
				longest = i
			}
		}
		if longest < 0 {
			at++
			continue
		}
		used = append(used, parted{free[longest], at})
		at += len(free[longest].Value)
		free = slices.Delete(free, longest, longest+1)
	}
	return used
}

// mayBePart reports whether a leaf is a text or a number that nothing else explains, except
// another place of the question.
func (l *leaf) mayBePart() bool {
	text := l.kind == '"'
	switch {
	case l.Name, l.Value == "", !text && l.kind != '0':
		return false
	}
	switch l.Origin {
	case Part, Unstated, Context:
		return true
	case Stated:
		return text && !l.Repeated
	}
	return false
}

// partAt reports whether a value is a whole part of a text at a place.
func partAt(all string, at int, value string) bool {
	end := at + len(value)
	if !strings.HasPrefix(all[at:], value) || at > 0 && speech.Alphanumeric(all[at-1]) {
		return false
	}
	return end == len(all) || !speech.Alphanumeric(all[end])
}

// covers reports whether a literal has only its parts, with marks between them. An address
// may also have its scheme, its host, and common words of the path before a part.
func (t *text) covers(all string, used []parted) bool {
	at, address := 0, strings.Contains(all, "://")
	for _, p := range used {
		rest := all[at:p.at]
		if at == 0 && address {
			rest = ""
		}
		for _, word := range []string{"issues", "pull", "pulls", "tree", "blob", "commit", "merge_requests"} {
			if address {
				rest = strings.ReplaceAll(rest, "/"+word+"/", "/")
			}
		}
		if strings.ContainsFunc(rest, wordly) {
			return false
		}
		at = p.at + len(p.Value)
	}
	return !strings.ContainsFunc(all[at:], wordly)
}

// ordered reports whether names or places show that the parts are in another order than the
// values.
func ordered(used []parted) bool {
	for i, l := range used[1:] {
		before := used[i].leaf
		list := before.array() != "" && before.array() == l.array()
		if swapped(before.name(), l.name()) || list && before.number() > l.number() {
			return true
		}
	}
	return false
}
