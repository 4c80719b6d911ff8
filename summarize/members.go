package summarize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The limits of the members shown next to a value, in bytes. They are for the nearest
// object or row, for each object further out, and for one member among many.
const (
	maxMembers = 2 << 10
	maxOuter   = 1 << 10
	maxMember  = 160
)

// maxCells is the number of elements of an array that are shown each way.
const maxCells = 32

// siblings returns the lines that show the surroundings of a leaf, outermost first. They
// are the members of the nearest object with more than one member, a row's cells, the
// first row, the elements next to an element with a sentence, and the short members of
// the objects further out. The latter are left out if they do not fit.
func (r result) siblings(i int) (lines []string) {
	way := r.leaves[i].Path()
	rings := schema.Rings(r.value, way, maxCells)
	nearest := len(rings) - 1
	for nearest >= 0 && (rings[nearest].Kind != '{' || rings[nearest].Total < 2) {
		nearest--
	}
	sentence, room := closed(r.leaves[i].Text), 2*maxMembers
	add := func(at, text string) {
		line := strings.TrimSpace(verdict.Cut(at, maxOuter) + " " + text)
		if room -= len(line); len(text) > len("{}") && room >= 0 {
			lines = append(lines, line)
		}
	}
	for n, g := range slices.Backward(rings) {
		at := place(way[:n], nil)
		switch {
		case n == nearest, g.Kind == '[' && n == len(way)-1 && g.Total > 1:
			add(at, r.listed(g.Kind, g.Kept, maxMembers))
		case n < nearest && g.Kind == '{':
			add(at, r.listed(g.Kind, slices.DeleteFunc(g.Kept, func(m schema.Member) bool { return len(m.Value) > maxMember }), maxOuter))
		case ofRows(rings, n) && n == len(way)-2 && way[n].Index > 0:
			add(at+"[0]", r.brief(g.Kept[0].Value, maxMembers))
		case g.Kind == '[' && sentence && n < len(way)-1:
			for m, next := range slices.Backward(g.Kept) {
				if far := m - g.Before; far == -1 || far == 0 {
					add(fmt.Sprintf("%s[%d]", at, way[n].Index+1+2*far), r.brief(next.Value, maxOuter))
				}
			}
			sentence = false
		}
	}
	slices.Reverse(lines)
	return lines
}

// listed writes members with their names, or elements, as far as they fit. It replaces
// one in which a scanner found something.
func (r result) listed(kind jsontext.Kind, all []schema.Member, room int) string {
	var b strings.Builder
	each := max(maxMember, room/max(1, len(all)))
	for i, m := range all {
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > room {
			b.WriteString("…")
			break
		}
		if kind == '{' {
			b.WriteString(r.clean(name(verdict.Cut(m.Name, maxMember)), m.Name) + ": ")
		}
		b.WriteString(r.brief(m.Value, min(each, room)))
	}
	return string(rune(kind)) + b.String() + string(rune(kind)+2)
}

// brief writes a value in about room bytes.
func (r result) brief(v jsontext.Value, room int) string {
	switch v.Kind() {
	case '{':
		all, _ := schema.Members(v) // cannot fail: the value was read before
		return r.listed('{', all, room)
	case '[':
		all, _ := schema.Elements(v)
		return r.listed('[', all[:min(len(all), 1+2*maxCells)], room)
	case '"':
		text, _ := jsontext.AppendUnquote(nil, v)
		return r.clean(quoted(verdict.Cut(fold(string(text)), room)), string(text))
	}
	return string(v)
}

// ofRows reports whether the n-th ring is a list of lists.
func ofRows(rings []schema.Ring, n int) bool {
	return n+1 < len(rings) && rings[n].Kind == '[' && rings[n+1].Kind == '['
}
