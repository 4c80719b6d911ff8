package session

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/host/disk"
)

// The bounds of a log.
const (
	maxLog   = 128 << 10 // bytes of a file; the previous file is kept, too
	maxLine  = 4 << 10   // bytes of a line
	lookBack = 8 << 10   // bytes before a line, to find secrets of several lines
)

// Logs keeps the last lines that each server writes to stderr, in a folder that only the
// user can read. Secrets are redacted as in results. A line that cannot be written is
// lost, and disturbs no call. Without a folder nothing is kept.
type Logs struct {
	Dir string
	Now func() time.Time
}

// LogLine is one line of a log.
type LogLine struct {
	Time    time.Time `json:"time"`
	Started bool      `json:"started,omitzero"` // marks a start of the server, and has no text
	Text    string    `json:"text"`             // untrusted
}

func (l Logs) file(server string) string { return filepath.Join(l.Dir, server+".log") }

// Read returns the lines of a server's log, oldest first. The error is [os.ErrNotExist]
// if the server was never started.
func (l Logs) Read(server string) (lines []LogLine, err error) {
	if l.Dir == "" || !escape.Name(server) {
		return nil, os.ErrNotExist
	}
	before, older := disk.ReadFile(l.file(server)+".1", 2*maxLog)
	last, err := disk.ReadFile(l.file(server), 2*maxLog)
	if older == nil && errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	for line := range bytes.Lines(append(before, last...)) {
		var one LogLine
		if schema.Decode(bytes.TrimSpace(line), &one, schema.ResultLimits) == nil { // skips a line cut off by a full disk
			lines = append(lines, one)
		}
	}
	return lines, err
}

// open returns a log for one start of a server, or nil if no log is kept.
func (l Logs) open(server string, secrets []string) io.WriteCloser {
	w := l.writer(server, secrets)
	if w == nil {
		return nil // an untyped nil, so that it equals nil
	}
	w.append(LogLine{Time: l.Now().UTC(), Started: true})
	return w
}

func (l Logs) writer(server string, secrets []string) *logWriter {
	if l.Dir == "" || !escape.Name(server) {
		return nil
	}
	return &logWriter{logs: l, server: server, secrets: secret.ValuesOf(secrets...).Words(secrets...)}
}

// add writes a line from this program.
func (l Logs) add(server string, secrets []string, line string) {
	if w := l.writer(server, secrets); w != nil {
		_, _ = w.Write([]byte(line)) // which never fails
	}
}

// logWriter is the log of one start.
type logWriter struct {
	logs    Logs
	server  string
	secrets secret.Values
	before  []byte // lines already written, to find secrets that begin in them
	open    []byte // a line that has not ended
	long    bool   // the line is too long: its rest is left out
}

// Write takes the server's stderr. It never returns an error, which would disturb the
// server.
func (w *logWriter) Write(b []byte) (int, error) {
	n := len(b)
	var ended []byte
	for line := range bytes.Lines(b) {
		if !w.long {
			w.open = append(w.open, line[:min(len(line), 4*maxLine-len(w.open))]...)
		}
		w.long = len(w.open) == 4*maxLine
		if line[len(line)-1] == '\n' {
			ended = append(append(ended, bytes.TrimRight(w.open, "\r\n")...), '\n')
			w.open, w.long = w.open[:0], false
		}
	}
	w.writeLines(ended)
	return n, nil
}

// Close writes the rest of a line.
func (w *logWriter) Close() error {
	if len(w.open) > 0 {
		w.writeLines(append(w.open, '\n'))
		w.open = nil
	}
	return nil
}

// writeLines writes whole lines.
func (w *logWriter) writeLines(lines []byte) {
	if len(lines) == 0 {
		return
	}
	from := len(w.before)
	all := append(w.before, lines...)
	hidden := masked(string(all), from)
	w.before = bytes.Clone(all[max(0, len(all)-lookBack):])
	now := w.logs.Now().UTC()
	var kept []LogLine
	for line := range strings.Lines(hidden) {
		line = w.secrets.Redact(strings.TrimSuffix(line, "\n"))
		if clean, _, err := secret.RedactJSON([]byte(line)); err == nil {
			line = string(clean)
		}
		kept = append(kept, LogLine{Time: now, Text: strings.ToValidUTF8(line[:min(len(line), maxLine)], "\uFFFD")})
	}
	w.append(kept...)
}

// masked returns the text from a byte on, without the secrets found in the whole text.
func masked(text string, from int) string {
	var out strings.Builder
	for _, s := range secret.Find(text) {
		if s[1] <= from {
			continue
		}
		out.WriteString(text[from:max(from, s[0])] + "[redacted]")
		from = s[1]
		if text[from-1] == '\n' {
			out.WriteByte('\n')
		}
	}
	out.WriteString(text[min(from, len(text)):])
	return out.String()
}

// append adds lines. A full file replaces the previous file.
func (w *logWriter) append(lines ...LogLine) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var text []byte
	for _, one := range lines {
		if line, err := json.Marshal(one); err == nil {
			text = append(append(text, line...), '\n')
		}
	}
	_ = w.logs.append(ctx, w.server, text[max(0, len(text)-maxLog):]) // a log that is lost disturbs no call
}

func (l Logs) append(ctx context.Context, server string, text []byte) error {
	if err := os.MkdirAll(l.Dir, 0o700); err != nil {
		return err
	}
	lock, err := disk.Lock(ctx, filepath.Join(l.Dir, server+".lock"), true)
	if err != nil {
		return err
	}
	defer lock.Close()
	file := l.file(server)
	if info, err := os.Stat(file); err == nil && info.Size()+int64(len(text)) > maxLog {
		if err := os.Rename(file, file+".1"); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
