// Package audit appends the audit's lines to a file or another stream.
//
// A [File] vouches that a line is on disk, complete and after every other line, when Add
// returns nil. Only its owner can read and write the file. It does not vouch against
// later changes: the owner can change the file. Each line names the digest of a trace,
// which shows whether the line is true.
//
// config/setup gives an audit to the host; config/desk reads the count of lost lines.
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

// Lost is a file with one line for each audit line that could not be written. It is in
// another folder than the audit, which may be full or gone.
type Lost string

// File is an audit in a file. The file is opened for each line, so that another program
// can rotate it. It is safe for any number of processes.
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

// Add adds one line, and syncs it to disk.
func (f File) Add(_ context.Context, line host.AuditLine) error {
	b, err := encode(line)
	if err == nil {
		err = f.add(b)
	}
	return f.Lost.count(line.Time, err)
}

// encode returns one line of JSON. It escapes every character that a terminal might
// interpret.
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
	if torn(file) { // by a crash or a full disk
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

// open opens the file for appending. It must be a regular file that only its owner can
// read and write. open follows no link: the opened file is the file at the path.
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

// plain refuses other files than regular ones before they are opened. A pipe would block
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

// torn reports whether the last line has no newline.
func torn(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

// Probe reports whether a line could be added now. It makes the file if it is missing,
// and leaves nothing else behind.
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

// maxLost bounds the file of lost lines, in bytes.
const maxLost = 1 << 20

// count records the time of a line that could not be written, and returns the reason.
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

// Read returns the number of lost lines, and the time of the last one.
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
