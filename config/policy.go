package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
)

// LoadPolicy reads the policy files of every layer and adds their rules up. The
// file of the configuration directory may be missing; one that was named may not.
// Without any file the policy has no rules, and the defaults hold. A file that a
// flag or a variable names in the working directory, which may be a stranger's,
// may deny and ask, and not allow.
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
			f := verdict.Fail(verdict.ConfigUnreadable, err, "policy %s (%s): %v", path, p.Origin, cause(err))
			f.Hint = "no question is answered without it: put the file there, readable, a regular file that you alone can write (chmod go-w)"
			return rule.Policy{}, f
		}
		name := filepath.Base(path)
		if slices.ContainsFunc(files, func(f rule.File) bool { return f.Name == name }) {
			name = path
		}
		files, read = append(files, rule.File{Name: name, Text: text, Narrows: p.Origin.Named() && inWorkingDirectory(path)}), append(read, path)
	}
	policy, err := rule.Parse(files...)
	if err != nil {
		return rule.Policy{}, BadPolicy(err)
	}
	return policy, nil
}

// BadPolicy is what is wrong with a policy file, as a fault.
func BadPolicy(err error) error {
	f := verdict.Fail(verdict.ConfigInvalid, err, "policy %v", err)
	if e := (*rule.Error)(nil); errors.As(err, &e) {
		f.Hint = e.Next
	}
	return f
}

// readOwn reads a regular file that no other user can write: it decides what may be
// called. What was looked at is what is read.
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
	case runtime.GOOS != "windows" && now.Mode().Perm()&0o022 != 0:
		return nil, errors.New("others can write it")
	}
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(b) > maxFile {
		err = errors.New("it is too long")
	}
	return b, err
}

// inWorkingDirectory reports whether a file is in the working directory or below
// it. Where that cannot be told it is.
func inWorkingDirectory(path string) bool {
	dir, err := os.Getwd()
	if err != nil {
		return true
	}
	file, err := filepath.Abs(path)
	if err != nil {
		return true
	}
	resolved := func(p string) string {
		if linked, err := filepath.EvalSymlinks(p); err == nil {
			return linked
		}
		return p
	}
	rest, err := filepath.Rel(resolved(dir), resolved(file))
	return err != nil || rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
}
