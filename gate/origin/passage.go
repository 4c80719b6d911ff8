package origin

import (
	"iter"
	"slices"
	"strings"
)

// passage is a text in which values are found, with the places of its parts.
type passage struct {
	text   string
	folded string // the same length as text
	parts  []part // of a structured result; nil for one text
}

// part is one value of a structured result, at an offset of the text.
type part struct {
	at      int
	pointer string
}

func newPassage(text string) passage { return passage{text: text, folded: folded(text)} }

// folded is a text in lower case, with white space, "_" and "-" as one kind of separator. Each
// byte keeps its place.
func folded(s string) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case c >= 'A' && c <= 'Z':
			b[i] = c + 'a' - 'A'
		case strings.IndexByte("\n\t\r_-", c) >= 0:
			b[i] = ' '
		}
	}
	return string(b)
}

// place is where a passage has a value.
type place struct {
	start, end int
	whole      bool // the value ends with words, and is not part of a longer literal
	alone      bool // the value is all of its line, part or field
}

// ordering reports whether a value is within a sentence, which may be an order to a model.
func (p place) ordering() bool { return p.whole && !p.alone }

// find finds a folded value in a passage: the first whole place, else the first place within a
// longer literal. It spends work in proportion to the text.
func (p *passage) find(value string, s *search) (best place, found bool) {
	for from := 0; from < len(p.folded) && value != ""; {
		i := strings.Index(p.folded[from:], value)
		if !s.spend(max(i, 64)) || i < 0 {
			s.spend(len(p.folded) - from)
			return best, found
		}
		at := place{start: from + i, end: from + i + len(value)}
		if p.bounded(&at) && (!found || at.whole) {
			best, found = at, true
			if at.whole {
				return best, true
			}
		}
		from = at.start + 1
	}
	return best, found
}

// bounded reports whether a place begins and ends with a word, and sets whole.
func (p *passage) bounded(at *place) bool {
	before, after := p.text[:at.start], p.text[at.end:]
	splitsFirst := wordly(edge(before, true)) && wordly(p.text[at.start])
	splitsLast := wordly(edge(after, false)) && wordly(p.text[at.end-1])
	if splitsFirst || splitsLast {
		return false
	}
	at.whole = !continues(before, true) && !continues(after, false)
	line := strings.TrimSpace(p.text[strings.LastIndexByte(before, '\n')+1 : at.end+lineEnd(after)])
	if _, field, is := strings.Cut(line, ": "); is {
		line = strings.TrimSpace(field)
	}
	at.alone = len(strings.Trim(line, "\"'`<>()[]*,.")) <= at.end-at.start+2
	return true
}

func lineEnd(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// edge is the byte next to a place, 0 at the end of the text.
func edge(s string, last bool) byte {
	switch {
	case s == "":
		return 0
	case last:
		return s[len(s)-1]
	}
	return s[0]
}

// wordly reports whether a byte is part of a word. A byte beyond ASCII is not: some scripts
// write words without spaces.
func wordly(c byte) bool {
	if c >= '0' && c <= '9' {
		return true
	}
	c |= 'a' - 'A'
	return c >= 'a' && c <= 'z'
}

// continues reports whether a literal goes on beyond a place: the "@" and the letter after
// "anna" in "anna@example.com".
func continues(s string, last bool) bool {
	if len(s) < 2 || !strings.ContainsRune("@./-_:#+\\", rune(edge(s, last))) {
		return false
	}
	if last {
		return wordly(s[len(s)-2])
	}
	return wordly(s[1])
}

// pointer is the JSON Pointer of the part at an offset, "" in one text.
func (p *passage) pointer(at int) string {
	i, _ := slices.BinarySearchFunc(p.parts, at+1, func(x part, at int) int { return x.at - at })
	if i == 0 {
		return ""
	}
	return p.parts[i-1].pointer
}

// looksJSON reports whether a text begins and ends like an object or an array.
func looksJSON(s string) bool {
	s = strings.TrimSpace(s)
	if len(s) < 2 {
		return false
	}
	ends := s[:1] + s[len(s)-1:]
	return ends == "{}" || ends == "[]"
}

// shelf is a list of passages with an index of their words.
type shelf struct {
	passages []passage
	words    map[string][]int32 // the passages that have a word, in order
}

func (h *shelf) add(p passage) {
	if h.words == nil {
		h.words = map[string][]int32{}
	}
	n := int32(len(h.passages))
	h.passages = append(h.passages, p)
	for w := range asciiWords(p.folded) {
		if all := h.words[w]; len(all) == 0 || all[len(all)-1] != n {
			h.words[w] = append(all, n)
		}
	}
}

// with yields the passages that may have a folded value, the newest first. A value without an
// ASCII word may be in any.
func (h *shelf) with(value string) iter.Seq2[int, *passage] {
	return func(yield func(int, *passage) bool) {
		rarest, some := []int32(nil), false
		for w := range asciiWords(value) {
			if in := h.words[w]; !some || len(in) < len(rarest) {
				rarest, some = in, true
			}
		}
		if !some {
			for i := range h.passages {
				rarest = append(rarest, int32(i))
			}
		}
		for _, i := range slices.Backward(rarest) {
			if !yield(int(i), &h.passages[i]) {
				return
			}
		}
	}
}

// asciiWords yields the runs of ASCII letters and digits. A place never begins or ends within one.
func asciiWords(s string) iter.Seq[string] {
	return strings.FieldsFuncSeq(s, func(r rune) bool { return r >= 0x80 || !wordly(byte(r)) })
}
