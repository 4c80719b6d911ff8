package runs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// common is a value that runs have in common.
var common = trace.NewObject(func() jsontext.Value { return jsontext.Value(`"` + strings.Repeat("x", 200) + `"`) })

// begun is a run whose first line refers to an object.
func begun(t *testing.T, c *counted, id string) (host.TraceSink, *trace.Log, error) {
	t.Helper()
	sink, err := Dir(filepath.Join(c.root, "a")).create(t.Context(), c.open, id)
	if err != nil {
		t.Fatal(err)
	}
	sink.named = true
	t.Cleanup(func() { sink.Close() })
	c.steps = nil
	l := trace.New(sink, time.Now)
	return sink, l, l.Append(trace.Begin, trace.BeginBody{Format: trace.Format, Policy: l.Share(common)})
}

// named are the files of the objects' directory.
func named(t *testing.T, c *counted) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(c.root, "a/objects"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// object is the one name that an object may have.
func object(t *testing.T) string {
	t.Helper()
	ref := trace.New(&traceFile{open: openFile, objects: t.TempDir()}, time.Now).Share(common)
	return strings.Trim(strings.TrimPrefix(string(ref), `{"object":"sha256:`), `"}`)
}

var random = regexp.MustCompile(`tmp_[0-9a-f]{16}`)

func TestAnObjectIsOnDiskBeforeTheApprovalThatRestsOnIt(t *testing.T) {
	t.Parallel()
	c := &counted{root: t.TempDir()}
	name := object(t)
	c.at = func(step string) {
		_, err := os.Lstat(filepath.Join(c.root, "a/objects", name))
		if random.MatchString(step) && err == nil || step == "sync a/objects" && err != nil {
			t.Errorf("at %q the object is there under its name: %v", step, err == nil)
		}
	}
	_, l, err := begun(t, c, "one")
	kept := []string{"sync a", "close a", "make 0600 a/objects/tmp", "sync a/objects/tmp", "close a/objects/tmp"}
	if got := steps(c); err != nil || !slices.Equal(got, kept) {
		t.Errorf("before the line: %q, %v; want %q", got, err, kept)
	}
	c.steps = nil
	want := []string{"sync a/objects", "close a/objects", "sync a/trace_one.jsonl"}
	if _, err := l.Commit(trace.Approval, jsontext.Value(`{}`)); err != nil || !slices.Equal(c.steps, want) {
		t.Errorf("before the call: %q, %v; want %q", c.steps, err, want)
	}
	c.steps = nil
	if _, err := l.Close(); err != nil || !slices.Equal(c.steps, want[2:]) {
		t.Errorf("at the end: %q, %v", c.steps, err)
	}
}

// steps are those of the disk, without the random part of a name.
func steps(c *counted) (got []string) {
	for _, s := range c.steps {
		got = append(got, random.ReplaceAllString(s, "tmp"))
	}
	return got
}

// The name may be another run's, which has not synced it yet.
func TestAKnownObjectIsSyncedAndNotWritten(t *testing.T) {
	t.Parallel()
	c := &counted{root: t.TempDir()}
	if _, _, err := begun(t, c, "one"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(c.root, "a/objects", object(t))
	was, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	_, l, err := begun(t, c, "two")
	if err != nil || len(c.steps) > 0 {
		t.Errorf("%q, %v", c.steps, err)
	}
	want := []string{"sync a/objects", "close a/objects", "sync a/trace_two.jsonl"}
	if _, err := l.Close(); err != nil || !slices.Equal(c.steps, want) {
		t.Errorf("%q, %v; want %q", c.steps, err, want)
	}
	if is, err := os.Lstat(path); err != nil || !os.SameFile(was, is) {
		t.Errorf("the file was written again: %v", err)
	}
}

func TestWhatIsNotTheObjectIsReplacedAndNothingElse(t *testing.T) {
	t.Parallel()
	name := object(t)
	for what, put := range map[string]func(path, other string) error{
		"a part of it":    func(path, _ string) error { return os.WriteFile(path, []byte(`"xx`), 0o600) },
		"nothing":         func(path, _ string) error { return os.WriteFile(path, nil, 0o600) },
		"a link":          func(path, other string) error { return os.Symlink(other, path) },
		"a link to no":    func(path, other string) error { return os.Symlink(other+"-none", path) },
		"its own nothing": func(string, string) error { return nil },
	} {
		c := &counted{root: t.TempDir()}
		dir, other := filepath.Join(c.root, "a/objects"), filepath.Join(c.root, "other")
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(other, []byte(strings.Repeat("y", 202)), 0o600), put(filepath.Join(dir, name), other)); err != nil {
			t.Fatal(err)
		}
		_, _, err := begun(t, c, "run")
		v, lost := Dir(filepath.Join(c.root, "a")).Object(digestOf(t, name))
		if err != nil || lost != nil || len(v) != 202 {
			t.Errorf("%s: %v, %v", what, err, lost)
		}
		if b, err := os.ReadFile(other); err != nil || strings.Trim(string(b), "y") != "" {
			t.Errorf("%s: another file holds %s, %v", what, b, err)
		}
		if names := named(t, c); !slices.Equal(names, []string{name}) {
			t.Errorf("%s: %q are left", what, names)
		}
	}
}

func digestOf(t *testing.T, name string) trace.Hash {
	t.Helper()
	h, err := trace.ParseDigest("sha256:" + name)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestADiskThatFailsLeavesNoHalfObjectAndNoReceipt(t *testing.T) {
	t.Parallel()
	name := object(t)
	for failAt := 1; ; failAt++ {
		c := &counted{root: t.TempDir()}
		sink, err := Dir(filepath.Join(c.root, "a")).create(t.Context(), c.open, "run")
		if err != nil {
			t.Fatal(err)
		}
		c.steps, c.failAt = nil, failAt
		l := trace.New(sink, time.Now)
		_ = l.Append(trace.Begin, trace.BeginBody{Policy: l.Share(common)})
		receipt, err := l.Commit(trace.Approval, jsontext.Value(`{}`))
		if closed := sink.Close(); len(c.steps) < failAt {
			if err != nil || closed != nil {
				t.Error(err, closed)
			}
			return
		}
		failed := c.steps[failAt-1]
		if receipt.Spend([]byte(`{}`)) && failed != "close a/trace_run.jsonl" {
			t.Errorf("%q failed, and there is a receipt", failed)
		}
		for _, left := range named(t, c) {
			if left != name {
				t.Errorf("%q failed, and %s is left", failed, left)
			}
		}
		if v, err := Dir(filepath.Join(c.root, "a")).Object(digestOf(t, name)); err == nil && len(v) != 202 {
			t.Errorf("%q failed, and the object is %s", failed, v)
		}
	}
}

func TestOnlyItsOwnerReadsAnObject(t *testing.T) {
	t.Parallel()
	c := &counted{root: t.TempDir()}
	if _, _, err := begun(t, c, "run"); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]fs.FileMode{"a/objects": fs.ModeDir | 0o700, "a/objects/" + object(t): 0o600, "a/" + lockFile: 0o600} {
		info, err := os.Lstat(filepath.Join(c.root, at))
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; want %v", at, info.Mode(), err, want)
		}
	}
}

