package input

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"
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

func layerOf(patterns ...string) (*layer, error) {
	f := file{
		Words: map[string][]string{"who": {"me, you", "she(s)"}, "do": {"kill(ing), do(ing) away with, e-mail", "lad(y|ies)"}},
		Terms: map[string]string{"any": "x*|(?:yz)+", "both": "{{who}} {{do}}"},
	}
	for i, p := range patterns {
		f.Rules = append(f.Rules, rule{ID: string(rune('a' + i)), Category: "c", Pattern: p, Reason: "r"})
	}
	return f.checked()
}

func TestTheIndexLosesNoMatch(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/misuse.txt")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(b)) {
		check(t, builtInLayer(), l)
	}
	l, err := layerOf(`{{who}} {{do}}`, `a{{who}}`, `{{do}}?b`, `{{do}}{0,1}b`, `{{do}}{{any}}`, `{{both}}|x`, `[^a]{{who}}`, `(?i){{who}}|{{do}}A`, `(?:{{who}}|ab) {{do}}`, `[^\w(]{{who}}+`, `\({{do}}\)`, `^{{do}}$`)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"she kills me", "me killing", "shes doing away with", "you lady", "she ladies e-mail", "b", "killb", "x", "ac", "(c", "killa", "ab e-mail", "(killing)", "lad", "[you"} {
		check(t, l, s)
	}
}

// The index only helps where a rule has a word list at its top.
func TestEveryBuiltInRuleIsIndexed(t *testing.T) {
	t.Parallel()
	l := builtInLayer()
	for i, r := range l.rules {
		if len(l.index.rules[i]) == 0 {
			t.Errorf("rule %s is tried on every question", r.ID)
		}
	}
}

func FuzzTheIndexLosesNoMatch(f *testing.F) {
	for _, s := range [][2]string{{`{{who}} {{do}}`, "she kills"}, {`a{{do}}?|{{who}}`, "ladies"}, {`[{{who}}]`, "{"}, {`\Q{{who}}\E`, "(?:"}, {`({{do}}){2}`, "killkill"}, {`{{{who}}}`, "me"}, {`\x{7b}{{do}}}`, "{kill}"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 200 || len(text) > 200 || !utf8.ValidString(pattern) {
			t.Skip("a file is UTF-8, and long inputs show nothing more")
		}
		l, err := layerOf(pattern)
		if err != nil {
			t.Skip("not a pattern")
		}
		check(t, l, text)
	})
}
