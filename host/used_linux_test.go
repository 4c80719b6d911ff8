package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/store"
)

func inode(t *testing.T, path string) uint64 {
	t.Helper()
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		t.Fatal(err)
	}
	return s.Ino
}

// restored writes a file again whose inode was freed. ext4 gives that to one of
// the next files, and what is written is the same to the byte. Where the file
// system does not, the record names the inode that the file got.
func restored(t *testing.T, path string, content []byte, was uint64) {
	t.Helper()
	for i := range 200 {
		name := path + "." + strconv.Itoa(i)
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if is := inode(t, name); is == was || i == 199 {
			record := regexp.MustCompile(`"inode":\d+`).ReplaceAll(content, []byte(`"inode":`+strconv.FormatUint(is, 10)))
			if err := errors.Join(os.WriteFile(name, record, 0o600), os.Rename(name, path)); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
}

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

// Whoever keeps a copy of a pending approval and puts it back when it was used
// has a file that is as it was in every way, its inode too.
func TestAnApprovalWhoseFileComesBackStaysUsed(t *testing.T) {
	t.Parallel()
	b, dir := writing(t, writes1)
	q := asked(t, b)
	path, spent := filepath.Join(string(dir), "pending_"+q.Approval.RunID), filepath.Join(string(dir), "spent_"+q.Approval.RunID)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	was := inode(t, path)
	if diff := cmp.Diff(ended{"", 1}, end(b, b.put(t, q))); diff != "" {
		t.Fatal(diff)
	}
	if err := os.Remove(spent); err != nil {
		t.Fatal(err)
	}
	restored(t, path, content, was)
	if p, err := dir.Look(t.Context(), q.Approval.RunID); err != nil || p.Digest != q.Approval.Digest {
		t.Fatalf("the attack is not what it should be: %+v, %v", p, err)
	}
	if diff := cmp.Diff(ended{verdict.ApprovalSpent, 1}, end(b, b.again().put(t, q))); diff != "" {
		t.Error(diff)
	}
	replayed(t, b)
}

// A use that cannot be noted makes no call, and the approval waits still.
func TestAnApprovalThatCannotBeNotedAsUsedMakesNoCall(t *testing.T) {
	t.Parallel()
	b, dir := writing(t, writes1)
	q := asked(t, b)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	nowhere := store.At(filepath.Join(file, "state.db"), time.Now)
	removed := filepath.Join(t.TempDir(), "state.db")
	gone := store.At(removed, time.Now)
	if err := errors.Join(gone.Use(t.Context(), "other", "other"), os.Remove(removed)); err != nil {
		t.Fatal(err)
	}
	defer gone.Close()
	alone := b.config.Approvals
	for name, used := range map[string]runs.Used{"no store": nil, "a store that cannot be made": nowhere, "a store that was removed": gone} {
		b.config.Approvals = dir.Approvals(used)
		if diff := cmp.Diff(ended{verdict.StateUnwritable, 0}, end(b, b.again().put(t, q))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		replayed(t, b)
	}
	b.config.Approvals = alone
	if diff := cmp.Diff(ended{"", 1}, end(b, b.again().put(t, q))); diff != "" {
		t.Error(diff)
	}
}
