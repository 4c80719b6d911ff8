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

// reader reads phrases. Many rules have the same excuses, so it remembers
// what it read.
type reader struct {
	*vocabulary
	excuses map[string]string
	known   map[string][]phrase
}

func newReader(v *vocabulary, excuses map[string]string) *reader {
	return &reader{v, excuses, map[string][]phrase{}}
}

// all reads phrases that are parted by sep: "{move} ..6 {asset} & {outside}".
// An excuse of the file stands for its phrases.
func (r *reader) all(text, sep string) (all []phrase, err error) {
	for more := text != ""; more; {
		var part string
		part, text, more = strings.Cut(text, sep)
		p, known := r.known[part]
		if !known {
			if p, err = r.read(part); err != nil {
				return nil, fmt.Errorf("%.80q: %w", part, err)
			}
			r.known[part] = p
		}
		all = append(all, p...)
	}
	return all, nil
}

func (r *reader) read(part string) ([]phrase, error) {
	inner, braced := strings.CutPrefix(part, "{")
	if excuse := r.excuses[strings.TrimSuffix(inner, "}")]; braced && excuse != "" {
		return newReader(r.vocabulary, nil).all(excuse, " | ")
	}
	p, err := r.phrase(part)
	return []phrase{p}, err
}

func (v *vocabulary) phrase(text string) (phrase, error) {
	var p phrase
	gap, needed := 0, false
	for _, field := range strings.Fields(text) {
		if n, is := strings.CutPrefix(field, ".."); is {
			var err error
			if gap, err = strconv.Atoi(n); err != nil || gap < 1 || gap > maxGap {
				return nil, fmt.Errorf("a gap is ..1 to ..%d", maxGap)
			}
			continue
		}
		s, err := v.step(field)
		if err != nil {
			return nil, err
		}
		s.gap, gap, needed = gap, 0, needed || !s.optional
		p = append(p, s)
	}
	if !needed || gap > 0 || len(p) > maxSteps {
		return nil, fmt.Errorf("a phrase has 1 to %d steps, one that is not optional among them, and ends with one", maxSteps)
	}
	return p, nil
}

// step reads "{list}", "{list}'s", "word", several of them with a bar between,
// and "?" behind what may be left out.
func (v *vocabulary) step(field string) (s step, err error) {
	field, s.optional = strings.CutSuffix(field, "?")
	for part := range strings.SplitSeq(field, "|") {
		name, owner := part, false
		if strings.HasPrefix(part, "{") {
			name, owner = strings.CutSuffix(part, "'s")
		}
		n, err := v.number(name)
		if err != nil {
			return step{}, err
		}
		if owner {
			n++
		}
		s.lists = append(s.lists, n)
	}
	return s, nil
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

// follow marks in t.next where the step may end if it begins where t.here says.
func (s step) follow(t *text, from int) (somewhere bool) {
	clear(t.next)
	open := -1
	for i, here := range t.here {
		if here {
			open = i + s.gap
			t.next[i] = t.next[i] || s.optional
			somewhere = somewhere || s.optional
		}
		if i > open || i == len(t.here)-1 {
			continue
		}
		for _, tag := range t.tags[t.first[from+i]:t.first[from+i+1]] {
			if slices.Contains(s.lists, tag.list) {
				t.next[tag.end-from], somewhere = true, true
			}
		}
	}
	return somewhere
}
