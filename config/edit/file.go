// Package edit changes users' files. It finds a span of text, replaces it, and writes the
// file whole or not at all. It knows JSON with comments, TOML and YAML.
//
// It keeps every byte that is not edited. It does not vouch that the result means what the
// caller intended: its callers parse the result and compare.
//
// config calls it for the servers file, the allowlist, config.toml and the files of other
// clients.
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

// MaxFile is the maximum size of a file that is read, in bytes. A flag may name a device,
// which does not end. It also bounds the allowlist and the rules.
const MaxFile = 4 << 20

// Read reads a file that affects decisions: it must belong to the user or to root.
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

// Unreadable names the path once, although errors of package os name it too.
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

// Rewrite replaces the text of a file with the result of edit. It reports whether it wrote:
// not in a dry run, nor if the text is the same.
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

// Replace replaces the text that was read with another.
func Replace(path string, before, after []byte) error {
	err := replace(path, before, after)
	switch {
	case errors.Is(err, errOther):
		return verdict.Fail(verdict.ConfigUnreadable, err, "another program has changed %s meanwhile; ask did not write it", path).
			WithHint("run the command again")
	case err != nil:
		return verdict.Fail(verdict.ConfigUnreadable, err, "%s cannot be written: %v", path, err)
	}
	return nil
}

// Remove removes a file, if it has the text that was read.
func Remove(path string, before []byte) error {
	now, err := Read(path)
	if err == nil && !bytes.Equal(now, before) {
		err = errOther
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		return verdict.Fail(verdict.ConfigUnreadable, err, "%s cannot be removed: %v", path, Cause(err))
	}
	return nil
}

var errOther = errors.New("the file has changed since it was read")

// KeepPrivate writes a file for its user alone, whole or not at all, and replaces an existing
// one.
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

// Open reads a file that will be replaced. It returns the path behind a link, so that a link
// into a user's dotfiles stays a link. It refuses everything but a regular file: --config
// /dev/null, run by root, must not replace the device.
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

// replace writes a file next to the old one, and renames it if the old text is unchanged. A short race remains between that check and the rename.
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
