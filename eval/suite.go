package eval

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Suite is a measurement, and how to measure one case.
type Suite struct {
	Name    string // as in `ask eval NAME`
	Subject string
	File    string
	Seed    string
	// Digest identifies the cases: only figures with the same digest can be compared.
	// Policy is the digest of everything else that decides them, such as planner,
	// rules and allowlist. A measurement can be resumed only if both are the same.
	Digest   string
	Policy   string
	Measures []Measure
	// Clusters names what the rows of a cluster share, if the rows have clusters.
	// Chosen says that the cases were picked for what they show, so their figures have
	// no interval.
	Clusters string
	Chosen   bool
	IDs      []string // of the cases, all different
	Reading  Reading  // of the cases' files
	// Observe measures the case with that index. It may run for several cases at a
	// time, and shares nothing between them. An error means that the case could not be
	// measured, which is not an observation.
	Observe func(ctx context.Context, i int) ([]Row, error)
	// Finish is optional. It adds to a report what its rows and measures do not say.
	// Its error reports a forbidden result, such as a failed case of a gate.
	Finish func(*Report) error
}

// Sample returns the suite of n of its cases, spread evenly, or of all if there are no
// more. It always chooses the same cases.
func (s Suite) Sample(n int) Suite {
	all, observe, finish := s.IDs, s.Observe, s.Finish
	if n >= len(all) {
		return s
	}
	at := func(i int) int { return i * len(all) / n }
	s.IDs = nil
	for i := range n {
		s.IDs = append(s.IDs, all[at(i)])
	}
	s.Observe = func(ctx context.Context, i int) ([]Row, error) { return observe(ctx, at(i)) }
	s.Finish = func(r *Report) error {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d cases, spread evenly over them; a note about the cases is of all.", n, len(all)))
		if finish == nil {
			return nil
		}
		return finish(r)
	}
	s.Digest = Digest(s.Digest, s.IDs)
	return s
}

// Options say how to run a suite. None of them changes a figure.
type Options struct {
	Jobs     int                // cases at a time; 0 or less: one
	Progress func(done, of int) // optional; called for one case at a time
	Journal  string             // optional; the file that keeps the results until the run is complete
	Resume   bool               // take the results in the journal as measured
}

// patience is how many cases in a row may fail before the run stops. A wrong key or an
// absent server fails on all of them.
const patience = 5

// Run measures every case and reports in the order of the cases, for any number of
// parallel cases. An error means that some case was not measured, or comes from
// Finish. The report and the journal have the measured cases.
func (s Suite) Run(ctx context.Context, o Options) (Report, error) {
	r := &runner{suite: s, options: o, rows: make([][]Row, len(s.IDs)), done: make([]bool, len(s.IDs))}
	var err error
	if r.journal, err = openJournal(o.Journal, o.Resume, s, r.take); err != nil {
		return Report{}, err
	}
	err = r.all(ctx)
	err = errors.Join(err, r.journal.close())
	report := r.report()
	var found error
	if s.Finish != nil {
		found = s.Finish(&report)
	}
	switch {
	case err != nil:
		return report, verdict.Fail(verdict.EvalIncomplete, err, "stopped after %d of %d cases: %v", report.Measured, report.Cases, err)
	case !report.Complete:
		f := report.Failures[0]
		return report, verdict.Fail(verdict.EvalIncomplete, nil, "%d of %d cases could not be measured, and %d were; first %s: %s: %s",
			len(report.Failures), report.Cases, report.Measured, f.ID, f.Code, f.Reason)
	}
	return report, found
}

// runner is one run of a suite.
type runner struct {
	suite   Suite
	options Options
	journal *journal

	mu       sync.Mutex
	rows     [][]Row
	done     []bool
	count    int
	failures map[int]Failure
	inARow   int
}

func (r *runner) all(ctx context.Context) error {
	jobs, stop := errgroup.WithContext(ctx)
	jobs.SetLimit(max(1, r.options.Jobs))
	for i := range r.suite.IDs {
		if stop.Err() != nil || r.hopeless() {
			break
		}
		if r.done[i] { // measured by an earlier run: no other goroutine writes it
			continue
		}
		jobs.Go(func() error {
			if stop.Err() != nil {
				return context.Cause(stop)
			}
			if r.hopeless() { // it became hopeless after this case was handed out
				return nil
			}
			rows, line, err := r.observe(stop, i)
			if stop := context.Cause(ctx); stop != nil && err != nil {
				return stop // it was stopped, and did not fail by itself
			}
			return r.keep(i, rows, line, err)
		})
	}
	err := jobs.Wait()
	if err == nil {
		err = context.Cause(ctx)
	}
	return err
}

// observe measures one case. A panic is a failure of that case, so that the results of
// the other cases are not lost. Line is the journal's line for the rows.
func (r *runner) observe(ctx context.Context, i int) (rows []Row, line []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = verdict.Fail(verdict.Internal, nil, "a panic: %.300v", p)
		}
	}()
	if rows, err = r.suite.Observe(ctx, i); err == nil {
		line, err = lineOf(r.suite.IDs[i], rows)
	}
	return rows, line, err
}

// take counts a case that an earlier run measured.
func (r *runner) take(i int, rows []Row) {
	r.rows[i], r.done[i] = rows, true
	r.count++
}

func (r *runner) keep(i int, rows []Row, line []byte, failed error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if failed != nil {
		if r.failures == nil {
			r.failures = map[int]Failure{}
		}
		r.failures[i] = Failure{r.suite.IDs[i], string(verdict.CodeOf(failed)), reasonOf(failed)}
		r.inARow++
		return nil
	}
	r.inARow = 0
	if err := r.journal.add(line); err != nil {
		return fmt.Errorf("the journal cannot be written: %w", err)
	}
	r.take(i, rows)
	if r.options.Progress != nil {
		r.options.Progress(r.count, len(r.suite.IDs))
	}
	return nil
}

func (r *runner) hopeless() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.inARow >= patience
}

func (r *runner) report() Report {
	s := r.suite
	report := Report{
		SchemaVersion: SchemaVersion, Suite: s.Name, Subject: s.Subject, File: s.File, Seed: s.Seed, Digest: s.Digest, Policy: s.Policy, Clusters: s.Clusters,
		Complete: r.count == len(s.IDs), Cases: len(s.IDs) + len(s.Reading.Unasked), Measured: r.count, Failures: []Failure{}, Rows: []Row{},
		Unasked: s.Reading.Unasked, Remarks: s.Reading.Remarks, Notes: s.Reading.notes(len(s.IDs)),
	}
	for i, id := range s.IDs {
		if f, failed := r.failures[i]; failed {
			report.Failures = append(report.Failures, f)
		}
		for _, row := range r.rows[i] {
			row.Extra = s.Reading.extra[id]
			report.Rows = append(report.Rows, row)
		}
	}
	report.Figures = Tally(report.Rows, s.Measures)
	for _, f := range report.Figures {
		if s.Chosen {
			f.Rate.Interval = nil
		}
	}
	return report
}

func reasonOf(err error) string {
	var d *verdict.Denial
	var f *verdict.Fault
	switch {
	case errors.As(err, &d):
		return d.Reason
	case errors.As(err, &f):
		return f.Reason
	}
	return err.Error()
}
