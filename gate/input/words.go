package input

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// vocabulary knows the words that phrases name: those of lists, and single
// ones. A list has two numbers, the second for its words with 's behind them.
type vocabulary struct {
	words   map[string][]string // the lists of the file, as written
	numbers map[string]int      // of "{list}" and of "word", those in use
	heads   []int32             // by the beginning of a word: its last entry, plus one
	entries []entry
}

// entry is a word of a list as it is written, "run(ning) over", but in the
// spelling of tokens.
type entry struct {
	word string
	stem int32 // how many bytes every spelling of its first word begins with
	list int32
	next int32 // another entry with the same beginning, plus one
}

func newVocabulary(words map[string][]string) vocabulary {
	return vocabulary{words, make(map[string]int, 4*len(words)), make([]int32, letters*letters*letters), make([]entry, 0, 40*len(words))}
}

// number gives the number of "{list}" or "word", and takes its words in the
// first time.
func (v *vocabulary) number(name string) (int, error) {
	n, known := v.numbers[name]
	if known {
		return n, nil
	}
	n = 2 * len(v.numbers)
	lines := []string{name}
	if strings.ContainsAny(name, "{}") {
		lines = v.words[strings.TrimPrefix(strings.TrimSuffix(name, "}"), "{")]
	}
	if name == "" || len(lines) == 0 || strings.HasPrefix(name, "{") != strings.HasSuffix(name, "}") {
		return 0, fmt.Errorf("%.80q is neither a word nor a list of the file", name)
	}
	for _, line := range lines {
		if strings.ContainsAny(line, "-/'.") && len(line) > 2 {
			line = asTokens.Replace(line)
		}
		for more := line != ","; more; {
			var word string
			word, line, more = strings.Cut(line, ", ")
			v.add(word, n)
		}
	}
	v.numbers[name] = n
	return n, nil
}

var asTokens = strings.NewReplacer("-", " ", "/", " / ", "'s", " 's", "s',", "s 's,", "., ", "., ", ".", " ")

func (v *vocabulary) add(word string, list int) {
	stem := strings.IndexAny(word, " (")
	if stem < 0 {
		stem = len(word)
	}
	head := &v.heads[beginning(word[:min(stem, 3)])]
	v.entries = append(v.entries, entry{word, int32(stem), int32(list), *head})
	*head = int32(len(v.entries))
}

const letters = 28

// beginning tells words apart by up to three first letters. What is not a
// letter counts as one and the same.
func beginning(word string) (n int) {
	for i := range len(word) {
		n *= letters
		if c := word[i]; 'a' <= c && c <= 'z' {
			n += int(c - 'a')
		} else {
			n += 26
		}
		n++
	}
	return n
}

// at is the token after the entry if it is at token i of t, and ends before
// another; else 0.
func (e *entry) at(t *text, i, end int) int {
	for rest, more := e.word, true; more; i++ {
		var part string
		part, rest, more = strings.Cut(rest, " ")
		if i == end || !fits(part, t.tokens[i]) {
			return 0
		}
	}
	return i
}

// fits reports whether a word of a list can be spelled like the token:
// "lad(y|ies)" is lad, lady and ladies.
func fits(word, token string) bool {
	open := strings.IndexByte(word, '(')
	if open < 0 {
		return word == token
	}
	rest, ok := strings.CutPrefix(token, word[:open])
	if !ok {
		return false
	}
	endings, word, _ := strings.Cut(word[open+1:], ")")
	if fits(word, rest) {
		return true
	}
	for more := true; more; {
		var ending string
		ending, endings, more = strings.Cut(endings, "|")
		if after, ok := strings.CutPrefix(rest, ending); ok && fits(word, after) {
			return true
		}
	}
	return false
}

// text is a view cut into words and sentences, with the lists they are on.
type text struct {
	tokens     []string
	sentences  []int // where each begins, and where the last ends
	tags       []tag
	first      []int // of each token, its first tag
	seen       []bool
	here, next []bool // of phrase.in
}

