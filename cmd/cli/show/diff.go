package show

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/escape"
)

// Diff shows word by word how one text becomes another, in lines of at most width
// columns. Removed text has "- " before it, new text "+ ", and unchanged text "| ".
// Every line begins with one of these, so that no text can pass for a mark. Unchanged
// text is shown only near a change; the rest is counted. All removed and new text is
// shown, however long, and escaped.
func Diff(was, now string, width int) []string {
	var lines []string
	runs := runsOf(split(was), split(now))
	for i, r := range runs {
		text := strings.Join(r.words, "")
		if r.sign == stays {
			text = near(r.words, i > 0, i < len(runs)-1)
		}
		if bare := strings.Trim(text, " "); bare != "" {
			text = bare // otherwise the space itself changed
		}
		for _, line := range wrap(escape.Text(text, math.MaxInt), max(width, minWidth)-2) {
			if line = strings.TrimRight(string(r.sign)+" "+line, " "); line != "|" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// nearby is how many words are shown next to a change.
const nearby = 8

// near returns the part of an unchanged text that is near a change before or after it.
func near(words []string, before, after bool) string {
	head, tail := 0, 0
	if before {
		head = 2 * nearby
	}
	if after {
		tail = 2 * nearby // each word with the space after it
	}
	if left := len(words) - head - tail; left > 2*nearby {
		gap := fmt.Sprintf(" … [%d words] … ", wordCount(words[head:len(words)-tail]))
		return strings.TrimSpace(strings.Join(words[:head], "") + gap + strings.Join(words[len(words)-tail:], ""))
	}
	return strings.Join(words, "")
}

func wordCount(words []string) (n int) {
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); kindOf(r) == letter {
			n++
		}
	}
	return n
}

// split splits a text into words, the white space between them, and single marks.
func split(text string) (words []string) {
	last, start := mark, 0
	for i, r := range text {
		if k := kindOf(r); k == mark || k != last {
			if i > start {
				words = append(words, text[start:i])
			}
			last, start = k, i
		}
	}
	if start < len(text) {
		words = append(words, text[start:])
	}
	return words
}

// The kinds of characters.
const (
	mark = iota
	space
	letter
)

func kindOf(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.IsLetter(r), unicode.IsDigit(r), r == '_':
		return letter
	}
	return mark
}

// run is a sequence of words with the same sign.
type run struct {
	sign  byte // '-', '+' or stays
	words []string
}

const stays = '|'

// runsOf returns the unchanged, removed and new words; removed words come before the
// words in their place.
func runsOf(was, now []string) (runs []run) {
	add := func(sign byte, words ...string) {
		if n := len(runs); n > 0 && runs[n-1].sign == sign {
			runs[n-1].words = append(runs[n-1].words, words...)
		} else if len(words) > 0 {
			runs = append(runs, run{sign, slices.Clone(words)})
		}
	}
	i, j := 0, 0
	for _, m := range append(solid(matches(was, now), was, now), [2]int{len(was), len(now)}) {
		add('-', was[i:m[0]]...)
		add('+', now[j:m[1]]...)
		if m[0] < len(was) {
			add(stays, was[m[0]])
		}
		i, j = m[0]+1, m[1]+1
	}
	return runs
}

// island is how many unchanged words in a row are shown as unchanged between two
// changes. Fewer count as changed, because a whole change is easier to read.
const island = 3

// solid returns the matches without islands.
func solid(pairs [][2]int, was, now []string) (long [][2]int) {
	for start := 0; start < len(pairs); {
		end := start + 1
		for end < len(pairs) && pairs[end][0] == pairs[end-1][0]+1 && pairs[end][1] == pairs[end-1][1]+1 {
			end++
		}
		first, last := pairs[start], pairs[end-1]
		edge := first == [2]int{} || last == [2]int{len(was) - 1, len(now) - 1}
		if edge || wordCount(was[first[0]:last[0]+1]) >= island {
			long = append(long, pairs[start:end]...)
		}
		start = end
	}
	return long
}

// maxTable bounds the work of a comparison. Longer texts are shown as wholly replaced,
// except for a common beginning and end.
const maxTable = 4 << 20

// matches returns the places, in both lists, of a longest common list of words.
func matches(was, now []string) (pairs [][2]int) {
	head := 0
	for head < len(was) && head < len(now) && was[head] == now[head] {
		pairs = append(pairs, [2]int{head, head})
		head++
	}
	a, b := was[head:], now[head:]
	tail := 0
	for tail < len(a) && tail < len(b) && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	for _, p := range longest(a[:len(a)-tail], b[:len(b)-tail]) {
		pairs = append(pairs, [2]int{head + p[0], head + p[1]})
	}
	for n := tail; n > 0; n-- {
		pairs = append(pairs, [2]int{len(was) - n, len(now) - n})
	}
	return pairs
}

// longest fills the table with the length of the common part for each pair of ends.
func longest(a, b []string) (pairs [][2]int) {
	if len(a) == 0 || len(b) == 0 || (len(a)+1)*(len(b)+1) > maxTable {
		return nil
	}
	row := len(b) + 1
	common := make([]int32, (len(a)+1)*row)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			at := i*row + j
			if common[at] = max(common[at+row], common[at+1]); a[i] == b[j] {
				common[at] = common[at+row+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch at := i*row + j; {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case common[at+row] >= common[at+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}
