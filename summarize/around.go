package summarize

import (
	"slices"
	"strings"
)

// maxAround is how much of the text around a selection is shown, in bytes.
const maxAround = 2 << 10

// gap is shown where more of a block is not.
const gap = "[…]"

// Neighbour is what is next to a selection. It may take back what that says.
type Neighbour struct {
	Where string `json:"where"` // before, after, or beside in another value
	Text  string `json:"text"`
	at    span
}

// around chooses what is shown of a text next to its pieces lo to hi: two
// sentences each way, whatever they are of, then what is next to its block, and
// the rest of that, nearest first, as far as there is room. One of the two each
// way is cut where there is none.
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
		beyond = 2 // a note on all of it
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
		if n < len(back) && !show(back[n]) || n < len(forth) && !show(forth[n]) {
			break
		}
	}
	for n := range maxEnds {
		for _, i := range []int{n, len(all) - 1 - n} {
			if i >= 0 && (i < lo || i >= hi && i < len(all)) && all[i].to-all[i].from <= maxMember {
				show(i)
			}
		}
	}
	return shown
}

// maxEnds is how many pieces at the beginning and at the end of a text are shown with
// any claim, if they are short. What holds for all of it is there: a title, a unit,
// until when a letter holds, a footnote, a postscript.
const maxEnds = 2

// inner are the pieces of its block that are shown with p, from one on: of a
// table none, for a row is whole by itself; of lines with names, such as those of
// YAML, the ones that are set in as far and under the same; else all.
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

// sentencesFrom are n pieces from a place on, headings aside: those between come too.
func sentencesFrom(all []piece, from, step, n int) (found []int) {
	for i := from; n > 0 && 0 <= i && i < len(all); i += step {
		if found = append(found, i); all[i].block.kind != head {
			n--
		}
	}
	return found
}

// neighbours are the lines around the pieces lo to hi of a text, in its order.
// Where the block has more, a line says so.
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

// outer are the lines that a line is set in from, such as the keys above one of
// YAML, innermost first. A long one is not a key.
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
