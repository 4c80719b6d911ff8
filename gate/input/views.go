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

// views returns the forms of a text that rules are matched against. The plain form
// keeps every script's own letters. Other forms have their disguises removed, if that
// changes them. All are copies; the question itself stays as typed.
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

// plain returns s in NFKC and case folded, without invisible characters. Quotes and
// dashes have one form each, and every run of white space becomes one space.
func plain(s string) string {
	if !ascii(s) {
		// Invisible characters are removed first, because they could keep a letter and
		// its accent apart. They are removed again at the end, because NFKC turns
		// fillers into other fillers.
		s = norm.NFKC.String(strings.Map(legible, s))
		s = strings.Map(legible, norm.NFKC.String(cases.Fold().String(s)))
	} else {
		s = strings.ToLower(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// legible returns the one form of a character, or -1 to remove it. A filler that fonts
// draw as a gap becomes a gap.
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

// untag decodes tag characters, an invisible copy of ASCII that models read.
func untag(r rune) rune {
	if 0xE0020 <= r && r <= 0xE007E {
		return r - 0xE0000
	}
	return r
}

// unmask removes the disguises of a plain text: accents, look-alike letters, digits
// for letters, letters spelled apart. The letters of "i k i l l a dog" do not show
// where the words begin. So an "a" or "i" at an end of a run is read in both ways,
// each in a separate form.
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

// unleet reads digits and signs as letters in a word that has letters. It reads up to
// the last letter or digit: "k1ll", but not "kill!". A number with its unit, "80mb",
// stays.
func unleet(w string) string {
	past := strings.TrimLeft(w, "0123456789")
	if !strings.ContainsAny(past, "0134578@$!") || !strings.ContainsFunc(w, unicode.IsLetter) {
		return w
	}
	word := strings.TrimRightFunc(w, unicode.IsPunct)
	return leet.Replace(word) + w[len(word):]
}

var leet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "8", "b", "@", "a", "$", "s", "!", "i")

// apart matches b o m b, b.o.m.b, b-o-m-b, b_o_m_b or b*o*m*b: three or more single
// letters.
var apart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[a-z](?:[ ._*-][a-z]){2,}\b`) })

var between = strings.NewReplacer(" ", "", ".", "", "_", "", "*", "", "-", "")

// closeUp joins letters spelled apart. On request it leaves out a first or last "a" or
// "i", which may be a word.
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

// latin returns the Latin letter that a character looks like. It has pairs that look
// alike in common fonts in lower case. It is not Unicode's list of confusables, which
// keeps "к" and "k" apart: other characters still look odd to a reader of the trace.
var latin = strings.NewReplacer(strings.Split(""+
	"аaеeоoрpсcуyхxіiјjѕsкkмmтtнhвbьbԁdһhӏlԛqԝwгrпnєeѵvүyʙb"+ // Cyrillic
	"αaεeιiκkνvοoρpτtυuχxηnωwβbγyσoςcϲcϳj"+ // Greek
	"օoսuցgոnհhրnաwаaզqկl"+ // Armenian
	"ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz"+ // small capitals
	"🇦a🇧b🇨c🇩d🇪e🇫f🇬g🇭h🇮i🇯j🇰k🇱l🇲m🇳n🇴o🇵p🇶q🇷r🇸s🇹t🇺u🇻v🇼w🇽x🇾y🇿z"+ // flags
	"🅐a🅑b🅒c🅓d🅔e🅕f🅖g🅗h🅘i🅙j🅚k🅛l🅜m🅝n🅞o🅟p🅠q🅡r🅢s🅣t🅤u🅥v🅦w🅧x🅨y🅩z"+ // circles
	"🅰a🅱b🅲c🅳d🅴e🅵f🅶g🅷h🅸i🅹j🅺k🅻l🅼m🅽n🅾o🅿p🆀q🆁r🆂s🆃t🆄u🆅v🆆w🆇x🆈y🆉z"+ // squares
	"ıiłløođdħhŧtƒfɡgɑaɩiȷj∂dℓl×x€e£l¢c", "")...) // Latin and signs
