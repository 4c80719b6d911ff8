package eval_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
)

// declines is the planner that never calls.
type declines struct{}

func (declines) Propose(context.Context, input.Query, catalog.Catalog) (planner.Proposal, error) {
	return planner.Proposal{Said: planner.Decline("Which?")}, nil
}

// script answers the rows in turn.
type script struct {
	answers []func() ([]byte, error)
	asked   int
}

func (s *script) Propose(context.Context, input.Query, catalog.Catalog) (planner.Proposal, error) {
	s.asked++
	said, err := s.answers[s.asked-1]()
	return planner.Proposal{Said: said}, err
}

func says(b []byte) func() ([]byte, error) { return func() ([]byte, error) { return b, nil } }

func fails(code verdict.Code) func() ([]byte, error) {
	return func() ([]byte, error) { return nil, verdict.Fail(code, nil, "made to fail") }
}

func call(tool, args string) func() ([]byte, error) {
	return says(planner.Call("s", tool, jsontext.Value(args)))
}

var decline = says(planner.Decline("Which?"))

func read(tb testing.TB, lines ...string) []eval.PlannerCase {
	tb.Helper()
	cases, err := eval.ParsePlannerCases("c", strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		tb.Fatal(err)
	}
	return cases
}

// answerable makes n rows whose answer is the tool t with a:1.
func answerable(n int) []string {
	var lines []string
	for i := range n {
		lines = append(lines, row(fmt.Sprintf("yes_%d", i), `{"tool":"t","args":{"a":[1]}}`))
	}
	return lines
}

func TestEveryRowIsCountedOnceAndWhereItBelongs(t *testing.T) {
	t.Parallel()
	lines := append(answerable(6),
		strings.Replace(row("no_1", `{"abstain":true}`), `"made"`, `"other"`, 1),
		strings.Replace(row("no_11", `{"abstain":true}`), `"made"`, `"other"`, 1))
	p := &script{answers: []func() ([]byte, error){
		call("t", `{"a":1}`), call("t", `{"a":2}`), call("u", `{"a":1}`), decline, says([]byte("Sure! {}")), fails(verdict.ModelRefused),
		decline, call("t", `{"a":1}`),
	}}
	r, err := eval.MeasurePlanner(t.Context(), read(t, lines...), p)
	if err != nil {
		t.Fatal(err)
	}
	var observed []eval.Observed
	for _, row := range r.Rows {
		observed = append(observed, row.Observed)
		if right := row.ID == "yes_0" || row.ID == "no_1"; row.Right != right {
			t.Errorf("%s is right: %v", row.ID, row.Right)
		}
	}
	want := []eval.Observed{
		eval.Exact, eval.WrongArguments, eval.WrongTool, eval.Declined, eval.Unusable, eval.Unusable, eval.Declined, eval.WrongTool,
	}
	if d := cmp.Diff(want, observed); d != "" {
		t.Error(d)
	}
	rate := eval.NewRate
	groups := []eval.PlannerGroup{
		{Source: "made", Rows: 6, ToolRight: rate(2, 6), CallExact: rate(1, 6), DeclinedWrongly: rate(1, 6), Unusable: rate(2, 6)},
		{Source: "made", Half: eval.EvenTens, Rows: 6, ToolRight: rate(2, 6), CallExact: rate(1, 6), DeclinedWrongly: rate(1, 6), Unusable: rate(2, 6)},
		{Source: "other", Rows: 2, DeclinedRightly: rate(1, 2), Unusable: rate(0, 2)},
		{Source: "other", Half: eval.EvenTens, Rows: 1, DeclinedRightly: rate(1, 1), Unusable: rate(0, 1)},
		{Source: "other", Half: eval.OddTens, Rows: 1, DeclinedRightly: rate(0, 1), Unusable: rate(0, 1)},
		{Rows: 8, ToolRight: rate(2, 6), CallExact: rate(1, 6), DeclinedWrongly: rate(1, 6), DeclinedRightly: rate(1, 2), Unusable: rate(2, 8)},
		{Half: eval.EvenTens, Rows: 7, ToolRight: rate(2, 6), CallExact: rate(1, 6), DeclinedWrongly: rate(1, 6), DeclinedRightly: rate(1, 1), Unusable: rate(2, 7)},
		{Half: eval.OddTens, Rows: 1, DeclinedRightly: rate(0, 1), Unusable: rate(0, 1)},
	}
	if d := cmp.Diff(groups, r.Groups); d != "" {
		t.Error(d)
	}
	if r.Rows[4].Code != verdict.PlanJSON || r.Rows[5].Code != verdict.ModelRefused || r.Rows[4].Plan != nil {
		t.Errorf("%+v, %+v", r.Rows[4], r.Rows[5])
	}
}

