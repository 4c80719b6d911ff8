package config

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

// maxFile is the longest file that is read, in bytes: a flag may name a device,
// which does not end. The longest allowlist and rules are as long.
const maxFile = 4 << 20

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if len(b) > maxFile {
		return nil, fmt.Errorf("it is over %d bytes", maxFile)
	}
	return b, err
}

// unreadable names the path once: errors of package os name it too.
func unreadable(path string, err error) error {
	err = cause(err)
	return verdict.Fail(verdict.ConfigUnreadable, err, "%s: %v", path, err)
}

// cause is an error of package os without the path.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// ReadFile reads a file that the operator names, within the bound of every such
// file.
func ReadFile(path string) ([]byte, error) {
	b, err := readBounded(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return b, nil
}

// LoadAllowlist reads the allowlist. Where it is missing, unreadable or
// invalid, the list that comes back allows nothing and says why: that is a
// refusal of the question, not a failure of the program.
func LoadAllowlist(path string) catalog.Allowlist {
	b, err := readBounded(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return catalog.Nothing(verdict.Deny(verdict.AllowMissing, "there is no allowlist at %s", path))
	case err != nil:
		return catalog.Nothing(verdict.Deny(verdict.AllowInvalid, "the allowlist %s cannot be read: %v", path, cause(err)))
	}
	list, err := catalog.ParseAllowlist(b)
	var d *verdict.Denial
	if errors.As(err, &d) {
		return catalog.Nothing(verdict.Deny(d.Code, "%s: %s", path, d.Reason))
	}
	return list
}

// LoadRules reads the input rules of every layer and adds them up. With no
// file the built-in rules hold.
func LoadRules(paths []Value[string]) (input.Rules, error) {
	if len(paths) == 0 {
		return input.BuiltIn(), nil
	}
	var all input.Rules
	for i, p := range paths {
		b, err := readBounded(p.V)
		if err != nil {
			return input.Rules{}, verdict.Fail(verdict.ConfigUnreadable, err, "input rules %s (%s): %v", p.V, p.Origin, cause(err))
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

// keyFile holds the key of [Servers.Identity], in the state directory.
const keyFile = "identity.key"

// LocalKey reads this machine's own key from the state directory, and makes it
// where there is none. It is in no trace. A key that was lost or exchanged
// makes every identity another one: nothing that was approved before matches.
func LocalKey(dir string) (pin.Key, error) {
	path := filepath.Join(dir, keyFile)
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
