package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

func (a *app) traceCommand() *cobra.Command {
	cmd := cli.Group("trace", "List, show, verify, replay, export and prune traces")
	cmd.AddCommand(a.verifyCommand(), a.replayCommand(), a.exportCommand(), a.pruneCommand(),
		&cobra.Command{
			Use: "list", Short: "List the traces", Args: cli.Exactly(0, "list takes nothing"),
			RunE: func(*cobra.Command, []string) error { return a.listTraces() },
		},
		&cobra.Command{
			Use: "show RUN", Short: "Show a trace, line by line", Args: oneTrace,
			RunE: func(_ *cobra.Command, args []string) error { return a.showTrace(args[0]) },
		})
	return cmd
}

var oneTrace = cli.Exactly(1, "takes a run id or a trace's path")

// recorded is a trace in memory, and the way to what its lines refer to.
type recorded struct {
	path    string
	events  []trace.Event
	objects trace.Objects
}

// readTrace reads the trace of a run id or of a path, exports too. Intact lines
// come back beside an error that says what is wrong after them.
func (a *app) readTrace(name string) (recorded, error) {
	path, f, err := a.openTrace(name)
	if err != nil {
		return recorded{path: path}, err
	}
	defer f.Close()
	r := recorded{path: path}
	with := map[trace.Hash]jsontext.Value{}
	_, err = trace.Scan(f, func(e trace.Event) { r.events = append(r.events, e) }, func(h trace.Hash, v jsontext.Value) { with[h] = v })
	r.objects = func(h trace.Hash) (jsontext.Value, error) {
		if v, ok := with[h]; ok {
			return v, nil
		}
		return beside(path).Object(h)
	}
	return r, err
}

// beside is where the objects of a trace's file are.
func beside(path string) host.TraceDir { return host.TraceDir(filepath.Dir(path)) }

// openTrace: what has a separator or ends like a trace's file is a path.
func (a *app) openTrace(name string) (string, *os.File, error) {
	path := name
	if !strings.ContainsRune(name, filepath.Separator) && !strings.HasSuffix(name, ".jsonl") {
		s, _, err := a.Settings()
		if err != nil {
			return "", nil, err
		}
		path = filepath.Join(s.TraceDir.V, trace.FileName(name))
	}
	f, err := os.Open(path)
	if err != nil {
		return path, nil, verdict.Fail(verdict.TraceMissing, err, "%s: %v", path, errors.Unwrap(err))
	}
	return path, f, nil
}

// traceRow is one trace as `ask trace list` prints it.
type traceRow struct {
	RunID string    `json:"run_id"`
	Path  string    `json:"path"`
	Time  time.Time `json:"time"`
	Size  int64     `json:"size"`
}

func (a *app) listTraces() error {
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(s.TraceDir.V)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return verdict.Fail(verdict.ConfigUnreadable, err, "%s: %v", s.TraceDir.V, errors.Unwrap(err))
	}
	rows := []traceRow{}
	for _, e := range entries {
		info, err := e.Info()
		if id := trace.RunID(e.Name()); id != "" && err == nil && info.Mode().IsRegular() {
			rows = append(rows, traceRow{id, filepath.Join(s.TraceDir.V, e.Name()), info.ModTime().UTC(), info.Size()})
		}
	}
	if a.JSON {
		a.Member("traces", rows)
		return nil
	}
	for _, r := range rows {
		fmt.Fprintf(a.Out, "%s  %s  %d bytes\n", guard.Line(r.RunID, 128), r.Time.Format(time.RFC3339), r.Size)
	}
	return nil
}

// line is one event as `ask trace show` prints it.
type line struct {
	Seq  int            `json:"seq"`
	Time time.Time      `json:"time"`
	Kind trace.Kind     `json:"kind"`
	Body jsontext.Value `json:"body"`
	Hash string         `json:"hash"`
}

func (a *app) showTrace(name string) error {
	r, bad := a.readTrace(name)
	if verdict.CodeOf(bad) == verdict.TraceMissing || len(r.events) == 0 && bad != nil {
		return bad
	}
	lines := []line{}
	for _, e := range r.events {
		lines = append(lines, line{e.Seq, e.Time, e.Kind, e.Body, e.Hash.String()})
	}
	if a.JSON {
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
		return a.EndWith(bad)
	}
	for _, l := range lines {
		fmt.Fprintf(a.Out, "%3d  %s  %-8s  %s\n", l.Seq+1, l.Time.Format("15:04:05.000"), l.Kind, guard.Line(string(l.Body), cli.MaxLine))
	}
	return bad
}
