package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
)

// ended is what a test compares of a run's end.
type ended struct {
	Code  verdict.Code
	Calls int
}

func end(b *bench, out host.Outcome) ended {
	e := ended{Calls: b.calls()}
	if out.Error != nil {
		e.Code = out.Error.Code
	}
	return e
}

// An approval whose use cannot be kept makes no call, nor does one of a store that
// does not know it.
func TestAnApprovalThatCannotBeNotedAsUsedMakesNoCall(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	q := asked(t, b)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	removed := filepath.Join(t.TempDir(), "state.db")
	gone := store.At(removed, time.Now)
	known, err := kept.Approval(t.Context(), q.Approval.RunID)
	if err := errors.Join(err, gone.Ask(t.Context(), known), os.Remove(removed)); err != nil {
		t.Fatal(err)
	}
	defer gone.Close()
	for name, c := range map[string]struct {
		store *store.Store
		want  verdict.Code
	}{
		"a store that knows none":     {state(t), verdict.ApprovalUnknown},
		"a store that cannot be made": {store.At(filepath.Join(file, "state.db"), time.Now), verdict.StateUnreadable},
		"a store that was removed":    {gone, verdict.StateUnwritable},
	} {
		b.config.Approvals = c.store
		if diff := cmp.Diff(ended{c.want, 0}, end(b, b.again().put(t, q))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	b.config.Approvals = kept
	if diff := cmp.Diff(ended{"", 1}, end(b, b.again().put(t, q))); diff != "" {
		t.Error(diff)
	}
}
