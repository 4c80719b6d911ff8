package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/onestep-run/onestep/gate/speech"
)

// maxWords bounds the words that are read in one text. A person's meaning is in the first
// words of a question, and a context is searched for a few values only.
const maxWords = 2048

// text is a question or its context, cut into words as the intent lock cuts it. So this
// package accounts for the same words that the lock marks.
type text struct {
	speech *speech.Text
	raw    string // in NFC
	words  []word
	cut    bool // not all of it is read
}

// word is one word or literal of a text.
type word struct {
	start, end int
	token      int // of the lock's
	raw        string
	low        string   // folded
	stem       string   // canonical, see lexicon.go
	parts      []string // canonical stems of the parts of a name: two for get_user
	literal    bool
	quoted     bool
	capital    bool
}

// read cuts a text into words. The "'s" of a possessive is not part of the word.
func (m stemmer) read(s string) text {
	cut := speech.Tokens(s)
	nfc, t := cut.NFC, text{speech: &cut, raw: cut.NFC}
	for i, k := range cut.Tokens {
		if len(t.words) >= maxWords {
			t.cut = true
			break
		}
		if !k.Quoted && strings.Trim(nfc[k.Start:k.End], dashes) == "" {
			continue
		}
		if !k.Quoted {
			k = star(nfc, k)
		}
		w := m.word(nfc, k.Start, k.End, k.Quoted || k.Literal || tagged(nfc, k), k.Quoted)
		w.token = i
		t.words = append(t.words, w)
	}
	return t
}

// tagged reports whether a token is the name of a channel or a person: #general, @ada.
func tagged(s string, k speech.Token) bool {
	marked := strings.HasSuffix(s[:k.Start], "#") || strings.HasSuffix(s[:k.Start], "@")
	return marked && (k.Start == 1 || s[k.Start-2] == ' ')
}

// dashes separate clauses if they are separate words.
const dashes = "-–—>→"

// star gives back the stars around a path, which belong to it: *.go, src/*.
func star(s string, k speech.Token) speech.Token {
	if !strings.ContainsAny(s[k.Start:k.End], "./") {
		return k
	}
	for k.Start > 0 && s[k.Start-1] == '*' {
		k.Start--
	}
	for k.End < len(s) && s[k.End] == '*' {
		k.End++
	}
	return k
}

func (m stemmer) word(s string, start, end int, literal, quoted bool) word {
	w := word{start: start, end: end, raw: s[start:end], literal: literal, quoted: quoted}
	if quoted {
		return w
	}
	if head, found := strings.CutSuffix(strings.ReplaceAll(w.raw, "’", "'"), "'s"); found && !strings.Contains(contractions, " "+fold(head)+" ") {
		w.raw = w.raw[:len(head)]
		w.end = w.start + len(head)
	}
	w.low = fold(w.raw)
	w.stem = m.stem(w.low)
	first, _ := utf8.DecodeRuneInString(w.raw)
	w.capital = unicode.IsUpper(first)
	if parts := speech.NameParts(w.raw); len(parts) > 1 && !strings.ContainsAny(w.raw, "/:@") {
		for _, p := range parts {
			w.parts = append(w.parts, m.stem(p))
		}
	}
	return w
}

// contractions are words before an "'s" that is part of them: what's is not a possessive.
const contractions = " what who where when how it that there here let he she "

// gap is the text between word i-1 and word i.
func (t text) gap(i int) string {
	if i <= 0 || i >= len(t.words) {
		return "\n"
	}
	return t.raw[t.words[i-1].end:t.words[i].start]
}

// joined reports whether at most spaces or hyphens separate word i from the one before.
func (t text) joined(i int) bool { return strings.Trim(t.gap(i), " -") == "" && t.gap(i) != "\n" }

// breaks reports whether a clause ends before word i.
func (t text) breaks(i int) bool {
	g := t.gap(i)
	switch {
	case strings.ContainsAny(g, ";!?:()\n"):
		return true
	case strings.ContainsAny(g, dashes) && strings.HasPrefix(g, " "):
		return true
	}
	return strings.Contains(g, ".") && !abbreviation().MatchString(t.words[i-1].raw)
}

var abbreviation = pattern(`^(?:\pL\.)+\pL$|^(?:St|Mr|Mrs|Ms|Dr|No|vs|etc)$`)

// begun reports whether a sentence begins with word i.
func (t text) begun(i int) bool {
	g := t.gap(i)
	return strings.ContainsAny(g, "!?\n") || strings.Contains(g, ".") && t.breaks(i)
}

// parts reports whether a clause or a member of a list ends before word i.
func (t text) parts(i int) bool { return t.breaks(i) || strings.Contains(t.gap(i), ",") }

// low is word i folded, or "".
func (t text) low(i int) string {
	if i < 0 || i >= len(t.words) {
		return ""
	}
	return t.words[i].low
}

// span is the text of the words [from, to) as written.
func (t text) span(from, to int) string {
	if from >= to {
		return ""
	}
	end := t.words[to-1].end
	if abbreviation().MatchString(t.words[to-1].raw) && strings.HasPrefix(t.raw[end:], ".") {
		end++ // in D.C. the second dot too
	}
	return t.raw[t.words[from].start:end]
}

// fold makes different spellings of a word equal.
func fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.ReplaceAll(cases.Fold().String(norm.NFKC.String(s)), "’", "'")
		}
	}
	return strings.ToLower(s)
}

// stemmer remembers stems: a catalog repeats the same words.
type stemmer map[string]string

// stem is the canonical stem of a folded word. It is the stem of its group of synonyms,
// else that of Porter's second algorithm.
func (m stemmer) stem(word string) string {
	if s, ok := m[word]; ok {
		return s
	}
	s := speech.Stem(strings.TrimSuffix(word, "'s"))
	if g, ok := groups()[s]; ok {
		s = g
	}
	if m != nil && len(word) <= 64 {
		m[word] = s
	}
	return s
}

func (m stemmer) stems(words []string) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = m.stem(w)
	}
	return list
}
