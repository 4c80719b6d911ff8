package config

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/rule"
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

// Text is what a program has in place of a file.
type Text struct {
	Name string // in messages and in traces
	Text []byte
}

// LoadRules reads the input rules of every layer and adds them up. Without a file the
// built-in rules apply.
func LoadRules(paths []Value[string]) (input.Rules, error) {
	var texts []Text
	for _, p := range paths {
		b, err := edit.Read(p.V)
		if err != nil {
			return input.Rules{}, verdict.Fail(verdict.ConfigUnreadable, err, "input rules %s (%s): %v", p.V, p.Origin, edit.Cause(err))
		}
		texts = append(texts, Text{p.V, b})
	}
	return ParseRules(texts)
}

// ParseRules is as [LoadRules], for texts that were read.
func ParseRules(texts []Text) (input.Rules, error) {
	if len(texts) == 0 {
		return input.BuiltIn(), nil
	}
	var all input.Rules
	for i, t := range texts {
		rules, err := input.ParseRules(t.Text)
		if err != nil {
			return input.Rules{}, verdict.Fail(verdict.ConfigInvalid, err, "input rules %s: %v", t.Name, err)
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
			return pin.Key{}, verdict.Fail(verdict.ConfigUnreadable, err, "%s, the key of servers' identities, cannot be made: %v", path, edit.Cause(err)).
				WithHint("make its directory writable, or name another with XDG_STATE_HOME or ASK_HOME")
		}
		b, err = edit.Read(path)
	}
	if err != nil {
		return pin.Key{}, edit.Unreadable(path, err)
	}
	var key pin.Key
	if copy(key[:], b) != len(b) || len(b) != len(key) || key == (pin.Key{}) {
		return pin.Key{}, verdict.Fail(verdict.ConfigInvalid, nil, "%s, the key of servers' identities, is damaged: it holds %d bytes where %d random ones belong", path, len(b), len(key)).
			WithHint("remove it, and a new one is made; everything approved under the old one must be approved again")
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

// LoadPolicy reads the policy files of every layer and adds up their rules. The file of the
// configuration directory may be missing; a file that was named may not. Without any file the
// policy has no rules, and the defaults apply. If a flag or a variable names a file in the
// working directory, or in the repository around it, that file may be a stranger's: it may
// deny and ask, but not allow.
func LoadPolicy(paths []Value[string]) (rule.Policy, error) {
	var files []rule.File
	var read []string
	for _, p := range paths {
		path := filepath.Clean(p.V)
		if slices.Contains(read, path) {
			continue
		}
		text, err := readOwn(path)
		if errors.Is(err, fs.ErrNotExist) && p.Origin.Kind == FromDefault {
			continue
		}
		if err != nil {
			return rule.Policy{}, verdict.Fail(verdict.ConfigUnreadable, err, "policy %s (%s): %v", path, p.Origin, edit.Cause(err)).
				WithHint("no question is answered without it: put the file there, readable, a regular file that you alone can write (chmod go-w)")
		}
		name := filepath.Base(path)
		if slices.ContainsFunc(files, func(f rule.File) bool { return f.Name == name }) {
			name = path
		}
		files, read = append(files, rule.File{Name: name, Text: text, Narrows: p.Origin.Named() && inRepository(path)}), append(read, path)
	}
	return ParsePolicy(files)
}

// ParsePolicy adds up the rules of policy files that were read.
func ParsePolicy(files []rule.File) (rule.Policy, error) {
	policy, err := rule.Parse(files...)
	if err != nil {
		return rule.Policy{}, BadPolicy(err)
	}
	return policy, nil
}

// BadPolicy turns the error of a policy file into a fault.
func BadPolicy(err error) error {
	f := verdict.Fail(verdict.ConfigInvalid, err, "policy %v", err)
	if e := (*rule.Error)(nil); errors.As(err, &e) {
		f.Hint = e.Next
	}
	return f
}

// readOwn reads a regular file that no other user can write: it decides what may be called.
// It checks that the opened file is the file it inspected.
func readOwn(path string) ([]byte, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if before.Mode()&fs.ModeSymlink != 0 {
		return nil, errors.New("it is a symbolic link")
	}
	if !before.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	now, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !os.SameFile(before, now):
		return nil, errors.New("it was exchanged while it was opened")
	case now.Mode().Perm()&0o022 != 0:
		return nil, errors.New("others can write it")
	}
	if err := disk.Trusted(now, os.Geteuid()); err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, edit.MaxFile+1))
	if err == nil && len(b) > edit.MaxFile {
		err = errors.New("it is too long")
	}
	return b, err
}

// inRepository reports whether a file is below the working directory or the root of the
// repository around it. It checks the name, and the path after links. If this cannot be
// determined, it reports true.
func inRepository(path string) bool {
	dir, err := os.Getwd()
	if err != nil {
		return true
	}
	file, err := filepath.Abs(path)
	if err != nil {
		return true
	}
	for _, dir := range []string{dir, resolved(dir)} {
		for _, file := range []string{file, resolved(file)} {
			rest, err := filepath.Rel(repository(dir), file)
			if err != nil || filepath.IsLocal(rest) {
				return true
			}
		}
	}
	return false
}

// repository is the root of the nearest repository around a directory. For a submodule or a
// linked worktree, which has a file named .git, it is the root of the repository around that.
// Without a repository it is the directory.
func repository(dir string) string {
	root := dir
	for at := dir; ; at = filepath.Dir(at) {
		for _, name := range []string{".git", ".hg", ".jj", ".svn"} {
			info, err := os.Lstat(filepath.Join(at, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if root = at; err == nil && info.IsDir() {
				return root
			}
		}
		if at == filepath.Dir(at) {
			return root
		}
	}
}

// resolved is a path after links, or the path itself if they cannot be followed.
func resolved(path string) string {
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		return linked
	}
	return path
}
