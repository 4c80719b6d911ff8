package intent_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/schema"
)

// vocabulary is small, so that values meet questions often, and nearly.
var vocabulary = []string{"a", "b", "foo", "Foo", "bar-2", "bar_2", "bar", "x/y", "7", "-7", "7%", "don't", `"foo bar"`, "foo,", "(b)", "Ü", "東京", "true"}

func words(t *rapid.T, name string, from, to int) []string {
	return rapid.SliceOfN(rapid.SampledFrom(vocabulary), from, to).Draw(t, name)
}

func value(t *rapid.T, name string) string {
	w := words(t, name, 1, 3)
	return strings.Trim(strings.Join(w, rapid.SampledFrom([]string{" ", "-", "_", "  ", ""}).Draw(t, name+" joined")), `"`)
}

func one(t *rapid.T, question, value string) intent.Leaf {
	s, err := schema.Admit([]byte(`{"properties":{"a":{}}}`), schema.Options{Role: schema.Output})
	if err != nil {
		t.Fatal(err)
	}
	r, err := intent.Compare(intent.Question{Text: question}, s.Root(), jsontext.Value(object(value)))
	if err != nil {
		t.Fatal(err)
	}
	return r.Leaves[0]
}

func TestWhatIsStatedStandsInTheQuestion(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		question, v := strings.Join(words(t, "question", 1, 8), " "), value(t, "value")
		if got := one(t, question, v); got.Origin == intent.Stated && !strings.Contains(norm.NFC.String(question), norm.NFC.String(v)) {
			t.Fatalf("%q is stated by %q", v, question)
		}
	})
}

func TestAddedWordsStateOnlyWhatHoldsThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		plain := func(w string) bool { return !strings.ContainsAny(w, `"'`) } // a quotation mark is not a word
		said := slices.DeleteFunc(words(t, "question", 1, 8), func(w string) bool { return !plain(w) })
		added := rapid.SampledFrom(vocabulary).Filter(plain).Draw(t, "added")
		at := rapid.IntRange(0, len(said)).Draw(t, "at")
		v := value(t, "value")
		before := one(t, strings.Join(said, " "), v)
		after := one(t, strings.Join(slices.Insert(slices.Clone(said), at, added), " "), v)
		if before.Origin != intent.Stated && after.Origin == intent.Stated && !strings.Contains(v, strings.Trim(added, "(),")) {
			t.Fatalf("%q was %s in %q, and is stated with %q at %d", v, before.Origin, said, added, at)
		}
	})
}

func TestNoExchangeOfValuesHidesAMark(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		question := strings.Join(words(t, "question", 1, 8), " ")
		values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return value(t, "value") }), 2, 5).Draw(t, "values")
		parts := false // of one literal, whose order counts: TestWhatCodeRecomputes
		marks := func(values []string) []string {
			r, err := intent.Compare(intent.Question{Text: question}, nil, jsontext.Value(object(values)))
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			parts = parts || slices.ContainsFunc(r.Leaves, func(l intent.Leaf) bool { return l.By == "part" })
			for _, l := range r.Marks(false) {
				if !l.Name {
					all = append(all, fmt.Sprint(l.Value, l.Origin, l.Repeated))
				}
			}
			for _, u := range r.Unused {
				all = append(all, "unused "+u.Text)
			}
			slices.Sort(all)
			return all
		}
		if a, b := marks(values), marks(rapid.Permutation(values).Draw(t, "exchanged")); !parts && !slices.Equal(a, b) {
			t.Fatalf("%q has the marks %q, and %q once exchanged", values, a, b)
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add("Get INC0010001", "see INC0010002", `{"id":"INC0010001","n":5,"x":[],"y":null}`)
	f.Add(`say "a b" «c», 1,000 5% -7`, "", `{"a":"a b","b":0.05,"c":-7,"d":{"e":true}}`)
	f.Add("Turn it off for 14-18 June 2026, Q3 2026, week 7 of 2027, minus 18 and a half, not main", "", `{"enabled":false,"from":"2026-06-14","week":"2027-W07","n":-18.5,"x":["main"],"country":"PT"}`)
	f.Add("東京の天気", "e\u0301\u200b", `{"a":"東京","b":""}`)
	f.Add("\xff", "\"'", `{"\u0000":"\u0000"}`)
	f.Fuzz(func(t *testing.T, text, around, args string) {
		if schema.Check([]byte(args), schema.PlanLimits) != nil {
			return
		}
		s, _ := schema.Admit([]byte(args), schema.Options{Role: schema.Output}) // which has no root, or says something
		r, err := intent.Compare(intent.Question{Text: text, Context: around}, s.Root(), jsontext.Value(args))
		if err != nil {
			return
		}
		said := map[bool]string{false: norm.NFC.String(text), true: norm.NFC.String(around)}
		for _, l := range r.Leaves {
			if s := l.Span; s != nil && said[l.Origin == intent.Context][s.Start:s.End] != s.Text {
				t.Fatalf("%+v is not where it says", l)
			}
			if l.Origin == intent.Stated && l.Span == nil {
				t.Fatalf("%+v is stated nowhere", l)
			}
		}
		for _, u := range r.Unused {
			if said[false][u.Start:u.End] != u.Text {
				t.Fatalf("%+v is not where it says", u)
			}
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	const issue = `{"type":"object","properties":{"owner":{"type":"string"},"repo":{"type":"string"},"issue_number":{"type":"integer"},"limit":{"type":"integer","default":5}}}`
	long := func(n int, word func(i int) string) string {
		var s strings.Builder
		for i := 0; s.Len() < n; i++ {
			s.WriteString(word(i) + " ")
		}
		return s.String()[:n]
	}
	spread := func(i int) string { return fmt.Sprintf("w%d", i*7919%4001) }
	same := func(int) string { return "a" }
	values := func(word func(int) string) string {
		var all []string
		for i := range 1000 {
			all = append(all, fmt.Sprintf(`"%.60s"`, strings.Repeat(word(i)+" ", 30)))
		}
		return `{"owner":[` + strings.Join(all, ",") + `]}`
	}
	for _, c := range []struct {
		name string
		q    intent.Question
		args string
	}{
		{"Typical", intent.Question{Text: "Show me issue 1347 of octocat/hello-world, please"}, `{"owner":"octocat","repo":"hello-world","issue_number":1347,"limit":5}`},
		{"Largest", intent.Question{Text: long(32<<10, spread), Context: long(256<<10, spread)}, values(spread)},
		{"LargestAlike", intent.Question{Text: long(32<<10, same), Context: long(256<<10, same)}, values(same)},
		{"LargestUnclosed", intent.Question{Text: long(32<<10, func(int) string { return "'a" }), Context: long(256<<10, func(int) string { return `"a` })}, values(same)},
		{"LargestNumbers", intent.Question{Text: long(32<<10, func(i int) string { return strconv.Itoa(i) + " hours" }), Context: long(256<<10, spread)}, `{"issue_number":[` + strings.Repeat("7,", 1000) + "8]}"},
		{"LargestUnspaced", intent.Question{Text: long(32<<10, func(int) string { return "東京" }), Context: long(256<<10, func(int) string { return "京都" })}, values(same)},
		{"LargestAlmostAlike", intent.Question{Text: long(32<<10, same), Context: long(256<<10, same)}, strings.ReplaceAll(values(same), `a"`, `b"`)},
	} {
		said, args := root(b, issue), jsontext.Value(c.args)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := intent.Compare(c.q, said, args); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
