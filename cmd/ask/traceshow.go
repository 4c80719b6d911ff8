package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

func (a *app) showCommand() *cobra.Command {
	var raw bool
	var page string
	cmd := &cobra.Command{
		Use: "show RUN", Short: "Tell a run from its question to its digest", Args: oneTrace,
		Long: `show tells what a trace records, in the order in which an auditor asks: the
question, the policy, the tools that were considered, every gate, the plan, the
approval, the result, the claims with their places, the digest. RUN is a run id,
the beginning of one, "latest", or a file. It does not verify the chain: ask
trace verify does.`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.showTrace(cmd.Context(), args[0], raw, page) },
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "the recorded lines, with secrets masked and nothing of a withheld result")
	cmd.Flags().StringVar(&page, "html", "", "write it as a page to `FILE`, which needs nothing but itself")
	return cmd
}

// line is one event as `ask trace show --raw` prints it.
type line struct {
	Seq  int            `json:"seq"`
	Time time.Time      `json:"time"`
	Kind trace.Kind     `json:"kind"`
	Body jsontext.Value `json:"body"`
	Hash string         `json:"hash"`
}

func (a *app) showTrace(ctx context.Context, name string, raw bool, page string) error {
	r, bad := a.readTrace(name)
	if len(r.events) == 0 && bad != nil {
		return bad
	}
	switch {
	case a.JSON:
		a.showEvents(r, bad)
		return a.EndWith(bad)
	case raw:
		for _, e := range account.Lines(r.events) {
			fmt.Fprintf(a.Out, "%3d  %s  %-8s  %s\n", e.Seq+1, e.Time.Format("15:04:05.000"), e.Kind, guard.Line(string(e.Body), cli.MaxLine))
		}
	case page != "":
		told := a.told(ctx, r, bad)
		if err := a.writePage(page, account.HTML("Run "+told.Row.RunID, []account.Told{told})); err != nil {
			return err
		}
	default:
		fmt.Fprint(a.Out, account.Text(a.told(ctx, r, bad).Sections))
	}
	return bad
}

func (a *app) showEvents(r recorded, bad error) {
	lines := []line{}
	for _, e := range account.Lines(r.events) {
		lines = append(lines, line{e.Seq, e.Time, e.Kind, e.Body, e.Hash.String()})
	}
	var f *host.Failure
	if bad != nil {
		f = host.FailureOf(bad)
	}
	a.Document(struct {
		SchemaVersion int           `json:"schema_version"`
		Path          string        `json:"path"`
		Events        []line        `json:"events"`
		Error         *host.Failure `json:"error,omitempty"`
	}{host.SchemaVersion, r.path, lines, f})
}

// told is a run in words. One that cannot be told whole says why.
func (a *app) told(ctx context.Context, r recorded, bad error) account.Told {
	opt := replay.Options{Version: version}
	if begin, err := replay.Begin(r.events, r.objects); err == nil {
		opt.Types = typesOf(begin)
	}
	return account.Told{Row: account.RowOf(r.events), Sections: account.Of(ctx, account.Trace{Events: r.events, Objects: r.objects, Wrong: bad}, opt)}
}

// writeRuns writes a page of many runs.
func (a *app) writeRuns(ctx context.Context, to, dir string, rows []traceRow) error {
	if info, err := os.Stat(to); err == nil && info.IsDir() {
		to = filepath.Join(to, "runs.html")
	}
	var all []account.Told
	for i := len(rows) - 1; i >= 0; i-- { // the newest first
		r, bad := a.readTrace(rows[i].Path)
		told := a.told(ctx, r, bad)
		told.Row = rows[i].Row
		all = append(all, told)
	}
	return a.writePage(to, account.HTML("Runs in "+dir, all))
}

// writePage makes a file for its user alone, and writes over none.
func (a *app) writePage(path string, page []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return cli.Usage(verdict.UsageFlag, "%s is there already: name a new file", path)
	case err != nil:
		return cli.Usage(verdict.UsageFlag, "%s: %v", path, errors.Unwrap(err))
	}
	_, err = f.Write(page)
	if err = errors.Join(err, f.Close()); err != nil {
		return verdict.Fail(verdict.Internal, err, "%s: %v", path, err)
	}
	a.Say("%s", path)
	return nil
}
