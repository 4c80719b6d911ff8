package summarize

import (
	"slices"
	"strings"
)

// maxAround bounds the text that is shown around a selection, in bytes.
const maxAround = 2 << 10

// gap is shown in place of the rest of a block.
const gap = "[…]"

// Neighbour is text next to a selection. It may contradict the selection.
type Neighbour struct {
	Where string `json:"where"` // before, after, or beside, which is in another value
	Text  string `json:"text"`
	at    span
}

// around chooses the text to show next to the pieces lo to hi. It shows two sentences
// each way, from any block, then the sentences next to the piece's block, and then the
// rest of the block, nearest first, as far as they fit. One of the two each way is cut if
// it does not fit.
func around(all []piece, lo, hi int) map[int]span {
	first, last := lo, hi
	for first > 0 && all[first-1].group == all[lo].group {
		first--
	}
	for last < len(all) && all[last].group == all[hi-1].group {
		last++
	}
	beyond := 1
	if k := all[lo].block.kind; k == item || k == row {
		beyond = 2 // may be a note on the whole list or table
	}
	shown, room := map[int]span{}, maxAround
	show := func(i int) bool {
		p, n := all[i].span, all[i].to-all[i].from
		if _, again := shown[i]; again || n > room {
			return again
		}
		shown[i], room = p, room-n
		return true
	}
	for n := 1; n <= 2; n++ {
		for _, i := range slices.Concat(sentencesFrom(all, lo-1, -1, n), sentencesFrom(all, hi, 1, n)) {
			if show(i) {
				continue
			}
			p := all[i].span
			if i < lo {
				p.from = p.to - room
			} else {
				p.to = p.from + room
			}
			shown[i], room = p, 0
		}
	}
	for _, i := range slices.Concat(sentencesFrom(all, first-1, -1, beyond), sentencesFrom(all, last, 1, beyond)) {
		show(i)
	}
	back, forth := inner(all, all[lo], lo-1, -1), inner(all, all[hi-1], hi, 1)
	for n := range max(len(back), len(forth)) {
		if n < len(back) && !show(back[n]) {
			break
		}
		if n < len(forth) && !show(forth[n]) {
			break
		}
	}
	for n := range maxEnds {
		for _, i := range []int{n, len(all) - 1 - n} {
			outside := 0 <= i && i < lo || hi <= i && i < len(all)
			if outside && all[i].to-all[i].from <= maxMember {
				show(i)
			}
		}
	}
	return shown
}

// maxEnds is the number of short pieces from the beginning and the end of a text that are
// shown with any claim. They may apply to the whole text: a title, a unit, the end of a
// letter's validity, a footnote, a postscript.
const maxEnds = 2

// inner returns the pieces of a block that are shown with p, from an index on. A row of a
// table is complete alone, so it has none. For labelled lines, such as YAML, they are the
// lines with the same indent under the same key. For any other block they are all its
// pieces.
func inner(all []piece, p piece, from, step int) (found []int) {
	named := p.block.kind == entry
	for i := from; 0 <= i && i < len(all) && all[i].group == p.group; i += step {
		in := all[i].block.indent
		if p.block.kind == row || named && in < p.block.indent {
			break
		}
		if !named || in == p.block.indent {
			found = append(found, i)
		}
	}
	return found
}

// sentencesFrom returns n pieces from a place on, together with the headings between
// them.
func sentencesFrom(all []piece, from, step, n int) (found []int) {
	for i := from; n > 0 && 0 <= i && i < len(all); i += step {
		if found = append(found, i); all[i].block.kind != head {
			n--
		}
	}
	return found
}

// neighbours returns the lines around the pieces lo to hi of a text, in its order. If the
// block has more, a line says so.
func (r result) neighbours(text string, all []piece, lo, hi int) []Neighbour {
	lines := []Neighbour{}
	shown := around(all, lo, hi)
	end := 0
	for i := range shown {
		end = max(end, i)
	}
	for i, p := range all {
		where := "before"
		if i >= hi {
			where = "after"
		}
		at, is := shown[i]
		switch {
		case is:
			said := strings.ToValidUTF8(text[at.from:at.to], "")
			if at.from > p.from {
				said = "…" + said
			}
			if at.to < p.to {
				said += "…"
			}
			lines = append(lines, Neighbour{where, r.clean(said, text[p.from:p.to]), at})
		case i < lo && (p.group == all[lo].group || len(lines) > 0), i >= hi && (p.group == all[hi-1].group || i < end):
			if n := len(lines); n > 0 && lines[n-1].Where == where && lines[n-1].Text == gap {
				lines = lines[:n-1]
			}
			lines = append(lines, Neighbour{where, gap, p.span})
		}
	}
	return lines
}

// outer returns the lines that a line is indented under, such as the keys above a key in
// YAML, innermost first. A long line is not a key.
func outer(text string, from int) (found []span) {
	begin := strings.LastIndexByte(text[:from], '\n') + 1
	indent := lineAt(text, begin).from - begin
	for indent > 0 && begin > 0 && len(found) < maxContext {
		begin = strings.LastIndexByte(text[:begin-1], '\n') + 1
		if l := lineAt(text, begin); l.text != "" && l.from-begin < indent {
			if indent = l.from - begin; l.to-l.from <= maxMember {
				found = append(found, span{begin, l.to})
			}
		}
	}
	return found
}
