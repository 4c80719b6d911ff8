package grounding_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/eval/grounding"
)

const (
	vault    = "The old logs of the team are kept in the vault."
	vendors  = "We never share the data of the customers with vendors."
	handbook = vault + " " + vendors
)

// made are claims of which it is known how each level takes them.
var made = strings.Join([]string{
	row("quoted", handbook, vault, vault, true),
	row("cut down", handbook, "The logs of the team are kept in the vault.", vault, true),
	row("reworded", handbook, "The old logs of the team are stored in the vault.", vault, true),
	row("stretch", handbook, "are kept in the vault.", "are kept in the vault.", true), // no whole sentence
	row("another verb", handbook, "The old logs of the team are burnt in the vault.", vault, false),
	row("negation", handbook, "We share the data of the customers with vendors.", vendors, false),
	row("invented", handbook, vault, "The vault is open.", false),
}, "\n")

func measured(t *testing.T, rows string, o eval.Options) eval.Report {
	t.Helper()
	cases, err := grounding.Parse("made", strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	r, err := grounding.Suite(cases).Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rate is the one of a figure, nil if there is none.
func rate(r eval.Report, name, level, group, half string) *eval.Rate {
	for _, f := range r.Figures {
		if f.Name == name && f.Agent == level && f.Group == group && f.Half == half {
			return f.Rate
		}
	}
	return nil
}

func TestHandMadeRowsHaveTheFiguresTheyWereMadeFor(t *testing.T) {
	t.Parallel()
	r := measured(t, made, eval.Options{})
	for _, want := range []struct {
		name, level, group string
		rate               *eval.Rate
	}{
		{"true_accept", "verbatim", "", eval.NewRate(1, 4)},
		{"true_accept", "strict", "", eval.NewRate(2, 4)},
		{"true_accept", "facts", "made", eval.NewRate(3, 4)},
		{"false_accept", "verbatim", "made", eval.NewRate(0, 3)},
		{"false_accept", "strict", "", eval.NewRate(0, 3)},
		{"false_accept", "facts", "", eval.NewRate(1, 3)},
		{"evidence_stands", "strict", "", eval.NewRate(5, 7)},
		{"harmless_accepted", "verbatim", "", eval.NewRate(0, 3)}, // the edits of one text, once
		{"harmless_accepted", "strict", "", eval.NewRate(3, 3)},
		{"harmless_accepted", "strict", "harmless: article", eval.NewRate(2, 2)},
		{"harmless_accepted", "strict", "harmless: adjective", eval.NewRate(1, 1)},
		{"harmful_accepted", "strict", "", eval.NewRate(0, 1)},
		{"harmful_accepted", "facts", "harmful: negation", eval.NewRate(0, 1)},
		{"harmful_accepted", "strict", "made", nil},
		{"true_accept", "strict", "harmful: negation", nil},
	} {
		if diff := cmp.Diff(want.rate, rate(r, want.name, want.level, want.group, "")); diff != "" {
			t.Errorf("%s at %s of %q: %s", want.name, want.level, want.group, diff)
		}
	}
	if last := r.Figures[len(r.Figures)-1]; last.Group != "harmful: negation" || r.Figures[0].Agent != "verbatim" {
		t.Errorf("the figures begin with %+v and end with %+v", r.Figures[0], last)
	}
}

func TestReasonsAreCountedWithoutTheirParticulars(t *testing.T) {
	t.Parallel()
	var strict, facts []eval.Reason
	for _, r := range measured(t, made, eval.Options{}).Reasons {
		switch r.Agent {
		case "strict":
			strict = append(strict, r)
		case "facts":
			facts = append(facts, r)
		}
	}
	const cut = "summary.evidence: the evidence … is cut out of a longer sentence or line"
	if diff := cmp.Diff([]eval.Reason{
		{Agent: "strict", Group: "supported refused", Code: "summary.claim: the claim says …, which its evidence does not", Count: 1},
		{Agent: "strict", Group: "supported refused", Code: cut, Count: 1},
	}, strict); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]eval.Reason{
		{Agent: "facts", Group: "supported refused", Code: cut, Count: 1},
		{Agent: "facts", Group: "unsupported accepted", Code: "accepted: in other words, with the same facts", Count: 1},
	}, facts); diff != "" {
		t.Error(diff)
	}
}

func TestTheCurveIsOfSharedWords(t *testing.T) {
	t.Parallel()
	at := map[string]map[float64]eval.Point{}
	for _, p := range measured(t, made, eval.Options{}).Curve {
		if at[p.Name] == nil {
			at[p.Name] = map[float64]eval.Point{}
		}
		at[p.Name][p.Threshold] = p
	}
	claims, edits := at["word overlap, claims of the cases"], at["word overlap, edits"]
	if len(claims) != 21 || len(edits) != 21 {
		t.Fatalf("%d and %d points", len(claims), len(edits))
	}
	for _, want := range []struct {
		of           map[float64]eval.Point
		threshold    float64
		right, wrong *eval.Rate
	}{
		{claims, 0, eval.NewRate(4, 4), eval.NewRate(3, 3)},
		{claims, 0.5, eval.NewRate(4, 4), eval.NewRate(2, 3)}, // of "invented" four words of eleven stand there
		{claims, 0.9, eval.NewRate(4, 4), eval.NewRate(2, 3)}, // of one reworded, ten of eleven
		{claims, 0.95, eval.NewRate(3, 4), eval.NewRate(1, 3)},
		{claims, 1, eval.NewRate(3, 4), eval.NewRate(1, 3)}, // a negation left out shares all words
		{edits, 1, eval.NewRate(3, 3), eval.NewRate(1, 1)},
	} {
		p := want.of[want.threshold]
		if diff := cmp.Diff([]*eval.Rate{want.right, want.wrong}, []*eval.Rate{p.Right, p.Wrong}); diff != "" {
			t.Errorf("%s at %v: %s", p.Name, want.threshold, diff)
		}
	}
}

func TestNothingSharedAndNothingSaidIsNoOverlap(t *testing.T) {
	t.Parallel()
	rows := row("a", handbook, "…", "…", true) + "\n" + row("b", handbook, "", "", false)
	for _, p := range measured(t, rows, eval.Options{}).Curve {
		if p.Name == "word overlap, claims of the cases" && (p.Right.Hits != 0 || p.Wrong.Hits != 0) != (p.Threshold == 0) {
			t.Errorf("%+v", p)
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

// The aims of the lock, on both halves of public corpora. The name is that of
// docs/invariants.md.
func TestUnsupportedClaimsOfPublicCorpora(t *testing.T) {
	t.Parallel()
	cases, err := grounding.Read(corpus.Path(t, filepath.FromSlash("cases/grounding.jsonl")))
	if err != nil {
		t.Fatal(err)
	}
	r, err := grounding.Suite(cases).Run(t.Context(), eval.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, half := range []string{eval.Tuning, eval.HeldOut} {
		of := func(fact string) *eval.Rate { return rate(r, fact, "strict", "", half) }
		if n := of("false_accept"); n == nil || n.Rate > 0.03 {
			t.Errorf("%s half: of the unsupported claims strict accepts %s, over 3 %%", half, n.Counted())
		}
		if n := of("harmless_accepted"); n == nil || n.Rate < 0.95 {
			t.Errorf("%s half: of the harmless edits strict accepts %s, under 95 %%", half, n.Counted())
		}
		if n := of("harmful_accepted"); n == nil || n.Rate > 0.01 {
			t.Errorf("%s half: of the harmful edits strict accepts %s, over 1 %%", half, n.Counted())
		}
	}
}
