// Package runs is a person's work on runs. The person finds, reads, verifies and exports
// them, approves a waiting call, and releases a withheld result.
//
// It vouches that an approval is for the call in the verified trace, with a record that
// matches the approval's digest. It does not vouch for the person: its caller identifies the
// person.
//
// cmd/ask calls it, and shows and asks around it.
package runs

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/trace"
)

// Runs is the directory of runs. The name of a run is its id, a unique prefix of it,
// "latest", or the path of its trace.
type Runs string

// IsPath reports whether a name is a trace's path: it has a separator, or the extension of a
// trace. Such a trace is read without the directory of runs.
func IsPath(name string) bool {
	return strings.ContainsRune(name, filepath.Separator) || strings.HasSuffix(name, ".jsonl")
}

// IDs are the ids of all runs, the oldest first: an id begins with its time.
func (r Runs) IDs() (ids []string, err error) {
	complete(string(r))
	entries, err := os.ReadDir(string(r)) // sorted by name
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, verdict.Fail(verdict.ConfigUnreadable, err, "%s: %v", r, errors.Unwrap(err))
	}
	for _, e := range entries {
		if id := trace.RunID(e.Name()); id != "" && e.Type().IsRegular() {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// path is the path of a run's trace, which may not exist.
func (r Runs) path(name string) (string, error) {
	if IsPath(name) {
		return name, nil
	}
	file := func(id string) string { return filepath.Join(string(r), trace.FileName(id)) }
	if _, err := os.Lstat(file(name)); err == nil {
		return file(name), nil
	}
	ids, err := r.IDs()
	if err != nil {
		return "", err
	}
	named := func(id string) bool { return name == "latest" || name != "" && strings.HasPrefix(id, name) }
	ids = slices.DeleteFunc(ids, func(id string) bool { return !named(id) })
	switch {
	case len(ids) == 0:
		return file(name), nil
	case len(ids) > 1 && name != "latest":
		return "", verdict.Fail(verdict.UsageArgument, nil, "%d runs begin with %.128q: %s and others", len(ids), name, strings.Join(ids[:2], ", "))
	}
	return file(ids[len(ids)-1]), nil
}

// Open opens the trace of a run, and returns its path.
func (r Runs) Open(name string) (string, *os.File, error) {
	path, err := r.path(name)
	if err != nil {
		return "", nil, err
	}
	complete(string(r))
	f, err := os.Open(path)
	if err != nil {
		return path, nil, verdict.Fail(verdict.TraceMissing, err, "%s: %v", path, errors.Unwrap(err))
	}
	return path, f, nil
}

// complete completes traces of the directory of runs that a crash of the machine cut off. If that fails, a trace
// is read up to its last intact line.
func complete(dir string) { _ = runs.Dir(dir).Complete() }

// objectsOf finds the objects that are stored next to a trace's file.
func objectsOf(path string) trace.Objects { return runs.Dir(filepath.Dir(path)).Object }

// Recorded is a trace in memory, with the objects that its lines refer to.
type Recorded struct {
	Path    string
	Events  []trace.Event
	Objects trace.Objects
}

// Read reads the trace of a run, or an export. It returns the intact lines, with an error if
// later ones are damaged.
func (r Runs) Read(name string) (Recorded, error) {
	path, f, err := r.Open(name)
	if err != nil {
		return Recorded{Path: path}, err
	}
	defer f.Close()
	all := Recorded{Path: path}
	inside := map[trace.Hash]jsontext.Value{}
	_, err = trace.Scan(f, func(e trace.Event) { all.Events = append(all.Events, e) }, func(h trace.Hash, v jsontext.Value) { inside[h] = v })
	all.Objects = func(h trace.Hash) (jsontext.Value, error) {
		if v, ok := inside[h]; ok {
			return v, nil
		}
		return objectsOf(path)(h)
	}
	return all, err
}

// Replay is the options of a version of the program for a replay of the run. A run of the
// demo also checked its results against the demo's Go types.
func (r Recorded) Replay(version string) replay.Options {
	opt := replay.Options{Version: version, Objects: r.Objects}
	if begin, err := replay.Begin(r.Events, r.Objects); err == nil && replay.InProcess(begin) {
		opt.Types = demo.Types()
	}
	return opt
}

// Filter chooses runs; its zero value chooses all.
type Filter struct {
	Since      time.Time
	Tool, Type string // "" matches any; a tool with its server, or without
}

func (f Filter) takes(r account.Row) bool {
	_, tool, _ := strings.Cut(r.Tool, "/")
	switch {
	case r.Time.Before(f.Since):
		return false
	case f.Type != "" && f.Type != r.Type:
		return false
	}
	return f.Tool == "" || f.Tool == tool || f.Tool == r.Tool
}

// Run is one run of a list.
type Run struct {
	account.Row
	Path string `json:"path"`
	Size int64  `json:"size"`
}

// List lists the chosen runs, the oldest first. A damaged trace is listed up to its damage,
// and its type shows that.
func (r Runs) List(f Filter) ([]Run, error) {
	ids, err := r.IDs()
	if err != nil {
		return nil, err
	}
	all := make([]Run, len(ids))
	var workers sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(ids)); i = next.Add(1) - 1 {
				all[i] = r.row(ids[i])
			}
		})
	}
	workers.Wait()
	return slices.DeleteFunc(all, func(run Run) bool { return run.Path == "" || !f.takes(run.Row) }), nil
}

