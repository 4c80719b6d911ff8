package config

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

// ReadFile reads a file that the operator names, within the bound of every configuration
// file.
func ReadFile(path string) ([]byte, error) {
	b, err := edit.Read(path)
	if err != nil {
		return nil, edit.Unreadable(path, err)
	}
	return b, nil
}

// LoadAllowlist reads the allowlist. If the file is missing, unreadable or invalid, the list
// allows nothing and contains the reason: the question is refused, the program does not fail.
func LoadAllowlist(path string) catalog.Allowlist {
	b, err := edit.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return catalog.Nothing(verdict.Deny(verdict.AllowMissing, "there is no allowlist at %s", path))
	case err != nil:
		return catalog.Nothing(verdict.Deny(verdict.AllowInvalid, "the allowlist %s cannot be read: %v", path, edit.Cause(err)))
	}
	list, err := catalog.ParseAllowlist(b)
	var d *verdict.Denial
	if errors.As(err, &d) {
		return catalog.Nothing(verdict.Deny(d.Code, "%s: %s", path, d.Reason))
	}
	return list
}

// LoadRules reads the input rules of every layer and adds them up. Without a file the
// built-in rules apply.
func LoadRules(paths []Value[string]) (input.Rules, error) {
	if len(paths) == 0 {
		return input.BuiltIn(), nil
	}
	var all input.Rules
	for i, p := range paths {
		b, err := edit.Read(p.V)
		if err != nil {
			return input.Rules{}, verdict.Fail(verdict.ConfigUnreadable, err, "input rules %s (%s): %v", p.V, p.Origin, edit.Cause(err))
		}
		rules, err := input.ParseRules(b)
		if err != nil {
			return input.Rules{}, verdict.Fail(verdict.ConfigInvalid, err, "input rules %s: %v", p.V, err)
		}
		if i > 0 {
			rules = all.And(rules)
		}
		all = rules
	}
	return all, nil
}

// keyFile is the file of the key of [Servers.Identity], in the state directory.
const keyFile = "identity.key"

// LocalKey reads this machine's own key from the state directory, and makes a missing one. No
// trace contains it. If the key is lost or replaced, every identity changes, and no earlier
// approval matches.
func LocalKey(dir string) (pin.Key, error) {
	path := filepath.Join(dir, keyFile)
	b, err := edit.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeKey(path); err != nil {
			f := verdict.Fail(verdict.ConfigUnreadable, err, "%s, the key of servers' identities, cannot be made: %v", path, edit.Cause(err))
			f.Hint = "make its directory writable, or name another with XDG_STATE_HOME or ASK_HOME"
			return pin.Key{}, f
		}
		b, err = edit.Read(path)
	}
	if err != nil {
		return pin.Key{}, edit.Unreadable(path, err)
	}
	var key pin.Key
	if copy(key[:], b) != len(b) || len(b) != len(key) || key == (pin.Key{}) {
		f := verdict.Fail(verdict.ConfigInvalid, nil, "%s, the key of servers' identities, is damaged: it holds %d bytes where %d random ones belong", path, len(b), len(key))
		f.Hint = "remove it, and a new one is made; everything approved under the old one must be approved again"
		return pin.Key{}, f
	}
	return key, nil
}

// makeKey writes a new key whole or not at all, and never over another. If two processes make
// a key, both read the first one.
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
	return errors.Join(err, os.Remove(f.Name()), disk.SyncDir(dir))
}
