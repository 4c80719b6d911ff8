package runs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/trace"
)

// counted is a real disk that notes, in order, what is opened to be written,
// synced and closed below root. It fails at the nth step, if failAt is not 0.
type counted struct {
	root   string
	steps  []string
	failAt int
	at     func(step string) // optional
}

func (c *counted) step(what, path string) error {
	rel, err := filepath.Rel(c.root, path)
	c.steps = append(c.steps, strings.TrimSpace(what+" "+rel))
	if c.at != nil {
		c.at(c.steps[len(c.steps)-1])
	}
	if len(c.steps) == c.failAt {
		return errors.New("the disk is gone")
	}
	return err
}

func (c *counted) open(path string, flag int, mode fs.FileMode) (file, error) {
	if flag != os.O_RDONLY {
		if err := c.step(fmt.Sprintf("make %#o", mode), path); err != nil {
			return nil, err
		}
	}
	f, err := openFile(path, flag, mode)
	return &countedFile{f, c, path}, err
}

type countedFile struct {
	file
	c    *counted
	path string
}

func (f *countedFile) Sync() error { return errors.Join(f.c.step("sync", f.path), f.file.Sync()) }

func (f *countedFile) Close() error {
	return errors.Join(f.c.step("close", f.path), f.file.Close())
}

const runFile = "a/b/trace_run.jsonl"

// A line that was synced does not last where a crash can take away the file's
// name or that of a directory above it.
func TestATraceIsOnDiskWithAllThatLeadsToIt(t *testing.T) {
	t.Parallel()
	c := &counted{root: t.TempDir()}
	sink, err := Dir(filepath.Join(c.root, "a/b")).create(t.Context(), c.open, "run")
	if err != nil {
		t.Fatal(err)
	}
	created := []string{"sync a", "close a", "sync .", "close .", "make 0600 " + runFile}
	if !slices.Equal(c.steps, created) {
		t.Errorf("before a run: %q, want %q", c.steps, created)
	}

	c.steps = nil
	log := trace.New(sink, time.Now)
	if err := log.Append(trace.Begin, struct{}{}); err != nil || len(c.steps) > 0 {
		t.Fatalf("%v; %q", err, c.steps)
	}
	if _, err := log.Commit(trace.Approval, jsontext.Value(`{}`)); err != nil || !slices.Equal(c.steps, []string{"sync a/b", "close a/b", "sync " + runFile}) {
		t.Errorf("before a call: %q, %v", c.steps, err)
	}
	c.steps = nil
	_, err = log.Close()
	if err = errors.Join(err, sink.Close()); err != nil || !slices.Equal(c.steps, []string{"sync " + runFile, "close " + runFile}) {
		t.Errorf("after a run: %q, %v", c.steps, err)
	}
}

func TestADirectoryThatIsThereIsSyncedForTheNewName(t *testing.T) {
	t.Parallel()
	c := &counted{root: t.TempDir()}
	sink, err := Dir(c.root).create(t.Context(), c.open, "run")
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Close()
	if want := []string{"make 0600 trace_run.jsonl", "sync .", "close .", "sync trace_run.jsonl"}; sink.Sync() != nil || !slices.Equal(c.steps, want) {
		t.Errorf("%q, want %q", c.steps, want)
	}
}

func TestATraceWhoseNameIsNotOnDiskIsNotSynced(t *testing.T) {
	t.Parallel()
	for failAt := 1; failAt <= 8; failAt++ {
		c := &counted{root: t.TempDir(), failAt: failAt}
		sink, err := Dir(filepath.Join(c.root, "a/b")).create(t.Context(), c.open, "run")
		if err == nil {
			err = sink.Sync()
		}
		if err == nil {
			t.Errorf("step %d failed: %q", failAt, c.steps)
		}
	}
}

func TestOnlyItsOwnerReadsATrace(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	sink, path, err := Dir(filepath.Join(root, "a/b")).Create(t.Context(), "run")
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Close()
	for at, want := range map[string]fs.FileMode{"a": fs.ModeDir | 0o700, "a/b": fs.ModeDir | 0o700, runFile: 0o600} {
		info, err := os.Lstat(filepath.Join(root, at))
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; want %v", at, info.Mode(), err, want)
		}
	}
	if path != filepath.Join(root, runFile) {
		t.Error(path)
	}
}

func TestATraceTakesNobodysPlace(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(path, other string) error{
		"another run's":      func(path, _ string) error { return os.WriteFile(path, []byte("kept"), 0o600) },
		"a link to a file":   func(path, other string) error { return os.Symlink(other, path) },
		"a link to no file":  func(path, other string) error { return os.Symlink(other+"-none", path) },
		"an empty directory": func(path, _ string) error { return os.Mkdir(path, 0o700) },
	} {
		dir := t.TempDir()
		other := filepath.Join(dir, "other")
		path := filepath.Join(dir, "trace_run.jsonl")
		if err := errors.Join(os.WriteFile(other, []byte("kept"), 0o600), put(path, other)); err != nil {
			t.Fatal(err)
		}
		before := listing(t, dir)
		if sink, _, err := Dir(dir).Create(t.Context(), "run"); !errors.Is(err, fs.ErrExist) || sink != nil {
			t.Errorf("%s: %v, %v", name, sink, err)
		}
		if after := listing(t, dir); !slices.Equal(before, after) {
			t.Errorf("%s: %q became %q", name, before, after)
		}
	}
}

// listing is a directory's entries, each with its mode and size, but for the lock.
func listing(t *testing.T, dir string) (entries []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() == lockFile {
			continue
		}
		entries = append(entries, fmt.Sprint(e.Name(), info.Mode(), info.Size()))
	}
	return entries
}

func TestARunIDIsNoPath(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a")
	for _, id := range []string{"", "../run", "x/y", "run\x00", "a b", strings.Repeat("x", 4096)} {
		if sink, path, err := Dir(dir).Create(t.Context(), id); err == nil {
			t.Errorf("%.20q: %v, %q", id, sink, path)
		}
	}
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the directory was made")
	}
}
