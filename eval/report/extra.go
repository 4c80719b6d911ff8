package report

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
)

// extra is the further data of a row, as text.
type extra struct {
	Text string
	Cut  bool
}

func newExtra(v jsontext.Value) extra {
	if len(v) == 0 {
		return extra{}
	}
	text := pretty(v)
	return extra{Text: escape.Text(text, maxData), Cut: len(text) > maxData}
}

func (e *extra) size() int { return size(e.Text) }
func (e *extra) cut() bool { return e.Cut }

func (e *extra) shorten(limit int) {
	text, cut := shorter(e.Text, limit)
	e.Text, e.Cut = text, e.Cut || cut
}

// steps are the lines of a trace without times and hashes, which only a machine reads.
type steps struct {
	Lines []step
	Of    int // how many there are
	Cut   bool
}

type step struct{ Kind, Body string }

// stepMarkup is about the length of the markup for a line of a trace.
const stepMarkup = 40

// stepLimits bound a line of a trace, as package trace does.
var stepLimits = schema.Limits{Bytes: 64 << 20, Depth: 128, Values: 4 << 20, Exponent: 308, Digits: 1 << 10}

func newSteps(lines []string) steps {
	s := steps{Of: len(lines)}
	for _, l := range lines {
		if len(s.Lines)*stepMarkup > maxTrace {
			s.Cut = true
			break
		}
		kind, text := readStep(l)
		s.Cut = s.Cut || len(text) > maxTrace
		s.Lines = append(s.Lines, step{kind, escape.Text(text, maxTrace)})
	}
	return s
}

// readStep returns the kind and body of a line of a trace, or the line itself if it is
// not one.
func readStep(l string) (kind, body string) {
	var event struct {
		Kind string         `json:"kind"`
		Body jsontext.Value `json:"body"`
	}
	if err := schema.DecodeOpen([]byte(l), &event, stepLimits); err != nil || event.Kind == "" {
		return "", l
	}
	return label(event.Kind), pretty(event.Body)
}

func (s *steps) cut() bool { return s.Cut }

func (s *steps) size() int {
	n := 0
	for _, l := range s.Lines {
		n += stepMarkup + size(l.Kind) + size(l.Body)
	}
	return n
}

// shorten cuts the longest lines first. It leaves lines out if none of their text has
// room.
func (s *steps) shorten(room int) {
	if s.size() <= room {
		return
	}
	s.Cut = true
	s.Lines = s.Lines[:min(len(s.Lines), room/(2*stepMarkup))]
	var sizes []int
	for _, l := range s.Lines {
		room -= stepMarkup + size(l.Kind)
		sizes = append(sizes, size(l.Body))
	}
	bound := level(sizes, max(0, room))
	for i, l := range s.Lines {
		s.Lines[i].Body, _ = shorter(l.Body, bound)
	}
}

// oneLine is the greatest length of a JSON value on one line, in bytes.
const oneLine = 100

// pretty returns a JSON value in a readable form, and a text unchanged.
func pretty(v jsontext.Value) string {
	indented := v.Clone()
	if indented.Indent(jsontext.WithIndent("  ")) != nil {
		return string(v)
	}
	if compact := v.Clone(); compact.Format(jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)) == nil && len(compact) <= oneLine {
		return strings.TrimSpace(string(compact))
	}
	return string(indented)
}
