package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"sync"
	"time"
)

// Stamp is what a path led to at one time: nothing, a file, or a link with what it
// leads to. It vouches that [Stamp.Same] finds every later change that the system
// notes in the file's times, identity, size, owner or mode, and every change of the
// text in the first two seconds, in which a second change may have the same time. It
// does not vouch for file systems that do not keep the time of a change.
type Stamp struct {
	Path   string
	Digest string // SHA-256 of the text, "" where there is no regular file

	mu     sync.Mutex
	own    facts // of the path itself
	leads  facts // of the file that a link leads to
	recent bool  // the text may change once more without another time
}

// settled is how old a change has to be until the next one has another time: the
// coarsest clock of a file system that is in use, which is that of FAT.
const settled = 2 * time.Second

// NewStamp reads what a path leads to. A text that is longer than max has no digest.
func NewStamp(path string, max int) *Stamp {
	s := &Stamp{Path: path}
	s.own, s.leads = look(path)
	s.recent = s.file().after(time.Now().Add(-settled))
	s.Digest = s.digest(max)
	return s
}

// Same reports whether the path leads to what it led to.
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

// file is what the path leads to, by a link or without one.
func (s *Stamp) file() facts {
	if s.own.link() {
		return s.leads
	}
	return s.own
}

// digest is of a regular file alone: reading from anything else may take what is read.
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

// facts are what the system says of a file, and why it says nothing.
type facts struct {
	there              bool
	wrong              string
	device, inode      uint64
	mode               fs.FileMode
	owner, group       uint32
	size               int64
	modified, changed  int64 // in nanoseconds
	unknownWhenChanged bool
}

func (f facts) link() bool    { return f.mode&fs.ModeSymlink != 0 }
func (f facts) regular() bool { return f.there && f.mode.IsRegular() }

// after reports whether the file was changed after a time, or may have been.
func (f facts) after(t time.Time) bool {
	return f.regular() && (f.unknownWhenChanged || f.changed > t.UnixNano())
}

// look reads the facts of a path, and of what it leads to where it is a link.
func look(path string) (own, leads facts) {
	own = factsOf(path, false)
	if own.link() {
		leads = factsOf(path, true)
	}
	return own, leads
}
