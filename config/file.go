package config

import (
	"bytes"
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
	"github.com/onestep-run/onestep/host/disk"
)

// maxFile is the longest file that is read, in bytes: a flag may name a device,
// which does not end. The longest allowlist and rules are as long.
const maxFile = 4 << 20

// readBounded reads a file that decides something: it belongs to the user or to root.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		err = disk.Trusted(info, os.Geteuid())
	}
	if err != nil {
		return nil, err
	}
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
		f.Hint = "remove it, and a new one is made; everything approved under the old one must be approved again"
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
	return errors.Join(err, os.Remove(f.Name()), disk.SyncDir(dir))
}

// rewrite puts what is made of a file's text in its place, unless it is a dry run
// or the same, and reports whether it did.
func rewrite(path string, dry bool, edit func(path string, text []byte) ([]byte, error)) (changed bool, err error) {
	path, before, err := toReplace(path)
	if err != nil {
		return false, err
	}
	after, err := edit(path, before)
	if err != nil || dry || bytes.Equal(before, after) {
		return false, err
	}
	return true, replaced(path, before, after)
}

// replaced puts a text in the place of the one that was read.
func replaced(path string, before, after []byte) error {
	err := replace(path, before, after)
	switch {
	case errors.Is(err, errOther):
		f := verdict.Fail(verdict.ConfigUnreadable, err, "another program has changed %s meanwhile; ask did not write it", path)
		f.Hint = "run the command again"
		return f
	case err != nil:
		return verdict.Fail(verdict.ConfigUnreadable, err, "%s cannot be written: %v", path, err)
	}
	return nil
}

var errOther = errors.New("the file is not the one that was read")

// KeepPrivate writes a file for its user alone, whole or not at all, in the place
// of what is there.
func KeepPrivate(path string, text []byte) error {
	was, err := readBounded(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = replace(path, was, text)
	}
	if err != nil {
		return verdict.Fail(verdict.ConfigUnreadable, err, "%s cannot be written: %v", path, cause(err))
	}
	return nil
}

// toReplace reads the file that will be replaced, and gives its own path: a
// link into a user's dotfiles stays one. Only a regular file is replaced, not
// another: --config /dev/null, by root, least of all.
func toReplace(path string) (target string, text []byte, err error) {
	target, err = filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return "", nil, verdict.Fail(verdict.ConfigUnreadable, nil, "%s is a link to a file that is not there", path)
		}
		return path, nil, nil
	}
	if err != nil {
		return "", nil, unreadable(path, err)
	}
	if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
		return "", nil, verdict.Fail(verdict.ConfigUnreadable, nil, "%s is not a regular file", path)
	}
	text, err = readBounded(target)
	if err != nil {
		return "", nil, unreadable(path, err)
	}
	return target, text, nil
}

// replace writes a file next to the old one and puts it in its place, if that
// still holds what was read. Between that look and the rename a moment is left.
func replace(path string, was, text []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".config-*.toml") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	if info, err := os.Stat(path); err == nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return err
		}
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if now, err := readBounded(path); err != nil && !errors.Is(err, fs.ErrNotExist) || !bytes.Equal(now, was) {
		return errors.Join(errOther, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return errors.Join(disk.SyncDir(dir), f.Close())
}
