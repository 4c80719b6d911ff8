package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

func TestACopyOfAnApprovalApprovesNothing(t *testing.T) {
	t.Parallel()
	edit := func(from, to string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			text, err := os.ReadFile(path)
			if err == nil {
				changed := strings.Replace(string(text), from, to, 1)
				if changed == string(text) {
					t.Fatalf("%s has no %s", text, from)
				}
				err = os.WriteFile(path, []byte(changed), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		do   func(*testing.T, string)
		want verdict.Code
	}{
		"copied": {func(t *testing.T, path string) {
			text, err := os.ReadFile(path)
			if err = errors.Join(err, os.WriteFile(path+".copy", text, 0o600), os.Rename(path+".copy", path)); err != nil {
				t.Fatal(err)
			}
		}, verdict.ApprovalUnknown},
		"linked": {func(t *testing.T, path string) {
			if err := os.Link(path, path+".kept"); err != nil {
				t.Fatal(err)
			}
		}, verdict.ApprovalUnknown},
		"a link to it": {func(t *testing.T, path string) {
			if err := errors.Join(os.Rename(path, path+".kept"), os.Symlink(path+".kept", path)); err != nil {
				t.Fatal(err)
			}
		}, verdict.ApprovalUnknown},
		"deleted": {func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, verdict.ApprovalUnknown},
		"cut off":         {edit(`"run_id"`, ``), verdict.ApprovalUnknown},
		"another user's":  {edit(`"user":`, `"user":1`), verdict.ApprovalUnknown},
		"another host's":  {edit(`"machine":"`, `"machine":"x`), verdict.ApprovalUnknown},
		"a member more":   {edit(`{`, `{"extra":1,`), verdict.ApprovalUnknown},
		"another digest":  {edit(`sha256:`, `sha256:0`), verdict.ApprovalChanged},
		"a later expiry":  {edit(`"expires":"2`, `"expires":"3`), verdict.ApprovalChanged},
		"an empty file":   {func(t *testing.T, path string) { _ = os.Truncate(path, 0) }, verdict.ApprovalUnknown},
		"already claimed": {func(t *testing.T, path string) { _ = os.Rename(path, strings.Replace(path, "pending_", "spent_", 1)) }, verdict.ApprovalSpent},
	} {
		b, dir := writing(t, writes1)
		q := asked(t, b)
		c.do(t, filepath.Join(string(dir), "pending_"+q.Approval.RunID))
		out := b.put(t, q)
		if out.Error == nil || out.Error.Code != c.want || b.calls() != 0 {
			t.Errorf("%s: %s %+v, %d calls", name, out.Type, out.Error, b.calls())
		}
	}
}

// A file that another user owns is another user's approval. Only root can give
// a file away; what the file says of its user is tested above for everybody.
func TestAnotherUsersFileApprovesNothing(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	b, dir := writing(t, writes1)
	q := asked(t, b)
	if err := os.Chown(filepath.Join(string(dir), "pending_"+q.Approval.RunID), 65534, 65534); err != nil {
		t.Fatal(err)
	}
	if out := b.put(t, q); out.Error == nil || out.Error.Code != verdict.ApprovalUnknown || b.calls() != 0 {
		t.Errorf("%s %+v, %d calls", out.Type, out.Error, b.calls())
	}
}

func TestAnApprovalHasItsTime(t *testing.T) {
	t.Parallel()
	for name, shift := range map[string]time.Duration{"a minute late": 16 * time.Minute, "before it was asked for": -time.Minute} {
		b, _ := writing(t, writes1)
		now := time.Now()
		b.config.Now = func() time.Time { return now }
		q := asked(t, b)
		now = now.Add(shift)
		out := b.put(t, q)
		if out.Error == nil || out.Error.Code != verdict.ApprovalExpired || out.Exit() != 4 || b.calls() != 0 {
			t.Errorf("%s: %s %+v, %d calls", name, out.Type, out.Error, b.calls())
		}
		replayed(t, b)
	}
}

// rounds is how often a race is run.
func rounds() int {
	if os.Getenv("ASK_CI") == "full" {
		return 2000
	}
	return 50
}

func TestOfManyApproversOneMakesTheCall(t *testing.T) {
	t.Parallel()
	for range min(rounds(), 50) { // each takes a whole run ten times
		b, _ := writing(t, writes1)
		q := asked(t, b)
		var all sync.WaitGroup
		var answered atomic.Int32
		for range 10 {
			config := b.config
			config.Traces = &disk{}
			h, err := host.New(config)
			if err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				out := h.Ask(t.Context(), q)
				if out.Call == host.Answered {
					answered.Add(1)
				} else if out.Error.Code != verdict.ApprovalSpent && out.Error.Code != verdict.ApprovalUnknown {
					t.Errorf("%+v", out.Error)
				}
			})
		}
		all.Wait()
		if n := b.calls(); n != 1 || answered.Load() != 1 {
			t.Fatalf("%d calls, %d answers", n, answered.Load())
		}
	}
}
