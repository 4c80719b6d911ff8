// Package audit appends the audit's lines to a file, or to another stream.
//
// A [File] vouches that a line is on disk, whole and behind every other, when Add
// returns nil, in a file that its owner alone can read and write. It does not vouch
// that the file stays as it is: its owner can change it, and each line names the
// digest of a trace that shows whether the run was as it says.
//
// config/setup gives one to the host; config/desk reads what was lost.
package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/disk"
)

// Lost counts the lines that could not be written, in a file of one line each: it
// is in another folder than the audit, which may be full or gone.
type Lost string

// File is an audit in a file. It is opened for each line, so that a program that
// rotates it can move it away. It is safe for any number of processes.
type File struct {
	Path string
	Lost Lost
}

// Stream is an audit in a stream, such as stderr.
type Stream struct {
	Out  io.Writer
	Lost Lost

	mu *sync.Mutex
}

// NewStream makes an audit in a stream.
func NewStream(out io.Writer, lost Lost) Stream { return Stream{out, lost, new(sync.Mutex)} }

// Add adds one line in one write.
func (s Stream) Add(_ context.Context, line host.AuditLine) error {
	b, err := encode(line)
	if err == nil {
		s.mu.Lock()
		_, err = s.Out.Write(b)
		s.mu.Unlock()
	}
	return s.Lost.count(line.Time, err)
}

// Add adds one line, and has it on disk.
func (f File) Add(_ context.Context, line host.AuditLine) error {
	b, err := encode(line)
	if err == nil {
		err = f.add(b)
	}
	return f.Lost.count(line.Time, err)
}

// encode is one line of JSON in which every character is written out that a
// terminal might obey.
func encode(line host.AuditLine) ([]byte, error) {
	b, err := json.Marshal(line, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	return append(escape.JSON(b), '\n'), err
}

func (f File) add(line []byte) (err error) {
	if err := disk.MakeDir(filepath.Dir(f.Path), disk.SyncDir); err != nil {
		return err
	}
	_, before := os.Lstat(f.Path)
	file, err := open(f.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if torn(file) { // by a crash, or a disk that was full
		line = append([]byte("\n"), line...)
	}
	if _, err := file.Write(line); err != nil {
		return err
	}
	if err := file.Sync(); err != nil || before == nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(f.Path))
}

// open opens the file to append to it, where it is a plain one that its owner alone
// can read and write. It follows no link: what was opened is what is at the path.
func open(path string) (*os.File, error) {
	if err := plain(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	now, gone := os.Lstat(path)
	switch {
	case err == nil && gone != nil:
		err = gone
	case err == nil && !os.SameFile(opened, now):
		err = fmt.Errorf("%s was exchanged while it was opened", path)
	case err == nil:
		err = disk.Own(path, opened)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// plain refuses what is not a regular file, before it is opened: a pipe would hold
// the run, and a link would make a file elsewhere.
func plain(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	}
	return disk.Own(path, info)
}

// torn reports whether the last line has no end.
func torn(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

// Probe reports whether a line could be added now. It leaves nothing behind but the
// file, which it makes where it is missing.
func (f File) Probe() error {
	err := disk.MakeDir(filepath.Dir(f.Path), disk.SyncDir)
	if err != nil {
		return err
	}
	file, err := open(f.Path)
	if err != nil {
		return err
	}
	return file.Close()
}

// maxLost bounds the file that counts, in bytes.
const maxLost = 1 << 20

// count keeps that a line could not be written, and when, and gives why.
func (l Lost) count(at time.Time, err error) error {
	if err == nil || l == "" {
		return err
	}
	f, failed := os.OpenFile(string(l), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if failed != nil {
		return errors.Join(err, fmt.Errorf("nor counted: %w", failed))
	}
	if info, no := f.Stat(); no == nil && info.Size() < maxLost {
		_, failed = f.WriteString(at.Format(time.RFC3339) + "\n")
	}
	if failed = errors.Join(failed, f.Close()); failed != nil {
		return errors.Join(err, fmt.Errorf("nor counted: %w", failed))
	}
	return err
}

// Read gives how many lines could not be written, and when the last could not.
func (l Lost) Read() (n int, last string, err error) {
	b, err := disk.ReadFile(string(l), maxLost+64)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, "", nil
	}
	lines := bytes.Fields(b)
	if len(lines) > 0 {
		last = string(lines[len(lines)-1])
	}
	return len(lines), escape.Line(last, 64), err
}
