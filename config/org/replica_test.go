package org_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/internal/testing/pgtest"
)

// Two processes share one database: an approval that is given at either counts, and a change at
// either counts for a call that waits at the other.
func TestProcessesShareAnOrganisation(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]func(*testing.T) string{
		"SQLite":     func(t *testing.T) string { return filepath.Join(t.TempDir(), "state", "state.db") },
		"PostgreSQL": func(t *testing.T) string { return pgtest.Schema(t, pgtest.Start(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := address(t)
			opened := func() *store.Store {
				s, err := store.OpenAt(t.Context(), at, time.Now)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = s.Close() })
				return s
			}
			here := newHosts(t, opened())
			there := replica(t, opened(), here.Org.Keys)
			u := newUpstream(t)
			approved(t, here, u, "support")
			policies := len(u.demo.Policies.All())
			held := func(conversation string) <-chan host.Outcome {
				done := make(chan host.Outcome, 1)
				q := asks("delete_policy_entry", "policy-002")
				q.Hold, q.Facts.Conversation = &inbox.Hold{For: 30 * time.Second}, conversation
				by := bearer(t, here, "support")
				go func() {
					out, err := here.Ask(context.WithoutCancel(t.Context()), "support", by, q)
					if err != nil {
						t.Error(err)
					}
					done <- out
				}()
				return done
			}
			done := held("denied")
			w := waiting(t, there)
			if _, err := there.Org.UpdateAgent(t.Context(), ada, "support", 0, func(a *org.Agent) { a.Budget.Calls = 100 }); err != nil {
				t.Fatal(err)
			}
			if err := there.Answer(t.Context(), ada, w.Approval.RunID, w.Approval.Digest, true); err != nil {
				t.Fatal(err)
			}
			if out := <-done; codeOf(out) != verdict.OrgChanged || len(u.demo.Policies.All()) != policies {
				t.Errorf("changed elsewhere: %s %+v, %d policies", out.Type, out.Error, len(u.demo.Policies.All()))
			}
			done = held("approved")
			w = waiting(t, there)
			if err := there.Answer(t.Context(), ada, w.Approval.RunID, w.Approval.Digest, true); err != nil {
				t.Fatal(err)
			}
			if out := <-done; out.Type != host.ToolResult || len(u.demo.Policies.All()) != policies-1 {
				t.Errorf("approved elsewhere: %s %+v, %d policies", out.Type, out.Error, len(u.demo.Policies.All()))
			}
		})
	}
}
