package eval_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/verdict"
)

// reported is a report of one figure for each of "name hits of better".
func reported(figures ...eval.Figure) eval.Report {
	return eval.Report{SchemaVersion: eval.SchemaVersion, Suite: "made", Digest: "sha256:a", Complete: true, Figures: figures}
}

func figure(name string, hits, of int, better eval.Direction) eval.Figure {
	return eval.Figure{Name: name, Rate: eval.NewRate(hits, of), Better: better}
}

func TestAComparisonSaysWhatBecameBetterOrWorse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after []eval.Figure
		tolerance     float64
		was           string // "" for no change
		regressions   int
	}{
		"the same":                 {f(figure("x", 5, 10, eval.Higher)), f(figure("x", 5, 10, eval.Higher)), 0, "", 0},
		"the same of more":         {f(figure("x", 5, 10, eval.Higher)), f(figure("x", 50, 100, eval.Higher)), 0, eval.More, 1},
		"better, of more rows":     {f(figure("x", 5, 10, eval.Lower)), f(figure("x", 0, 11, eval.Lower)), .5, eval.More, 1},
		"worse, of more rows":      {f(figure("x", 0, 10, eval.Lower)), f(figure("x", 1, 11, eval.Lower)), 0, eval.Worse, 1},
		"higher where higher":      {f(figure("x", 5, 10, eval.Higher)), f(figure("x", 6, 10, eval.Higher)), 0, eval.Better, 0},
		"lower where higher":       {f(figure("x", 5, 10, eval.Higher)), f(figure("x", 4, 10, eval.Higher)), 0, eval.Worse, 1},
		"higher where lower":       {f(figure("x", 0, 1000, eval.Lower)), f(figure("x", 1, 1000, eval.Lower)), 0, eval.Worse, 1},
		"lower where lower":        {f(figure("x", 1, 10, eval.Lower)), f(figure("x", 0, 10, eval.Lower)), 0, eval.Better, 0},
		"higher where neither":     {f(figure("x", 1, 10, eval.Neither)), f(figure("x", 2, 10, eval.Neither)), 0, eval.Changed, 0},
		"lower where neither":      {f(figure("x", 1, 10, eval.Neither)), f(figure("x", 0, 10, eval.Neither)), 0, eval.Changed, 0},
		"within the tolerance":     {f(figure("x", 50, 100, eval.Higher)), f(figure("x", 48, 100, eval.Higher)), .03, "", 0},
		"beyond the tolerance":     {f(figure("x", 50, 100, eval.Higher)), f(figure("x", 46, 100, eval.Higher)), .03, eval.Worse, 1},
		"better beyond it":         {f(figure("x", 50, 100, eval.Higher)), f(figure("x", 54, 100, eval.Higher)), .03, eval.Better, 0},
		"fewer rows":               {f(figure("x", 0, 1000, eval.Lower)), f(figure("x", 0, 999, eval.Lower)), .5, eval.Fewer, 1},
		"better, of fewer rows":    {f(figure("x", 5, 10, eval.Lower)), f(figure("x", 0, 5, eval.Lower)), 0, eval.Fewer, 1},
		"worse, of fewer rows":     {f(figure("x", 5, 10, eval.Lower)), f(figure("x", 5, 5, eval.Lower)), 0, eval.Worse, 1},
		"fewer rows, of neither":   {f(figure("x", 5, 10, eval.Neither)), f(figure("x", 4, 8, eval.Neither)), 0, eval.Fewer, 1},
		"gone":                     {f(figure("x", 5, 10, eval.Lower)), nil, .5, eval.Gone, 1},
		"gone, of neither":         {f(figure("x", 5, 10, eval.Neither)), nil, 0, eval.Gone, 1},
		"new":                      {nil, f(figure("x", 5, 10, eval.Lower)), 0, eval.New, 0},
		"the old direction counts": {f(figure("x", 5, 10, eval.Higher)), f(figure("x", 4, 10, eval.Lower)), 0, eval.Worse, 1},
	} {
		got, err := eval.Compare(reported(c.before...), reported(c.after...), c.tolerance)
		if err != nil || got.Regressions != c.regressions || got.Suite != "made" {
			t.Errorf("%s: %v, %+v", name, err, got)
			continue
		}
		if was := verdicts(got); c.was == "" && (got.Same != 1 || len(was) > 0) || c.was != "" && (got.Same != 0 || cmp.Diff([]string{"x " + c.was}, was) != "") {
			t.Errorf("%s: %d the same, %v", name, got.Same, was)
		}
	}
}

func f(figures ...eval.Figure) []eval.Figure { return figures }

func verdicts(c eval.Comparison) []string {
	var list []string
	for _, ch := range c.Changes {
		list = append(list, strings.TrimSpace(strings.Join([]string{ch.Agent, ch.Group, ch.Half, ch.Name, ch.Was}, " ")))
		list[len(list)-1] = strings.Join(strings.Fields(list[len(list)-1]), " ")
	}
	return list
}

