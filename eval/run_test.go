package eval_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/verdict"
)

// observer is what a suite of these tests does with a case before it answers.
type observer func(ctx context.Context, i int) error

// suite is one of n cases, each of them observed in two agents.
func suite(n int, do observer) eval.Suite {
	s := eval.Suite{
		Name: "made", Subject: "nothing", Digest: eval.Digest("made", n),
		Measures: []eval.Measure{{Name: "even", Title: "even", Better: eval.Higher}, {Name: "third", Title: "third", Better: eval.Lower}},
		Observe: func(ctx context.Context, i int) ([]eval.Row, error) {
			if do != nil {
				if err := do(ctx, i); err != nil {
					return nil, err
				}
			}
			return observed(i), nil
		},
		Finish: func(r *eval.Report) error {
			r.Reasons = eval.Tallied(r.Rows, func(row eval.Row) string { return row.Observed })
			return nil
		},
	}
	for i := range n {
		s.IDs = append(s.IDs, caseID(i))
	}
	return s
}

func caseID(i int) string { return fmt.Sprintf("case-%d", i) }

func observed(i int) []eval.Row {
	safe := eval.Row{
		ID: caseID(i), Group: []string{"a", "b"}[i%2], Half: eval.HashHalf(caseID(i)), Agent: "onestep", Query: "<q>\u2028", Passed: i%2 == 0,
		Expected: "x", Observed: fmt.Sprint("seen ", i%3), Facts: map[string]int{"even": 1 - i%2},
		Data: eval.Data(map[string]any{"z": 1e-7, "a": []any{nil, "é"}}), Trace: []string{"{\"seq\":0}"},
	}
	naive := safe
	naive.Agent, naive.Facts, naive.Data, naive.Trace = "naive", nil, nil, nil
	if i%3 == 0 {
		naive.Facts = map[string]int{"third": i}
	}
	return []eval.Row{safe, naive}
}

// run measures, and keeps both files of the results.
func run(t *testing.T, ctx context.Context, s eval.Suite, o eval.Options) (results string, r eval.Report, err error) {
	t.Helper()
	r, err = s.Run(ctx, o)
	return kept(t, r), r, err
}

func kept(t *testing.T, r eval.Report) string {
	t.Helper()
	dir := t.TempDir()
	metrics, err := eval.Save(dir, "metrics.json", r)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := eval.SaveRows(dir, "runs.jsonl", r.Rows)
	if err != nil {
		t.Fatal(err)
	}
	return text(t, metrics) + text(t, rows)
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAReportIsTheSameForAnyNumberOfJobs(t *testing.T) {
	t.Parallel()
	want, r, err := run(t, t.Context(), suite(40, nil), eval.Options{})
	if err != nil || !r.Complete || r.Measured != 40 || len(r.Rows) != 80 {
		t.Fatalf("%v: %+v", err, r)
	}
	for _, jobs := range []int{-1, 1, 2, 7, 100} {
		got, _, err := run(t, t.Context(), suite(40, nil), eval.Options{Jobs: jobs})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%d jobs: %v %s", jobs, err, diff)
		}
	}
}

var errInterrupted = errors.New("interrupted")

// interrupting stops a suite when the case of that index is observed.
func interrupting(t *testing.T, at int) (ctx context.Context, do observer) {
	ctx, stop := context.WithCancelCause(t.Context())
	return ctx, func(ctx context.Context, i int) error {
		if i != at {
			return nil
		}
		stop(errInterrupted)
		<-ctx.Done()
		return errors.New("the server is gone") // which is a consequence, and no finding
	}
}

