package secret

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/lex"
)

// beginning is an example of one beginning of a secret. The examples are written
// from what the services publish, not from the table of rules, so that a row or
// a literal that is lost is missed.
type beginning struct{ Kind, Beginning, Text, Secret string }

func beginnings(t *testing.T) []beginning {
	t.Helper()
	b, err := os.ReadFile("testdata/beginnings.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []beginning
	for line := range bytes.Lines(b) {
		var one beginning
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

func TestEachBeginningOfASecretIsKnown(t *testing.T) {
	t.Parallel()
	for _, c := range beginnings(t) {
		got, found := Redact(c.Text)
		if want := strings.Replace(c.Text, c.Secret, mark+c.Kind+"]", 1); got != want {
			t.Errorf("%s: %q, not %q", c.Beginning, got, want)
		}
		if diff := cmp.Diff([]Redaction{{c.Kind, 1}}, found); diff != "" {
			t.Errorf("%s: %s", c.Beginning, diff)
		}
	}
}

// hits are the examples in which a rule finds a secret, tried only at the places of
// the literal. Another rule that finds the same secret does not count.
func hits(all []beginning, literal string, rule int) []beginning {
	only := lex.NewFinder([]lex.Literal{{Text: literal, Rule: rule}})
	return slices.DeleteFunc(slices.Clone(all), func(c beginning) bool {
		hit := false
		only.Each(c.Text, func(i, rule int) int {
			hit = hit || len(secretRules[rule].all(c.Text, i)) > 0
			return 0
		})
		return !hit
	})
}

// literals are all literals of all rules.
func literals() []lex.Literal {
	var all []lex.Literal
	for i, r := range secretRules {
		for _, l := range r.literals {
			all = append(all, lex.Literal{Text: l, Rule: i})
		}
	}
	return all
}

func TestEachLiteralOfTheRulesHasAnExample(t *testing.T) {
	t.Parallel()
	all := beginnings(t)
	for _, l := range literals() {
		if len(hits(all, l.Text, l.Rule)) == 0 {
			t.Errorf("no example has the literal %q", l.Text)
		}
	}
}

// Without any one literal an example keeps its secret, or gives it another kind.
func TestNoLiteralCanBeLeftOut(t *testing.T) {
	t.Parallel()
	examples, all := beginnings(t), literals()
	for n, l := range all {
		f := lex.NewFinder(slices.Delete(slices.Clone(all), n, n+1))
		missed := slices.ContainsFunc(examples, func(c beginning) bool {
			was, is := secretsIn(c.Text), secretsBy(f, c.Text)
			return !slices.Equal(was, is)
		})
		if !missed {
			t.Errorf("nothing needs the literal %q of rule %d", l.Text, l.Rule)
		}
	}
}

// Every literal is needed. If one letter of it is changed or left out, and the text
// after it is cut to a quarter, the text has no such secret.
func TestWhatOnlyBeginsLikeASecretStays(t *testing.T) {
	t.Parallel()
	all := beginnings(t)
	for _, l := range literals() {
		if secretRules[l.Rule].pattern == nil {
			continue // the parts of names overlap; TestNamesOfSecrets has them
		}
		c := hits(all, l.Text, l.Rule)[0]
		at := strings.Index(strings.ToLower(c.Text), l.Text)
		for n := range l.Text {
			changed := c.Text[:at+n] + "!" + c.Text[at+n+1:]
			if lex.Begins(changed[at:], l.Text) {
				t.Errorf("%q is found without its letter %d", l.Text, n)
			}
			if s, ok := secretRules[l.Rule].at(changed, at); ok && n < len(l.Text) && secretRules[l.Rule].kind != "url-password" {
				t.Errorf("%q with %q: %v", l.Text, changed, s)
			}
		}
		short := c.Text[:min(len(c.Text), at+len(l.Text)+min(4, len(c.Secret)/4))]
		if got, found := Redact(short); got != short {
			t.Errorf("%q: %q loses %v", l.Text, short, found)
		}
	}
}
