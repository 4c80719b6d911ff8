package setup_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
)

// slow is a proposer and a person who both take their time.
type slow struct{ plans, reads time.Duration }

func (s slow) Propose(ctx context.Context, _ input.Query, _ catalog.Catalog) (planner.Proposal, error) {
	select {
	case <-time.After(s.plans):
	case <-ctx.Done():
	}
	return planner.Proposal{Said: plan.Call("mcp-policy-kb", "delete_policy_entry", []byte(`{"policy_id":"policy-002"}`))}, nil
}

func (s slow) Approve(ctx context.Context, r host.Request) (gate.Yes, error) {
	select {
	case <-time.After(s.reads):
	case <-ctx.Done():
	}
	return gate.Yes{Approval: r.Digest, By: "grace", How: gate.ByDigest}, nil
}

func TestTheTimeoutIsOfTheRunAndNotOfThePerson(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		who      slow
		ofHost   bool
		want     host.Type
		wantCode verdict.Code
	}{
		{slow{plans: 30 * time.Second}, false, host.ToolResult, ""},
		{slow{plans: 2 * time.Minute}, false, host.Failed, verdict.RunTimeout},
		{slow{plans: 30 * time.Second, reads: time.Hour}, false, host.ToolResult, ""},
		{slow{plans: 30 * time.Second, reads: time.Hour}, true, host.ToolResult, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			allow := allowing(t, `{"mcp-policy-kb":{"write":["delete_policy_entry"]}}`)
			o := setup.Options{Demo: true, Parts: setup.Parts{Allowlist: &allow, Traces: &memory{}, Proposer: c.who}}
			q := host.Question{Text: "Delete policy-002", Approver: c.who}
			if c.ofHost {
				o.Approver, q.Approver = c.who, nil
			}
			h, err := setup.Host(config.Settings{Timeout: config.Value[time.Duration]{V: time.Minute}}, o)
			if err != nil {
				t.Fatal(err)
			}
			out := h.Ask(t.Context(), q)
			if err := h.Close(); err != nil {
				t.Error(err)
			}
			if out.Type != c.want || c.wantCode != "" && out.Error.Code != c.wantCode {
				t.Errorf("%+v: %s, %+v", c.who, out.Type, out.Error)
			}
		})
	}
}

// TestEachModeAsksLessThanTheOneBefore: the same question with a plan, and without.
func TestEachModeAsksLessThanTheOneBefore(t *testing.T) {
	t.Parallel()
	allow := allowing(t, `{"mcp-policy-kb":{"read":["fetch_policy_entry"]}}`)
	given := plan.Call("mcp-policy-kb", "fetch_policy_entry", []byte(`{"policy_id":"policy-002"}`))
	for mode, want := range map[setup.Mode][]host.Type{
		setup.Questions: {host.ToolResult, host.ToolResult},
		setup.Plans:     {host.ToolResult, host.Failed},
		setup.Listings:  {host.Blocked, host.Failed},
	} {
		h, err := setup.Host(config.Settings{}, setup.Options{Demo: true, Mode: mode, Parts: setup.Parts{Allowlist: &allow, Traces: &memory{}}})
		if err != nil {
			t.Fatal(err)
		}
		with, without := h.Ask(t.Context(), host.Question{Plan: given}), h.Ask(t.Context(), host.Question{Text: "What does policy-002 say?"})
		if got := []host.Type{with.Type, without.Type}; !slices.Equal(got, want) {
			t.Errorf("mode %d: %v, want %v", mode, got, want)
		}
		if mode == setup.Listings && with.Call != host.None {
			t.Errorf("servers that are only listed are called: %s", with.Call)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestARunWithoutAPlaceForItsTraceIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := setup.Host(config.Settings{}, setup.Options{Demo: true}); verdict.CodeOf(err) != verdict.ConfigMissing {
		t.Errorf("traces go into the working directory: %v", err)
	}
}

func TestWithoutAStateNothingIsApproved(t *testing.T) {
	t.Parallel()
	servers, err := config.NewServers("/", map[string]config.Spec{"kb": {URL: "http://127.0.0.1:1"}})
	if err != nil {
		t.Fatal(err)
	}
	allow := allowing(t, `{"kb":["fetch_policy_entry"]}`)
	h, err := setup.Host(config.Settings{}, setup.Options{Mode: setup.Catalogs, Parts: setup.Parts{Registry: servers, Allowlist: &allow}})
	if err != nil {
		t.Fatal(err)
	}
	out := h.Catalog(t.Context(), "").Excluded()
	if len(out) != 1 || out[0].Denial.Code != verdict.PinUnapproved {
		t.Errorf("%+v", out)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}

func allowing(t *testing.T, text string) catalog.Allowlist {
	t.Helper()
	a, err := catalog.ParseAllowlist([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return a
}
