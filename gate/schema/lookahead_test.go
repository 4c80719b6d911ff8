package schema

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// texts that fit the patterns of lookAhead, or nearly: the differential test changes them.
var lookAheadSeeds = []string{
	"a.b-c+d'e@example-1.co.uk", "first.last@x.io", ".a@x.io", "a..b@x.io", "a.@x.io",
	"P1W", "P1Y2M3DT4H5M6.7S", "PT1S", "P1D", "PT", "P", "P1DT", "P1M1D", "PT1,5S",
	"example.com.", "a-b.c", "xn--a.example", "-a.b", "localhost", "a." + strings.Repeat("b.", 30) + "cc",
	strings.Repeat("abcdefghi.", 25) + "com", strings.Repeat("abcdefghi.", 25) + "co.", strings.Repeat("a.", 126) + "a",
	"GB02WEST12345698765432", "GB00WEST12345698765432", "DE98ABCDEFGHIJK", "DE99ABCDEFGHIJK", "DE01ABCDEFGHIJK",
	"\u00a9", "\U0001f642\U0001f44d\U0001f3fd", "\U0001f1f5\U0001f1f9", "1\ufe0f\u20e3", "12", "\u200d", "\U0001f642a", "\n\U0001f642",
	"0", "-1.50", "+.5", "1.", ".", "-", "00.010", "1.2500", "1.255", "", "+-1", "1..2",
}

// pictographic has the characters of that class in the table.
func pictographic() (all string) {
	for line := range strings.Lines(lookAheadTable) {
		if escaped, is := strings.CutPrefix(line, ": PICTOGRAPHIC "); is {
			characters, _ := strconv.Unquote(`"` + strings.TrimSpace(escaped) + `"`)
			all += characters
		}
	}
	return all
}

// pieces are patterns without look-ahead in place of one with it. A text fits if it
// matches all patterns of one list and none of the other, at the places of the
// look-aheads.
var pieces = map[string]struct{ all, none []string }{
	"(?!\\.)(?!.*": {[]string{`^([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`}, []string{`^\.`, `^.*\.\.`}},
	"(?!.*W)": {
		[]string{`^P(?:(\d+W)|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+([.,]\d+)?S)?)?)$`, `^P(?:\d|T\d)`}, []string{`T(?:\D|$)`},
	},
	"(?=.{1,253}\\.?$)": {[]string{`^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\.?$`, `^.{1,253}\.?$`}, nil},
	"(?=.{1,253}$)":     {[]string{`^([a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}$`, `^.{1,253}$`}, nil},
	"(?!00|01|99)":      {[]string{`^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$`}, []string{`^..(?:00|01|99)`}},
	"Emoji_Component":   {[]string{`^[#*0-9\x{200d}\x{20e3}\x{fe0f}\x{1f1e6}-\x{1f1ff}\x{1f3fb}-\x{1f3ff}` + pictographic() + `]+$`}, []string{`^[#*0-9\x{200d}\x{fe0f}]*$`}},
	`\d*\.?\d*$`:        {[]string{`^[+-]?0*\d*\.?\d*$`}, []string{`^[-+.]*$`}},
	`\d{0,2}0*$`:        {[]string{`^[+-]?0*\d*\.?\d{0,2}0*$`}, []string{`^[-+.]*$`}},
}

// TestLookAheadsEqual compares what each pattern says with what is written in its place,
// on texts that fit or nearly.
func TestLookAheadsEqual(t *testing.T) {
	t.Parallel()
	matches := func(text string) func(string) bool {
		return func(p string) bool { return regexp.MustCompile(p).MatchString(text) }
	}
	for p, equal := range lookAhead() {
		var says []struct{ all, none []string }
		for piece, s := range pieces {
			if strings.Contains(p, piece) {
				says = append(says, s)
			}
		}
		if len(says) != 1 {
			t.Fatalf("%s is %d of the patterns", p, len(says))
		}
		draw, both := rand.New(rand.NewPCG(1, 2)), map[bool]int{}
		for i := range 40 * len(lookAheadSeeds) {
			text := lookAheadSeeds[i%len(lookAheadSeeds)]
			if i >= len(lookAheadSeeds) {
				text = changed(draw, text)
			}
			want := !slices.ContainsFunc(says[0].none, matches(text))
			for _, one := range says[0].all {
				want = want && matches(text)(one)
			}
			got := !slices.ContainsFunc(equal, func(e string) bool { return !matches(text)(e) })
			if both[want]++; got != want {
				t.Errorf("%s: %q fits: %v, want %v", p, text, got, want)
			}
		}
		if both[true] < 10 || both[false] < 10 {
			t.Errorf("%s: %d texts fit and %d do not", p, both[true], both[false])
		}
	}
}

// changed is a text with one to three characters exchanged, added or left out.
func changed(draw *rand.Rand, text string) string {
	const near = "aZ09.-+'@_PTWYMDHS,\n/ é\u00a9\ufe0f\u200d"
	some := []rune(near)
	r := []rune(text)
	for range 1 + draw.IntN(3) {
		at, c := draw.IntN(len(r)+1), some[draw.IntN(len(some))]
		switch way := draw.IntN(3); {
		case way == 0 || at == len(r):
			r = append(r[:at:at], append([]rune{c}, r[at:]...)...)
		case way == 1:
			r[at] = c
		default:
			r = append(r[:at:at], r[at+1:]...)
		}
	}
	return string(r)
}
