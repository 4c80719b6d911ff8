package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/report"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// suiteFlags are the flags of every suite.
type suiteFlags struct {
	cases, out string
	jobs       int
	sample     int
	resume     bool
	strict     bool
	reports    []string
}

func (f *suiteFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.cases, "cases", "", "`FILE` of cases, one JSON object a line")
	cmd.Flags().StringVar(&f.out, "out", "eval/results", "`DIR` for the results")
	cmd.Flags().IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "cases at a time, `N`; the figures are the same for any")
	cmd.Flags().IntVar(&f.sample, "sample", 0, "measure `N` cases only, spread evenly over the file (default: all)")
	cmd.Flags().BoolVar(&f.resume, "resume", false, "go on with a run that was stopped")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "measure nothing if a row cannot be asked, has a member that no suite knows, or is odd otherwise")
	cmd.Flags().StringArrayVar(&f.reports, "report", nil, "also write the report `KIND=FILE`, junit=FILE or html=FILE; may be repeated")
}

// needCases refuses a suite without cases.
func (f *suiteFlags) needCases(suite string) error {
	if f.cases == "" {
		return cli.Usage(verdict.UsageArgument, "eval %s needs --cases FILE", suite)
	}
	return nil
}

// held reads the cases, and applies --strict.
func held[C any](f *suiteFlags, read func(path string) (eval.Cases[C], error)) (eval.Cases[C], error) {
	c, err := read(f.cases)
	if err == nil && f.strict {
		err = c.Strict()
	}
	return c, err
}

// resultNames are the files of a suite's results.
type resultNames struct {
	journal, metrics, rows, table string
}

func namedAfter(prefix string) resultNames {
	return resultNames{prefix + "_partial.jsonl", prefix + "_metrics.json", prefix + "_runs.jsonl", prefix + "_table.md"}
}

// measure runs a suite, and keeps and shows the results. With an error it also keeps
// and shows the cases that were measured.
func (a *app) measure(ctx context.Context, s eval.Suite, f *suiteFlags, names resultNames) error {
	if f.sample < 0 {
		return cli.Usage(verdict.UsageFlag, "--sample is a number of cases, not %d", f.sample)
	}
	if f.sample > 0 {
		s = s.Sample(f.sample)
	}
	if err := eval.MakeDir(f.out); err != nil {
		return err
	}
	files, err := reportFiles(f.reports)
	if err != nil {
		return err
	}
	ctx, cancel, err := a.limited(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	journal := filepath.Join(f.out, names.journal)
	progress, finished := a.progress(s.Name, len(s.IDs))
	r, end := s.Run(ctx, eval.Options{Jobs: f.jobs, Progress: progress, Journal: journal, Resume: f.resume})
	finished()
	if end != nil && r.SchemaVersion == 0 {
		return end // nothing was begun
	}
	paths, err := saveResults(f.out, names, r)
	if err == nil && r.Complete {
		err = os.Remove(journal)
	}
	if end == nil {
		end = err
	}
	reports, err := writeReports(files, r, end)
	if end == nil {
		end = err
	}
	return a.showReport(r, append(paths, reports...), end)
}

// limited bounds the suite by --timeout if it is given, because the default is the
// limit of one question.
func (a *app) limited(ctx context.Context) (context.Context, context.CancelFunc, error) {
	if len(a.Flags.Given) == 0 { // and no configuration is needed
		return ctx, func() {}, nil
	}
	s, _, err := a.Settings()
	if err != nil {
		return nil, nil, err
	}
	if s.Timeout.Origin.Kind != config.FromFlag {
		return ctx, func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout.V)
	return ctx, cancel, nil
}

// saveResults writes the results. Without any measured case it keeps the earlier result.
func saveResults(dir string, names resultNames, r eval.Report) (paths []string, err error) {
	if r.Measured == 0 {
		return nil, nil
	}
	path, err := eval.Save(dir, names.metrics, r)
	if err != nil {
		return paths, err
	}
	paths = append(paths, path)
	if path, err = eval.SaveRows(dir, names.rows, r.Rows); err != nil {
		return paths, err
	}
	paths = append(paths, path)
	if path, err = eval.SaveText(dir, names.table, report.Markdown(r)); err != nil {
		return paths, err
	}
	return append(paths, path), nil
}

// showReport prints the results.
func (a *app) showReport(r eval.Report, paths []string, end error) error {
	if a.JSON {
		d := struct {
			eval.Report
			Paths []string      `json:"paths"`
			Error *host.Failure `json:"error,omitempty"`
		}{Report: r, Paths: paths}
		if end != nil {
			d.Error = host.FailureOf(end)
		}
		a.Document(d)
		return a.EndWith(end)
	}
	if err := report.Text(a.Out, r); err != nil && end == nil {
		end = err
	}
	for _, note := range r.Notes {
		a.Say("%s", note)
	}
	for _, path := range paths {
		a.Say("Kept: %s", path)
	}
	return end
}

// progress shows the progress of a suite. On a terminal it is a bar with rate and
// remaining time, elsewhere a line now and then.
func (a *app) progress(name string, of int) (step func(done, of int), finished func()) {
	switch {
	case a.Quiet || of == 0:
		return nil, func() {}
	case !a.Err.Terminal():
		said := time.Now()
		return func(done, of int) {
			if done == of || time.Since(said) > 5*time.Second {
				said = time.Now()
				a.Say("%s: %d of %d cases", name, done, of)
			}
		}, func() {}
	}
	bar := progressbar.NewOptions(of,
		progressbar.OptionSetWriter(a.Err.Own()), progressbar.OptionSetDescription(name), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(), progressbar.OptionSetItsString("cases"), progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	// A bar that cannot be drawn does not stop the measurement.
	return func(done, _ int) { _ = bar.Set(done) }, func() { _ = bar.Clear() }
}