// tag says that a phrase of a list begins at a token, and what token follows.
type tag struct{ list, end int }

func (v *vocabulary) read(view string) *text {
	t := &text{tokens: make([]string, 1, len(view)/4+4), sentences: []int{0}, seen: make([]bool, 2*len(v.numbers))}
	t.tokens[0] = "."
	cut(view, func(token string, ends bool) {
		if ends {
			t.sentences = append(t.sentences, len(t.tokens))
			token = "."
		}
		t.tokens = append(t.tokens, token)
	})
	t.sentences = append(t.sentences, len(t.tokens))
	sentence := 1
	for i := range t.tokens {
		if i == t.sentences[sentence] {
			sentence++
		}
		t.first = append(t.first, len(t.tags))
		v.tag(t, i, t.sentences[sentence])
	}
	t.first = append(t.first, len(t.tags))
	return t
}

// sentence reports whether one of the sentences has a property.
func (t *text) sentence(has func(from, to int) bool) bool {
	for i := 1; i < len(t.sentences); i++ {
		if has(t.sentences[i-1], t.sentences[i]) {
			return true
		}
	}
	return false
}

// tag finds the lists of what begins at token i and ends before another.
func (v *vocabulary) tag(t *text, i, end int) {
	token := t.tokens[i]
	for n := min(2, len(token)); n <= min(3, len(token)); n++ {
		for next := v.heads[beginning(token[:n])]; next > 0; {
			e := &v.entries[next-1]
			next = e.next
			if len(token) < int(e.stem) || token[:e.stem] != e.word[:e.stem] {
				continue
			}
			if to := e.at(t, i, end); to > 0 {
				t.mark(int(e.list), to, end)
			}
		}
	}
}

// mark notes that a word of a list ends before token to.
func (t *text) mark(list, to, end int) {
	if to < end && t.tokens[to] == "'s" {
		list, to = list+1, to+1
	}
	t.seen[list] = true
	t.tags = append(t.tags, tag{list, to})
}

// cut gives the words of s, and the signs that say how words hang together. A
// sentence ends at . ! or ? before a space; "co-worker" is two words, as is
// "l'ordre", "neighbor's" is one and a 's, "don't" is one.
func cut(s string, give func(token string, ends bool)) {
	for i := 0; i < len(s); {
		from := i
		for i < len(s) {
			r, n := rune(s[i]), 1
			if r >= utf8.RuneSelf {
				r, n = utf8.DecodeRuneInString(s[i:])
			}
			if !wordRune(r) {
				break
			}
			i += n
		}
		if i > from {
			i += suffix(s[i:])
			give(s[from:i], false)
			continue
		}
		switch c := s[i]; {
		case c == '\'' && i > 0 && s[i-1] != ' ' && owner(s[i-1:]) > 0:
			give("'s", false)
			i += owner(s[i-1:])
		case strings.IndexByte(".!?", c) >= 0:
			if i+2 < len(s) && s[i+1] == ' ' {
				give("", true)
			}
			i++
		case strings.IndexByte(",;:()[]<>|/@", c) >= 0:
			give(s[i:i+1], false)
			i++
		default:
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
		}
	}
}

func wordRune(r rune) bool {
	return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_' ||
		r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r))
}

func wordEnd(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !wordRune(r)
}

// owner is the length of the 's, or the ' behind an s, after the first byte.
func owner(s string) int {
	switch {
	case strings.HasPrefix(s[1:], "'s") && wordEnd(s[3:]):
		return 2
	case s[0] == 's' && wordEnd(s[2:]):
		return 1
	}
	return 0
}

// suffix is the length of 't, 're, 've, 'll, 'm or 'd at the start of rest.
func suffix(rest string) int {
	for _, s := range []string{"'t", "'re", "'ve", "'ll", "'m", "'d"} {
		if strings.HasPrefix(rest, s) && wordEnd(rest[len(s):]) {
			return len(s)
		}
	}
	return 0
}
