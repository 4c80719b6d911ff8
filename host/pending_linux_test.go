package host_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// kept is a directory with a pending approval of a run in it.
func kept(t *testing.T, runID string) (dir host.TraceDir, p host.Pending, now time.Time) {
	t.Helper()
	now = time.Now().Truncate(time.Second)
	dir = host.TraceDir(t.TempDir())
	p = host.Pending{RunID: runID, Digest: "sha256:1", Trace: "sha256:2", Subject: "ada", Created: now, Expires: now.Add(time.Minute)}
	if err := dir.Keep(p); err != nil {
		t.Fatal(err)
	}
	return dir, p, now
}

func rename(t *testing.T, dir host.TraceDir, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(string(dir), from), filepath.Join(string(dir), to)); err != nil {
		t.Fatal(err)
	}
}

func claimed(t *testing.T, what string, dir host.TraceDir, p host.Pending, now time.Time, want verdict.Code) {
	t.Helper()
	if _, err := dir.Claim(p.RunID, p.Digest, now); verdict.CodeOf(err) != want {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
}

// What was used up stays used up, whatever its file is called afterwards: the
// file itself says that it was, and the name that it got is not given twice.
func TestAnApprovalThatWasUsedStaysUsed(t *testing.T) {
	t.Parallel()
	dir, p, now := kept(t, "r1")
	claimed(t, "the first use", dir, p, now, "")
	claimed(t, "a second use", dir, p, now, verdict.ApprovalSpent)
	rename(t, dir, "spent_r1", "pending_r1")
	claimed(t, "renamed back", dir, p, now, verdict.ApprovalUnknown)
	if _, err := dir.Look("r1"); verdict.CodeOf(err) != verdict.ApprovalUnknown {
		t.Errorf("what was renamed back is shown: %v", err)
	}
	rename(t, dir, "pending_r1", "spent_r1")
	if err := dir.Keep(p); err != nil { // as whoever writes one of one's own would
		t.Fatal(err)
	}
	claimed(t, "another one of the same run", dir, p, now, verdict.ApprovalSpent)
}

// A file under another run's name is no approval of that run, and one that is
// there is not written over.
func TestAnApprovalIsOfTheRunThatItNames(t *testing.T) {
	t.Parallel()
	dir, p, now := kept(t, "r1")
	if err := dir.Keep(host.Pending{RunID: "r1", Digest: "sha256:3", Created: now, Expires: now.Add(time.Hour)}); err == nil {
		t.Error("a second approval of the run is kept")
	}
	if got, err := dir.Look("r1"); err != nil || got.Digest != p.Digest || !got.Expires.Equal(p.Expires) {
		t.Errorf("%+v, %v", got, err)
	}
	rename(t, dir, "pending_r1", "pending_r2")
	other := p
	other.RunID = "r2"
	claimed(t, "under another name", dir, other, now, verdict.ApprovalUnknown)
	rename(t, dir, "pending_r2", "pending_r1")
	claimed(t, "under its own", dir, p, now, "")
}

// Whoever may read what waits learns what somebody asked; who may write it
// approves it.
func TestWhatWaitsIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	dir, _, _ := kept(t, "r1")
	info, err := os.Stat(filepath.Join(string(dir), "pending_r1"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Where another has to approve, an asker without a name is nobody's other.
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
	b, dir := writing(t, writes1)
	q := asked(t, b)
	q.DryRun = true
	if out := b.put(t, q); out.Type != host.Planned || out.Call != host.None || b.calls() != 0 {
		t.Errorf("%s, %s, %d calls", out.Type, out.Call, b.calls())
	}
	if _, err := dir.Look(q.Approval.RunID); err != nil {
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
	b, dir := writing(t, writes1)
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
	if waiting, err := dir.Pending(); err != nil || len(waiting) != 0 {
		t.Errorf("%+v waits, %v", waiting, err)
	}
}
