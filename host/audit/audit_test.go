package audit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/audit"
)

var when = time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)

func line(run string) host.AuditLine {
	return host.AuditLine{SchemaVersion: 1, Time: when, RunID: run, Arguments: []string{}, Rules: []string{}}
}

// lines are the runs that a file has lines of.
func lines(t *testing.T, path string) (runs []string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for one := range strings.Lines(string(b)) {
		var l host.AuditLine
		if err := json.Unmarshal([]byte(one), &l); err == nil && strings.HasSuffix(one, "\n") {
			runs = append(runs, l.RunID)
		}
	}
	return runs
}

func TestALineIsBehindEveryOtherAndItsOwnersAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "made", "audit.jsonl")
	f := audit.File{Path: path}
	for _, run := range []string{"a", "b"} {
		if err := f.Add(t.Context(), line(run)); err != nil {
			t.Fatal(err)
		}
	}
	if got := lines(t, path); strings.Join(got, " ") != "a b" {
		t.Error(got)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

// A line that was cut off by a crash takes no other with it.
func TestATornLineTakesNoOtherWithIt(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(path, []byte(`{"run_id":"torn`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (audit.File{Path: path}).Add(t.Context(), line("next")); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, path); len(got) != 1 || got[0] != "next" {
		t.Error(got)
	}
}

func TestLinesOfManyStayWhole(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			if err := (audit.File{Path: path}).Add(t.Context(), line(fmt.Sprint(i, strings.Repeat("x", 300)))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := lines(t, path); len(got) != 40 {
		t.Errorf("%d lines are whole, want 40", len(got))
	}
}

func TestAFileThatIsNotItsOwnersAloneTakesNoLine(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]func(path string) error{
		"a link to a file":  func(p string) error { return errors.Join(os.WriteFile(p+"x", nil, 0o600), os.Symlink(p+"x", p)) },
		"a link to nothing": func(p string) error { return os.Symlink(p+"x", p) },
		"a second name":     func(p string) error { return errors.Join(os.WriteFile(p+"x", nil, 0o600), os.Link(p+"x", p)) },
		"read by others":    func(p string) error { return os.WriteFile(p, nil, 0o644) },
		"written by others": func(p string) error { return errors.Join(os.WriteFile(p, nil, 0o600), os.Chmod(p, 0o620)) },
		"a folder":          func(p string) error { return os.Mkdir(p, 0o700) },
	} {
		path := filepath.Join(t.TempDir(), "audit.jsonl")
		if err := made(path); err != nil {
			t.Fatal(err)
		}
		lost := audit.Lost(filepath.Join(t.TempDir(), "lost"))
		f := audit.File{Path: path, Lost: lost}
		if err := f.Add(t.Context(), line("a")); err == nil {
			t.Errorf("%s: a line was added", name)
		}
		if b, err := os.ReadFile(path + "x"); err == nil && len(b) > 0 {
			t.Errorf("%s: it was written through", name)
		}
		if err := f.Probe(); err == nil {
			t.Errorf("%s: a probe finds nothing", name)
		}
		if n, last, err := lost.Read(); n != 1 || last != "2026-11-24T09:00:00Z" || err != nil {
			t.Errorf("%s: %d counted, the last at %q, %v", name, n, last, err)
		}
	}
}

func TestNothingIsLostWhereNothingWasCounted(t *testing.T) {
	t.Parallel()
	if n, _, err := audit.Lost(filepath.Join(t.TempDir(), "lost")).Read(); n != 0 || err != nil {
		t.Error(n, err)
	}
}

// A stranger's text is escaped: a terminal may be what stderr is.
func TestALineHoldsNothingThatATerminalObeys(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := line("a")
	l.Arguments, l.Values = []string{"x\u202ey", "\x1b[31m"}, map[string]string{"/x": "\u0085\u2028\x9b"}
	if err := audit.NewStream(&out, "").Add(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.ContainsAny(got, "\x1b\u202e\u0085\u2028") || strings.Count(got, "\n") != 1 || !strings.Contains(got, `\u202e`) {
		t.Errorf("%q", got)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestALostLineOfAStreamIsCounted(t *testing.T) {
	t.Parallel()
	lost := audit.Lost(filepath.Join(t.TempDir(), "lost"))
	s := audit.NewStream(full{}, lost)
	for range 3 {
		if err := s.Add(t.Context(), line("a")); err == nil {
			t.Error("it was written")
		}
	}
	if n, _, err := lost.Read(); n != 3 || err != nil {
		t.Error(n, err)
	}
	if err := audit.NewStream(full{}, audit.Lost(filepath.Join(t.TempDir(), "none", "lost"))).Add(t.Context(), line("a")); err == nil || !strings.Contains(err.Error(), "nor counted") {
		t.Error(err)
	}
}
