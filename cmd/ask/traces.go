package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

func (a *app) traceCommand() *cobra.Command {
	cmd := cli.Group("trace", "List, show, verify, replay, export and prune traces")
	cmd.AddCommand(a.verifyCommand(), a.replayCommand(), a.exportCommand(), a.pruneCommand(), a.listCommand(), a.showCommand())
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

// findTrace gives the path of a run: of its id, of a part that only its id
// begins with, or of "latest".
func findTrace(dir, name string) (string, error) {
	path := filepath.Join(dir, trace.FileName(name))
	if _, err := os.Lstat(path); err == nil {
		return path, nil
	}
	runs, err := runsIn(dir)
	if err != nil {
		return "", err
	}
	begins := func(id string) bool { return name == "latest" || name != "" && strings.HasPrefix(id, name) }
	runs = slices.DeleteFunc(runs, func(id string) bool { return !begins(id) })
	switch {
	case len(runs) == 0:
		return path, nil // which is missing
	case len(runs) > 1 && name != "latest":
		return "", cli.Usage(verdict.UsageArgument, "%d runs begin with %.128q: %s and others", len(runs), name, strings.Join(runs[:2], ", "))
	}
	return filepath.Join(dir, trace.FileName(runs[len(runs)-1])), nil
}

// runsIn are the runs of a folder, the oldest first: an id begins with its time.
func runsIn(dir string) (runs []string, err error) {
	entries, err := os.ReadDir(dir) // sorted
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, verdict.Fail(verdict.ConfigUnreadable, err, "%s: %v", dir, errors.Unwrap(err))
	}
	for _, e := range entries {
		if id := trace.RunID(e.Name()); id != "" && e.Type().IsRegular() {
			runs = append(runs, id)
		}
	}
	return runs, nil
}

// openTrace: what has a separator or ends like a trace's file is a path.
func (a *app) openTrace(name string) (string, *os.File, error) {
	path := name
	if !strings.ContainsRune(name, filepath.Separator) && !strings.HasSuffix(name, ".jsonl") {
		s, _, err := a.Settings()
		if err != nil {
			return "", nil, err
		}
		if path, err = findTrace(s.TraceDir.V, name); err != nil {
			return "", nil, err
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return path, nil, verdict.Fail(verdict.TraceMissing, err, "%s: %v", path, errors.Unwrap(err))
	}
	return path, f, nil
}
