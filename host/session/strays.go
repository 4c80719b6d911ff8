package session

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
)

// strays are the lines on a stdio server's stdout that cannot be messages: mostly its
// log. The protocol forbids them. Many servers print them anyway, and other clients skip
// them, as this one does.
type strays struct {
	mu    sync.Mutex
	lines int
	bytes int
	kept  []byte   // the first bytes of them
	notes []string // the first notifications
}

const (
	maxStrayLines = 1000      // between two messages
	maxStrayBytes = 256 << 10 // between two messages
	keptStrays    = 8 << 10   // bytes kept from all lines
	shownStrays   = 20        // kept lines that are shown
	maxIndent     = 1 << 10   // bytes read to find the beginning of a list
)

// stray reports whether a line, or its beginning, cannot be a message or be mistaken for
// one. A line that begins an object is never stray, however broken, and neither is a line
// that may begin a list of objects: such a line is refused.
func stray(line []byte, complete bool) bool {
	line = bytes.TrimLeftFunc(line, hidden)
	switch {
	case len(line) == 0 || line[0] == '{',
		!complete && !utf8.FullRune(line):
		return false
	case line[0] != '[':
		return true
	}
	first := bytes.TrimLeftFunc(line[1:min(len(line), maxIndent)], hidden)
	switch {
	case !complete && !utf8.FullRune(first) || len(first) == 0:
		return false
	case !bytes.ContainsAny(first[:1], `{[]"-0123456789tfn`): // [info] and the like
		return true
	}
	return complete && bytes.IndexByte(line, '{') < 0 && !jsontext.Value(line).IsValid() // [12:30:05]
}

// hidden reports whether a rune before a message is invisible, such as a byte order mark.
// A line that has a message after such runes is not stray.
func hidden(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }

// skip skips the rest of a stray line. Too many, without a message between them, end the
// connection: nothing else bounds a server's output.
func (f *frames) skip(line []byte) error {
	f.strayLines++
	f.strays.begin()
	for {
		f.strays.add(line)
		if err := f.strayed(len(line)); err != nil {
			return err
		}
		if bytes.HasSuffix(line, []byte("\n")) {
			return nil
		}
		var err error
		if line, err = f.in.ReadSlice('\n'); err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			f.strays.add(line)
			return err
		}
	}
}

func (f *frames) strayed(bytes int) error {
	if f.strayBytes += bytes; f.strayBytes > maxStrayBytes || f.strayLines > maxStrayLines {
		return f.wire.fail(verdict.ServerTooLarge, nil, "it sent more than %d lines or %d bytes that are not messages, with none between", maxStrayLines, maxStrayBytes)
	}
	return nil
}

func (s *strays) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines++
}

func (s *strays) add(part []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += len(part)
	s.kept = append(s.kept, part[:min(len(part), keptStrays-len(s.kept))]...)
}

// said says how much was printed, or "", and returns the first lines, without secrets.
func (s *strays) said(secrets secret.Values) (much string, first []string) {
	s.mu.Lock()
	lines, size, kept := s.lines, s.bytes, string(s.kept)
	s.mu.Unlock()
	if lines == 0 {
		return "", nil
	}
	for line := range strings.Lines(secrets.Redact(kept)) { // before it is cut anywhere
		if line = strings.TrimSpace(line); line != "" && len(first) < shownStrays {
			first = append(first, escape.Line(line, maxQuote))
		}
	}
	if lines == 1 {
		return fmt.Sprintf("it printed a line of %d bytes to stdout that is not a message", size), first
	}
	return fmt.Sprintf("it printed %d lines of %d bytes to stdout that are not messages", lines, size), first
}

// Strays returns what servers printed to stdout that is not a message, as lines for the
// user. The lines say how much each server printed, and quote the first of it. All of it
// was skipped. Before it come the servers' notifications, if their Notice is set.
func (p *Pool) Strays() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(p.slots)) {
		s := p.slots[name]
		s.strays.mu.Lock()
		for _, text := range s.strays.notes {
			all = append(all, "server "+name+" reports: "+text)
		}
		s.strays.mu.Unlock()
		much, first := s.strays.said(s.server.hidden())
		if much == "" {
			continue
		}
		all = append(all, "server "+name+": "+much)
		for _, line := range first {
			all = append(all, "server "+name+" on stdout: "+line)
		}
	}
	return all
}