func TestFiguresAreComparedInTheirPlace(t *testing.T) {
	t.Parallel()
	at := func(agent, group, half string, hits int) eval.Figure {
		f := figure("x", hits, 10, eval.Higher)
		f.Agent, f.Group, f.Half = agent, group, half
		return f
	}
	before := reported(at("p", "", "", 5), at("p", "g", "", 5), at("p", "g", "1", 5), at("q", "g", "1", 5), at("p", "h", "", 5))
	after := reported(at("q", "g", "1", 6), at("p", "g", "1", 4), at("p", "g", "", 5), at("p", "", "", 5), at("p", "i", "", 5))
	c, err := eval.Compare(before, after, 0)
	want := []string{"p g 1 x worse", "p h x gone", "q g 1 x better", "p i x new"}
	if diff := cmp.Diff(want, verdicts(c)); err != nil || diff != "" || c.Same != 2 || c.Regressions != 2 {
		t.Errorf("%v, %+v: %s", err, c, diff)
	}
	if ch := c.Changes[1]; ch.Before == nil || ch.After != nil {
		t.Errorf("gone is %+v", ch)
	}
	if ch := c.Changes[3]; ch.Before != nil || ch.After == nil {
		t.Errorf("new is %+v", ch)
	}
}

// Planner and policy are what is compared. Cases are not: as many easier ones
// would look like progress.
func TestOnlyReportsOfTheSameCasesAreHeldAgainstEachOther(t *testing.T) {
	t.Parallel()
	before := reported(figure("x", 1, 2, eval.Higher))
	before.Subject, before.Seed, before.Policy, before.Cases = "embedded", "1", "sha256:p", 2
	none := before
	none.Digest = ""
	for name, c := range map[string]struct {
		before       eval.Report
		change       func(*eval.Report)
		notes, other int
	}{
		"the same":          {before, func(*eval.Report) {}, 0, 0},
		"another file":      {before, func(r *eval.Report) { r.File = "/elsewhere/cases.jsonl" }, 0, 0},
		"another policy":    {before, func(r *eval.Report) { r.Policy = "sha256:q" }, 1, 0},
		"another planner":   {before, func(r *eval.Report) { r.Policy, r.Subject = "sha256:q", "a model" }, 2, 0},
		"other cases":       {before, func(r *eval.Report) { r.Digest = "sha256:b" }, 0, 1},
		"another seed":      {before, func(r *eval.Report) { r.Digest, r.Seed = "sha256:b", "" }, 1, 1},
		"more cases":        {before, func(r *eval.Report) { r.Digest, r.Cases = "sha256:b", 3 }, 0, 2},
		"a number made up":  {before, func(r *eval.Report) { r.Cases = 3 }, 0, 1},
		"no digest after":   {before, func(r *eval.Report) { r.Digest = "" }, 0, 1},
		"no digest before":  {none, func(r *eval.Report) { r.Digest = "sha256:a" }, 0, 1},
		"no digest of both": {none, func(*eval.Report) {}, 0, 1},
	} {
		after := c.before
		c.change(&after)
		got, err := eval.Compare(c.before, after, .5)
		if err != nil || len(got.Notes) != c.notes || len(got.Other) != c.other || got.Same != 1 || got.Regressions > 0 {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
		if got.Failed() != (c.other > 0) {
			t.Errorf("%s: failed %v", name, got.Failed())
		}
	}
}

func TestWhatCannotBeComparedIsRefused(t *testing.T) {
	t.Parallel()
	good := reported(figure("x", 1, 2, eval.Higher))
	other := good
	other.Suite = "other"
	half := good
	half.Complete = false
	for name, c := range map[string]struct{ before, after eval.Report }{
		"another suite":      {good, other},
		"unfinished before":  {half, good},
		"unfinished after":   {good, half},
		"unfinished, both":   {half, half},
		"nothing with a one": {eval.Report{}, good},
	} {
		if got, err := eval.Compare(c.before, c.after, 0); verdict.CodeOf(err) != verdict.UsageArgument || len(got.Changes) > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func savedReport(t *testing.T, r eval.Report) string {
	t.Helper()
	path, err := eval.Save(t.TempDir(), "metrics.json", r)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAReportIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	_, r, err := run(t, t.Context(), suite(12, nil), eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Extra = []byte(`{"policy_gate":{"total_cases":3}}`) // what another shape asks for
	got, err := eval.ReadReport(savedReport(t, r))
	if diff := cmp.Diff(r.Figures, got.Figures); err != nil || diff != "" || got.Suite != "made" || !got.Complete {
		t.Errorf("%v: %s", err, diff)
	}
}

func TestABrokenReportIsRefused(t *testing.T) {
	t.Parallel()
	good := text(t, savedReport(t, reported(figure("x", 1, 2, eval.Higher))))
	swap := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("%s is not in %s", from, good)
		}
		return strings.Replace(good, from, to, 1)
	}
	for name, doc := range map[string]string{
		"nothing":            "",
		"no JSON":            "# injection\n",
		"half of it":         good[:len(good)/2],
		"something after":    good + "{}",
		"another document":   `{"outcome":"blocked"}`,
		"a list":             "[" + good + "]",
		"another version":    swap(`"schema_version": 1`, `"schema_version": 2`),
		"no version":         swap(`"schema_version": 1,`, ``),
		"no suite":           swap(`"suite": "made"`, `"suite": ""`),
		"a key twice":        swap(`"suite": "made"`, `"suite": "made", "suite": "made"`),
		"another direction":  swap(`"better": "higher"`, `"better": "Higher"`),
		"a figure twice":     text(t, savedReport(t, reported(figure("x", 1, 2, eval.Higher), figure("x", 2, 2, eval.Higher)))),
		"a rate of nothing":  swap(`"of": 2`, `"of": 0`),
		"a negative rate":    swap(`"hits": 1`, `"hits": -1`),
		"more than all":      swap(`"hits": 1`, `"hits": 3`),
		"a fraction of rows": swap(`"hits": 1`, `"hits": 0.5`),
		"no figures":         text(t, savedReport(t, reported())),
		"a figure of null":   text(t, savedReport(t, reported(eval.Figure{Name: "x"}))),
	} {
		path := filepath.Join(t.TempDir(), "metrics.json")
		if err := os.WriteFile(path, []byte(doc), 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := eval.ReadReport(path); verdict.CodeOf(err) != verdict.UsageArgument || r.Suite != "" || len(r.Figures) > 0 {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
	}
	if _, err := eval.ReadReport(filepath.Join(t.TempDir(), "none")); verdict.CodeOf(err) != verdict.UsageArgument {
		t.Errorf("no file: %v", err)
	}
}

// A rate that was edited is not believed: what was counted is compared.
func TestARateIsWhatWasCounted(t *testing.T) {
	t.Parallel()
	r := reported(figure("x", 1, 2, eval.Higher))
	counted := eval.NewRate(1, 2)
	none := &eval.Rate{Hits: 1, Of: 2, Rate: .5}
	clusters := &eval.Rate{Hits: 1, Of: 2, Rate: .5, Interval: &eval.Interval{Low: .4, High: .6, Clusters: 2}}
	for name, c := range map[string]struct {
		said eval.Interval
		want *eval.Rate
	}{
		"of rows":                {eval.Interval{Low: .98, High: 1}, counted},
		"of clusters":            {eval.Interval{Low: .4, High: .6, Clusters: 2}, clusters},
		"away from its rate":     {eval.Interval{Low: .6, High: .7, Clusters: 2}, counted},
		"beyond what a share is": {eval.Interval{Low: -1, High: 2, Clusters: 2}, counted},
	} {
		r.Figures[0].Rate = &eval.Rate{Hits: 1, Of: 2, Rate: .99, Interval: &c.said}
		got, err := eval.ReadReport(savedReport(t, r))
		if diff := cmp.Diff(c.want, got.Figures[0].Rate); err != nil || diff != "" {
			t.Errorf("%s: %v: %s", name, err, diff)
		}
	}
	r.Figures[0].Rate = &eval.Rate{Hits: 1, Of: 2, Rate: .99}
	got, err := eval.ReadReport(savedReport(t, r))
	if diff := cmp.Diff(none, got.Figures[0].Rate); err != nil || diff != "" {
		t.Errorf("%v: %s", err, diff)
	}
}

// FuzzReadReport asserts that what is read can be compared with itself, and
// is read the same from where it is written again.
func FuzzReadReport(fz *testing.F) {
	fz.Add(`{"schema_version":1,"suite":"s","complete":true,"figures":[{"name":"x","rate":{"hits":1,"of":2}}]}`)
	fz.Add(`{"schema_version":1,"suite":"s","figures":[{"name":"x","better":"lower","rate":{"hits":2,"of":2}},{"name":"y","rate":{"hits":0,"of":1}}],"more":{"a":[1e5]}}`)
	fz.Add(`{"schema_version":1,"suite":"s","figures":[{"rate":{"of":-1}}]}`)
	fz.Add(`[]`)
	fz.Fuzz(func(t *testing.T, doc string) {
		path := filepath.Join(t.TempDir(), "metrics.json")
		if err := os.WriteFile(path, []byte(doc), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := eval.ReadReport(path)
		if err != nil {
			if verdict.CodeOf(err) != verdict.UsageArgument || r.SchemaVersion != 0 {
				t.Fatalf("%+v beside %v", r, err)
			}
			return
		}
		again, err := eval.ReadReport(savedReport(t, r))
		if diff := cmp.Diff(r.Figures, again.Figures); err != nil || diff != "" {
			t.Fatalf("%v: %s", err, diff)
		}
		r.Complete = true
		if c, err := eval.Compare(r, r, 0); err != nil || c.Same != len(r.Figures) {
			t.Fatalf("%v: %+v", err, c)
		}
	})
}
