package input

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// phrase is a run of steps that a sentence has to hold in this order.
type phrase []step

// step is one word, or one word of a list.
type step struct {
	lists    []int // any of these
	gap      int64 // how many other words may come before it
	optional bool
}

// Bounds of a phrase as written.
const (
	maxGap   = 30
	maxSteps = 16
	anywhere = 1 << 62 // the gap before a first step
)

// test reads phrases: one sentence has to hold all that are parted by " & ",
// and of alternatives, parted by " | ", one is enough.
func (x *lexicon) test(says string) (test, error) {
	var either [][]phrase
	for alternative := range strings.SplitSeq(says, " | ") {
		var all []phrase
		for part := range strings.SplitSeq(alternative, " & ") {
			p, err := x.phrase(part)
			if err != nil {
				return nil, fmt.Errorf("%.80q: %w", part, err)
			}
			all = append(all, p)
		}
		either = append(either, all)
	}
	return func(t *text) bool { return slices.ContainsFunc(either, t.holds) }, nil
}

func (x *lexicon) phrase(text string) (p phrase, err error) {
	if p, known := x.phrases[text]; known {
		return p, nil
	}
	gap := int64(anywhere)
	for field := range strings.FieldsSeq(text) {
		if n, is := strings.CutPrefix(field, ".."); is {
			if gap, _ = strconv.ParseInt(n, 10, 64); gap < 1 || gap > maxGap || p == nil {
				return nil, fmt.Errorf("a gap is ..1 to ..%d, between two steps", maxGap)
			}
			continue
		}
		s := step{gap: gap}
		field, s.optional = strings.CutSuffix(field, "?")
		for name := range strings.SplitSeq(field, "|") {
			n, err := x.number(name)
			if err != nil {
				return nil, err
			}
			s.lists = append(s.lists, n)
		}
		p, gap = append(p, s), 0
	}
	if len(p) == 0 || len(p) > maxSteps || p[0].optional || gap != 0 {
		return nil, fmt.Errorf("a phrase has 1 to %d steps, begins with one that is not optional, and ends with one", maxSteps)
	}
	x.phrases[text] = p
	return p, nil
}

// holds reports whether one sentence holds all of the phrases. That the words
// they need are all there is looked at first, for it is seldom so.
func (t *text) holds(all []phrase) bool {
	for _, p := range all {
		if slices.ContainsFunc(p, t.lacks) {
			return false
		}
	}
	in := t.sentences(all[0])
	for _, p := range all[1:] {
		also := t.sentences(p)
		in = slices.DeleteFunc(in, func(n int64) bool {
			_, both := slices.BinarySearch(also, n)
			return !both
		})
	}
	return len(in) > 0
}

// lacks reports whether no word that the step needs is there.
func (t *text) lacks(s step) bool {
	return !s.optional && !slices.ContainsFunc(s.lists, func(n int) bool { return t.at[n] != nil })
}

// sentences are those that hold the phrase, in order. What is somebody's is not
// somebody: no phrase ends before a 's.
func (t *text) sentences(p phrase) (in []int64) {
	after := []int64{0}
	for _, s := range p {
		after = t.ends(s, after)
	}
	for _, place := range after {
		if _, owns := slices.BinarySearchFunc(t.at[owner], place, func(w span, place int64) int { return cmp.Compare(w.from, place) }); !owns {
			in = append(in, place>>32)
		}
	}
	return slices.Compact(in)
}

// ends are the places, in order, that may follow the step when it comes after
// one of those given, which are in order too.
func (t *text) ends(s step, after []int64) (ends []int64) {
	for _, n := range s.lists {
		for _, w := range t.at[n] {
			if k, _ := slices.BinarySearch(after, w.from-s.gap); k < len(after) && after[k] <= w.from {
				ends = append(ends, w.to)
			}
		}
	}
	if s.optional {
		ends = append(ends, after...)
	}
	slices.Sort(ends)
	return slices.Compact(ends)
}
