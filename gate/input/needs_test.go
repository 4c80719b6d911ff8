package input

import (
	"os"
	"strings"
	"testing"
)

// check compares the index with the expressions themselves: a rule that it
// leaves out must not match.
func check(t *testing.T, l *layer, text string) {
	t.Helper()
	for _, view := range views(text) {
		found := l.index.search(view)
		for i := range l.rules {
			if !l.index.possible(i, found) && l.rules[i].pattern.in(view) {
				t.Errorf("rule %s matches %q and was not tried", l.rules[i].ID, view)
			}
		}
	}
}

func layerOf(t testing.TB, patterns ...string) *layer {
	t.Helper()
	f := file{Terms: map[string]string{"who": "me|you|s?he", "any": "x*|(?:yz)+"}}
	for i, p := range patterns {
		f.Rules = append(f.Rules, rule{ID: string(rune('a' + i)), Category: "c", Pattern: p, Reason: "r"})
	}
	l, err := f.layer(untested)
	if err != nil {
		t.Skip(err)
	}
	return l
}

func TestTheIndexLosesNoMatch(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/misuse.txt")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(b)) {
		check(t, compiledBuiltIn(), l)
	}
	l := layerOf(t, `\bab\b`, `a\bb|ab c`, `(?i)ABC`, `ab(?:c|d)?e{2,3}f+`, `[abc]d`, `[^a]bc`, `\b{{who}} and {{any}}z`, `x{{any}}?y`, `\B.b\B`, `ab\b.*\bcd`, `^a|b$`, `a.c\b-d`, `\bab\b \bcd\b`)
	for _, s := range []string{"ab", "cab", "ab c", "abc", "ABC", "abeeff", "abdeeef", "ad", "xbc", "he and z", "she and yzyzz", "xy", "xxxy", "aabb", "ab cd", "ab-cd ef", "a", "b", "abc-d", "me and xz"} {
		check(t, l, s)
	}
}

func FuzzNeedsLoseNoMatch(f *testing.F) {
	for _, s := range [][2]string{{`\bab\b`, "ab"}, {`a\b-|{{who}}`, "she"}, {`(?i:ab)c`, "ABc"}, {`[a-c]d+`, "cdd"}, {`x{{any}}y`, "xyzy"}, {`\b\bab|cd\b`, "ab"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 200 || len(text) > 200 {
			t.Skip("long inputs are slow and show nothing more")
		}
		check(t, layerOf(t, pattern), text)
	})
}