// A planner that breaks is not a planner that errs: the row is in no rate,
// and the report says that it is missing.
func TestARowOnWhichThePlannerFailedIsInNoRate(t *testing.T) {
	t.Parallel()
	p := &script{answers: []func() ([]byte, error){
		call("t", `{"a":1}`), fails(verdict.ModelTimeout), func() ([]byte, error) { return nil, errors.New("anything") }, call("t", `{"a":1}`),
	}}
	r, err := eval.MeasurePlanner(t.Context(), read(t, answerable(4)...), p)
	if verdict.CodeOf(err) != verdict.EvalIncomplete || !strings.Contains(err.Error(), "first on yes_1: model.timeout") {
		t.Error(err)
	}
	if r.Complete || r.Cases != 4 || r.Measured != 2 || r.Failed != 2 || len(r.Rows) != 4 {
		t.Errorf("%+v", r.PlannerFigures)
	}
	if g := r.Groups[0]; g.Rows != 2 || g.CallExact.Hits != 2 || g.CallExact.Of != 2 {
		t.Errorf("%+v", g)
	}
	if got := r.Rows[2]; got.Code != verdict.Internal || got.Reason != "anything" {
		t.Errorf("%+v", got)
	}
}

func TestAPlannerThatKeepsFailingIsLeft(t *testing.T) {
	t.Parallel()
	auth := fails(verdict.ModelAuth)
	p := &script{answers: []func() ([]byte, error){auth, auth, decline, auth, auth, auth, auth, auth}}
	r, err := eval.MeasurePlanner(t.Context(), read(t, answerable(20)...), p)
	if verdict.CodeOf(err) != verdict.EvalIncomplete || p.asked != 8 || r.Measured != 1 || r.Failed != 7 || len(r.Rows) != 8 {
		t.Errorf("asked %d times, %+v, %v", p.asked, r.PlannerFigures, err)
	}
}

func TestAnInterruptionKeepsWhatWasMeasured(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p := &script{answers: []func() ([]byte, error){decline, decline, func() ([]byte, error) {
		cancel()
		return nil, verdict.Fail(verdict.ModelFailed, context.Canceled, "interrupted")
	}}}
	r, err := eval.MeasurePlanner(ctx, read(t, answerable(5)...), p)
	if verdict.CodeOf(err) != verdict.EvalIncomplete || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "2 of 5") {
		t.Error(err)
	}
	if p.asked != 3 || r.Complete || r.Measured != 2 || r.Failed != 0 || len(r.Rows) != 2 {
		t.Errorf("asked %d times, %+v", p.asked, r.PlannerFigures)
	}
}

func TestToolsThatCannotBeCalledAreReported(t *testing.T) {
	t.Parallel()
	line := strings.Replace(good, `"name":"u"`, `"name":"u u"`, 1)
	r, err := eval.MeasurePlanner(t.Context(), read(t, line), declines{})
	if err != nil || r.Excluded != 1 || len(r.Rows[0].Excluded) != 1 || !strings.Contains(r.Rows[0].Excluded[0], "catalog.name") {
		t.Errorf("%v: %+v", err, r)
	}
}

func TestRatesCarryWilsonIntervals(t *testing.T) {
	t.Parallel()
	if eval.NewRate(0, 0) != nil || eval.NewRate(0, 0).String() != "-" {
		t.Error("nothing of nothing is a rate")
	}
	// The values of Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
	for _, c := range []struct {
		hits, of  int
		low, high float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}, {29, 29, 0.8830, 1}} {
		r := eval.NewRate(c.hits, c.of)
		if math.Abs(r.Low-c.low) > 5e-5 || math.Abs(r.High-c.high) > 5e-5 || r.Low > r.Rate || r.High < r.Rate {
			t.Errorf("%+v, want [%v, %v]", *r, c.low, c.high)
		}
	}
	if got := eval.NewRate(81, 263).String(); got != "30.8 % [25.5, 36.6]" {
		t.Error(got)
	}
}

func TestResultsAreTheSameBytesTwiceAndReplaceTheOldOnes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := eval.MakeDir(dir); err != nil {
		t.Fatal(err)
	}
	var first []byte
	for range 2 {
		r, err := eval.MeasurePlanner(t.Context(), read(t, append(answerable(3), row("no", `{"abstain":true}`))...), declines{})
		if err != nil {
			t.Fatal(err)
		}
		path, err := eval.Save(dir, "x.json", r)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil || first != nil && !bytes.Equal(first, b) {
			t.Fatalf("%v:\n%s\n%s", err, first, b)
		}
		first = b
	}
	var doc struct {
		SchemaVersion int `json:"schema_version"`
		Rows          []struct {
			Observed string         `json:"observed"`
			Plan     jsontext.Value `json:"plan"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(first, &doc); err != nil || doc.SchemaVersion != 1 || len(doc.Rows) != 4 || doc.Rows[3].Observed != "declined" {
		t.Errorf("%v: %s", err, first)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestResultsThatCannotBeWrittenAreAnError(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := eval.MakeDir(file); verdict.CodeOf(err) != verdict.UsageArgument || !strings.Contains(err.Error(), file) {
		t.Error(err)
	}
	// A folder stands where the file would go: the attempt leaves nothing behind.
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "x.json", "y"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := eval.Save(dir, "x.json", 1); verdict.CodeOf(err) != verdict.UsageArgument {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}
