package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/host/replay"
	hostruns "github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/trace"
)

// readTrace reads the trace of a run. It returns the intact lines, with an error if later
// ones are damaged.
func (a *app) readTrace(name string) (runs.Recorded, error) {
	dir, err := a.runs(name)
	if err != nil {
		return runs.Recorded{}, err
	}
	return dir.Read(name)
}

func (a *app) listTraces(cmd *cobra.Command) action {
	var filter runs.Filter
	f := cmd.Flags()
	since := f.String("since", "", "only runs since a `TIME`: 2026-11-20, an RFC 3339 time, or 24h for the last day")
	f.StringVar(&filter.Tool, "tool", "", "only runs that planned a call of `TOOL`, or of SERVER/TOOL")
	f.StringVar(&filter.Type, "type", "", "only runs that came to `TYPE`: tool_result, blocked, approval_needed, failed, …, incomplete")
	page := f.String("html", "", "write one page of all of them to `FILE`, or to runs.html in a folder")
	return func(ctx context.Context, _ []string) error {
		s, _, err := a.Settings()
		if err != nil {
			return err
		}
		if filter.Since, err = begins(*since, time.Now()); err != nil {
			return err
		}
		all, err := runs.Runs(s.TraceDir.V).List(filter)
		if err != nil || *page == "" {
			return result(a, "traces", (*app).printRuns)(all, err)
		}
		if info, err := os.Stat(*page); err == nil && info.IsDir() {
			*page = filepath.Join(*page, "runs.html")
		}
		return a.writePage(*page, runs.Runs(s.TraceDir.V).Page(ctx, version, all))
	}
}

