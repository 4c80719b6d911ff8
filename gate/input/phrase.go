package input

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// phrase is a run of steps that a sentence has to hold in this order.
type phrase []step

// step is one word or one word of a list.
type step struct {
	lists    []int // any of these
	gap      int   // how many other words may come before it
	optional bool
}

// Bounds of a phrase as written.
const (
	maxGap   = 30
	maxSteps = 16
)

// phrases reads phrases that are parted by sep: "{move} ..6 {asset} & {outside}".
// In an excuse a term of the file stands for phrases.
func (v *vocabulary) phrases(text, sep string, terms map[string]string) (all []phrase, err error) {
	for more := text != ""; more; {
		var part string
		part, text, more = strings.Cut(text, sep)
		found, known := v.known[sep+part]
		if !known {
			inner, _ := strings.CutPrefix(part, "{")
			if term := terms[strings.TrimSuffix(inner, "}")]; term != "" {
				found, err = v.phrases(term, sep, nil)
			} else {
				found, err = v.phrase(part)
			}
			if err != nil {
				return nil, fmt.Errorf("%.80q: %w", part, err)
			}
			v.known[sep+part] = found
		}
		all = append(all, found...)
	}
	return all, nil
}

func (v *vocabulary) phrase(text string) ([]phrase, error) {
	var p phrase
	gap, needed := 0, false
	for field := range strings.FieldsSeq(text) {
		if n, is := strings.CutPrefix(field, ".."); is {
			if gap, _ = strconv.Atoi(n); gap < 1 || gap > maxGap {
				return nil, fmt.Errorf("a gap is ..1 to ..%d", maxGap)
			}
			continue
		}
		s := step{gap: gap}
		field, s.optional = strings.CutSuffix(field, "?")
		for name := range strings.SplitSeq(field, "|") {
			list, owner := strings.CutSuffix(name, "}'s")
			if owner {
				name = list + "}"
			}
			n, err := v.number(name)
			if err != nil {
				return nil, err
			}
			if owner {
				n++
			}
			s.lists = append(s.lists, n)
		}
		p, gap, needed = append(p, s), 0, needed || !s.optional
	}
	if !needed || gap > 0 || len(p) > maxSteps {
		return nil, fmt.Errorf("a phrase has 1 to %d steps, one that is not optional among them, and ends with one", maxSteps)
	}
	return []phrase{p}, nil
}

// possible tells whether the words that the phrase needs are all there.
func (p phrase) possible(seen []bool) bool {
	return !slices.ContainsFunc(p, func(s step) bool {
		return !s.optional && !slices.ContainsFunc(s.lists, func(n int) bool { return seen[n] })
	})
}

// in reports whether the sentence of t from one token to another holds the
// phrase. It goes over the sentence once for each step, whatever is in it.
func (p phrase) in(t *text, from, to int) bool {
	size := to - from + 1
	t.here, t.next = slices.Grow(t.here[:0], size)[:size], slices.Grow(t.next[:0], size)[:size]
	for i := range t.here {
		t.here[i] = true
	}
	for _, s := range p {
		if !s.follow(t, from) {
			return false
		}
		t.here, t.next = t.next, t.here
	}
	return true
}

// follow marks in t.next where the step may end if it begins where t.here
// says, and reports whether it may anywhere.
func (s step) follow(t *text, from int) (found bool) {
	clear(t.next)
	open := -1
	for i, here := range t.here {
		if here {
			open = i + s.gap
			t.next[i] = t.next[i] || s.optional
			found = found || s.optional
		}
		if i > open || i == len(t.here)-1 {
			continue
		}
		for _, tag := range t.tags[t.first[from+i]:t.first[from+i+1]] {
			if slices.Contains(s.lists, tag.list) {
				t.next[tag.end-from], found = true, true
			}
		}
	}
	return found
}
