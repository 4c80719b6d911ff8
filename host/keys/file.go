package keys

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
)

// MaxLength is that of the longest key, in bytes; signed tokens take 2 KiB.
const MaxLength = 8 << 10

// readFile reads the key's file, or the pipe of a shell's <(command). Its
// errors name variable and path, and nothing of what the file holds.
func (s Slot) readFile(ctx context.Context, path string) (model.Key, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // else a named pipe waits for its writer
	if err != nil {
		return "", s.unreadable(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", s.unreadable(path, err)
	}
	if kind := info.Mode().Type(); kind != 0 && kind != fs.ModeNamedPipe {
		return "", s.wrong(path, "is neither a file nor a pipe")
	}
	ctx, cancel := context.WithTimeout(ctx, pipePatience)
	defer cancel()
	if until, ok := ctx.Deadline(); ok {
		_ = f.SetReadDeadline(until) // a pipe takes one; a file needs none
	}
	b, err := io.ReadAll(io.LimitReader(f, MaxLength+1))
	if err != nil {
		return "", s.unreadable(path, err)
	}
	key, fault := Read(b)
	if fault != "" {
		return "", s.wrong(path, fault)
	}
	return key, nil
}

// Read takes a key out of what a file or a stream holds: all of it but the
// line end. wrong says why there is none.
func Read(b []byte) (key model.Key, wrong string) {
	key = model.Key(strings.TrimRight(string(b), "\r\n"))
	switch {
	case len(b) > MaxLength:
		return "", "is longer than any key"
	case key == "":
		return "", "holds no key"
	case !key.Sendable():
		return "", "holds more than one line, spaces, or characters that no key has"
	}
	return key, ""
}

// unreadable does not repeat a relative path: where nothing opens, it may be
// the key, set in the variable of its file.
func (s Slot) unreadable(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if !filepath.IsAbs(path) {
		f := verdict.Fail(verdict.ConfigUnreadable, nil, "%s names a relative path, which cannot be read: %v", s.FileVariable(), err)
		f.Hint = "the variable takes the path of a file; the key itself is for " + s.Variable
		return f
	}
	return verdict.Fail(verdict.ConfigUnreadable, err, "%s names %s, which cannot be read: %v", s.FileVariable(), path, err)
}

func (s Slot) wrong(path, why string) error {
	f := verdict.Fail(verdict.ConfigInvalid, nil, "%s names %s, which %s", s.FileVariable(), path, why)
	f.Hint = "the file holds the key alone, on one line"
	return f
}
