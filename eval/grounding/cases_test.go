package grounding_test

import (
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

func TestARowThatCannotBeJudgedIsNotAsked(t *testing.T) {
	t.Parallel()
	swap := func(line, from, to string) string {
		if !strings.Contains(line, from) {
			t.Fatalf("%s is not in %s", from, line)
		}
		return strings.Replace(line, from, to, 1)
	}
	for name, c := range map[string]struct{ line, want string }{
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
		"needs without a kind": {swap(honest, `"kind":"honest"`, `"kind":""`), "without its kind"},
		"no needs":             {swap(honest, `,"needs":[]`, ``), "without its kind, claim or needs"},
		"a result of a number": {swap(ofMembers, `{"structured":{"text":"Share it.","state":"void"}}`, `7`), "neither a text nor structured"},
		"a result of more":     {swap(ofMembers, `}},"claim"`, `},"more":1},"claim"`), "neither a text nor structured"},
		"a result and a text":  {swap(honest, `"claim"`, `"text":"x","claim"`), "what only others have"},
		"a number for a label": {swap(texts, `false`, `0`), "another type"},
	} {
		first := strings.Replace(good, `"good"`, `"first"`, 1)
		cases, err := grounding.Parse("c", strings.NewReader(first+"\n"+c.line))
		if err != nil || len(cases.List) != 1 || len(cases.Unasked) != 1 || !strings.Contains(cases.Unasked[0].Reason, c.want) {
			t.Errorf("%s: %v, %+v", name, err, cases)
		}
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
		if err != nil || cases.List[0].Visible[0] != want || cases.List[0].Kind != "texts" {
			t.Errorf("%q: %+v, %v", evidence, cases, err)
		}
	}
}

// FuzzParse asserts that what is read can be measured, and that what is refused
// gives nothing.
func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add(ofJSON + "\n" + texts + "\n")
	f.Add(takenBack + "\n" + ofMembers)
	f.Add("\n")
	f.Fuzz(func(t *testing.T, text string) {
		cases, err := grounding.Parse("c", strings.NewReader(text))
		if err != nil {
			if cases.List != nil || verdict.CodeOf(err) != verdict.EvalCases {
				t.Fatalf("%d cases beside %v", len(cases.List), err)
			}
			return
		}
		if r, err := grounding.Suite(cases.List).Run(t.Context(), eval.Options{}); r.Measured+len(r.Failures) != len(cases.List) {
			t.Fatalf("%d of %d measured, %v", r.Measured, len(cases.List), err)
		}
	})
}
