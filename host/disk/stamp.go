package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"sync"
	"time"
)

// Stamp describes the file at a path at one time: nothing, a file, or a link with its
// target. It vouches that [Stamp.Same] finds every later change that the system records
// in the file's times, identity, size, owner or mode. In the first two seconds it finds
// every change of the text, because a second change may then have the same time. It does
// not vouch for file systems that do not record the time of a change.
type Stamp struct {
	Path   string
	Digest string // SHA-256 of the text, "" without a regular file

	mu     sync.Mutex
	own    facts // about the path itself
	leads  facts // about the target of a link
	recent bool  // the text may change again without another time
}

// settled is the age of a change from which on the next change has another time. The
// coarsest clock of a file system in use is that of FAT.
const settled = 2 * time.Second

// NewStamp describes the file at a path. A text longer than max has no digest.
func NewStamp(path string, max int) *Stamp {
	s := &Stamp{Path: path}
	s.own, s.leads = look(path)
	s.recent = s.file().after(time.Now().Add(-settled))
	s.Digest = s.digest(max)
	return s
}

// Same reports whether the file at the path is unchanged.
func (s *Stamp) Same(max int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own, leads := look(s.Path); own != s.own || leads != s.leads {
		return false
	}
	if !s.recent {
		return true
	}
	now := time.Now()
	if s.digest(max) != s.Digest {
		return false
	}
	s.recent = s.file().after(now.Add(-settled))
	return true
}

// Settled reports whether every later change of the file has another time.
func (s *Stamp) Settled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.recent
}

// file returns the facts of the path, or of a link's target.
func (s *Stamp) file() facts {
	if s.own.link() {
		return s.leads
	}
	return s.own
}

// digest reads only a regular file: reading from another kind may consume its data.
func (s *Stamp) digest(max int) string {
	if !s.file().regular() {
		return ""
	}
	b, err := ReadFile(s.Path, max)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// facts are the system's data about a file, or the error.
type facts struct {
	there             bool
	wrong             string
	device, inode     uint64
	mode              fs.FileMode
	owner, group      uint32
	size              int64
	modified, changed int64 // in nanoseconds
}

func (f facts) link() bool    { return f.mode&fs.ModeSymlink != 0 }
func (f facts) regular() bool { return f.there && f.mode.IsRegular() }

// after reports whether the file may have changed after a time.
func (f facts) after(t time.Time) bool {
	return f.regular() && f.changed > t.UnixNano()
}

// look reads the facts of a path, and of its target if it is a link.
func look(path string) (own, leads facts) {
	own = factsOf(path, false)
	if own.link() {
		leads = factsOf(path, true)
	}
	return own, leads
}