func TestAnInterruptedSuiteKeepsWhatItMeasuredAndGoesOn(t *testing.T) {
	t.Parallel()
	want, _, err := run(t, t.Context(), suite(30, nil), eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, jobs := range []int{1, 4} {
		journal := filepath.Join(t.TempDir(), "partial.jsonl")
		ctx, do := interrupting(t, 11)
		_, r, err := run(t, ctx, suite(30, do), eval.Options{Jobs: jobs, Journal: journal})
		if verdict.CodeOf(err) != verdict.EvalIncomplete || !errors.Is(err, errInterrupted) || r.Complete || len(r.Failures) > 0 {
			t.Fatalf("%d jobs: %v, %+v", jobs, err, r)
		}
		if r.Measured < 11-jobs || r.Measured == 30 || len(r.Rows) != 2*r.Measured || strings.Count(text(t, journal), "\n") != 1+r.Measured {
			t.Fatalf("%d jobs: %d measured, and the journal is %s", jobs, r.Measured, text(t, journal))
		}
		var again atomic.Int32
		count := func(context.Context, int) error { again.Add(1); return nil }
		got, _, err := run(t, t.Context(), suite(30, count), eval.Options{Jobs: jobs, Journal: journal, Resume: true})
		if diff := cmp.Diff(want, got); err != nil || diff != "" || int(again.Load()) != 30-r.Measured {
			t.Errorf("%d jobs: %v, %d cases were measured again: %s", jobs, err, again.Load(), diff)
		}
	}
}

func TestAPanicIsAFailureOfOneCase(t *testing.T) {
	t.Parallel()
	_, r, err := run(t, t.Context(), suite(9, func(_ context.Context, i int) error {
		if i == 4 {
			panic("out of range")
		}
		return nil
	}), eval.Options{Jobs: 3})
	want := []eval.Failure{{ID: "case-4", Code: "internal.failure", Reason: "a panic: out of range"}}
	if diff := cmp.Diff(want, r.Failures); verdict.CodeOf(err) != verdict.EvalIncomplete || r.Measured != 8 || r.Complete || diff != "" {
		t.Errorf("%v, %d measured: %s", err, r.Measured, diff)
	}
}

// What cannot be written is not observed: neither the journal nor the rows
// could be read again.
func TestARowThatCannotBeWrittenIsAFailureOfItsCase(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*eval.Row){
		"text that is not UTF-8": func(r *eval.Row) { r.Observed = "\xff" },
		"data that is no JSON":   func(r *eval.Row) { r.Data = []byte(`{"a":`) },
		"a key twice":            func(r *eval.Row) { r.Data = []byte(`{"a":1,"a":2}`) },
	} {
		s := suite(3, nil)
		s.Observe = func(_ context.Context, i int) ([]eval.Row, error) {
			rows := observed(i)
			if i == 1 {
				spoil(&rows[0])
			}
			return rows, nil
		}
		_, r, err := run(t, t.Context(), s, eval.Options{Journal: filepath.Join(t.TempDir(), "j")})
		if verdict.CodeOf(err) != verdict.EvalIncomplete || r.Measured != 2 || len(r.Failures) != 1 || r.Failures[0].ID != "case-1" {
			t.Errorf("%s: %v, %+v", name, err, r.Failures)
		}
	}
}

func TestAFailureSaysWhatFailed(t *testing.T) {
	t.Parallel()
	errs := []error{
		verdict.Fail(verdict.ServerUnreachable, nil, "no server"), verdict.Deny(verdict.AllowMissing, "no list"),
		fmt.Errorf("around: %w", verdict.Deny(verdict.PlanShape, "no plan")), errors.New("something"),
	}
	_, r, err := run(t, t.Context(), suite(6, func(_ context.Context, i int) error {
		if i < len(errs) {
			return errs[i]
		}
		return nil
	}), eval.Options{})
	want := []eval.Failure{
		{ID: "case-0", Code: "server.unreachable", Reason: "no server"},
		{ID: "case-1", Code: "allow.missing", Reason: "no list"},
		{ID: "case-2", Code: "plan.shape", Reason: "no plan"},
		{ID: "case-3", Code: "internal.failure", Reason: "something"},
	}
	if diff := cmp.Diff(want, r.Failures); diff != "" || verdict.CodeOf(err) != verdict.EvalIncomplete || !strings.Contains(err.Error(), "case-0: server.unreachable: no server") {
		t.Errorf("%v: %s", err, diff)
	}
}