func TestAMissingObjectIsToldFromAnAlteredOne(t *testing.T) {
	t.Parallel()
	c := &counted{root: t.TempDir()}
	if _, _, err := begun(t, c, "run"); err != nil {
		t.Fatal(err)
	}
	dir, h := Dir(filepath.Join(c.root, "a")), digestOf(t, object(t))
	path := filepath.Join(c.root, "a/objects", h.String())
	if err := os.WriteFile(path, []byte(`"`+strings.Repeat("y", 200)+`"`), 0o600); err != nil {
		t.Fatal(err)
	}
	if v, err := dir.Object(h); v != nil || verdict.CodeOf(err) != verdict.TraceObject || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("altered: %s, %v", v, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if v, err := dir.Object(h); v != nil || verdict.CodeOf(err) != verdict.TraceObject || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %s, %v", v, err)
	}
}

// TestAnObjectWhoseNameThisProcessHasSyncedIsNotSyncedAgain, unless it is another file by
// now: a prune removed it, and another run made it again.
func TestAnObjectWhoseNameThisProcessHasSyncedIsNotSyncedAgain(t *testing.T) {
	t.Parallel()
	c, d := &counted{root: t.TempDir()}, &lasting{}
	run := func(id string) []string {
		sink, err := Dir(filepath.Join(c.root, "a")).create(t.Context(), c.open, id)
		if err != nil {
			t.Fatal(err)
		}
		defer sink.Close()
		sink.lasting, sink.named = d, true
		l := trace.New(sink, time.Now)
		err = l.Append(trace.Begin, trace.BeginBody{Format: trace.Format, Policy: l.Share(common)})
		c.steps = nil
		if _, no := l.Commit(trace.Approval, jsontext.Value(`{}`)); errors.Join(err, no) != nil {
			t.Fatal(err, no)
		}
		return c.steps
	}
	again := func() error {
		path := filepath.Join(c.root, "a/objects", object(t))
		b, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(path+"2", b, 0o600), os.Rename(path+"2", path))
	}
	for _, step := range []struct {
		id     string
		before func() error
		synced bool
	}{
		{"made", nil, true},
		{"found", nil, true},
		{"known", nil, false},
		{"still", nil, false},
		{"another", again, true},
		{"known2", nil, false},
	} {
		if step.before != nil {
			if err := step.before(); err != nil {
				t.Fatal(err)
			}
		}
		want := []string{"sync a/trace_" + step.id + ".jsonl"}
		if step.synced {
			want = append([]string{"sync a/objects", "close a/objects"}, want...)
		}
		if got := run(step.id); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", step.id, got, want)
		}
	}
}

// TestANameThatCouldNotBeSyncedIsNotRemembered: the next run waits for it.
func TestANameThatCouldNotBeSyncedIsNotRemembered(t *testing.T) {
	t.Parallel()
	c, d := &counted{root: t.TempDir()}, &lasting{}
	if _, l, err := begun(t, c, "one"); err != nil || l == nil {
		t.Fatal(err)
	}
	for _, id := range []string{"two", "three"} {
		sink, err := Dir(filepath.Join(c.root, "a")).create(t.Context(), c.open, id)
		if err != nil {
			t.Fatal(err)
		}
		defer sink.Close()
		sink.lasting, sink.named = d, true
		l := trace.New(sink, time.Now)
		c.steps, c.failAt = nil, 1
		if err := l.Append(trace.Begin, trace.BeginBody{Policy: l.Share(common)}); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Commit(trace.Approval, jsontext.Value(`{}`)); err == nil || !slices.Equal(c.steps, []string{"sync a/objects", "close a/objects"}) {
			t.Errorf("%s: %q, %v", id, c.steps, err)
		}
		c.failAt = 0
	}
}
