package input

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexicon knows the words in phrases: those of lists, and single words.
type lexicon struct {
	lists   map[string][]string // the file's lists
	numbers map[string]uint32   // by "{list}" and "word"
	holders map[string][]uint32 // by a word or a run of words, the lists that contain it
	longest int                 // how many words the longest run has
	phrases map[string]phrase   // phrases that were read
	table   *table              // what the generator made, in place of all the others
}

// table has the words of the built-in lists, in order. It is made by a generator, and
// read without being built.
type table struct {
	words   string   // each followed by a line end
	begins  []uint32 // where each word begins, and where the last one ends
	from    []uint32 // where the lists of each word begin, and where the last ones end
	lists   []uint32 // the numbers of the lists that contain a word, word after word
	longest int      // how many words the longest run has
	size    int      // how many lists there are
}

// held returns the lists that contain a word, and whether a longer run may begin so.
func (t *table) held(word string) (lists []uint32, more bool) {
	n := len(t.begins) - 1
	i := sort.Search(n, func(i int) bool { return t.word(i) >= word })
	if i < n && t.word(i) == word {
		lists = t.lists[t.from[i]:t.from[i+1]]
		i++
	}
	return lists, i < n && strings.HasPrefix(t.word(i), word)
}

func (t *table) word(i int) string { return t.words[t.begins[i] : t.begins[i+1]-1] }

// owner is the number of "'s", which separates "my neighbor's" from "my neighbor".
const owner = 0

func newLexicon(lists map[string][]string) *lexicon {
	x := &lexicon{lists, map[string]uint32{"'s": owner}, make(map[string][]uint32, 40*len(lists)), 1, map[string]phrase{}, nil}
	x.holders["'s"] = []uint32{owner}
	return x
}

// number returns the number of "{list}" or "word", and adds its words the first time.
func (x *lexicon) number(name string) (uint32, error) {
	n, known := x.numbers[name]
	if known {
		return n, nil
	}
	n = uint32(len(x.numbers))
	x.numbers[name] = n
	lines := []string{name}
	if strings.ContainsAny(name, "{}") {
		lines = x.lists[strings.Trim(name, "{}")]
	}
	for _, line := range lines {
		for word := range strings.SplitSeq(line, ", ") {
			if len(word) > 2 && strings.ContainsFunc(word, func(r rune) bool { return r != ' ' && !wordRune(r) }) {
				if strings.ContainsAny(word, "(|)") {
					return 0, fmt.Errorf("%.80q has endings in brackets, which are for patterns: write every form", word)
				}
				word = strings.Join(tokens(word), " ")
			}
			x.holders[word] = append(x.holders[word], n)
			x.longest = max(x.longest, strings.Count(word, " ")+1)
		}
	}
	if name == "" || len(lines) == 0 {
		return 0, fmt.Errorf("%.80q is neither a word nor a list of the file", name)
	}
	return n, nil
}

// text is a view, with the places of the words of each list. Most lists have no word
// in it.
type text struct {
	view  string
	group []int32 // by list, the index of its spans
	spans [][]span
}

func (t *text) at(list uint32) []span { return t.spans[t.group[list]] }

func (t *text) add(list uint32, s span) {
	if t.group[list] == 0 {
		t.group[list] = int32(len(t.spans))
		t.spans = append(t.spans, nil)
	}
	in := &t.spans[t.group[list]]
	*in = append(*in, s)
}

// span is the place of a word of a list, from and to. A place is the number of a token
// and, in the upper half, the number of its sentence. So no gap is wide enough for a
// phrase to continue in the next sentence.
type span struct{ from, to int64 }

// held returns the lists that contain a word or a run of words, and whether a longer
// run may begin so.
func (x *lexicon) held(word string) (lists []uint32, more bool) {
	if x.table != nil {
		return x.table.held(word)
	}
	return x.holders[word], true
}

// run returns how many words the longest run has.
func (x *lexicon) run() int {
	if x.table != nil {
		return x.table.longest
	}
	return x.longest
}

// size returns how many lists there are.
func (x *lexicon) size() int {
	if x.table != nil {
		return x.table.size
	}
	return len(x.numbers)
}

func (x *lexicon) read(view string) *text {
	t := &text{view, make([]int32, x.size()), make([][]span, 1, 16)}
	tokens, longest := tokens(". "+view), x.run()
	line, from, place := strings.Join(tokens, " "), 0, int64(0)
	for i, token := range tokens {
		if place++; token == "." {
			place = (place>>32 + 1) << 32
		}
		for n, to := 1, from-1; n <= min(longest, len(tokens)-i); n++ {
			to += 1 + len(tokens[i+n-1])
			lists, more := x.held(line[from:to])
			for _, list := range lists {
				t.add(list, span{place, place + int64(n)})
			}
			if !more {
				break
			}
		}
		from += len(token) + 1
	}
	return t
}

// tokens returns the words of s, and the signs that separate or join words. The token
// "." separates two sentences. "co-worker" is two words, "neighbor's" is one word and
// a 's, "don't" is one word.
func tokens(s string) []string {
	spaced := make([]byte, 0, len(s)+len(s)/8)
	for i, r := range s {
		switch after := s[i+utf8.RuneLen(r):]; {
		case wordRune(r):
			spaced = utf8.AppendRune(spaced, r)
		case strings.ContainsRune(",;:()[]<>|/@", r):
			spaced = append(spaced, ' ', byte(r), ' ')
		case strings.ContainsRune(".!?", r) && len(after) > 1 && after[0] == ' ':
			spaced = append(spaced, " . "...)
		case r == '\'' && i > 0 && wordRune(rune(s[i-1])):
			spaced = append(spaced, apostrophe(s[i-1], after)...)
		default:
			spaced = append(spaced, ' ')
		}
	}
	return strings.Fields(string(spaced))
}

// apostrophe returns the text for an apostrophe in or after a word. That is the start
// of the token 's, the whole token after a plural that owns something, part of a word
// like "don't", or a gap.
func apostrophe(before byte, after string) string {
	letters := len(after) - len(strings.TrimLeftFunc(after, wordRune))
	switch {
	case letters == 1 && after[0] == 's':
		return " '"
	case letters == 0 && before == 's':
		return " 's "
	case letters == 1 || letters == 2:
		return "'"
	}
	return " "
}

func wordRune(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', r == '_', unicode.IsNumber(r):
		return true
	case r < utf8.RuneSelf:
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r)
}
