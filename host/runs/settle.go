package runs

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host/disk"
)

// journals is the directory of a trace directory's journals.
func (d Dir) journals() string { return filepath.Join(string(d), "journal") }

// boot is the digest of the name of the machine's current start. Where the system has no
// such name, every journal counts as one of an earlier start.
var boot = sync.OnceValue(func() [sha256.Size]byte {
	name := disk.Boot()
	if name == "" {
		name = rand.Text()
	}
	return sha256.Sum256([]byte(name))
})

// Complete completes the traces of runs that a crash of the machine ended, from journals
// that no process has. Where the directory cannot be written it does nothing: such a trace
// is read as incomplete.
func (d Dir) Complete() error {
	_, err := d.journalsOf(openFile, boot(), false)
	return err
}

// take gives this process a journal with room. A journal that cannot be recovered is left
// as it is, and ends no new run.
func (d Dir) take(open opener, boot [sha256.Size]byte) (j *journal, err error) {
	if j, _ = d.journalsOf(open, boot, true); j == nil {
		j, err = d.newJournal(open, boot)
	}
	if err == nil && j.end == 0 {
		rand.Read(j.epoch[:]) // never fails: crypto/rand ends the program instead
	}
	return j, err
}

// journalsOf goes through the journals that no process has. It settles those from before
// the machine started, and gives the first with room, if one is wanted.
func (d Dir) journalsOf(open opener, boot [sha256.Size]byte, wanted bool) (mine *journal, err error) {
	paths, err := d.journalPaths()
	for _, path := range paths {
		j := adopt(open, path, boot)
		if j == nil {
			continue
		}
		ok, failed := d.usable(open, j, wanted && mine == nil)
		if ok {
			mine = j
			continue
		}
		err = errors.Join(err, failed, j.f.Close())
	}
	return mine, err
}

// usable recovers a journal if that is due, and reports whether it is wanted and has room.
func (d Dir) usable(open opener, j *journal, wanted bool) (bool, error) {
	since, err := j.since()
	if err != nil || since && !wanted {
		return false, err
	}
	err = d.recover(open, j, since, false)
	return wanted && err == nil, err
}

// recover completes traces from a journal of before the machine started. It settles such
// a journal, and one without room, or in any case.
func (d Dir) recover(open opener, j *journal, since, always bool) error {
	entries, err := j.read()
	if err == nil && !since {
		err = d.complete(open, entries)
	}
	if err != nil {
		return err
	}
	if !since || j.end > full || always {
		return d.settle(open, j)
	}
	return nil
}

// settleAll empties the journals that no process has, and returns the run ids in the
// others. No run is active meanwhile.
func (d Dir) settleAll() (others map[string]bool, err error) {
	others = map[string]bool{}
	paths, err := d.journalPaths()
	for _, path := range paths {
		j := adopt(openFile, path, boot())
		if j == nil {
			err = errors.Join(err, readNames(path, others))
			continue
		}
		since, unread := j.since()
		if unread == nil {
			unread = d.recover(openFile, j, since, true)
		}
		err = errors.Join(err, unread, j.f.Close())
	}
	return others, err
}

func readNames(path string, into map[string]bool) error {
	f, err := openFile(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	entries, err := opened(f, boot()).read()
	for _, e := range entries {
		into[e.runID] = true
	}
	return errors.Join(err, f.Close())
}

func (d Dir) journalPaths() (paths []string, err error) {
	entries, err := os.ReadDir(d.journals())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() { // to open a pipe may take forever
			paths = append(paths, filepath.Join(d.journals(), e.Name()))
		}
	}
	return paths, err
}

// adopt locks a journal for this process. It returns nil if another process has it or is
// making it, or if it is not the user's own: its lines are not believed then.
func adopt(open opener, path string, boot [sha256.Size]byte) *journal {
	f, err := open(path, os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	info, err := f.Stat()
	whole := err == nil && info.Mode().IsRegular() && info.Size() >= roomy
	if whole {
		err = errors.Join(disk.Own(path, info), f.Lock())
	}
	if err != nil || !whole {
		_ = f.Close() // nothing was written
		return nil
	}
	return opened(f, boot)
}

func opened(f file, boot [sha256.Size]byte) *journal {
	j := &journal{f: f, boot: boot}
	j.wakes = sync.NewCond(&j.mu)
	return j
}

// newJournal makes a journal, and writes its blocks ahead. Its name is on disk before it has
// its size: no other process uses it earlier.
func (d Dir) newJournal(open opener, boot [sha256.Size]byte) (*journal, error) {
	if err := makeDir(open, d.journals()); err != nil {
		return nil, err
	}
	path := filepath.Join(d.journals(), rand.Text())
	f, err := open(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err = f.Lock(); err == nil {
		err = syncDir(open, d.journals())
	}
	if err == nil {
		_, err = f.WriteAt(make([]byte, roomy), 0)
	}
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return opened(f, boot), nil
}

// complete writes the lines of entries into the files of their runs, where they are
// missing.
func (d Dir) complete(open opener, entries []entry) error {
	for _, e := range entries {
		if !escape.Name(e.runID) {
			return fmt.Errorf("a journal has the run id %.64q, which is not a plain name", e.runID)
		}
		if err := e.restore(open, d.path(e.runID)); err != nil {
			return err
		}
	}
	return nil
}

func (e entry) restore(open opener, path string) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a plain file", path)
	}
	f, err := open(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		err = disk.Own(path, info)
	}
	if err == nil {
		err = e.write(f)
	}
	return errors.Join(err, f.Close())
}

func (e entry) write(f file) error {
	is := make([]byte, len(e.lines))
	n, err := f.ReadAt(is, e.at)
	if err = ignoreEOF(err); err == nil && string(is[:n]) != string(e.lines) {
		_, err = f.WriteAt(e.lines, e.at)
	}
	return err
}

// settle syncs the files of all runs in the journal, and empties it. No run may be using
// it. A trace that was removed meanwhile stays removed.
func (d Dir) settle(open opener, j *journal) error {
	synced := map[string]bool{}
	for _, id := range j.names {
		if synced[id] {
			continue
		}
		synced[id] = true
		if err := syncFile(open, d.path(id)); err != nil {
			return err
		}
	}
	if err := syncDir(open, string(d)); err != nil {
		return err
	}
	if _, err := j.f.WriteAt(make([]byte, headerLen), 0); err != nil {
		return err
	}
	j.end, j.names = 0, nil
	return j.f.SyncData()
}

func syncFile(open opener, path string) error {
	f, err := open(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
