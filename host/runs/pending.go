package runs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// A pending approval is a file next to its run's trace. It names its own device
// and inode and this machine, so that a copy of it approves nothing. A file that
// is restored may get the inode that it had, so that this alone does not show
// that it was used: [Used] remembers that, and the file is renamed, too. What is
// not covered: a whole disk that is rolled back, and whoever has the user's rights.
const (
	pendingPrefix = "pending_"
	spentPrefix   = "spent_"
)

// pendingFile is the file's content.
type pendingFile struct {
	Format  int       `json:"format"`
	RunID   string    `json:"run_id"`
	Digest  string    `json:"approval_digest"`
	Trace   string    `json:"trace_digest"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	User    int       `json:"user"`
	Machine string    `json:"machine"`
	Device  uint64    `json:"device"`
	Inode   uint64    `json:"inode"`
	Spent   bool      `json:"spent,omitzero"`
}

var pendingLimits = schema.Limits{Bytes: 16 << 10, Depth: 4, Values: 64, Exponent: 9, Digits: 20}

// Keep keeps a pending approval: the file and its name are on disk when it returns.
func (d Dir) Keep(_ context.Context, p host.Pending) (err error) {
	path, err := d.pendingPath(pendingPrefix, p.RunID)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	content, err := describe(f, p)
	if err == nil {
		_, err = f.Write(content)
	}
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return syncDir(openFile, string(d))
}

func describe(f *os.File, p host.Pending) ([]byte, error) {
	id, err := identify(f)
	if err != nil {
		return nil, err
	}
	return json.Marshal(pendingFile{
		Format: 1, RunID: p.RunID, Digest: p.Digest, Trace: p.Trace, Created: p.Created.UTC(), Expires: p.Expires.UTC(),
		User: os.Getuid(), Machine: id.machine, Device: id.device, Inode: id.inode,
	})
}

// Look gives a pending approval, which it does not use.
func (d Dir) Look(_ context.Context, runID string) (host.Pending, error) {
	f, p, err := d.open(runID)
	if err != nil {
		return host.Pending{}, err
	}
	return p, f.Close()
}

// Used remembers which approvals were used, where no file that comes back
// undoes it. host/store does.
type Used interface {
	// Use notes that the approval of a run is used. It returns nil to one caller
	// among any number of processes, once that is on disk, and an error, most often
	// [verdict.ApprovalSpent], to every other.
	Use(ctx context.Context, runID, digest string) error
}

// Approvals keeps pending approvals in this directory. Without a used, which
// remembers what was used, no approval can be claimed.
func (d Dir) Approvals(used Used) host.Approvals { return pendings{d, used} }

// pendings are [host.Approvals] in a directory of traces.
type pendings struct {
	Dir
	used Used
}

// Claim uses a pending approval up. One of any number of callers gets it.
func (d pendings) Claim(ctx context.Context, runID, digest string, now time.Time) (host.Pending, error) {
	f, p, err := d.open(runID)
	if err != nil {
		return host.Pending{}, err
	}
	defer f.Close()
	switch {
	case d.used == nil:
		return host.Pending{}, verdict.Fail(verdict.StateUnwritable, nil, "no store remembers which approvals were used, so no call is made")
	case p.Digest != digest:
		return host.Pending{}, verdict.Deny(verdict.ApprovalChanged, "the pending approval is of %.80s, not of %.80s", p.Digest, digest)
	case now.After(p.Expires):
		return host.Pending{}, verdict.Deny(verdict.ApprovalExpired, "the approval expired at %s", p.Expires.UTC().Format(time.RFC3339))
	case now.Before(p.Created.Add(-time.Second)): // traces' times are of whole milliseconds
		return host.Pending{}, verdict.Deny(verdict.ApprovalExpired, "the clock says %s, before the approval was asked for", now.UTC().Format(time.RFC3339))
	}
	if err := d.used.Use(ctx, runID, digest); err != nil {
		return host.Pending{}, err
	}
	return p, d.spend(openFile, f, runID)
}

// spend renames the file, and leaves it unfit to be renamed back.
func (d Dir) spend(open opener, f *os.File, runID string) error {
	pending, err := d.pendingPath(pendingPrefix, runID)
	if err != nil {
		return err
	}
	spent, err := d.pendingPath(spentPrefix, runID)
	if err != nil {
		return err
	}
	if err := moveOnce(pending, spent); err != nil {
		return d.gone(runID)
	}
	mark, err := json.Marshal(pendingFile{Format: 1, RunID: runID, Spent: true})
	if err == nil {
		err = errors.Join(f.Truncate(0), writeAt(f, mark), f.Sync())
	}
	if err = errors.Join(err, syncDir(open, string(d))); err != nil {
		return verdict.Fail(verdict.TraceUnwritable, err, "the approval was used up and that cannot be kept, so no call is made: %v", err)
	}
	return nil
}

func writeAt(f *os.File, b []byte) error {
	_, err := f.WriteAt(b, 0)
	return err
}

// open reads a pending approval, and holds the file to what it says of itself.
func (d Dir) open(runID string) (*os.File, host.Pending, error) {
	path, err := d.pendingPath(pendingPrefix, runID)
	if err != nil {
		return nil, host.Pending{}, verdict.Deny(verdict.ApprovalUnknown, "%v", err)
	}
	f, err := openPlain(path)
	if err != nil {
		return nil, host.Pending{}, d.gone(runID)
	}
	p, why := readPending(f, runID)
	if why != "" {
		_ = f.Close() // it was only read
		return nil, host.Pending{}, verdict.Deny(verdict.ApprovalUnknown, "the pending approval of run %s %s", escape.Line(runID, 80), why)
	}
	return f, p, nil
}

func readPending(f *os.File, runID string) (host.Pending, string) {
	b, err := io.ReadAll(io.LimitReader(f, int64(pendingLimits.Bytes)+1))
	var c pendingFile
	if err == nil {
		err = schema.Decode(bytes.TrimSpace(b), &c, pendingLimits)
	}
	if err != nil {
		return host.Pending{}, "cannot be read: it is not what was written"
	}
	id, err := identify(f)
	switch {
	case err != nil:
		return host.Pending{}, "cannot be identified"
	case c.Spent:
		return host.Pending{}, "was used before"
	case c.Format != 1 || c.RunID != runID || c.Digest == "":
		return host.Pending{}, "is of another run"
	case c.User != os.Getuid() || id.owner != uint32(os.Getuid()):
		return host.Pending{}, "is another user's"
	case c.Machine != id.machine:
		return host.Pending{}, "is another host's"
	case c.Device != id.device || c.Inode != id.inode || id.links != 1:
		return host.Pending{}, "is a copy, or was restored from one"
	}
	return host.Pending{RunID: c.RunID, Digest: c.Digest, Trace: c.Trace, Created: c.Created, Expires: c.Expires}, ""
}

// gone says what became of an approval that is not pending.
func (d Dir) gone(runID string) error {
	if path, err := d.pendingPath(spentPrefix, runID); err == nil {
		if _, err := os.Lstat(path); err == nil {
			return verdict.Deny(verdict.ApprovalSpent, "the approval of run %s was used before: its call may have left", runID)
		}
	}
	return verdict.Deny(verdict.ApprovalUnknown, "there is no pending approval of run %s", escape.Line(runID, 80))
}

func (d Dir) pendingPath(prefix, runID string) (string, error) {
	if !escape.Name(runID) {
		return "", fmt.Errorf("the run id %.64q is not a plain name", runID)
	}
	return filepath.Join(string(d), prefix+runID), nil
}

// Pending lists the approvals that wait, oldest first. Files that cannot be
// used are left out.
func (d Dir) Pending(ctx context.Context) ([]host.Pending, error) {
	entries, err := os.ReadDir(string(d))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []host.Pending
	for _, e := range entries {
		name, found := strings.CutPrefix(e.Name(), pendingPrefix)
		if !found {
			continue
		}
		if p, err := d.Look(ctx, name); err == nil {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b host.Pending) int { return a.Created.Compare(b.Created) })
	return all, nil
}
