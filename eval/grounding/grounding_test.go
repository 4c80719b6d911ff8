package grounding_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/eval/grounding"
)

// made are cases of which it is known what is shown.
var made = strings.Join([]string{
	good, ofJSON, texts,
	`{"id":"hidden","kind":"made","text":"Logs are kept. They are old, though.","select":"are kept","visible":["old"]}`,
	`{"id":"far","kind":"far","text":"Logs are kept. They are old, though.","select":"are kept","visible":["old"],"far":true}`,
	`{"id":"absent","kind":"made","text":"Logs are kept.","select":"logs","visible":["Logs"]}`,
	`{"id":"elsewhere","kind":"made","json":{"a":1,"b":1},"select":"1","pointer":"/c","visible":["1"]}`,
	`{"id":"all","kind":"made","text":"Logs are\nkept.","select":"Logs","visible":["Logs are kept."]}`,
}, "\n")

func measured(t *testing.T, rows string, o eval.Options) eval.Report {
	t.Helper()
	cases, err := grounding.Parse("made", strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	r, err := grounding.Suite(cases.List).Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rate returns the rate of a figure, or nil.
func rate(r eval.Report, name, group string) *eval.Rate {
	for _, f := range r.Figures {
		if f.Name == name && f.Group == group {
			return f.Rate
		}
	}
	return nil
}

func TestHandMadeRowsHaveTheFiguresTheyWereMadeFor(t *testing.T) {
	t.Parallel()
	r := measured(t, made, eval.Options{})
	for _, want := range []struct {
		name, group string
		counted     *eval.Rate
	}{
		{"shown", "", eval.NewRate(3, 6)},
		{"shown", "made", eval.NewRate(2, 5)},
		{"shown", "texts", eval.NewRate(1, 1)},
		{"shown", "far", nil},
		{"far_shown", "", eval.NewRate(1, 2)},
		{"far_shown", "made", eval.NewRate(1, 1)},
		{"dropped", "", eval.NewRate(2, 8)},
		{"entire", "", eval.NewRate(2, 5)},
	} {
		if diff := cmp.Diff(want.counted, rate(r, want.name, want.group), cmpopts.IgnoreFields(eval.Rate{}, "Interval")); diff != "" {
			t.Errorf("%s of %q: %s", want.name, want.group, diff)
		}
	}
	if got := rate(r, "entire", ""); got.Clusters != 4 { // two of the five select from one text
		t.Errorf("%d texts in %v", got.Clusters, got)
	}
	for _, row := range r.Rows {
		want := map[string]string{"hidden": "hidden", "far": "hidden", "absent": "summary.evidence", "elsewhere": "summary.evidence"}[row.ID]
		if want == "" {
			want = "visible"
		}
		if row.Observed != want || row.Passed != (want == "visible") {
			t.Errorf("%s: %+v", row.ID, row)
		}
	}
}

func TestJobsDoNotChangeAReport(t *testing.T) {
	t.Parallel()
	one, eight := measured(t, made, eval.Options{Jobs: 1}), measured(t, made, eval.Options{Jobs: 8})
	if diff := cmp.Diff(string(eval.Data(one)), string(eval.Data(eight))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(one.Rows, eight.Rows); diff != "" {
		t.Error(diff)
	}
}

// The aim of the lock: at most 2 % of the frozen cases do not show what their
// selection hangs on. The name is that of docs/invariants.md.
func TestFrozenCasesShowTheirContext(t *testing.T) {
	t.Parallel()
	cases, err := grounding.Own()
	if err != nil || len(cases) < 150 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	r, err := grounding.Suite(cases).Run(t.Context(), eval.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if n := rate(r, "shown", ""); n.Rate < 0.98 {
		t.Errorf("of the cases %s show their context, under 98 %%", n.Counted())
	}
	if n := rate(r, "dropped", ""); n.Hits > 0 {
		t.Errorf("%s are dropped", n.Counted())
	}
	if n := rate(r, "entire", ""); n.Rate > 0.15 {
		t.Errorf("%s show all of their text: that is not a selection", n.Counted())
	}
}

const (
	takenBack = `{"id":"back","kind":"next","result":"Share the logs. That is void.","claim":"Share the logs.","needs":["is void"]}`
	ofMembers = `{"id":"member","kind":"member","result":{"structured":{"text":"Share it.","state":"void"}},"claim":"/text","needs":["\"state\":\"void\""]}`
	honest    = `{"id":"honest","kind":"honest","result":"Share the logs.","claim":"Share the logs.","needs":[]}`
)

// Cases of neighbours have figures of their own.
func TestRowsOfNeighboursHaveTheFiguresTheyWereMadeFor(t *testing.T) {
	t.Parallel()
	more := []string{
		takenBack, ofMembers, honest, good,
		strings.NewReplacer(`"back"`, `"far"`, `["is void"]`, `["is lost"]`).Replace(takenBack),
		strings.NewReplacer(`"back"`, `"gone"`, `"claim":"Share`, `"claim":"Sell`).Replace(takenBack),
		strings.NewReplacer(`"honest"`, `"lost"`, `"claim":"Share`, `"claim":"Sell`).Replace(honest),
	}
	r := measured(t, strings.Join(more, "\n"), eval.Options{})
	for name, want := range map[string]*eval.Rate{
		"misleading": eval.NewRate(1, 4), "unshown": eval.NewRate(1, 4), "honest_lost": eval.NewRate(1, 2), "shown": eval.NewRate(1, 1),
	} {
		if diff := cmp.Diff(want, rate(r, name, "")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// The frozen cases of neighbours: what the first run found, and no worse since.
// The aim, 5 %, is not reached.
func TestNeighboursAreShown(t *testing.T) {
	t.Parallel()
	cases, err := grounding.Read(filepath.FromSlash("../cases/neighbours.jsonl"))
	if err != nil || len(cases.List) != 90 {
		t.Fatalf("%+v, %v", cases.Unasked, err)
	}
	r, err := grounding.Suite(cases.List).Run(t.Context(), eval.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if n := rate(r, "misleading", ""); n.Rate > 0.14 {
		t.Errorf("%s mislead", n.Counted())
	}
	if n := rate(r, "honest_lost", ""); n.Rate > 0.02 {
		t.Errorf("of the honest %s are lost", n.Counted())
	}
}

// A stretch of a text is shown with its whole sentence.
func TestStretchesOfPublicCorporaAreShownWhole(t *testing.T) {
	t.Parallel()
	cases, err := grounding.Read(corpus.Path(t, filepath.FromSlash("cases/grounding.jsonl")))
	if err != nil {
		t.Fatal(err)
	}
	r, err := grounding.Suite(cases.List).Run(t.Context(), eval.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Rows {
		if row.Observed == "hidden" {
			t.Errorf("%s: %s", row.ID, row.Detail)
		}
	}
	if n := rate(r, "dropped", ""); n.Rate > 0.01 {
		t.Errorf("%s are dropped", n.Counted())
	}
}
