package runs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/trace"
)

// noneWaits is of runs none of which waits for an approval.
func noneWaits(string) bool { return false }

var longAgo = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// policyOf is the object of one policy.
func policyOf(name string) trace.Object {
	return trace.NewObject(func() jsontext.Value { return jsontext.Value(`"` + strings.Repeat(name, 200) + `"`) })
}

// leave writes a finished trace that refers to a policy, and was written at a time.
func leave(t *testing.T, d Dir, id, policy string, at time.Time) {
	t.Helper()
	sink, path, err := d.Create(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	l := trace.New(sink, time.Now)
	err = errors.Join(
		l.Append(trace.Begin, trace.BeginBody{Format: trace.Format, Policy: l.Share(policyOf(policy))}),
		l.Append(trace.Outcome, struct{}{}))
	_, closed := l.Close()
	if err := errors.Join(err, closed, sink.Close(), os.Chtimes(path, at, at)); err != nil {
		t.Fatal(err)
	}
}

// contents are the names below a directory, but for the lock's.
func contents(t *testing.T, d Dir) (names []string) {
	t.Helper()
	err := filepath.WalkDir(string(d), func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(string(d), path)
		if err == nil && !e.IsDir() && rel != lockFile {
			names = append(names, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// whole asserts that every trace is finished and has its objects.
func whole(t *testing.T, d Dir) (traces int) {
	t.Helper()
	for _, name := range contents(t, d) {
		if trace.RunID(name) == "" {
			continue
		}
		traces++
		b, err := os.ReadFile(filepath.Join(string(d), name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trace.Export(&bytes.Buffer{}, bytes.NewReader(b), d.Object); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	return traces
}

func write(t *testing.T, d Dir, name, text string, at time.Time) {
	t.Helper()
	path := filepath.Join(string(d), name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, at, at)); err != nil {
		t.Fatal(err)
	}
}

func TestAPruneRemovesWhatIsOldAndWhatNothingRefersTo(t *testing.T) {
	t.Parallel()
	d := Dir(t.TempDir())
	leave(t, d, "old", "a", longAgo)
	leave(t, d, "older", "b", longAgo.Add(-time.Hour))
	leave(t, d, "asks", "c", longAgo)
	leave(t, d, "new", "b", longAgo.Add(time.Minute))
	for _, name := range []string{
		"notes.txt", "trace_old.json", "objects/tmp_0123456789abcdef",
		"objects/readme", "objects/" + strings.Repeat("A", 64), "objects/deep/" + strings.Repeat("a", 64),
	} {
		write(t, d, name, "x", longAgo.Add(-time.Hour))
	}
	before := contents(t, d)
	said, err := d.Prune(t.Context(), longAgo.Add(time.Minute), func(run string) bool { return run == "asks" }, true)
	if err != nil || !slices.Equal(contents(t, d), before) {
		t.Fatalf("a dry run: %v, %q became %q", err, before, contents(t, d))
	}
	done, err := d.Prune(t.Context(), longAgo.Add(time.Minute), func(run string) bool { return run == "asks" }, false)
	if err != nil || fmt.Sprint(said) != fmt.Sprint(done) || !slices.Equal(done.Traces, []string{"old", "older"}) || len(done.Objects) != 1 || done.Bytes < 600 {
		t.Errorf("%+v, %v; the dry run said %+v", done, err, said)
	}
	gone := slices.DeleteFunc(before, func(name string) bool { return slices.Contains(contents(t, d), name) })
	want := []string{"objects/" + strings.TrimPrefix(done.Objects[0], "sha256:"), "objects/tmp_0123456789abcdef", "trace_old.jsonl", "trace_older.jsonl"}
	if !slices.Equal(gone, want) {
		t.Errorf("%q are gone, want %q", gone, want)
	}
	if n := whole(t, d); n != 2 {
		t.Errorf("%d traces are left", n)
	}
}

func TestARunThatWaitsKeepsItsTrace(t *testing.T) {
	t.Parallel()
	d := Dir(t.TempDir())
	leave(t, d, "waits", "a", longAgo)
	leave(t, d, "done", "a", longAgo)
	done, err := d.Prune(t.Context(), longAgo.Add(time.Minute), func(run string) bool { return run == "waits" }, false)
	if err != nil || !slices.Equal(done.Traces, []string{"done"}) || whole(t, d) != 1 {
		t.Errorf("%+v, %v, %q", done, err, contents(t, d))
	}
}

// A run that waits for a person holds no prune up, and writes on afterwards.
func TestAPruneDoesNotWaitForARunThatWaits(t *testing.T) {
	t.Parallel()
	d := Dir(t.TempDir())
	leave(t, d, "old", "a", longAgo)
	sink, _, err := d.Create(t.Context(), "run")
	if err != nil {
		t.Fatal(err)
	}
	l := trace.New(sink, time.Now)
	err = l.Append(trace.Begin, trace.BeginBody{Format: trace.Format, Policy: l.Share(policyOf("b"))})
	waiting := sink.(inbox.Sink)
	if err := errors.Join(err, sink.Sync(), waiting.Wait()); err != nil {
		t.Fatal(err)
	}
	done, err := d.Prune(t.Context(), longAgo.Add(time.Minute), noneWaits, false)
	if err != nil || !slices.Equal(done.Traces, []string{"old"}) || len(done.Objects) != 1 {
		t.Errorf("while it waits: %+v, %v", done, err)
	}
	if err := waiting.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	if done, err := d.Prune(t.Context(), time.Now(), noneWaits, false); verdict.CodeOf(err) != verdict.TraceBusy {
		t.Errorf("when it goes on: %+v, %v", done, err)
	}
	err = l.Append(trace.Outcome, struct{}{})
	_, closed := l.Close()
	if err := errors.Join(err, closed, sink.Close()); err != nil || whole(t, d) != 1 {
		t.Error(err)
	}
}

func TestAPruneOfNothingIsNothing(t *testing.T) {
	t.Parallel()
	d := Dir(filepath.Join(t.TempDir(), "a"))
	if done, err := d.Prune(t.Context(), time.Now(), noneWaits, false); err != nil || done.Bytes != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	if _, err := os.Stat(string(d)); err == nil {
		t.Error("the directory was made")
	}
}

// A trace that cannot be read may refer to anything.
func TestATraceThatCannotBeReadKeepsEveryObject(t *testing.T) {
	t.Parallel()
	d := Dir(t.TempDir())
	leave(t, d, "old", "a", longAgo)
	leave(t, d, "new", "b", longAgo.Add(time.Hour))
	write(t, d, "trace_edited.jsonl", "{}\n", longAgo.Add(time.Hour))
	done, err := d.Prune(t.Context(), longAgo.Add(time.Minute), noneWaits, false)
	if err != nil || !slices.Equal(done.Traces, []string{"old"}) || len(done.Objects) > 0 || !slices.Equal(done.Unreadable, []string{"edited"}) {
		t.Errorf("%+v, %v", done, err)
	}
	// Once it is old itself it keeps nothing.
	done, err = d.Prune(t.Context(), longAgo.Add(2*time.Hour), noneWaits, false)
	if err != nil || len(done.Traces) != 2 || len(done.Objects) != 2 || len(contents(t, d)) != 0 {
		t.Errorf("%+v, %v, %q", done, err, contents(t, d))
	}
}

func TestTheTraceOfAKilledRunKeepsItsObjects(t *testing.T) {
	t.Parallel()
	d := Dir(t.TempDir())
	leave(t, d, "killed", "a", longAgo)
	path := filepath.Join(string(d), "trace_killed.jsonl")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range []int{len(b) - 1, bytes.IndexByte(b, '\n') + 1} {
		write(t, d, "trace_killed.jsonl", string(b[:cut]), longAgo)
		if done, err := d.Prune(t.Context(), longAgo, noneWaits, false); err != nil || len(done.Unreadable)+len(done.Objects) > 0 {
			t.Errorf("cut at %d: %+v, %v", cut, done, err)
		}
	}
}

func TestAPruneGivesWayToARunAndARunWaitsForAPrune(t *testing.T) {
	t.Parallel()
	d := Dir(t.TempDir())
	leave(t, d, "old", "a", longAgo)
	sink, _, err := d.Create(t.Context(), "run")
	if err != nil {
		t.Fatal(err)
	}
	before := contents(t, d)
	if done, err := d.Prune(t.Context(), time.Now(), noneWaits, false); verdict.CodeOf(err) != verdict.TraceBusy || len(done.Traces) > 0 || !slices.Equal(contents(t, d), before) {
		t.Errorf("during a run: %+v, %v, %q", done, err, contents(t, d))
	}
	if done, err := d.Prune(t.Context(), longAgo.Add(time.Hour), noneWaits, true); err != nil || len(done.Traces) != 1 {
		t.Errorf("a dry run during a run: %+v, %v", done, err)
	}
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
	alone, err := d.lock(t.Context(), true, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.lock(t.Context(), false, 0); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("a run next to a prune: %v", err)
	}
	waited := make(chan error)
	go func() {
		sink, _, err := d.Create(t.Context(), "waits")
		if err == nil {
			err = sink.Close()
		}
		waited <- err
	}()
	if err := alone.Close(); err != nil {
		t.Error(err)
	}
	if err := <-waited; err != nil {
		t.Error(err)
	}
}

// Wherever a prune is killed, what is left of the traces has its objects.
func TestAPruneThatIsKilledBreaksNothing(t *testing.T) {
	t.Parallel()
	killed := errors.New("killed")
	for at := 0; ; at++ {
		d, n := Dir(t.TempDir()), 0
		for i, id := range []string{"a", "b", "c", "d"} {
			leave(t, d, id, string(rune('a'+i/2)), longAgo.Add(time.Duration(i)*time.Hour))
			leave(t, d, id+"2", id, longAgo)
		}
		_, err := d.prune(t.Context(), longAgo.Add(3*time.Hour), noneWaits, func(path string) error {
			if n++; n > at {
				return killed
			}
			return os.Remove(path)
		})
		whole(t, d)
		if _, err := d.Prune(t.Context(), longAgo.Add(3*time.Hour), noneWaits, false); err != nil || whole(t, d) != 1 || len(contents(t, d)) != 2 {
			t.Errorf("killed after %d removals, the next leaves %q: %v", at, contents(t, d), err)
		}
		if err == nil {
			return
		}
		if !errors.Is(err, killed) {
			t.Fatal(err)
		}
	}
}

// Runs that begin and end while traces are pruned lose no object.
func TestRunsAndPrunesAtTheSameTime(t *testing.T) {
	t.Parallel()
	d := Dir(t.TempDir())
	var runs, prunes sync.WaitGroup
	done := make(chan struct{})
	pruned := 0
	prunes.Go(func() {
		for {
			p, err := d.Prune(t.Context(), longAgo.Add(time.Hour), noneWaits, false)
			if err != nil && verdict.CodeOf(err) != verdict.TraceBusy {
				t.Error(err)
			}
			pruned += len(p.Traces)
			select {
			case <-done:
				return
			default:
			}
		}
	})
	for w := range 4 {
		runs.Go(func() {
			for i := range 20 {
				at := time.Now()
				if i%2 == 0 {
					at = longAgo
				}
				// Policies come and go: each is kept by one trace at a time, or by none.
				leave(t, d, fmt.Sprintf("%d-%d", w, i), string(rune('a'+i%5)), at)
			}
		})
	}
	runs.Wait()
	close(done)
	prunes.Wait()
	p, err := d.Prune(t.Context(), longAgo.Add(time.Hour), noneWaits, false)
	if n := whole(t, d); err != nil || n != 40 || pruned+len(p.Traces) != 40 {
		t.Errorf("%d traces are left and %d were removed: %v", n, pruned+len(p.Traces), err)
	}
}
