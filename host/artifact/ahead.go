package artifact

import (
	"sync"
	"time"

	"github.com/onestep-run/onestep/host/disk"
)

// aheadMax is how long a digest counts that was begun ahead of the start. A write through
// memory that is shared with the file may change its times only later.
const aheadMax = time.Second

// Ahead is the digest of a program that is read while its caller does other work. It saves
// time, and decides nothing: the file is read again at the start if the reading began too
// long ago, if the file changed since, or if a change could go unseen.
type Ahead struct {
	path   string
	began  time.Time
	stamp  *disk.Stamp // of the time before the reading
	digest func() (string, error)
}

// ReadAhead begins to read the file of a command that no launcher starts. It returns nil
// for any other command.
func ReadAhead(s Command) *Ahead {
	if s.Package.Registry != "" || s.Path == "" || s.floats() != "" {
		return nil
	}
	a := &Ahead{path: s.program(), began: time.Now()}
	a.stamp = disk.NewStamp(a.path, 0)
	digest := sync.OnceValues(func() (string, error) { return digestFile(a.path) })
	a.digest = digest
	go func() { _, _ = digest() }()
	return a
}

// of is the digest of a file now, or "" with an error.
func (a *Ahead) of(path string) (string, error) {
	if a != nil && a.path == path && a.stamp.Settled() {
		digest, err := a.digest()
		if err == nil && a.stamp.Same(0) && time.Since(a.began) < aheadMax {
			return digest, nil
		}
	}
	return digestFile(path)
}
