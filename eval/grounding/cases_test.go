package grounding_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/grounding"
	"github.com/onestep-run/onestep/gate/verdict"
)

// row is a line of a case file.
func row(id, text, claim, evidence string, supported bool) string {
	return string(eval.Data(map[string]any{
		"id": id, "source": "made", "text": text, "claim": claim, "evidence": evidence, "supported": supported,
	}))
}

var good = row("good", "Logs are kept.", "Logs are.", "Logs are kept.", true)

func TestABadLineIsNamedAndNothingIsMeasured(t *testing.T) {
	t.Parallel()
	swap := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("%s is not in %s", from, good)
		}
		return strings.Replace(good, from, to, 1)
	}
	for name, c := range map[string]struct{ line, want string }{
		"no JSON":              {`{"id":`, "ends too early"},
		"two values":           {good + good, "something after"},
		"null":                 {`null`, "null"},
		"invalid UTF-8":        {swap(`Logs`, "\xff"), "malformed"},
		"half a surrogate":     {swap(`Logs`, `\ud800`), "malformed"},
		"an unknown field":     {swap(`"source"`, `"note":"x","source"`), "unknown key at /note"},
		"another case":         {swap(`"claim"`, `"Claim"`), "unknown key at /Claim"},
		"the same key twice":   {swap(`"source"`, `"text":"x","source"`), "same key twice"},
		"no id":                {swap(`"id":"good",`, ``), "without an id"},
		"no source":            {swap(`"made"`, `""`), "without a source"},
		"no text":              {swap(`"text":"Logs are kept."`, `"text":""`), "without a text"},
		"no claim":             {swap(`"claim":"Logs are.",`, ``), "without a claim"},
		"null for evidence":    {swap(`"evidence":"Logs are kept."`, `"evidence":null`), "without a claim or its evidence"},
		"no label":             {swap(`"supported":true,`, ``), "whether the claim is supported"},
		"null for a label":     {swap(`"supported":true`, `"supported":null`), "whether the claim is supported"},
		"a word for a label":   {swap(`"supported":true`, `"supported":"yes"`), "another type"},
		"a number for a label": {swap(`"supported":true`, `"supported":1`), "another type"},
		"the same id":          {row("first", "a", "b", "c", false), "is in line 1"},
	} {
		cases, err := grounding.Parse("cases.jsonl", strings.NewReader(row("first", "a", "b", "c", true)+"\n"+c.line+"\n"))
		if cases != nil || verdict.CodeOf(err) != verdict.EvalCases || !strings.Contains(err.Error(), "cases.jsonl:2: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d cases, %v", name, len(cases), err)
		}
	}
}

func TestAFileWithoutRowsIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := grounding.Parse("c", strings.NewReader("")); verdict.CodeOf(err) != verdict.EvalCases || !strings.Contains(err.Error(), "no rows") {
		t.Error(err)
	}
	if _, err := grounding.Read(filepath.Join(t.TempDir(), "none")); verdict.CodeOf(err) != verdict.EvalCases || !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// rowLine is the start of a line that is not blank and not a comment.
var rowLine = regexp.MustCompile(`(?m)^\x{FEFF}?\s*\{`)

// FuzzParse asserts that what is read can be measured, line by line, and that
// what is refused gives nothing.
func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add(good + "\n" + row("b", handbook, "", "\x00", false) + "\n")
	f.Add(row("c", "We don't share a (b) c, who is d, in 7 days if e may.", "x", "y", false))
	f.Add("\n")
	f.Fuzz(func(t *testing.T, text string) {
		cases, err := grounding.Parse("c", strings.NewReader(text))
		if err != nil {
			if cases != nil || verdict.CodeOf(err) != verdict.EvalCases {
				t.Fatalf("%d cases beside %v", len(cases), err)
			}
			return
		}
		if lines := len(rowLine.FindAllString(text, -1)); len(cases) != lines {
			t.Fatalf("%d cases of %d lines", len(cases), lines)
		}
		if r, err := grounding.Suite(cases).Run(t.Context(), eval.Options{}); err != nil || r.Measured != len(cases) {
			t.Fatalf("%d of %d measured, %v", r.Measured, len(cases), err)
		}
	})
}
