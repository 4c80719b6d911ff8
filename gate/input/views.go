package input

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/onestep-run/onestep/gate/guard"
)

// views are the forms of a text that rules are matched against: the plain one,
// which keeps every script's own letters, and, where they differ, those with
// disguises taken off. All are copies; the question itself stays as typed.
func views(s string) []string {
	all := []string{plain(s)}
	bare := all[0]
	if t := untag(s); t != s {
		bare = plain(t)
	}
	for _, v := range unmask(bare) {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// plain is s in NFKC, case folded, with invisible characters removed, quotes
// and dashes in one form each, and every run of white space as one space.
func plain(s string) string {
	if !ascii(s) {
		// What is invisible goes first, lest it keep a letter and its accent
		// apart; and again at the end, for NFKC makes fillers of fillers.
		s = norm.NFKC.String(strings.Map(legible, s))
		s = strings.Map(legible, norm.NFKC.String(cases.Fold().String(s)))
	} else {
		s = strings.ToLower(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// legible gives a character its one form, or -1 to remove it. Fillers that are
// drawn as a gap are a gap.
func legible(r rune) rune {
	switch {
	case unicode.IsSpace(r), r == '\u115F', r == '\u1160', r == '\u3164', r == '\uFFA0', r == '\u2800':
		return ' '
	case r == '‘', r == '’', r == 'ʼ', r == '`', r == '´':
		return '\''
	case r == '“', r == '”', r == '«', r == '»', r == '„':
		return '"'
	case unicode.Is(unicode.Pd, r):
		return '-'
	case !guard.Visible(r):
		return -1
	}
	return r
}

// untag spells out tag characters, an invisible copy of ASCII that models read.
func untag(s string) string {
	return strings.Map(func(r rune) rune {
		if 0xE0020 <= r && r <= 0xE007E {
			return r - 0xE0000
		}
		return r
	}, s)
}

// unmask takes the disguises off a plain text: accents, look-alike letters,
// digits for letters, letters spelled apart. Of "i k i l l a dog" nobody can
// tell by the letters where the words begin, so there is a form for each
// reading of an "a" or "i" at an end.
func unmask(s string) (forms []string) {
	if !ascii(s) {
		s = strings.Map(lookalike, norm.NFKD.String(s))
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		words[i] = join(unleet(w))
	}
	for _, keep := range [][2]int{{1, 1}, {0, 0}, {0, 1}, {1, 0}} {
		form, open := closeUp(words, keep[0], keep[1])
		forms = append(forms, form)
		if !open {
			break
		}
	}
	return forms
}

// unleet reads digits and signs as letters in a word that has letters, up to
// its last letter or digit: "k1ll", but not "kill!" and not a number with its
// unit, "80mb".
func unleet(w string) string {
	past := strings.TrimLeft(w, "0123456789")
	if !strings.ContainsAny(past, "0134578@$!") || !strings.ContainsFunc(w, unicode.IsLetter) {
		return w
	}
	word := strings.TrimRightFunc(w, unicode.IsPunct)
	return leet.Replace(word) + w[len(word):]
}

var leet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "8", "b", "@", "a", "$", "s", "!", "i")

// join closes up b.o.m.b, b-o-m-b, b_o_m_b and b*o*m*b: three letters or
// more, one by one, with the same sign between them.
func join(w string) string {
	if len(w) < 5 || !strings.ContainsRune(".-_*", rune(w[1])) {
		return w
	}
	letters := strings.Split(strings.TrimRight(w, "?!.,"), w[1:2])
	for _, l := range letters {
		if utf8.RuneCountInString(l) != 1 {
			return w
		}
	}
	return strings.Join(letters, "")
}

// closeUp joins up "b o m b", three letters or more. Of each run it leaves out
// so many letters at either end, if they are an "a" or an "i", and reports
// whether there were any.
func closeUp(words []string, first, last int) (form string, open bool) {
	var out []string
	for i := 0; i < len(words); {
		n := i
		for n < len(words) && single(words[n]) {
			n++
		}
		from, to := i, n
		if from < to && article(words[from]) {
			from, open = from+first, open || n-i > 2
		}
		if from < to && article(words[to-1]) {
			to, open = to-last, open || n-i > 2
		}
		if n = max(n, i+1); to-from < 3 {
			out = append(out, words[i:n]...)
		} else {
			out = append(append(out, words[i:from]...), strings.Join(words[from:to], ""))
			out = append(out, words[to:n]...)
		}
		i = n
	}
	return strings.Join(out, " "), open
}

func single(w string) bool {
	r, n := utf8.DecodeRuneInString(strings.TrimRight(w, "?!.,"))
	return n > 0 && n == len(strings.TrimRight(w, "?!.,")) && unicode.IsLetter(r)
}

func article(w string) bool { return w == "a" || w == "i" }

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lookalike gives the Latin letter that a character is drawn like, or -1 for
// an accent. NFKC has already folded the wide, circled, mathematical and
// superscript letters. The table holds what renders alike in common fonts in
// lower case, not all of Unicode's confusables: the rest still looks odd to
// whoever reads the trace.
func lookalike(r rune) rune {
	switch {
	case r < 0x80:
		return r
	case unicode.Is(unicode.Mn, r):
		return -1
	case 0x1F1E6 <= r && r <= 0x1F1FF: // regional indicators
		return 'a' + r - 0x1F1E6
	case 0x1F150 <= r && r <= 0x1F169: // white on a black circle
		return 'a' + r - 0x1F150
	case 0x1F170 <= r && r <= 0x1F189: // white on a black square
		return 'a' + r - 0x1F170
	}
	if l, ok := lookalikes()[r]; ok {
		return l
	}
	return r
}

var lookalikes = table(
	"аaеeоoрpсcуyхxіiјjѕsкkмmтtнhвbьbԁdһhӏlԛqԝwгrпnєeѵvүyʙb", // Cyrillic
	"αaεeιiκkνvοoρpτtυuχxηnωwβbγyσoςcϲcϳj",                   // Greek
	"օoսuցgոnհhրnաwаaզqկl",                                   // Armenian
	"ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz",       // small capitals
	"ıiłløođdħhŧtƒfɡgɑaɩiȷj∂dℓl×x€e£l¢c",                     // Latin and signs
)

// table reads pairs: the look-alike, then its Latin letter.
func table(pairs ...string) func() map[rune]rune {
	return sync.OnceValue(func() map[rune]rune {
		m := map[rune]rune{}
		for _, s := range pairs {
			rs := []rune(s)
			for i := 0; i+1 < len(rs); i += 2 {
				m[rs[i]] = rs[i+1]
			}
		}
		return m
	})
}