// begins reads the time that --since gives.
func begins(since string, now time.Time) (time.Time, error) {
	if since == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(since); err == nil {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateTime, time.DateOnly} {
		if t, err := time.ParseInLocation(layout, since, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, cli.Usage(verdict.UsageFlag, "--since takes a day such as 2026-11-20, an RFC 3339 time, or a duration such as 24h")
}

func (a *app) printRuns(all []runs.Run) {
	printTable(a, all, func(r runs.Run) []string {
		came := strings.TrimSpace(r.Type + " " + r.Code)
		return []string{r.RunID, r.Time.Format(time.RFC3339), came, escape.Line(cmp.Or(r.Tool, "-"), 80), escape.Line(r.Title(), 100)}
	})
}

// line is one event as `ask trace show --raw` prints it.
type line struct {
	Seq  int            `json:"seq"`
	Time time.Time      `json:"time"`
	Kind trace.Kind     `json:"kind"`
	Body jsontext.Value `json:"body"`
	Hash string         `json:"hash"`
}

func (a *app) showTrace(cmd *cobra.Command) action {
	raw := cmd.Flags().Bool("raw", false, "the recorded lines, with secrets masked and nothing of a withheld result")
	page := cmd.Flags().String("html", "", "write it as one self-contained page to `FILE`")
	return func(ctx context.Context, args []string) error {
		r, bad := a.readTrace(args[0])
		if len(r.Events) == 0 && bad != nil {
			return bad
		}
		switch {
		case a.JSON:
			lines := []line{}
			for _, e := range account.Lines(r.Events) {
				lines = append(lines, line{e.Seq, e.Time, e.Kind, e.Body, e.Hash.String()})
			}
			return a.Report(cli.Object{"path", r.Path, "events", lines, "error", host.FailureOf(bad)}, bad, nil)
		case *raw:
			for _, e := range account.Lines(r.Events) {
				fmt.Fprintf(a.Out, "%3d  %s  %-8s  %s\n", e.Seq+1, e.Time.Format("15:04:05.000"), e.Kind, escape.Line(string(e.Body), a.Out.Limit(cli.MaxLine)))
			}
		case *page != "":
			run := r.Account(ctx, version, bad)
			if err := a.writePage(*page, account.HTML(account.FirstLine(run.Row.Title()), []account.Run{run})); err != nil {
				return err
			}
		default:
			fmt.Fprint(a.Out, account.Text(r.Account(ctx, version, bad).Sections, a.Out.Limit(account.MaxText)))
		}
		return bad
	}
}

func (a *app) writePage(path string, page []byte) error {
	err := runs.WritePage(path, page)
	if err == nil {
		a.Say("%s", path)
	}
	return err
}

func (a *app) verifyTrace(cmd *cobra.Command) action {
	digest := cmd.Flags().String("digest", "", "the whole `DIGEST` that the run printed; without it a rewritten trace goes unnoticed")
	return func(_ context.Context, args []string) error {
		dir, err := a.runs(args[0])
		if err != nil {
			return err
		}
		v, err := dir.Verify(args[0], *digest)
		if verdict.CodeOf(err) == verdict.TraceMissing {
			return err
		}
		return a.Report(v, err, func() {
			fmt.Fprintf(a.Out, "consistent: %s, %s, %s\n", verdict.Count(v.Lines, "line"), verdict.Count(v.Objects, "object"), v.Digest)
			if *digest == "" {
				a.Say("Compare the digest with a copy that is kept elsewhere, such as the trace_digest of the run: a rewritten file can have its own consistent chain.")
			}
		})
	}
}

func (a *app) exportTrace(cmd *cobra.Command) action {
	out := cmd.Flags().String("out", "", "the `FILE` to make; without it the export goes to stdout")
	return func(_ context.Context, args []string) error {
		switch {
		case *out == "" && a.JSON:
			return cli.Usage(verdict.UsageFlag, "with --json an export goes to a file: name it with --out")
		case *out == "" && a.Out.Terminal():
			// It contains strangers' text, byte for byte.
			return cli.Usage(verdict.UsageFlag, "an export does not go to a terminal: name a file with --out")
		}
		dir, err := a.runs(args[0])
		if err != nil {
			return err
		}
		digest, err := dir.Export(args[0], *out, a.Out)
		if err != nil || *out == "" {
			return err
		}
		return a.Report(cli.Object{"path", *out, "digest", digest.Digest()}, nil, func() { a.Say("Wrote %s, %s.", *out, digest.Digest()) })
	}
}

func (a *app) prune(cmd *cobra.Command) action {
	dry := cmd.Flags().Bool("dry-run", false, "say what would be removed, and remove nothing")
	const usage = "remove traces that were last written more than a `DURATION` ago, such as 90d or 12h"
	return a.onOld(cmd, usage, func(ctx context.Context, d desk.Desk, age time.Duration) error {
		before := time.Now().Add(-age)
		p, err := runs.At(d).Prune(ctx, before, *dry)
		for _, id := range p.Unreadable {
			a.Say("The trace of run %s cannot be read (`ask trace verify` shows why), so every object is kept.", id)
		}
		if err != nil {
			return err
		}
		rows, err := talksOf(d.With.Env).Prune(ctx, before, p.Traces, *dry)
		if err != nil {
			return verdict.Fail(verdict.TraceUnwritable, err, "the rows of conversations cannot be removed: %v", err)
		}
		verb := "removed"
		if *dry {
			verb = "would remove"
		}
		return a.Report(struct {
			SchemaVersion int    `json:"schema_version"`
			TraceDir      string `json:"trace_dir"`
			DryRun        bool   `json:"dry_run"`
			hostruns.Pruned
			Rows int `json:"conversation_rows"`
		}{host.SchemaVersion, d.Settings.TraceDir.V, *dry, p, rows}, nil, func() {
			for _, id := range p.Traces {
				a.Print("%s trace %s", verb, id)
			}
			a.Print("%s %s and %s, %d bytes", verb, verdict.Count(len(p.Traces), "trace"), verdict.Count(len(p.Objects), "object"), p.Bytes)
			if rows > 0 {
				a.Print("%s %s of conversations", verb, verdict.Count(rows, "row"))
			}
		})
	})
}

func (a *app) replay(ctx context.Context, args []string) error {
	r, cut := a.readTrace(args[0])
	if cut != nil && verdict.CodeOf(cut) != verdict.TraceIncomplete {
		return cut
	}
	begin, err := replay.Begin(r.Events, r.Objects)
	if err != nil {
		return err
	}
	change, err := runs.NewPolicy(a.Flags, a.Options())
	if err != nil {
		return err
	}
	opt := r.Replay(version)
	opt.Change = change
	report, err := replay.Run(ctx, r.Events, opt)
	if err != nil {
		return err
	}
	a.sayVersion(report, begin)
	end := differs(report, change != nil)
	if end == nil {
		end = cut // recorded text follows, and more that was not recorded
	}
	return a.ReportAnyway(struct {
		SchemaVersion int    `json:"schema_version"`
		Path          string `json:"path"`
		replay.Report
		Error *host.Failure `json:"error,omitempty"`
	}{host.SchemaVersion, r.Path, report, host.FailureOf(end)}, end, func() { a.printReplay(report) })
}

// sayVersion prints a note before everything else: a difference may come from another version
// alone.
func (a *app) sayVersion(r replay.Report, begin trace.BeginBody) {
	if !r.OtherVersion {
		return
	}
	a.Say("Recorded by another version of ask (%s); this is %s.", cmp.Or(begin.Version, "it does not say which"), version)
	for _, gate := range r.NotRecomputed {
		a.Say("The verdict of the gate %s was not recomputed: it is the recorded one.", gate)
	}
}

// differs is nil if every verdict is as recorded.
func differs(r replay.Report, underNewPolicy bool) error {
	if len(r.Differences) == 0 {
		return nil
	}
	d := r.Differences[0]
	text := fmt.Sprintf("the first verdict that differs is %s: it was %s, and is %s", d.Gate, describe(d.Was), describe(d.Now))
	switch {
	case underNewPolicy:
		return verdict.Fail(verdict.TracePolicy, nil, "%s", text)
	case r.OtherVersion:
		return verdict.Fail(verdict.TraceVersion, nil, "changed between versions: %s", text)
	}
	return verdict.Fail(verdict.TraceDiffers, nil, "%s", text)
}

func describe(d host.Verdict) string {
	switch {
	case d.Gate == "":
		return "not reached"
	case d.Code == "":
		return d.Verdict
	}
	return d.Verdict + " (" + string(d.Code) + ")"
}

func (a *app) printReplay(r replay.Report) {
	for _, d := range r.Outcome.Verdicts[:min(r.Recorded, len(r.Outcome.Verdicts))] {
		a.Print("%-10s %s", d.Gate, describe(d))
	}
	for _, d := range r.Differences {
		a.Print("changed: %s: was %s, is %s", d.Gate, describe(d.Was), describe(d.Now))
	}
	switch {
	case len(r.Differences) > 0:
	case r.Complete:
		a.Print("identical: %s, outcome %s", verdict.Count(r.Recorded, "verdict"), r.Outcome.Type)
	default:
		a.Print("identical as far as the trace goes: %s", verdict.Count(r.Recorded, "verdict"))
	}
}
