package intent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parts looks for the values that one literal is of, all of which are used: owner
// and repository of a/b, host and port, the words of a quoted command in order.
func (c *comparison) parts(leaves []leaf) {
	t := &c.question
	for _, i := range t.literals {
		k := t.tokens[i]
		all := t.all[k.start:k.end]
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
			s := t.span(k.start+int32(p.at), k.start+int32(p.at+len(p.Value)))
			p.Origin, p.By, p.Span, p.Repeated = Derived, byPart, &s, false
			if strings.Contains(all, "://") {
				p.By = byAddress
			}
		}
		t.take(k.start, k.end)
	}
}

// maxParted is the length of the longest literal of which the parts are looked for.
const maxParted = 256

// parted is a leaf at a place of a literal.
type parted struct {
	*leaf
	at int
}

// within are the leaves that are whole parts of a literal, in its order, and that
// nothing else explains but another place of the question.
func within(all string, leaves []leaf) (used []parted) {
	var free []*leaf
	for i := range leaves {
		if l := &leaves[i]; !l.Name && (l.Origin == Part || l.Origin == Unstated || l.Origin == Context || l.Origin == Stated && l.kind == '"' && !l.Repeated) && l.Value != "" && len(l.Value) < len(all) && (l.kind == '"' || l.kind == '0') {
			free = append(free, l)
		}
	}
	for at := 0; at < len(all); {
		longest := -1
		for i, l := range free {
			end := at + len(l.Value)
			if strings.HasPrefix(all[at:], l.Value) && (at == 0 || separates(all[at-1])) && (end == len(all) || separates(all[end])) && (longest < 0 || len(l.Value) > len(free[longest].Value)) {
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

// separates reports whether a byte stands between parts.
func separates(b byte) bool { return b < utf8.RuneSelf && !plain(b) || b >= 0x80 }

// covers reports whether a literal is no more than its parts and marks between; of an
// address the scheme, the host, and words that the path has before a part may be left over.
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
		if strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			return false
		}
		at = p.at + len(p.Value)
	}
	return !strings.ContainsFunc(all[at:], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// ordered reports whether names or places show that the parts are in another order than the values.
func ordered(used []parted) bool {
	for i, l := range used[1:] {
		before := used[i].leaf
		if swapped(before.name(), l.name()) || before.array() == l.array() && before.array() != "" && before.number() > l.number() {
			return true
		}
	}
	return false
}
