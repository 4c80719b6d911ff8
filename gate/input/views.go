package input

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"

	"github.com/onestep-run/onestep/gate/escape"
)

// views are the forms of a text that rules are matched against: the plain one,
// which keeps every script's own letters, and, where they differ, those with
// disguises taken off. All are copies; the question itself stays as typed.
func views(s string) []string {
	all := []string{plain(s)}
	bare := all[0]
	if t := strings.Map(untag, s); t != s {
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
	case !escape.Visible(r):
		return -1
	}
	return r
}

// untag spells out tag characters, an invisible copy of ASCII that models read.
func untag(r rune) rune {
	if 0xE0020 <= r && r <= 0xE007E {
		return r - 0xE0000
	}
	return r
}

// unmask takes the disguises off a plain text: accents, look-alike letters,
// digits for letters, letters spelled apart. Of "i k i l l a dog" it is not
// clear by the letters where the words begin, so there is a form for each
// reading of an "a" or "i" at an end.
func unmask(s string) []string {
	if !ascii(s) {
		s = latin.Replace(runes.Remove(runes.In(unicode.Mn)).String(norm.NFKD.String(s)))
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		words[i] = unleet(w)
	}
	s = strings.Join(words, " ")
	forms := []string{closeUp(s, false, false)}
	if forms[0] != s {
		forms = append(forms, closeUp(s, true, false), closeUp(s, false, true), closeUp(s, true, true))
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

// apart is b o m b, b.o.m.b, b-o-m-b, b_o_m_b or b*o*m*b: three letters or more,
// one by one.
var apart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[a-z](?:[ ._*-][a-z]){2,}\b`) })

var between = strings.NewReplacer(" ", "", ".", "", "_", "", "*", "", "-", "")

// closeUp joins up letters spelled apart, but leaves out the first or the last
// where it is an "a" or an "i", which may be a word.
func closeUp(s string, first, last bool) string {
	return apart().ReplaceAllStringFunc(s, func(run string) string {
		from, to := 0, len(run)
		if first && (run[0] == 'a' || run[0] == 'i') {
			from = 2
		}
		if last && (run[to-1] == 'a' || run[to-1] == 'i') {
			to -= 2
		}
		return run[:from] + between.Replace(run[from:to]) + run[to:]
	})
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// latin gives the Latin letter that a character is drawn like. It holds pairs
// of what renders alike in common fonts in lower case, not all of Unicode's
// confusables, which tell "к" and "k" apart: the rest still looks odd to
// a reader of the trace.
var latin = strings.NewReplacer(strings.Split(""+
	"аaеeоoрpсcуyхxіiјjѕsкkмmтtнhвbьbԁdһhӏlԛqԝwгrпnєeѵvүyʙb"+ // Cyrillic
	"αaεeιiκkνvοoρpτtυuχxηnωwβbγyσoςcϲcϳj"+ // Greek
	"օoսuցgոnհhրnաwаaզqկl"+ // Armenian
	"ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz"+ // small capitals
	"🇦a🇧b🇨c🇩d🇪e🇫f🇬g🇭h🇮i🇯j🇰k🇱l🇲m🇳n🇴o🇵p🇶q🇷r🇸s🇹t🇺u🇻v🇼w🇽x🇾y🇿z"+ // flags
	"🅐a🅑b🅒c🅓d🅔e🅕f🅖g🅗h🅘i🅙j🅚k🅛l🅜m🅝n🅞o🅟p🅠q🅡r🅢s🅣t🅤u🅥v🅦w🅧x🅨y🅩z"+ // circles
	"🅰a🅱b🅲c🅳d🅴e🅵f🅶g🅷h🅸i🅹j🅺k🅻l🅼m🅽n🅾o🅿p🆀q🆁r🆂s🆃t🆄u🆅v🆆w🆇x🆈y🆉z"+ // squares
	"ıiłløođdħhŧtƒfɡgɑaɩiȷj∂dℓl×x€e£l¢c", "")...) // Latin and signs
