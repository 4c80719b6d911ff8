package planning_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
)

// declines is the planner that never calls.
type declines struct{}

func (declines) Propose(context.Context, input.Query, catalog.Catalog) (planner.Proposal, error) {
	return planner.Proposal{Said: plan.Decline("Which?")}, nil
}

// script answers the rows in turn, one at a time.
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
	return says(plan.Call("s", tool, jsontext.Value(args)))
}

var decline = says(plan.Decline("Which?"))

func measure(tb testing.TB, p planning.Proposer, lines ...string) (eval.Report, error) {
	tb.Helper()
	cases, err := planning.Parse("c", strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		tb.Fatal(err)
	}
	return planning.Suite(cases.List, "made", p).Run(tb.Context(), eval.Options{})
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
	r, err := measure(t, &script{answers: []func() ([]byte, error){
		call("t", `{"a":1}`), call("t", `{"a":2}`), call("u", `{"a":1}`), decline, says([]byte("Sure! {}")), fails(verdict.ModelRefused),
		decline, call("t", `{"a":1}`),
	}}, lines...)
	if err != nil {
		t.Fatal(err)
	}
	var observed []string
	for _, row := range r.Rows {
		observed = append(observed, row.Observed)
		if right := row.ID == "yes_0" || row.ID == "no_1"; row.Passed != right {
			t.Errorf("%s is right: %v", row.ID, row.Passed)
		}
	}
	want := []string{"exact", "wrong_arguments", "wrong_tool", "declined", "unusable", "unusable", "declined", "wrong_tool"}
	if d := cmp.Diff(want, observed); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{
		" wrong": "3/4", " wrong_read": "3/4", " write_unasked": "0/8", " exact": "1/4", " exact_lenient": "1/4", " call_exact": "1/6", " call_exact_lenient": "1/6",
		" tool_right": "2/6", " called_right": "2/3", " declined_wrongly": "1/6", " declined_rightly": "1/2", " declined": "2/8", " unusable": "2/8", " not_asked": "0/8",
		"made wrong": "2/3", "made wrong_read": "2/3", "made write_unasked": "0/6", "made exact": "1/3", "made exact_lenient": "1/3", "made call_exact": "1/6",
		"made call_exact_lenient": "1/6", "made tool_right": "2/6", "made called_right": "2/3", "made declined_wrongly": "1/6", "made declined": "1/6", "made unusable": "2/6", "made not_asked": "0/6",
		"other wrong": "1/1", "other wrong_read": "1/1", "other write_unasked": "0/2", "other exact": "0/1", "other exact_lenient": "0/1",
		"other declined_rightly": "1/2", "other declined": "1/2", "other unusable": "0/2", "other not_asked": "0/2",
	}, figures(r)); d != "" {
		t.Error(d)
	}
	if !strings.Contains(r.Rows[4].Detail, "plan.json") && !strings.Contains(r.Rows[4].Detail, "JSON") {
		t.Errorf("%+v", r.Rows[4])
	}
}

// figures are those of a report that are not of a half, as hits and of how many.
func figures(r eval.Report) map[string]string {
	all := map[string]string{}
	for _, f := range r.Figures {
		if f.Half == "" {
			all[f.Group+" "+f.Name] = fmt.Sprint(f.Rate.Hits, "/", f.Rate.Of)
		}
	}
	return all
}

// A planner that fails is not a planner that errs. The row is in no rate, and the
// report says that it is missing.
func TestARowOnWhichThePlannerFailedIsInNoRate(t *testing.T) {
	t.Parallel()
	r, err := measure(t, &script{answers: []func() ([]byte, error){
		call("t", `{"a":1}`), fails(verdict.ModelTimeout), func() ([]byte, error) { return nil, errors.New("anything") }, call("t", `{"a":1}`),
	}}, answerable(4)...)
	if verdict.CodeOf(err) != verdict.EvalIncomplete || !strings.Contains(err.Error(), "first yes_1: model.timeout") {
		t.Error(err)
	}
	if r.Complete || r.Cases != 4 || r.Measured != 2 || len(r.Failures) != 2 || len(r.Rows) != 2 {
		t.Errorf("%+v", r)
	}
	if got := figures(r)["made call_exact"]; got != "2/2" {
		t.Error(got)
	}
	if got := r.Failures[1]; got.Code != string(verdict.Internal) || got.Reason != "anything" {
		t.Errorf("%+v", got)
	}
}

func TestToolsThatCannotBeCalledAreReported(t *testing.T) {
	t.Parallel()
	r, err := measure(t, declines{}, strings.Replace(good, `"name":"u"`, `"name":"u u"`, 1))
	if err != nil || len(r.Notes) != 2 || !strings.Contains(r.Notes[1], "1 tools") || !strings.Contains(string(r.Rows[0].Data), "catalog.name") {
		t.Errorf("%v: %+v", err, r)
	}
}
