package login_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/host/login"
	"github.com/onestep-run/onestep/host/seal"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/internal/testing/logintest"
)

// inRows keeps logins as rows of an agent.
func inRows(state *store.Store, key login.Ring) *login.Store {
	return &login.Store{Rows: state.Logins("agent1"), Owner: "agent1", Ring: key}
}

func (i *installed) inRows(t *testing.T, address string) *store.Store {
	t.Helper()
	state, err := store.OpenAt(t.Context(), address, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = state.Close() })
	i.rows, i.Store = address, inRows(state, &ring{text: seal.NewKey(), there: true})
	return state
}

// A login in rows is used by another process, and a row that was moved to another owner does
// not open. No row has a secret in plain sight.
func TestALoginInRowsIsOfItsOwner(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	state := i.inRows(t, filepath.Join(t.TempDir(), "state.db"))
	i.loggedIn(t, login.Request{})
	i.Store = inRows(state, i.Store.Ring)
	if err := i.list(t); err != nil {
		t.Fatal(err)
	}
	mine, others := state.Logins("agent1"), state.Logins("agent2")
	names, err := mine.Names(t.Context())
	if err != nil || len(names) != 2 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		b, err := mine.Get(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range i.server.Issued() {
			if bytes.Contains(b, []byte(secret)) {
				t.Errorf("%s holds %s", name, secret)
			}
		}
		if err := others.Put(t.Context(), name, b); err != nil {
			t.Fatal(err)
		}
	}
	i.Store = &login.Store{Rows: others, Owner: "agent2", Ring: i.Store.Ring}
	if err := i.list(t); err == nil {
		t.Error("another owner's login was used")
	}
}

// keyFile is a ring in a file, and rows whose process kills itself before one of its writes,
// or after it.
type keyFile struct {
	login.Rows
	path string
	left int
}

func (k *keyFile) step() {
	if k.left--; k.left < 0 {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
		}
		select {}
	}
}

func (k *keyFile) Put(ctx context.Context, name string, b []byte) error {
	k.step()
	defer k.step()
	return k.Rows.Put(ctx, name, b)
}

// keys are the ring of a keyFile.
type keys struct{ *keyFile }

func (k keys) Get(context.Context) (string, bool, error) {
	b, err := os.ReadFile(k.path)
	return string(b), err == nil, err
}

func (k keys) Set(_ context.Context, text string) error {
	k.step()
	defer k.step()
	return os.WriteFile(k.path, []byte(text), 0o600)
}

// later is the clock of a process that rotates: the leases of those before it have expired.
func (c child) later() time.Time {
	n, _ := strconv.Atoi(c.Name) // rotate reports its error
	return time.Now().Add(time.Duration(n) * 5 * time.Minute)
}

// rotate rotates the key, and is killed at a step.
func (c child) rotate(kept *login.Store) error {
	left, err := strconv.Atoi(c.Name)
	if err != nil {
		return err
	}
	k := &keyFile{kept.Rows, c.Dir, left}
	kept.Rows, kept.Ring = k, keys{k}
	return kept.Rotate(context.Background())
}

// A process that rotates the key is killed at each step. Every row stays readable with the
// keys that are left, and the last rotation leaves one key, under which every row is.
func TestAKilledRotationLeavesEveryLoginReadable(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	state := i.inRows(t, filepath.Join(t.TempDir(), "state.db"))
	path := filepath.Join(t.TempDir(), "keys")
	first := seal.NewKey()
	if err := os.WriteFile(path, []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	ring := keys{&keyFile{path: path, left: 1 << 30}}
	i.Store.Ring = ring
	i.loggedIn(t, login.Request{})
	done := false
	for step := 0; !done; step++ {
		if step > 30 {
			t.Fatal("it does not end")
		}
		text, err := json.Marshal(child{Dir: path, State: i.rows, Name: strconv.Itoa(step)})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVariable+"="+string(text))
		out, err := cmd.CombinedOutput()
		if done = err == nil; !done && cmd.ProcessState.Exited() {
			t.Fatalf("step %d: %v, %s", step, err, out)
		}
		i.Store = inRows(state, ring)
		if err := i.list(t); err != nil {
			t.Fatalf("after step %d: %v", step, err)
		}
	}
	now, _, err := ring.Get(t.Context())
	if err != nil || len(strings.Fields(now)) != 1 || strings.Contains(now, first) {
		t.Errorf("the keys are %d, %v", len(strings.Fields(now)), err)
	}
	newest, err := seal.Read(now)
	if err != nil {
		t.Fatal(err)
	}
	names, err := state.Logins("agent1").Names(t.Context())
	if err != nil || len(names) != 2 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		var box seal.Box
		b, err := state.Logins("agent1").Get(t.Context(), name)
		if err == nil {
			err = json.Unmarshal(b, &box)
		}
		if err != nil || !newest.Newest(box) {
			t.Errorf("%s is under another key, %v", name, err)
		}
	}
}

// The key of files is rotated, while processes that know the old one go on.
func TestAProcessGoesOnWhenTheKeyIsRotated(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	other := &login.Store{Dir: i.Store.Dir}
	for range 3 {
		if err := other.Rotate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := i.list(t); err != nil {
			t.Fatal(err)
		}
		i.server.Expire() // the next list refreshes, and seals
	}
	b, err := os.ReadFile(filepath.Join(i.Store.Dir, "key"))
	if err != nil || len(strings.Fields(string(b))) != 1 {
		t.Errorf("%d keys, %v", len(strings.Fields(string(b))), err)
	}
	i.again()
	if err := i.list(t); err != nil {
		t.Error(err)
	}
}