// A wrong key or a server that is gone fails on every case: five in a row are
// enough to know.
func TestFiveFailuresInARowEndASuite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fails    func(i int) bool
		failures int
		measured int
	}{
		"all":                {func(int) bool { return true }, 5, 0},
		"from the third on":  {func(i int) bool { return i > 2 }, 5, 3},
		"four of five":       {func(i int) bool { return i%5 > 0 }, 16, 4},
		"every second":       {func(i int) bool { return i%2 > 0 }, 10, 10},
		"the last four only": {func(i int) bool { return i > 15 }, 4, 16},
	} {
		_, r, err := run(t, t.Context(), suite(20, func(_ context.Context, i int) error {
			if c.fails(i) {
				return errors.New("no")
			}
			return nil
		}), eval.Options{})
		if verdict.CodeOf(err) != verdict.EvalIncomplete || len(r.Failures) != c.failures || r.Measured != c.measured {
			t.Errorf("%s: %d failed, %d measured, %v", name, len(r.Failures), r.Measured, err)
		}
	}
}

func TestWhatFailedIsMeasuredAgainOnResuming(t *testing.T) {
	t.Parallel()
	want, _, err := run(t, t.Context(), suite(8, nil), eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(t.TempDir(), "partial.jsonl")
	fail := func(_ context.Context, i int) error {
		if i%3 == 1 {
			return errors.New("no")
		}
		return nil
	}
	if _, r, err := run(t, t.Context(), suite(8, fail), eval.Options{Journal: journal}); err == nil || r.Measured != 5 {
		t.Fatalf("%v, %d measured", err, r.Measured)
	}
	got, _, err := run(t, t.Context(), suite(8, nil), eval.Options{Journal: journal, Resume: true})
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v: %s", err, diff)
	}
}

func TestProgressIsToldOfEveryCaseInTurn(t *testing.T) {
	t.Parallel()
	var told []int // without a lock: it is called for one case at a time
	_, _, err := run(t, t.Context(), suite(25, nil), eval.Options{Jobs: 8, Progress: func(done, of int) {
		if of != 25 {
			t.Errorf("of %d", of)
		}
		told = append(told, done)
	}})
	if err != nil || len(told) != 25 {
		t.Fatalf("%v, told %v", err, told)
	}
	for i, done := range told {
		if done != i+1 {
			t.Errorf("told %v", told)
		}
	}
}

func TestWhatFinishFindsEndsACompleteSuite(t *testing.T) {
	t.Parallel()
	found := func(r *eval.Report) error {
		r.Notes = append(r.Notes, fmt.Sprint("seen ", r.Measured))
		return verdict.Fail(verdict.EvalFailed, nil, "a hole")
	}
	s := suite(3, nil)
	s.Finish = found
	if _, r, err := run(t, t.Context(), s, eval.Options{}); verdict.CodeOf(err) != verdict.EvalFailed || !r.Complete || r.Notes[0] != "seen 3" {
		t.Errorf("%v: %+v", err, r)
	}
	s = suite(3, func(_ context.Context, i int) error { return map[int]error{1: errors.New("no")}[i] })
	s.Finish = found
	if _, r, err := run(t, t.Context(), s, eval.Options{}); verdict.CodeOf(err) != verdict.EvalIncomplete || r.Notes[0] != "seen 2" {
		t.Errorf("%v: %+v", err, r)
	}
}

func TestASuiteWithoutCasesIsComplete(t *testing.T) {
	t.Parallel()
	_, r, err := run(t, t.Context(), suite(0, nil), eval.Options{Journal: filepath.Join(t.TempDir(), "j"), Resume: true})
	if err != nil || !r.Complete || r.Rows == nil || r.Figures == nil || r.Failures == nil {
		t.Errorf("%v: %+v", err, r)
	}
}
