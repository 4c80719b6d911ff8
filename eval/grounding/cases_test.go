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

const (
	good   = `{"id":"good","kind":"made","text":"# Draft\n\nLogs are kept.","select":"kept","visible":["Draft","Logs are kept."]}`
	ofJSON = `{"id":"json","kind":"made","json":{"a":{"b":true}},"select":"true","pointer":"/a/b","visible":["a.b"],"far":true}`
	texts  = `{"id":"corpus","source":"texts","text":"It is so here. Logs are kept. It is done here.","claim":"x","evidence":"are kept","supported":false}`
)

func TestABadLineIsNamedAndNothingIsMeasured(t *testing.T) {
	t.Parallel()
	swap := func(line, from, to string) string {
		if !strings.Contains(line, from) {
			t.Fatalf("%s is not in %s", from, line)
		}
		return strings.Replace(line, from, to, 1)
	}
	for name, c := range map[string]struct{ line, want string }{
		"no JSON":              {`{"id":`, "ends too early"},
		"two values":           {good + good, "something after"},
		"null":                 {`null`, "null"},
		"invalid UTF-8":        {swap(good, `Logs`, "\xff"), "malformed"},
		"an unknown field":     {swap(good, `"kind"`, `"note":"x","kind"`), "unknown key at /note"},
		"another case":         {swap(good, `"select"`, `"Select"`), "unknown key at /Select"},
		"the same key twice":   {swap(good, `"kind"`, `"text":"x","kind"`), "same key twice"},
		"no id":                {swap(good, `"id":"good",`, ``), "without an id"},
		"no kind":              {swap(good, `"made"`, `""`), "without a kind or a source"},
		"no text":              {swap(good, `# Draft\n\nLogs are kept.`, ``), "not one of text and json"},
		"text and json":        {swap(ofJSON, `"json":{`, `"text":"x","json":{`), "not one of text and json"},
		"no selection":         {swap(good, `"kept"`, `""`), "without a selection"},
		"nothing to be shown":  {swap(good, `["Draft","Logs are kept."]`, `[]`), "without a selection, or without what has to be visible"},
		"a word for a list":    {swap(good, `["Draft","Logs are kept."]`, `"Draft"`), "another type"},
		"a claim":              {swap(good, `"kind"`, `"claim":"x","kind"`), "a row with a claim"},
		"a kind of a corpus":   {swap(texts, `"claim"`, `"kind":"x","claim"`), "what only a row with a kind has"},
		"a corpus' selection":  {swap(texts, `"claim"`, `"select":"x","claim"`), "what only a row with a kind has"},
		"no text of a corpus":  {swap(texts, `"It is so here. Logs are kept. It is done here."`, `""`), "without a text or its evidence"},
		"a number for a label": {swap(texts, `false`, `0`), "another type"},
		"the same id":          {swap(good, `"good"`, `"first"`), "is in line 1"},
	} {
		first := strings.Replace(good, `"good"`, `"first"`, 1)
		cases, err := grounding.Parse("cases.jsonl", strings.NewReader(first+"\n"+c.line+"\n"))
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

// Of a corpus' row the whole sentence has to be visible, as one who looks at
// stops and capitals alone sees it.
func TestARowOfACorpusWantsItsWholeSentence(t *testing.T) {
	t.Parallel()
	for evidence, want := range map[string]string{
		"are kept":           "Logs are kept.",
		"are kept.":          "Logs are kept.",
		"here. Logs":         "It is so here. Logs are kept.",
		"It is done":         "It is done here.",
		"so here. Logs are ": "It is so here. Logs are kept.",
	} {
		line := strings.Replace(texts, `"are kept"`, string(eval.Data(evidence)), 1)
		cases, err := grounding.Parse("c", strings.NewReader(line))
		if err != nil || cases[0].Visible[0] != want || cases[0].Kind != "texts" {
			t.Errorf("%q: %+v, %v", evidence, cases, err)
		}
	}
}

// rowLine is the start of a line that is not blank and not a comment.
var rowLine = regexp.MustCompile(`(?m)^\x{FEFF}?\s*\{`)

// FuzzParse asserts that what is read can be measured, line by line, and that
// what is refused gives nothing.
func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add(ofJSON + "\n" + texts + "\n")
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
		if r, err := grounding.Suite(cases).Run(t.Context(), eval.Options{}); r.Measured+len(r.Failures) != len(cases) {
			t.Fatalf("%d of %d measured, %v", r.Measured, len(cases), err)
		}
	})
}
