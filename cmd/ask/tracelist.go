package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/trace"
)

// traceFilter chooses runs.
type traceFilter struct {
	since, tool, kind string
	html              string
}

func (a *app) listCommand() *cobra.Command {
	f := &traceFilter{}
	cmd := &cobra.Command{
		Use: "list", Short: "List the runs: when, what was asked, which tool, what came of it", Args: cli.Exactly(0, "list takes nothing"),
		Example: "  ask trace list --since 24h --type blocked\n  ask trace list --html runs.html",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.listTraces(cmd, f) },
	}
	cmd.Flags().StringVar(&f.since, "since", "", "only runs since a `TIME`: 2026-11-20, an RFC 3339 time, or 24h for the last day")
	cmd.Flags().StringVar(&f.tool, "tool", "", "only runs that planned a call of `TOOL`, or of SERVER/TOOL")
	cmd.Flags().StringVar(&f.kind, "type", "", "only runs that came to `TYPE`: tool_result, blocked, approval_needed, failed, …, incomplete")
	cmd.Flags().StringVar(&f.html, "html", "", "write one page of all of them to `FILE`, or to runs.html in a folder")
	return cmd
}

// traceRow is one trace as `ask trace list` prints it.
type traceRow struct {
	account.Row
	Path string `json:"path"`
	Size int64  `json:"size"`
}

func (a *app) listTraces(cmd *cobra.Command, f *traceFilter) error {
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	since, err := f.begins(time.Now())
	if err != nil {
		return err
	}
	runs, err := runsIn(s.TraceDir.V)
	if err != nil {
		return err
	}
	rows := []traceRow{}
	for _, id := range runs {
		path := filepath.Join(s.TraceDir.V, trace.FileName(id))
		info, err := os.Stat(path)
		if err != nil {
			continue // pruned in the meantime
		}
		r, _ := a.readTrace(path) // what is wrong with one shows as its type
		row := traceRow{account.RowOf(r.events), path, info.Size()}
		row.RunID, row.Time = cmp.Or(row.RunID, id), earlier(row.Time, info.ModTime())
		if f.takes(row.Row, since) {
			rows = append(rows, row)
		}
	}
	switch {
	case f.html != "":
		return a.writeRuns(cmd.Context(), f.html, s.TraceDir.V, rows)
	case a.JSON:
		a.Member("traces", rows)
	default:
		a.printRows(rows)
	}
	return nil
}

// earlier is the time that a trace gives itself, or else its file's.
func earlier(own, file time.Time) time.Time {
	if own.IsZero() {
		return file.UTC()
	}
	return own
}

func (f *traceFilter) begins(now time.Time) (time.Time, error) {
	if f.since == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(f.since); err == nil {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateTime, time.DateOnly} {
		if t, err := time.ParseInLocation(layout, f.since, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, cli.Usage(verdict.UsageFlag, "--since takes a day such as 2026-11-20, an RFC 3339 time, or a duration such as 24h")
}

func (f *traceFilter) takes(r account.Row, since time.Time) bool {
	_, tool, _ := strings.Cut(r.Tool, "/")
	return !r.Time.Before(since) && (f.kind == "" || r.Type == f.kind) && (f.tool == "" || f.tool == tool || f.tool == r.Tool)
}

func (a *app) printRows(rows []traceRow) {
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		came := strings.TrimSpace(r.Type + " " + r.Code)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", guard.Line(r.RunID, 128), r.Time.Format(time.RFC3339), guard.Line(came, 80),
			guard.Line(cmp.Or(r.Tool, "-"), 80), guard.Line(r.Question, 100))
	}
	w.Flush()
}
