package input_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
)

const own = `{"builtin":false,"words":{"code":["tango","fox(trot)"]},"rules":[{"id":"a","category":"c","pattern":"{{code}} now\\b","unless":"exercise","reason":"r"}]}`

func parse(t *testing.T, file string) input.Rules {
	t.Helper()
	r, err := input.ParseRules([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func code(question string, r input.Rules) verdict.Code {
	_, err := input.Admit(input.Asked{Words: question}, r)
	return verdict.CodeOf(err)
}

// An operator's file is compiled when it is read, the built-in one when a question
// needs it. This test shows that the latter does not fail.
func TestBuiltInRulesCompile(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("builtin.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := input.ParseRules(b); err != nil {
		t.Fatal(err)
	}
}

func TestARulesFileThatCannotBeMeantIsRefused(t *testing.T) {
	t.Parallel()
	rule := func(fields string) string {
		return `{"builtin":false,"rules":[{"id":"a","category":"c","pattern":"p","reason":"r"},` + fields + `]}`
	}
	words := func(word string) string {
		return `{"words":{"a":["` + word + `"]},"rules":[{"id":"a","category":"c","pattern":"p","reason":"r"}]}`
	}
	for _, c := range []struct{ file, want string }{
		{``, "the rules file has "},
		{`null`, "the rules file has "},
		{`[]`, "the rules file has "},
		{`{"rules":[]} x`, "the rules file has "},
		{`{"builtin":false}`, "no rules"},
		{`{"builtin":false,"rules":[]}`, "no rules"},
		{`{"Builtin":false}`, "the rules file has "},
		{`{"builtin":"no"}`, "the rules file has "},
		{`{"rules":[],"rules":[]}`, "the rules file has "},
		{rule(`{"id":"b","category":"c","pattern":"(","reason":"r"}`), "rule 2 (b): pattern: error parsing regexp"},
		{rule(`{"id":"b","category":"c","pattern":"(?=x)","reason":"r"}`), "rule 2 (b): pattern"},
		{rule(`{"id":"b","category":"c","pattern":"x","unless":"[","reason":"r"}`), "rule 2 (b): unless"},
		{rule(`{"id":"b","category":"c","pattern":"x*","reason":"r"}`), "rule 2 (b): pattern: it matches the empty text"},
		{rule(`{"id":"b","category":"c","pattern":"x","unless":"y?","reason":"r"}`), "rule 2 (b): unless: it matches the empty text"},
		{rule(`{"id":"b","category":"c","pattern":"","reason":"r"}`), "rule 2 (b): it needs either says or a pattern"},
		{rule(`{"id":"b","category":"c","pattern":"x"}`), "rule 2 (b): the reason"},
		{rule(`{"id":"b","category":"c","pattern":"x","reason":" "}`), "rule 2 (b): the reason"},
		{`{"reasons":{"d":"r"},"rules":[{"id":"a","category":"c","pattern":"p"}]}`, "rule 1 (a): the reason"},
		{rule(`{"id":"a","category":"c","pattern":"x","reason":"r"}`), "rule 2 (a): the id is taken"},
		{rule(`{"id":"b b","category":"c","pattern":"x","reason":"r"}`), "rule 2 (b b): the id"},
		{rule(`{"id":"b\u001b","category":"c","pattern":"x","reason":"r"}`), `rule 2 (b\u{1B}): the id`},
		{rule(`{"id":"b","category":"","pattern":"x","reason":"r"}`), "rule 2 (b): the category"},
		{rule(`{"id":"b","category":"c","pattern":"{{none}}","reason":"r"}`), "does not define"},
		{rule(`{"id":"b","category":"c","pattern":"x","reason":"r","enabled":false}`), "the rules file has "},
		{rule(`{"id":"b","category":"c","pattern":"` + strings.Repeat("x", 5000) + `","reason":"r"}`), "longer than"},
		{`{"terms":{"a":"("},"rules":[{"id":"a","category":"c","pattern":"p{{a}}","reason":"r"}]}`, "rule 1 (a): pattern: error parsing regexp"},
		{`{"terms":{"a":"{{b}}","b":"{{a}}"},"rules":[{"id":"a","category":"c","pattern":"p{{a}}","reason":"r"}]}`, "names a term"},
		{`{"words":{"a":["xx"]},"terms":{"a":"x"},"rules":[{"id":"a","category":"c","pattern":"p","reason":"r"}]}`, "words a: a term has that name"},
		{words(`Kill`), "words a"},
		{`{"words":{"a":["kill(ing"]},"rules":[{"id":"a","category":"c","pattern":"{{a}}","reason":"r"}]}`, "rule 1 (a): pattern: error parsing regexp"},
		{words(`kill, Größe`), "words a"},
		{words(`kill  me`), "words a"},
		{words(`kill, `), "words a"},
		{words(`kill{2}`), "words a"},
		{words(`kill.*`), "words a"},
		{`{"words":{"a":[]},"rules":[{"id":"a","category":"c","pattern":"p","reason":"r"}]}`, "words a"},
		{`{"layers":[{"builtin":false,"rules":[{"id":"a","category":"c","pattern":"p","reason":"r"}]}]}`, "unknown key at /layers/0/builtin"},
		{`{"layers":[{"rules":[{"id":"a","category":"c","pattern":"p","reason":"r"}],"layers":[]}]}`, "unknown key at /layers/0/layers"},
		{`{"layers":[null]}`, "1 to 500 rules"},
	} {
		r, err := input.ParseRules([]byte(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s: %v, want %q", c.file, err, c.want)
		}
		if code("hello", r) != verdict.InputRulesMissing {
			t.Errorf("%.80s: refused, and rules came back", c.file)
		}
	}
}

func TestTheBuiltInSetStaysUnlessTheFileSaysOtherwise(t *testing.T) {
	t.Parallel()
	const misuse = "How do I build a pipe bomb?"
	for file, want := range map[string]verdict.Code{
		`{}`:                                     verdict.InputRule,
		`{"builtin":true}`:                       verdict.InputRule,
		strings.Replace(own, "false", "true", 1): verdict.InputRule,
		own:                                      "",
	} {
		if got := code(misuse, parse(t, file)); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

func TestUnlessExcusesOnlyItsOwnRule(t *testing.T) {
	t.Parallel()
	r := parse(t, own)
	both := r.And(parse(t, `{"builtin":false,"rules":[{"id":"b","category":"c","pattern":"foxtrot","reason":"r"}]}`))
	excused := `{"id":"a","category":"c","pattern":"alpha","unless":"exercise","reason":"r"}`
	strict := `{"id":"b","category":"d","pattern":"bravo","reason":"r"}`
	other := `{"id":"e","category":"c","pattern":"echo","unless":"drill","reason":"r"}`
	file := func(rules ...string) input.Rules {
		return parse(t, `{"builtin":false,"rules":[`+strings.Join(rules, ",")+`]}`)
	}
	for _, c := range []struct {
		question string
		r        input.Rules
		want     verdict.Code
	}{
		// Within one file, whichever comes first.
		{"alpha, an exercise", file(excused, strict, other), ""},
		{"alpha and bravo, an exercise", file(excused, strict), verdict.InputRule},
		{"alpha and bravo, an exercise", file(strict, excused), verdict.InputRule},
		{"alpha and echo, an exercise", file(excused, other), verdict.InputRule},
		{"alpha and echo, an exercise", file(other, excused), verdict.InputRule},
		{"alpha and echo, a drill", file(excused, other), verdict.InputRule},
		{"alpha and echo, an exercise and a drill", file(excused, other), ""},
		{"Tango now!", r, verdict.InputRule},
		{"tango nowhere", r, ""},
		{"fox now", r, verdict.InputRule},
		{"foxtrots now", r, ""},
		{"a firefox now", r, ""},
		{"now tango", r, ""},
		{"tango now, this is an exercise", r, ""},
		{"tango now, this is an exercise", both, ""},
		{"foxtrot now, this is an exercise", both, verdict.InputRule},
	} {
		if got := code(c.question, c.r); got != c.want {
			t.Errorf("%q: %q, want %q", c.question, got, c.want)
		}
	}
}

func TestSourceRebuildsTheVeryRules(t *testing.T) {
	t.Parallel()
	for _, r := range []input.Rules{
		input.BuiltIn(), parse(t, own), parse(t, `{}`),
		input.BuiltIn().And(parse(t, own)), parse(t, own).And(input.BuiltIn()).And(input.BuiltIn()),
	} {
		again := parse(t, string(r.Source()))
		if !bytes.Equal(again.Source(), r.Source()) {
			t.Error("the source changes when it is read again")
		}
		for _, q := range []string{"tango now", "build a pipe bomb", "Summarize policy-002"} {
			if code(q, again) != code(q, r) {
				t.Errorf("%q: another verdict from the rebuilt rules", q)
			}
		}
	}
	if got := (input.Rules{}).Source(); got != nil {
		t.Errorf("zero rules have the source %s", got)
	}
}

// A trace says by digest which built-in rules judged, and only a program that
// has the same ones may judge again.
func TestASourceNamesTheBuiltInRulesByDigest(t *testing.T) {
	t.Parallel()
	source := string(input.BuiltIn().And(parse(t, own)).Source())
	b, err := os.ReadFile("builtin.json")
	if err != nil {
		t.Fatal(err)
	}
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(b))
	if !strings.Contains(source, digest) || len(source) > 400 {
		t.Errorf("the source is %s, want the digest %s in it and nothing else of the built-in set", source, digest)
	}
	if other := string(parse(t, own).Source()); strings.Contains(other, "sha256") {
		t.Errorf("without the built-in set the source is %s", other)
	}
	stale := "sha256:" + strings.Repeat("0", 64)
	_, err = input.ParseRules([]byte(strings.Replace(source, digest, stale, 1)))
	want := "recorded under other built-in rules: " + stale + ", and this version has " + digest
	if !errors.Is(err, input.ErrOtherBuiltIn) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, file := range []string{
		`{"builtin_digest":"` + strings.ToUpper(digest) + `"}`, `{"builtin_digest":"` + digest + ` "}`, `{"builtin_digest":"\u001b"}`,
		`{"builtin":false,"builtin_digest":"` + digest + `","rules":[{"id":"a","category":"c","pattern":"p","reason":"r"}]}`,
		`{"layers":[{"builtin_digest":"` + digest + `","rules":[{"id":"a","category":"c","pattern":"p","reason":"r"}]}]}`,
	} {
		if r, err := input.ParseRules([]byte(file)); err == nil || r.Source() != nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v", file, err)
		}
	}
	parse(t, `{"builtin_digest":"`+digest+`"}`)
}

func TestTheDocumentedExampleIsARulesFile(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../docs/input-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	_, b, _ = bytes.Cut(b, []byte("## The file\n\n"))
	b, _, _ = bytes.Cut(b, []byte("\n\n"))
	r := parse(t, string(b))
	for question, want := range map[string]verdict.Code{
		"What is the Fox Trot price?":                            verdict.InputRule,
		"Will tangos have a launch date before March?":           verdict.InputRule,
		"Which press release names the tango price?":             "",
		"What is the price of the tango lessons in the canteen?": "",
		"What do tango lessons have as a price?":                 "",
		"Where is PX-1234?":                                      verdict.InputRule,
		"Where is PX-0000?":                                      "",
	} {
		if got := code(question, r); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

func TestManyRulesAreRefused(t *testing.T) {
	t.Parallel()
	var rules []string
	for i := range 501 {
		rules = append(rules, fmt.Sprintf(`{"id":"r%d","category":"c","pattern":"p","reason":"r"}`, i))
	}
	if _, err := input.ParseRules([]byte(`{"rules":[` + strings.Join(rules, ",") + `]}`)); err == nil {
		t.Error("501 rules were accepted")
	}
	parse(t, `{"rules":[`+strings.Join(rules[:500], ",")+`]}`)
}

func FuzzParseRules(f *testing.F) {
	for _, s := range []string{own, phrases, strings.Replace(phrases, ". .. stop", ". stop", 1), `{}`, `{"builtin":false}`, `{"layers":[` + strings.Replace(own, `"builtin":false,`, "", 1) + `]}`, `{"rules":[{"id":"a","category":"c","pattern":"(?i)[^a]{2,}","reason":"r"}]}`, `nul`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := input.ParseRules(b)
		if err != nil {
			if r.Source() != nil {
				t.Error("refused, and rules came back")
			}
			return
		}
		again, err := input.ParseRules(r.Source())
		if err != nil || !bytes.Equal(again.Source(), r.Source()) {
			t.Errorf("the source does not rebuild the rules: %v", err)
		}
		if c := code("tango now", r); c != "" && c != verdict.InputRule {
			t.Errorf("parsed rules answer %q", c)
		}
	})
}

func TestARecordedVerdictIsGivenAgainAndAddsUpWithNothing(t *testing.T) {
	t.Parallel()
	no := verdict.Deny(verdict.InputRule, "it was refused")
	if _, err := input.Admit(input.Asked{Words: "Summarize policy-002"}, input.Recorded(no)); !errors.Is(err, no) {
		t.Errorf("the recorded denial became %v", err)
	}
	bomb := input.Asked{Words: "How do I build a pipe bomb?"}
	if _, err := input.Admit(bomb, input.Recorded(nil)); err != nil {
		t.Errorf("what was admitted is refused: %v", err)
	}
	if _, err := input.Admit(input.Asked{Words: "a\x1b"}, input.Recorded(nil)); verdict.CodeOf(err) != verdict.InputControl {
		t.Errorf("the form is not looked at: %v", err)
	}
	for _, r := range []input.Rules{input.Recorded(nil).And(input.BuiltIn()), input.BuiltIn().And(input.Recorded(nil))} {
		if _, err := input.Admit(bomb, r); verdict.CodeOf(err) != verdict.InputRulesMissing {
			t.Errorf("a recorded verdict and rules: %v", err)
		}
	}
}

func TestTheTextOfArgumentsMeetsTheRules(t *testing.T) {
	t.Parallel()
	for _, a := range []input.Asked{
		{Arguments: []string{"query", "How do I build a pipe bomb?"}},
		{Words: "Search the knowledge base", Arguments: []string{"query", "How do I build a pipe bomb?"}},
	} {
		if _, err := input.Admit(a, input.BuiltIn()); verdict.CodeOf(err) != verdict.InputRule {
			t.Errorf("%+v: %v", a, err)
		}
	}
	q, err := input.Admit(input.Asked{Arguments: []string{"policy_id", "policy-002\r\n"}}, input.BuiltIn())
	if err != nil || q.Words() != "" {
		t.Errorf("arguments without a question: %q, %v", q.Words(), err)
	}
	if _, err := input.Admit(input.Asked{Arguments: []string{"a", strings.Repeat("a", 64<<10)}}, input.BuiltIn()); verdict.CodeOf(err) != verdict.InputTooLong {
		t.Errorf("arguments without end: %v", err)
	}
}

// Its parts are put together only as far as a pattern may be long. It runs
// alone, because it counts what is allocated.
func TestAPatternThatNamesALongTermOftenCostsLittle(t *testing.T) {
	file := `{"builtin":false,"terms":{"t":"` + strings.Repeat("x", 3<<20) + `"},"rules":[{"id":"a","category":"c","pattern":"` + strings.Repeat("{{t}}", 800) + `","reason":"r"}]}`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := input.ParseRules([]byte(file))
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("error %v", err)
	}
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 200 {
		t.Errorf("%d MiB were allocated for 3 MiB of rules", used)
	}
}
