// Package edit changes files that belong to people: it finds a span of text, replaces
// it, and puts the file in its place whole or not at all. It knows JSON with comments,
// TOML and YAML.
//
// It keeps every byte that is not edited. It does not vouch that what comes out says
// what was meant: its callers read the result again and compare.
//
// config calls it for the servers file, the allowlist, config.toml and the files of
// other clients.
package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/disk"
)

// MaxFile is the longest file that is read, in bytes: a flag may name a device,
// which does not end. The longest allowlist and rules are as long.
const MaxFile = 4 << 20

// Read reads a file that decides something: it belongs to the user or to root.
func Read(path string) ([]byte, error) {
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
	b, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if len(b) > MaxFile {
		return nil, fmt.Errorf("it is over %d bytes", MaxFile)
	}
	return b, err
}

// Unreadable names the path once: errors of package os name it too.
func Unreadable(path string, err error) error {
	err = Cause(err)
	return verdict.Fail(verdict.ConfigUnreadable, err, "%s: %v", path, err)
}

// Cause is an error of package os without the path.
func Cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Rewrite puts what is made of a file's text in its place, unless it is a dry run
// or the same, and reports whether it did.
func Rewrite(path string, dry bool, edit func(path string, text []byte) ([]byte, error)) (changed bool, err error) {
	path, before, err := Open(path)
	if err != nil {
		return false, err
	}
	after, err := edit(path, before)
	if err != nil || dry || bytes.Equal(before, after) {
		return false, err
	}
	return true, Replace(path, before, after)
}

// Replace puts a text in the place of the one that was read.
func Replace(path string, before, after []byte) error {
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
	was, err := Read(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = replace(path, was, text)
	}
	if err != nil {
		return verdict.Fail(verdict.ConfigUnreadable, err, "%s cannot be written: %v", path, Cause(err))
	}
	return nil
}

// Open reads the file that will be replaced, and gives its own path: a
// link into a user's dotfiles stays one. Only a regular file is replaced, not
// another: --config /dev/null, by root, least of all.
func Open(path string) (target string, text []byte, err error) {
	target, err = filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return "", nil, verdict.Fail(verdict.ConfigUnreadable, nil, "%s is a link to a file that is not there", path)
		}
		return path, nil, nil
	}
	if err != nil {
		return "", nil, Unreadable(path, err)
	}
	if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
		return "", nil, verdict.Fail(verdict.ConfigUnreadable, nil, "%s is not a regular file", path)
	}
	text, err = Read(target)
	if err != nil {
		return "", nil, Unreadable(path, err)
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
	if now, err := Read(path); err != nil && !errors.Is(err, fs.ErrNotExist) || !bytes.Equal(now, was) {
		return errors.Join(errOther, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return errors.Join(disk.SyncDir(dir), f.Close())
}
