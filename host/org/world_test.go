package org_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/seal"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/internal/testing/pgtest"
)

// server is the address of PostgreSQL where the tests run on it, or "".
var server = os.Getenv("STORE_SERVER")

// The tests of this package pass on PostgreSQL, too.
func TestOnPostgreSQL(t *testing.T) {
	if server != "" {
		t.Skip("it is running")
	}
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, "-test.v")
	c.Env = append(os.Environ(), "STORE_SERVER="+pgtest.Start(t))
	out, err := c.CombinedOutput()
	passed, skipped := bytes.Count(out, []byte("\n--- PASS")), bytes.Count(out, []byte("\n--- SKIP"))
	if t.Logf("%d passed", passed); err != nil || passed < 20 || skipped > 1 {
		t.Errorf("%d passed, %d were skipped: %v\n%s", passed, skipped, err, out)
	}
}

// canary is the beginning of every secret of these tests. After each test it is in no row, no
// event and no error, and neither is the text of a token.
const canary = "canary-"

var leaks = regexp.MustCompile(`(?i)canary-|askd_[A-Z2-7]{26}|` + base64.StdEncoding.EncodeToString([]byte(canary))[:9])

var (
	ada  = org.By{Member: "ada"}
	noon = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
)

// world is an organisation with the admin ada.
type world struct {
	*org.Org
	address string
	mu      sync.Mutex
	time    time.Time
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.time
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.time = w.time.Add(d)
}

func fresh(t *testing.T) *world {
	t.Helper()
	keys, err := seal.Read(seal.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{time: noon}
	if w.address = filepath.Join(t.TempDir(), "state", "state.db"); server != "" {
		w.address = pgtest.Schema(t, server)
	}
	w.Org = &org.Org{Keys: keys, Now: w.now}
	w.Org = w.other(t)
	t.Cleanup(func() { w.dump(t) })
	member(t, w, "ada", org.Admin)
	return w
}

// other is the same organisation in another process.
func (w *world) other(t *testing.T) *org.Org {
	t.Helper()
	s, err := store.OpenAt(t.Context(), w.address, w.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &org.Org{State: s, Keys: w.Keys, Now: w.now}
}

// dump reads all rows, and the whole files of SQLite.
func (w *world) dump(t *testing.T) {
	t.Helper()
	driver, place := "sqlite", filepath.Dir(w.address)
	if server != "" {
		driver, place = "pgx", ""
	}
	db, err := sql.Open(driver, w.address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var all bytes.Buffer
	rows, err := db.Query(`SELECT name, body FROM record UNION ALL SELECT sum, body FROM event`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, body []byte
		if err := rows.Scan(&name, &body); err != nil {
			t.Fatal(err)
		}
		all.Write(name)
		all.Write(body)
	}
	if err := rows.Err(); err != nil || all.Len() < 100 {
		t.Fatalf("%d bytes, %v", all.Len(), err)
	}
	if place != "" {
		files, err := os.ReadDir(place)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			b, err := os.ReadFile(filepath.Join(place, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			all.Write(b)
		}
	}
	if found := leaks.Find(all.Bytes()); found != nil {
		t.Errorf("the database has %q", found)
	}
}

// refused fails unless an error has the code. It says no secret.
func refused(t *testing.T, err error, code verdict.Code) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("it is not refused, want %s", code)
	case verdict.CodeOf(err) != code:
		t.Errorf("%s: %v, want %s", verdict.CodeOf(err), err, code)
	case leaks.MatchString(err.Error()):
		t.Errorf("the error has a secret: %v", err)
	}
}

func must[T any](t *testing.T) func(T, error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func member(t *testing.T, w *world, name string, role org.Role) {
	t.Helper()
	must[org.Member](t)(w.CreateMember(t.Context(), ada, org.Member{Name: name, Role: role}))
}

func agent(t *testing.T, w *world, names ...string) {
	t.Helper()
	for _, name := range names {
		must[org.Agent](t)(w.CreateAgent(t.Context(), ada, org.Agent{Name: name, Enabled: true, Mode: org.Nothing}))
	}
}

// remote is a server with a header and an authentication, each with a secret.
func remote(name string) org.Change {
	return org.Change{
		Server: name, Enabled: true, Spec: config.Spec{URL: "https://kb.example/mcp", Headers: map[string]string{"X-Team": "${HEADER_X_TEAM}"}},
		Auth:   org.Auth{Type: org.BearerToken},
		Values: map[string]string{"HEADER_X_TEAM": canary + "team", org.AuthSecret: canary + "auth"}, Names: []string{"HEADER_X_TEAM", org.AuthSecret},
	}
}

// started is a server that is a program, with a variable.
func started(name string) org.Change {
	return org.Change{
		Server: name, Enabled: true, Spec: config.Spec{Command: "kb", Args: []string{"--stdio"}, Env: map[string]string{"KB_TOKEN": "${KB_TOKEN}"}},
		Values: map[string]string{"KB_TOKEN": canary + "env"}, Names: []string{"KB_TOKEN"},
	}
}

func add(t *testing.T, w *world, agent string, c org.Change) org.Server {
	t.Helper()
	s, _, err := w.AddServer(t.Context(), ada, agent, c)
	ok(t, err)
	return s
}

// secrets are the secrets of an agent for a server, as another process reads them.
func secrets(t *testing.T, w *world, agent, server string) map[string]string {
	t.Helper()
	o := w.other(t)
	s, u := must[org.Server](t)(o.Server(t.Context(), server)), must[org.Use](t)(o.Use(t.Context(), agent, server))
	return must[map[string]string](t)(o.Secrets(s, u))
}

func token(t *testing.T, w *world, k org.Token) (org.Token, string) {
	t.Helper()
	k, text, err := w.CreateToken(t.Context(), ada, k)
	ok(t, err)
	return k, text
}

// events are the events after a number, as actions of who made the change.
func events(t *testing.T, w *world, after int64) (all []string, last int64) {
	t.Helper()
	for _, e := range must[[]org.Event](t)(w.Events(t.Context(), after, 1000)) {
		all, last = append(all, strings.Join([]string{e.Member, e.Token, e.Action, e.Resource}, " ")), e.Seq
	}
	return all, last
}

// altered changes a row as a person with the database would: its sum is right.
func altered(t *testing.T, w *world, kind, name string, change func(string) string) {
	t.Helper()
	ok(t, w.State.Change(context.WithoutCancel(t.Context()), func(tx *store.Tx) error {
		body, err := tx.Record(kind, name)
		is := change(string(body))
		if is == string(body) {
			err = errors.New("the row is not altered")
		}
		return errors.Join(err, tx.Put(kind, name, []byte(is)))
	}))
}
