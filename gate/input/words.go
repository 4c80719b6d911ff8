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
	file    *file
	numbers map[string]int // of "{list}" and of "word", those in use
	heads   []int32        // by the beginning of a word: its last entry, plus one
	entries []entry
	known   map[string][]phrase // what was read
}

// entry is a word of a list as it is written, "run(ning) over", but in the
// spelling of tokens.
type entry struct {
	word string
	stem int32 // how many bytes every spelling of its first word begins with
	list int32
	next int32 // another entry with the same beginning, plus one
}

// beginnings is how many beginnings of words are told apart.
const beginnings = 1 << 13

func beginning(letters string) (n int) {
	for i := range len(letters) {
		n = n*61 + int(letters[i])
	}
	return n % beginnings
}

var asTokens = strings.NewReplacer("-", " ", "/", " / ", "'s", " 's", "s',", "s 's,", "., ", "., ", ".", " ")

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
		inner, _ := strings.CutPrefix(name, "{")
		lines = v.file.Words[strings.TrimSuffix(inner, "}")]
	}
	if name == "" || len(lines) == 0 || (name[0] == '{') != strings.HasSuffix(name, "}") {
		return 0, fmt.Errorf("%.80q is neither a word nor a list of the file", name)
	}
	for _, line := range lines {
		if len(line) > 2 && strings.ContainsAny(line, "-/'.") {
			line = asTokens.Replace(line)
		}
		for more := line != ","; more; {
			var word string
			word, line, more = strings.Cut(line, ", ")
			stem := 0
			for stem < len(word) && word[stem] != ' ' && word[stem] != '(' {
				stem++
			}
			head := &v.heads[beginning(word[:min(stem, 3)])]
			v.entries = append(v.entries, entry{word, int32(stem), int32(n), *head})
			*head = int32(len(v.entries))
		}
	}
	v.numbers[name] = n
	return n, nil
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
	stem, rest, open := strings.Cut(word, "(")
	if !open {
		return word == token
	}
	token, ok := strings.CutPrefix(token, stem)
	if !ok {
		return false
	}
	endings, word, _ := strings.Cut(rest, ")")
	if fits(word, token) {
		return true
	}
	for ending := range strings.SplitSeq(endings, "|") {
		if after, ok := strings.CutPrefix(token, ending); ok && fits(word, after) {
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
	first      []int  // of each token, its first tag
	seen       []bool // by list
	here, next []bool // of phrase.in
}

// tag says that a word of a list begins at a token, and what token follows.
type tag struct{ list, end int }

func (v *vocabulary) read(view string) *text {
	t := &text{seen: make([]bool, 2*len(v.numbers)), tokens: make([]string, 0, len(view)/4+4)}
	t.cut(view)
	t.first, t.tags = make([]int, 0, len(t.tokens)+1), make([]tag, 0, len(t.tokens))
	for sentence := 1; sentence < len(t.sentences); sentence++ {
		for i := t.sentences[sentence-1]; i < t.sentences[sentence]; i++ {
			t.first = append(t.first, len(t.tags))
			v.tag(t, i, t.sentences[sentence])
		}
	}
	t.first = append(t.first, len(t.tags))
	return t
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
			to := i + 1
			if int(e.stem) < len(e.word) {
				to = e.at(t, i, end)
			} else if len(token) > len(e.word) {
				to = 0
			}
			if to > 0 {
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

// anySentence reports whether one of the sentences has a property.
func (t *text) anySentence(has func(from, to int) bool) bool {
	for i := 1; i < len(t.sentences); i++ {
		if has(t.sentences[i-1], t.sentences[i]) {
			return true
		}
	}
	return false
}

// cut gives the words of s, and the signs that say how words hang together. A
// sentence begins with the token "." and ends at . ! or ? before a space.
// "co-worker" is two words, "neighbor's" one and a 's, "don't" one.
func (t *text) cut(s string) {
	begin := func() {
		t.sentences = append(t.sentences, len(t.tokens))
		t.tokens = append(t.tokens, ".")
	}
	begin()
	for i := 0; i < len(s); {
		n := wordLen(s[i:])
		switch {
		case n > 0:
			n += suffix(s[i+n:])
			t.tokens = append(t.tokens, s[i:i+n])
		case s[i] == '\'' && i > 0 && owner(s[i-1:]) > 0:
			n = owner(s[i-1:])
			t.tokens = append(t.tokens, "'s")
		case strings.IndexByte(".!?", s[i]) >= 0:
			if n = 1; i+2 < len(s) && s[i+1] == ' ' {
				begin()
			}
		case strings.IndexByte(",;:()[]<>|/@", s[i]) >= 0:
			n = 1
			t.tokens = append(t.tokens, s[i:i+1])
		default:
			_, n = utf8.DecodeRuneInString(s[i:])
		}
		i += n
	}
	t.sentences = append(t.sentences, len(t.tokens))
}

// wordLen is how many bytes of letters and digits s begins with.
func wordLen(s string) int {
	if n := strings.IndexFunc(s, func(r rune) bool { return !wordRune(r) }); n >= 0 {
		return n
	}
	return len(s)
}

func wordRune(r rune) bool {
	return r < utf8.RuneSelf && wordByte(byte(r)) || r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r))
}

func wordByte(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' }

// owner is the length of the 's, or the ' behind an s, after the first byte.
func owner(s string) int {
	switch n := wordLen(s[2:]); {
	case s[0] != ' ' && n == 1 && s[2] == 's':
		return 2
	case s[0] == 's' && n == 0:
		return 1
	}
	return 0
}

// suffix is the length of 't, 're, 've, 'll, 'm or 'd at the start of s.
func suffix(s string) int {
	for _, end := range []string{"'t", "'re", "'ve", "'ll", "'m", "'d"} {
		if strings.HasPrefix(s, end) && wordLen(s[len(end):]) == 0 {
			return len(end)
		}
	}
	return 0
}
