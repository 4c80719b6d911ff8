package input

import "unicode"

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
	if l, ok := lookalikes[r]; ok {
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
func table(pairs ...string) map[rune]rune {
	m := map[rune]rune{}
	for _, s := range pairs {
		rs := []rune(s)
		for i := 0; i+1 < len(rs); i += 2 {
			m[rs[i]] = rs[i+1]
		}
	}
	return m
}
