package input

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// phrase is a run of steps that a sentence must contain in this order.
type phrase []step

// step is one word, or any word of a list.
type step struct {
	lists    []uint32 // any of these
	gap      int64    // how many other words may come before it
	optional bool
}

// Bounds of a phrase as written.
const (
	maxGap   = 30
	maxSteps = 16
	anywhere = 1 << 62 // the gap before a first step
)

// ideas are found in a text of which one sentence contains all of them, in any order.
// Each idea is one of several phrases.
type ideas [][]phrase

// test reads ideas, separated by " & ", of phrases, separated by " | ".
func (x *lexicon) test(says string) (test, error) {
	var all ideas
	for idea := range strings.SplitSeq(says, " & ") {
		var either []phrase
		for part := range strings.SplitSeq(idea, " | ") {
			p, err := x.phrase(part)
			if err != nil {
				return nil, fmt.Errorf("%.80q: %w", part, err)
			}
			either = append(either, p)
		}
		all = append(all, either)
	}
	return all, nil
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
	bounded := 0 < len(p) && len(p) <= maxSteps
	if !bounded || p[0].optional || gap != 0 {
		return nil, fmt.Errorf("a phrase has 1 to %d steps, begins with one that is not optional, and ends with one", maxSteps)
	}
	x.phrases[text] = p
	return p, nil
}

func (all ideas) in(t *text) bool {
	in := t.sentences(all[0])
	for i := 1; i < len(all) && len(in) > 0; i++ {
		also := t.sentences(all[i])
		in = slices.DeleteFunc(in, func(n int64) bool {
			_, both := slices.BinarySearch(also, n)
			return !both
		})
	}
	return len(in) > 0
}

// sentences returns the sentences that contain one of the phrases, in order. No phrase
// ends before a 's, because "my neighbor's car" is not "my neighbor".
func (t *text) sentences(either []phrase) (in []int64) {
	for _, p := range either {
		if slices.ContainsFunc(p, t.lacks) {
			continue // the usual case
		}
		after := []int64{0}
		for _, s := range p {
			after = t.ends(s, after)
		}
		for _, place := range after {
			if _, owns := slices.BinarySearchFunc(t.at(owner), place, func(w span, place int64) int { return cmp.Compare(w.from, place) }); !owns {
				in = append(in, place>>32)
			}
		}
	}
	slices.Sort(in)
	return slices.Compact(in)
}

// lacks reports whether the text has no word for a required step.
func (t *text) lacks(s step) bool {
	return !s.optional && !slices.ContainsFunc(s.lists, func(n uint32) bool { return t.group[n] > 0 })
}

// ends returns the places after the step if it follows one of the given places. Both
// lists are in order.
func (t *text) ends(s step, after []int64) (ends []int64) {
	for _, n := range s.lists {
		for _, w := range t.at(n) {
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
