package runs

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// traceFile is the file of one run, with the directory's objects. Until it is closed, a prune
// removes no object that it may refer to.
type traceFile struct {
	host.TraceSink
	dir     Dir
	open    opener
	lock    io.Closer // nil while the run waits
	objects string    // the directory
	unsure  bool      // an object was written, and its name may not be on disk yet
	named   bool      // the file's name is on disk

	lasting *lasting                   // shared by the process; nil remembers nothing
	seen    map[trace.Hash]fs.FileInfo // names that the next sync of the objects puts on disk
}

// lasting are the objects with names on disk, each with the file that had the name then. If a
// prune removed the object and another run made it again, the file differs.
type lasting struct {
	mu    sync.Mutex
	files map[trace.Hash]fs.FileInfo
}

// maxLasting bounds lasting. A forgotten name is synced once more.
const maxLasting = 4096

func (l *lasting) has(digest trace.Hash, now fs.FileInfo) bool {
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.files[digest]
	return was != nil && os.SameFile(was, now) && was.ModTime().Equal(now.ModTime())
}

func (l *lasting) add(seen map[trace.Hash]fs.FileInfo) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.files == nil || len(l.files) > maxLasting {
		l.files = map[trace.Hash]fs.FileInfo{}
	}
	maps.Copy(l.files, seen)
}

// Keep writes a missing object. A file with its name and another length is not this object,
// and is replaced. A file with the same length is not read: verify hashes it.
func (f *traceFile) Keep(digest trace.Hash, size int, value func() jsontext.Value) error {
	path := filepath.Join(f.objects, digest.String())
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.Size() == int64(size) {
		if !f.lasting.has(digest, info) { // another run may have made the name just now
			f.unsure, f.seen[digest] = true, info
		}
		return nil
	}
	f.unsure = true
	b := value()
	if sha256.Sum256(b) != digest {
		return errors.New("its value is another one now")
	}
	if err := makeDir(f.open, f.objects); err != nil {
		return err
	}
	return f.put(path, b)
}

// temporary begins the names of incomplete objects.
const temporary = "tmp_"

// put writes the file whole before it gives it its name.
func (f *traceFile) put(path string, b []byte) error {
	var id [8]byte
	rand.Read(id[:]) // never fails: crypto/rand ends the program instead
	part := filepath.Join(f.objects, temporary+hex.EncodeToString(id[:]))
	file, err := f.open(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(b)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return nil
}

// Sync waits for the objects before it waits for the lines that refer to them.
func (f *traceFile) Sync() error {
	if err := f.syncObjects()(); err != nil {
		return err
	}
	return f.syncSelf()
}

// syncObjects returns the wait for the names of the objects so far.
func (f *traceFile) syncObjects() func() error {
	if !f.unsure {
		return func() error { return nil }
	}
	seen := f.seen
	f.unsure, f.seen = false, map[trace.Hash]fs.FileInfo{}
	return func() error {
		if err := syncDir(f.open, f.objects); err != nil {
			return err
		}
		f.lasting.add(seen)
		return nil
	}
}

// syncSelf waits for the lines, and for the name of their file.
func (f *traceFile) syncSelf() error {
	if !f.named {
		if err := syncDir(f.open, string(f.dir)); err != nil {
			return err
		}
		f.named = true
	}
	return f.TraceSink.Sync()
}

func (f *traceFile) Close() error {
	err := f.TraceSink.Close()
	if f.lock != nil {
		err = errors.Join(err, f.lock.Close())
	}
	return err
}

// Wait is a [inbox.Sink]: while a person decides, old traces can be removed. This trace is
// new, and its synced lines name the objects that it refers to.
func (f *traceFile) Wait() error {
	lock := f.lock
	f.lock = nil
	return lock.Close()
}

// Resume takes the lock again. Without the lock nothing may be written.
func (f *traceFile) Resume(ctx context.Context) (err error) {
	f.lock, err = f.dir.share(ctx)
	return err
}

func (d Dir) objects() string { return filepath.Join(string(d), "objects") }

// Object reads the object with a digest. It is a [trace.Objects].
func (d Dir) Object(digest trace.Hash) (jsontext.Value, error) {
	f, err := os.Open(filepath.Join(d.objects(), digest.String()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, verdict.Fail(verdict.TraceObject, err, "the object %s is missing from %s", digest.Digest(), d.objects())
	}
	if err != nil {
		return nil, verdict.Fail(verdict.TraceObject, err, "the object %s cannot be read: %v", digest.Digest(), err)
	}
	defer f.Close()
	return trace.ReadObject(f, digest)
}
