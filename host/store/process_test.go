package store_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"modernc.org/sqlite"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/store"
)

var bg = context.Background()

// children are what this program does where a test starts it again.
var children = map[string]func(s *store.Store, path string) error{
	"decide": decideOnce,
	"fill":   fill,
	"step":   stepByStep,
}

func TestMain(m *testing.M) {
	do, known := children[os.Getenv("STORE_CHILD")]
	if !known {
		os.Exit(m.Run())
	}
	path := os.Getenv("STORE_PATH")
	s := store.Of(path, clock)
	if err := errors.Join(do(s, path), s.Close()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(t *testing.T, name, path string, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self)
	c.Env = append(os.Environ(), append(env, "STORE_CHILD="+name, "STORE_PATH="+path)...)
	return c
}

// decideOnce decides at its own place and at a shared place.
func decideOnce(s *store.Store, _ string) error {
	own := pin.Place{Entry: "sha256:own" + os.Getenv("STORE_NUMBER")}
	if err := s.Decide(bg, 0, []store.Decision{decision(own, "get", store.Approved)}); err != nil {
		return err
	}
	for {
		was, err := s.Decisions(bg, kb)
		if err != nil {
			return err
		}
		after := int64(0)
		if len(was) > 0 {
			after = was[len(was)-1].Seq
		}
		err = s.Decide(bg, after, []store.Decision{decision(kb, os.Getenv("STORE_NUMBER"), store.Approved)})
		if !errors.Is(err, store.ErrMoved) {
			return err
		}
	}
}

const processes = 20

func TestManyProcessesBeginAtOnce(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(path string) error{
		"with no database": func(string) error { return nil },
		"with an empty one": func(path string) error {
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				return err
			}
			db, err := sql.Open("sqlite", store.Source(path, "rwc", false))
			if err != nil {
				return err
			}
			_, err = db.Exec(`PRAGMA journal_mode = WAL`)
			return errors.Join(err, db.Close(), os.Chmod(path, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "with an empty one" {
				ofAFile(t)
			}
			path := newPlace(t)
			if err := begin(path); err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			for i := range processes {
				all.Go(func() {
					if out, err := child(t, "decide", path, "STORE_NUMBER="+strconv.Itoa(i)).CombinedOutput(); err != nil {
						t.Errorf("process %d: %v: %s", i, err, out)
					}
				})
			}
			all.Wait()
			s := opened(t, path)
			every, err := s.All(t.Context())
			if shared := decisions(t, s, kb); err != nil || len(shared) != processes || len(every) != 2*processes {
				t.Errorf("%d decisions, %d of the shared place, %v", len(every), len(shared), err)
			}
			keep(t, s, withheld("run1", when))
		})
	}
}

// fill decides three things at a time and keeps a result, and says so, until it
// is killed.
func fill(s *store.Store, _ string) error {
	out := bufio.NewWriter(os.Stdout)
	for i := 0; ; i++ {
		three := []store.Decision{decision(kb, "a", store.Approved), decision(kb, "b", store.Approved), decision(kb, "c", store.Rejected)}
		if err := s.Decide(bg, 1<<40, three); err != nil {
			return err
		}
		k := withheld("run"+strconv.Itoa(i), when)
		k.Body = []byte(strings.Repeat("x", 100_000))
		if err := s.Keep(bg, k); err != nil {
			return err
		}
		if i%3 == 2 {
			if err := s.Drop(bg, k.Run); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(out, i); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

// A process is killed while it decides and keeps, each time a little later:
// what it said is done is there, and nothing is there by half.
func TestAKilledProcessLeavesNothingByHalf(t *testing.T) {
	t.Parallel()
	for round := range 24 {
		path := newPlace(t)
		said := killed(t, path, round)
		s := opened(t, path)
		all := decisions(t, s, kb)
		if len(all)%3 != 0 || len(all) < 3*(said+1) {
			t.Errorf("round %d: %d decisions after %d times three", round, len(all), said+1)
		}
		list, err := s.AllKept(t.Context())
		if err != nil || len(list) < said-said/3 {
			t.Errorf("round %d: %d results after %d, %v", round, len(list), said+1, err)
		}
		for _, k := range list {
			if k, err := s.Kept(t.Context(), k.Run); err != nil || len(k.Body) != 100_000 {
				t.Errorf("round %d: %v", round, err)
			}
		}
		decide(t, s, 1<<40, decision(kb, "a", store.Removed))
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// killed runs a process until it said something, and then a while longer. It
// gives the last number that was said.
func killed(t *testing.T, path string, longer int) (last int) {
	t.Helper()
	c := child(t, "fill", path)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(out)
	said.Scan()
	for range longer * 1_000 {
		_ = sha256.Sum256(nil) // to be later by a little
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for more := true; more; more = said.Scan() {
		if last, err = strconv.Atoi(said.Text()); err != nil {
			t.Fatalf("it says %q", said.Text())
		}
	}
	_ = c.Wait() // it was killed
	return last
}

// stepByStep decides and keeps from nothing on, and kills itself at one of the steps that
// SQLite reports: a row to write, a commit to begin.
func stepByStep(s *store.Store, _ string) error {
	left, err := strconv.Atoi(os.Getenv("STORE_NUMBER"))
	if err != nil {
		return err
	}
	step := func() {
		if left--; left < 0 {
			if self, err := os.FindProcess(os.Getpid()); err == nil {
				_ = self.Kill()
			}
			select {}
		}
	}
	sqlite.RegisterConnectionHook(func(conn sqlite.ExecQuerierContext, _ string) error {
		hooks, able := conn.(sqlite.HookRegisterer)
		if !able {
			return errors.New("the driver has no hooks")
		}
		hooks.RegisterPreUpdateHook(func(sqlite.SQLitePreUpdateData) { step() })
		hooks.RegisterCommitHook(func() int32 { step(); return 0 })
		return nil
	})
	three := []store.Decision{decision(kb, "a", store.Approved), decision(kb, "b", store.Approved), decision(kb, "c", store.Rejected)}
	if err := s.Decide(bg, 1<<40, three); err != nil {
		return err
	}
	return s.Keep(bg, withheld("run1", when))
}

func TestAProcessKilledAtAnyStepLeavesAllOrNothing(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	steps, halves := 0, map[int]bool{}
	for done := false; !done; steps++ {
		path := filepath.Join(t.TempDir(), "state.db")
		done = child(t, "step", path, "STORE_NUMBER="+strconv.Itoa(steps)).Run() == nil
		s := opened(t, path)
		all, results := decisions(t, s, kb), kept(t, s)
		if len(all) != 0 && len(all) != 3 || len(results) > 0 && len(all) == 0 || done && len(results) != 1 {
			t.Errorf("step %d: %d decisions, %d results", steps, len(all), len(results))
		}
		halves[len(all)+len(results)] = true
		decide(t, s, 1<<40, decision(kb, "a", store.Removed))
	}
	if steps < 10 || len(halves) != 3 {
		t.Errorf("%d steps led to %v", steps, halves)
	}
}

// The parts of a trace are read in their order, byte for byte, and values once.
func TestATraceIsReadAsItWasAdded(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	for i, lines := range []string{"one\x00\n", "", "three\xff\n"} {
		if err := s.AddLines(t.Context(), "run1", int64(i), []byte(lines)); err != nil {
			t.Fatal(err)
		}
	}
	other := opened(t, path)
	if b, err := other.Lines(t.Context(), "run1"); err != nil || string(b) != "one\x00\nthree\xff\n" {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := other.Lines(t.Context(), "run2"); err != nil || b != nil {
		t.Errorf("%q, %v", b, err)
	}
	if err := other.AddLines(t.Context(), "run1", 1, []byte("another")); err == nil {
		t.Error("a part was replaced")
	}
	for range 2 {
		if err := s.AddObject(t.Context(), "digest", []byte("\x00v")); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := other.Object(t.Context(), "digest"); err != nil || string(b) != "\x00v" {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := other.Object(t.Context(), "another"); err != nil || b != nil {
		t.Errorf("%q, %v", b, err)
	}
}
