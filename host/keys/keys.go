// Package keys finds the API key of a model endpoint. It looks in a variable, in the file
// that a variable names, and in the system's keyring, in this order.
//
// A [Slot] vouches that a key kept for one endpoint is found only for that endpoint, that
// no error repeats any part of a key, and that no function waits forever. It does not
// vouch that the endpoint accepts the key, nor for secrecy from other programs of the
// same user, which can read the same files.
//
// A model's client from config/setup calls it when the model is first asked. It is the
// only importer of go-keyring.
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
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
)

// Slot is the place for the key of one endpoint.
type Slot struct {
	Variable string // such as OPENAI_API_KEY; OPENAI_API_KEY_FILE names a file
	Address  string // of the endpoint; "" for the provider's own
}

// FileVariable is the variable that names the key's file.
func (s Slot) FileVariable() string { return s.Variable + "_FILE" }

// Account is the slot's name in the keyring. A variable is set together with its address,
// but a key in a keyring outlives that. So the address is part of the name: after a
// change of LLM_BASE_URL the new endpoint does not get the old one's key.
func (s Slot) Account() string {
	if s.Address == "" {
		return s.Variable
	}
	return s.Variable + " for " + s.Address
}

// The limits for waiting. A pipe in place of a file may have a user typing behind it. A
// keyring is asked whenever no key is found elsewhere.
const (
	pipePatience    = time.Minute
	keyringPatience = 5 * time.Second
)

// Find looks for the slot's key. A missing key is not an error, nor is a keyring that is
// missing or does not answer: many endpoints need no key.
func (s Slot) Find(ctx context.Context, env func(name string) (string, bool)) (model.Found, error) {
	key, _ := env(s.Variable)
	path, _ := env(s.FileVariable())
	switch {
	case key != "" && path != "":
		return model.Found{}, verdict.Fail(verdict.ConfigInvalid, nil, "%s and %s are both set: one key is wanted, and unset the other", s.Variable, s.FileVariable())
	case key != "":
		return model.Found{Key: model.Key(key), Origin: "variable " + s.Variable}, nil
	case path != "":
		key, err := s.readFile(ctx, path)
		return model.Found{Key: key, Origin: "file " + path + " (" + s.FileVariable() + ")"}, err
	}
	return s.inKeyring(ctx, env), nil
}

// MaxLength is the maximal length of a key, in bytes; signed tokens have 2 KiB.
const MaxLength = 8 << 10

// readFile reads the key's file, or the pipe of a shell's <(command). Its errors name the
// variable and the path, and never quote the file.
func (s Slot) readFile(ctx context.Context, path string) (model.Key, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // otherwise opening a named pipe waits for its writer
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
		_ = f.SetReadDeadline(until) // a pipe accepts a deadline; a file needs none
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

// Read returns the key in the contents of a file or a stream, without the line end.
// Without a key, wrong says why.
func Read(b []byte) (key model.Key, wrong string) {
	key = model.Key(strings.TrimRight(string(b), "\r\n"))
	switch {
	case len(b) > MaxLength:
		return "", "is longer than any key"
	case key == "":
		return "", "holds no key"
	case !key.Sendable():
		return "", "contains more than one line, spaces, or characters that no key has"
	}
	return key, ""
}

// unreadable does not repeat a relative path. It may be a key that was set in the
// variable for its file.
func (s Slot) unreadable(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if !filepath.IsAbs(path) {
		return verdict.Fail(verdict.ConfigUnreadable, nil, "%s names a relative path, which cannot be read: %v", s.FileVariable(), err).
			WithHint("the variable takes the path of a file; the key itself is for " + s.Variable)
	}
	return verdict.Fail(verdict.ConfigUnreadable, err, "%s names %s, which cannot be read: %v", s.FileVariable(), path, err)
}

func (s Slot) wrong(path, why string) error {
	return verdict.Fail(verdict.ConfigInvalid, nil, "%s names %s, which %s", s.FileVariable(), path, why).WithHint("the file must contain only the key, on one line")
}
