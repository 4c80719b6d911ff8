package summarize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/onestep-run/onestep/gate/guard"
)

// word is one word of a text, without the punctuation around it.
type word struct {
	text   string // as it stands
	key    string // for the word lists: NFKC, lower case, straight apostrophe
	sep    bool   // a comma, a bracket, a quotation mark or the like stands before it
	pause  bool   // one stands before it that is more than emphasis
	ends   bool   // one stands after it
	head   bool   // a colon stands after it
	tag    bool   // a dash or a closing bracket stands after it
	quoted quoted // by which quotation marks it stands between
}

const (
	openers = "\"'“‘«‹„([{*_`¿¡|"
	closers = ",.;:!\"'”’»›)]}*_`|"
)

// words reads a text. A question mark and an ellipsis are words of their own:
// what they do to a sentence no claim may undo. Other punctuation is only
// remembered.
func words(s string) []word {
	var t tokens
	lineStart := true
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if breaksWord(r) {
			lineStart = lineStart && r != '—' || r == '\n'
			if r == '—' {
				t.dash()
			}
			i += n
			continue
		}
		end := i + wordLen(s[i:])
		if lineStart && (s[i:end] == ">" || marker(s[i:]) > 0 && (s[i] < '0' || s[i] > '9')) {
			t.before += s[i:end] // a list item's bullet; its number is a word
		} else {
			t.add(s[i:end], digitFollows(s[end:]))
		}
		i, lineStart = end, false
	}
	return t.out
}

func breaksWord(r rune) bool { return unicode.IsSpace(r) || r == '—' }

func wordLen(s string) int {
	if n := strings.IndexFunc(s, breaksWord); n >= 0 {
		return n
	}
	return len(s)
}

// tokens are the words of a text that is being read.
type tokens struct {
	out    []word
	before string // the punctuation since the last word
	quoted quoted
}

// quoted says what kinds of quotation marks are open.
type quoted struct{ double, single bool }

const (
	pausing    = ",;:.!()[]{}—–-•#>|/"
	quotations = "\"“”„«»"
)

// add peels what stands between two breaks, and appends the words of it.
func (t *tokens) add(raw string, beforeDigit bool) {
	opened := strings.TrimLeft(raw, openers)
	core := strings.TrimRight(opened, closers+"?…")
	marks := opened[len(core):]
	t.see(raw[:len(raw)-len(opened)], core != "" && !digitFollows(core))
	if strings.HasPrefix(marks, "\"") && !t.quoted.double && (word{text: core}).digit() {
		core, marks = opened[:len(core)+1], marks[1:] // inches
	}
	switch {
	case raw == "[" || raw == "[]": // an empty box: not done
		t.out = append(t.out, word{text: "[", key: "["})
	case beforeDigit && (raw == "*" || raw == "."), beforeDigit && core != "" && dash(core):
		t.out = append(t.out, word{text: raw, key: "-"})
	case core != "" && dash(core):
		t.dash()
	case core != "":
		t.word(core, marks)
	}
	t.see(marks, false)
	for _, mark := range []string{"?", "…"} {
		if strings.Contains(marks, mark) || mark == "…" && strings.Contains(marks, "..") {
			t.out = append(t.out, word{text: mark, key: mark})
		}
	}
}

// see notes marks. An apostrophe opens a quotation only where one may open.
func (t *tokens) see(marks string, mayOpen bool) {
	t.before += marks
	for _, r := range marks {
		switch {
		case r == '"':
			t.quoted.double = !t.quoted.double
		case strings.ContainsRune(quotations, r):
			t.quoted.double = r == '“' && !t.quoted.double || r == '„' || r == '«'
		case strings.ContainsRune("'‘’‹›", r):
			t.quoted.single = r == '‘' || r == '‹' || r == '\'' && mayOpen
		}
	}
}

// dash notes a dash between two words: what stands before it may be a label.
func (t *tokens) dash() {
	t.before += "—"
	if len(t.out) > 0 {
		t.out[len(t.out)-1].tag = true
	}
}

func (t *tokens) word(core, marks string) {
	w := word{
		text: core, key: key(core), sep: t.before != "", pause: strings.ContainsAny(t.before, pausing), quoted: t.quoted,
		ends: marks != "", head: strings.Contains(marks, ":"), tag: strings.ContainsAny(marks, ")]}"),
	}
	if strings.HasSuffix(t.before, "(") && strings.HasPrefix(marks, ")") && w.digit() {
		w.text = "(" + core + ")" // an account's minus
	}
	t.out = append(t.out, w)
	t.before = ""
}

// dash reports whether s is only a dash or a rule; "- 5" is a number all the same.
func dash(s string) bool {
	return strings.Trim(s, "-–•·#/\\") == ""
}

func digitFollows(s string) bool {
	s = strings.TrimLeft(s, blanks)
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

// key folds a word for the lists. Look-alikes of other scripts stay what they
// are: odd finds them.
func key(s string) string {
	return strings.ReplaceAll(strings.ToLower(norm.NFKC.String(s)), "’", "'")
}

// odd reports whether a word is none of plain Latin: it holds a character that
// does not show, or a letter of another script. It could pose as another word,
// so it may not be left out.
func (w word) odd() bool {
	return strings.IndexFunc(w.text, func(r rune) bool {
		return !guard.Visible(r) || unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r)
	}) >= 0
}

func (w word) capital() bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	return unicode.IsUpper(r) || unicode.IsTitle(r)
}

func (w word) digit() bool { return strings.IndexFunc(w.text, unicode.IsNumber) >= 0 }

// negates reports whether the word is a negation, in any of its spellings.
func (w word) negates() bool {
	if negations()[w.key] || foreign()[w.key] || strings.Contains(w.key, "n't") || strings.HasPrefix(w.key, "non-") {
		return true
	}
	return reversed(w.key)
}

// reversed finds un-words: unencrypted, unauthorised, unsafe.
func reversed(k string) bool {
	if !strings.HasPrefix(k, "un") || len(k) < 6 {
		return false
	}
	for _, p := range []string{"under", "uni", "until", "unan"} {
		if strings.HasPrefix(k, p) {
			return false
		}
	}
	return true
}

// isEnglish is a careful guess: text that it is not sure of is held to its own
// words. It wants one word in eight, or two that also stand elsewhere, to be
// of the kind that English sentences are held together by.
func isEnglish(ws []word) bool {
	own, faint, other, strange, letters := 0, 0, 0, 0, 0
	for _, w := range ws {
		switch {
		case english()[w.key]:
			own++
		case weak()[w.key]:
			faint++
		case others()[w.key]:
			other++
		case w.odd():
			strange++
		}
		if says(w.text) && !w.digit() {
			letters++
		}
	}
	return own > 0 && own > 3*other && strange*5 <= letters && (2*own+faint)*8 >= letters
}
