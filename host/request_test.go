package host_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/host/seal"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/internal/testing/pgtest"
)

// stateAt is a store at an address, with the keys that seal.
func stateAt(t *testing.T, address string, keys seal.Keys) *store.Store {
	t.Helper()
	s, err := store.OpenAt(t.Context(), address, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	s.Sealing(keys)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// An inbox that has only the state shows the whole call, without the trace of the machine
// that waits, and its decision makes that call.
func TestAnInboxElsewhereShowsTheWholeCall(t *testing.T) {
	t.Parallel()
	keys, err := seal.Read(seal.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		address func(t *testing.T) string
		keys    seal.Keys
	}{
		"SQLite":             {func(t *testing.T) string { return filepath.Join(t.TempDir(), "state.db") }, seal.Keys{}},
		"sealed, SQLite":     {func(t *testing.T) string { return filepath.Join(t.TempDir(), "state.db") }, keys},
		"sealed, PostgreSQL": {func(t *testing.T) string { return pgtest.Schema(t, pgtest.Start(t)) }, keys},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := c.address(t)
			b, _ := writing(t, writes1)
			b.config.Approvals = stateAt(t, address, c.keys)
			elsewhere := stateAt(t, address, c.keys)
			q := waitingCall(t, nil)
			q.Client, q.Text = false, `Delete policy-002 <now> & "then" écrire`
			q.Facts.Client, q.Facts.ClientVersion = "editor", "7"
			q.Hold.Waiting = func(h inbox.Holding) {
				go func() {
					s := shownAt(t, elsewhere, h)
					if diff := cmp.Diff([]string{q.Text, "ada", `{"policy_id":"policy-002"}`, "editor", "7", "delete_policy_entry"},
						[]string{s.Words, s.Subject, string(s.Args), s.Facts.Client, s.Facts.ClientVersion, s.Tool}); diff != "" {
						t.Error(diff)
					}
					if d, err := b.tool(t, "delete_policy_entry").Fields(); err != nil || s.Claim == "" || s.Claim != d.Description {
						t.Errorf("the claim is %q, %v", s.Claim, err)
					}
					decides(t, elsewhere, approval.Approved, gate.ByDigest)(h)
				}()
			}
			if diff := cmp.Diff(ended{"", 1}, end(b, b.put(t, q))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// tool is a tool as the server lists it.
func (b *bench) tool(t *testing.T, name string) (is pin.Descriptor) {
	t.Helper()
	for _, l := range b.config.Source.Discover(context.WithoutCancel(t.Context()), "", []string{"mcp-policy-kb"}) {
		for _, d := range l.Tools {
			if f, err := d.Fields(); err == nil && f.Name == name {
				is = d
			}
		}
	}
	return is
}

func shownAt(t *testing.T, s *store.Store, h inbox.Holding) inbox.Shown {
	body, err := s.Request(context.WithoutCancel(t.Context()), h.RunID, h.Digest)
	if err != nil {
		t.Error(err)
	}
	is, err := inbox.ReadRequest(body, h.Digest)
	if err != nil {
		t.Error(err)
	}
	if _, err := inbox.ReadRequest(body, strings.Repeat("0", 71)); verdict.CodeOf(err) != verdict.ApprovalUnknown {
		t.Errorf("of another approval: %v", err)
	}
	for was, now := range map[string]string{`"policy-002\"`: `"policy-001\"`, `"description":"`: `"description":"Harmless. `, `"subject":"ada"`: `"subject":"bob"`, `<now>`: `<later>`} {
		forged := strings.Replace(string(body), was, now, 1)
		if forged == string(body) {
			continue
		}
		if got, err := inbox.ReadRequest([]byte(forged), h.Digest); verdict.CodeOf(err) != verdict.ApprovalUnknown {
			t.Errorf("%s was replaced: %+v, %v", was, got, err)
		}
	}
	return is
}
