package host_test

import (
	"context"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// Where another has to approve, an asker without a name differs from no user.
func TestNobodyApprovesForAnAskerWithoutAName(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]verdict.Code{"": verdict.ApprovalRefused, "ada": ""} {
		b, _ := writing(t, writes1)
		b.config.Policy.OthersApprove = true
		b.config.Approver = person(func(r host.Request) (gate.Yes, error) {
			return gate.Yes{Approval: r.Digest, By: "bo", How: gate.AtTerminal}, nil
		})
		q := deleting
		q.Subject = subject
		out := b.put(t, q)
		got := verdict.Code("")
		if out.Error != nil {
			got = out.Error.Code
		}
		if got != want || b.calls() != map[bool]int{true: 1}[want == ""] {
			t.Errorf("asked by %q: %s, %q, %d calls", subject, out.Type, got, b.calls())
		}
	}
}

// A dry run makes no call, whatever it brings along, and uses nothing up.
func TestADryRunUsesNoApproval(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	q := asked(t, b)
	q.DryRun = true
	if out := b.put(t, q); out.Type != host.Planned || out.Call != host.None || b.calls() != 0 {
		t.Errorf("%s, %s, %d calls", out.Type, out.Call, b.calls())
	}
	if _, err := kept.Approval(t.Context(), q.Approval.RunID); err != nil {
		t.Errorf("the approval is gone: %v", err)
	}
	b.again()
	q.DryRun = false
	if out := b.put(t, q); out.Exit() != 0 || b.calls() != 1 {
		t.Errorf("%s, %+v, %d calls", out.Type, out.Error, b.calls())
	}
}

// Who presses Ctrl-C has not said yes, whatever the prompt makes of it.
func TestAYesAfterAnInterruptIsNone(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	ctx, interrupt := context.WithCancel(t.Context())
	b.config.Approver = person(func(r host.Request) (gate.Yes, error) {
		interrupt()
		return gate.Yes{Approval: r.Digest, By: "ada", How: gate.AtTerminal}, nil
	})
	h, err := host.New(b.config)
	if err != nil {
		t.Fatal(err)
	}
	out := h.Ask(ctx, deleting)
	if out.Call != host.None || b.calls() != 0 || out.Exit() == 0 {
		t.Errorf("%s, exit %d, %+v, %d calls", out.Type, out.Exit(), out.Error, b.calls())
	}
	if strings.Contains(b.disk.String(), `"kind":"consent"`) {
		t.Errorf("the trace has a consent:\n%s", b.disk)
	}
	if waiting, err := kept.Waiting(t.Context()); err != nil || len(waiting) != 0 {
		t.Errorf("%+v waits, %v", waiting, err)
	}
}
