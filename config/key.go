package config

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

// KeyFile holds the key of [Servers.Identity], in the state directory.
const KeyFile = "identity.key"

// LocalKey reads this machine's own key from the state directory, and makes it
// where there is none. It is in no trace. A key that was lost or exchanged
// makes every identity another one: nothing that was approved before matches.
func LocalKey(dir string) (pin.Key, error) {
	path := filepath.Join(dir, KeyFile)
	b, err := readBounded(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeKey(path); err != nil {
			f := verdict.Fail(verdict.ConfigUnreadable, err, "%s, the key of servers' identities, cannot be made: %v", path, cause(err))
			f.Hint = "make its directory writable, or name another with XDG_STATE_HOME or ASK_HOME"
			return pin.Key{}, f
		}
		b, err = readBounded(path)
	}
	if err != nil {
		return pin.Key{}, unreadable(path, err)
	}
	var key pin.Key
	if copy(key[:], b) != len(b) || len(b) != len(key) || key == (pin.Key{}) {
		f := verdict.Fail(verdict.ConfigInvalid, nil, "%s, the key of servers' identities, is damaged: it holds %d bytes where %d random ones belong", path, len(b), len(key))
		f.Hint = "remove it, and a new one is made; what was approved under the old one must be approved again"
		return pin.Key{}, f
	}
	return key, nil
}

// makeKey puts a new key in its place whole or not at all, and never over
// another: of two processes that make one, both read the first's.
func makeKey(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".identity-*.key") // O_EXCL, mode 0600
	if err != nil {
		return err
	}
	key := make([]byte, len(pin.Key{}))
	_, _ = rand.Read(key) // it never fails
	_, err = f.Write(key)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), path)
	}
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return errors.Join(err, os.Remove(f.Name()), syncDir(dir))
}

func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