// row is the row of one run, without a path if its trace was pruned in the meantime. Of the
// trace it reads the chain and the lines that a row shows.
func (r Runs) row(id string) Run {
	path := filepath.Join(string(r), trace.FileName(id))
	info, err := os.Stat(path)
	if err != nil {
		return Run{}
	}
	var events []trace.Event
	if f, err := os.Open(path); err == nil {
		defer f.Close()
		trace.Skim(f, func(e trace.Event) { events = append(events, e) })
	}
	run := Run{account.RowOf(events), path, info.Size()}
	run.RunID = cmp.Or(run.RunID, id)
	if run.Time.IsZero() {
		run.Time = info.ModTime().UTC()
	}
	return run
}

// Export writes the trace of a run as one self-contained file. It writes a new file that only
// its owner can read, or to w if path is "".
func (r Runs) Export(name, path string, w io.Writer) (trace.Hash, error) {
	from, f, err := r.Open(name)
	if err != nil {
		return trace.Hash{}, err
	}
	defer f.Close()
	// The first pass has no output: half an export is useless.
	if digest, err := trace.Export(io.Discard, f, objectsOf(from)); err != nil {
		return digest, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return trace.Hash{}, verdict.Fail(verdict.TraceMissing, err, "%s: %v", from, err)
	}
	if path == "" {
		return trace.Export(w, f, objectsOf(from))
	}
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return trace.Hash{}, verdict.Fail(verdict.UsageFlag, err, "--out %s: %v", path, errors.Unwrap(err))
	}
	digest, err := trace.Export(to, f, objectsOf(from))
	if err == nil {
		err = to.Sync()
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return digest, errors.Join(err, os.Remove(path))
	}
	return digest, nil
}

// Account is the run in words. It includes the error of a damaged run.
func (r Recorded) Account(ctx context.Context, version string, wrong error) account.Run {
	return account.Run{Row: account.RowOf(r.Events), Sections: account.Of(ctx, account.Trace{Events: r.Events, Objects: r.Objects, Wrong: wrong}, r.Replay(version))}
}

// Page is one page with the runs of a list, the newest first.
func (r Runs) Page(ctx context.Context, version string, all []Run) []byte {
	var pages []account.Run
	for _, run := range slices.Backward(all) {
		recorded, wrong := r.Read(run.Path)
		page := recorded.Account(ctx, version, wrong)
		page.Row = run.Row
		pages = append(pages, page)
	}
	return account.HTML("Runs in "+string(r), pages)
}

// WritePage makes a file for its user alone, and never overwrites one.
func WritePage(path string, page []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, os.ErrExist):
		return verdict.Fail(verdict.UsageFlag, nil, "%s exists: name a new file", path)
	case err != nil:
		return verdict.Fail(verdict.UsageFlag, nil, "%s: %v", path, errors.Unwrap(err))
	}
	_, err = f.Write(page)
	if err = errors.Join(err, f.Close()); err != nil {
		return verdict.Fail(verdict.Internal, err, "%s: %v", path, err)
	}
	return nil
}

// NewPolicy is the change that flags make to the recorded policy, nil without flags. A flag
// replaces only the part that it names.
func NewPolicy(flags config.Flags, o setup.Options) (func(host.Policy) host.Policy, error) {
	if flags.Config == "" && len(flags.Given) == 0 {
		return nil, nil
	}
	paths, err := config.FindPaths(o.Env)
	if err != nil {
		return nil, err
	}
	s, err := config.Load(paths, o.Env, flags)
	if err != nil {
		return nil, err
	}
	listed := s.Allowlist.Origin.Kind == config.FromFlag || s.Allowlist.Origin == config.Origin{Kind: config.FromFile, Name: flags.Config}
	ruled := slices.DeleteFunc(slices.Clone(s.Policy), func(v config.Value[string]) bool { return v.Origin.Kind != config.FromFlag })
	if flags.Config == "" && !listed && len(ruled) == 0 {
		return nil, nil
	}
	if flags.Config == "" {
		s.Policy = ruled
	}
	named, err := setup.Policy(s)
	if err != nil {
		return nil, err
	}
	return func(p host.Policy) host.Policy {
		allowlist := p.Allowlist
		if listed {
			allowlist = config.LoadAllowlist(s.Allowlist.V)
		}
		if flags.Config != "" {
			p = named
		}
		if len(ruled) > 0 {
			p.CallRules = named.CallRules
		}
		p.Allowlist = allowlist
		return p
	}, nil
}

// Prune removes old traces, except those of runs that wait for an approval.
func (d Desk) Prune(ctx context.Context, before time.Time, dry bool) (runs.Pruned, error) {
	rows, err := desk.FromState(d.Desk, func(s *store.Store) ([]approval.Approval, error) { return s.Waiting(ctx) })
	if err != nil {
		return runs.Pruned{}, err
	}
	waits := func(run string) bool {
		return slices.ContainsFunc(rows, func(is approval.Approval) bool { return is.RunID == run && is.Live(d.Now()) })
	}
	return runs.Dir(d.Runs()).Prune(ctx, before, waits, dry)
}

// Runs are the runs of the installation.
func (d Desk) Runs() Runs { return Runs(d.Settings.TraceDir.V) }

// Desk manages the runs of an installation.
type Desk struct{ desk.Desk }

// At is the desk of an installation.
func At(d desk.Desk) Desk { return Desk{d} }
