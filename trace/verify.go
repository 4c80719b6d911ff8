package trace

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// lineLimits fit a line that holds the largest result, every byte of it escaped.
var lineLimits = schema.Limits{Bytes: 64 << 20, Depth: 80, Exponent: 400, Digits: 128}

// Read reads a trace and follows its chain. It returns the lines that are
// intact, in order, and
//
//   - nil, when the trace is consistent from its first line to its end;
//   - trace.incomplete, when it is intact as far as it goes and stops there: a
//     run that was killed leaves this;
//   - trace.broken, naming the first line that is not what was written.
//
// A consistent trace may still have been rewritten whole: compare its digest.
func Read(r io.Reader) ([]Event, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	var events []Event
	var prev Hash
	for {
		line, err := readLine(in)
		if errors.Is(err, io.EOF) {
			return events, atEnd(events, line)
		}
		if err != nil {
			return events, err
		}
		if ended(events) {
			return events, broken(len(events), "it follows the end line")
		}
		e, why := decode(line, prev, len(events))
		if why != "" {
			return events, broken(len(events), why)
		}
		events, prev = append(events, e), e.Hash
	}
}

// Digest is the digest of the trace that events are, and false if it has no end.
func Digest(events []Event) (Hash, bool) {
	if !ended(events) {
		return Hash{}, false
	}
	return events[len(events)-1].Hash, true
}

func ended(events []Event) bool {
	return len(events) > 0 && events[len(events)-1].Kind == End
}

func atEnd(events []Event, rest []byte) error {
	switch {
	case len(rest) > 0 && ended(events):
		return broken(len(events), "it follows the end line")
	case len(rest) > 0:
		return verdict.Fail(verdict.TraceIncomplete, nil, "intact to line %d; line %d is cut off", len(events), len(events)+1)
	case !ended(events):
		return verdict.Fail(verdict.TraceIncomplete, nil, "intact to line %d; the end line is missing", len(events))
	}
	return nil
}

func broken(intact int, why string) error {
	return verdict.Fail(verdict.TraceBroken, nil, "intact to line %d; line %d: %s", intact, intact+1, why)
}

// decode reads one line, which must be byte for byte what encode writes.
func decode(line []byte, prev Hash, seq int) (Event, string) {
	var w struct {
		Seq  int            `json:"seq"`
		Time string         `json:"time"`
		Kind Kind           `json:"kind"`
		Body jsontext.Value `json:"body"`
		Prev string         `json:"prev"`
		Hash string         `json:"hash"`
	}
	if err := schema.Decode(line, &w, lineLimits); err != nil {
		return Event{}, "it is not a trace line: " + err.Error()
	}
	at, err := time.Parse(timeFormat, w.Time)
	if err != nil || w.Body == nil || !known[w.Kind] {
		return Event{}, "it is not a trace line"
	}
	e := Event{Seq: w.Seq, Time: at, Kind: w.Kind, Body: w.Body}
	own, err := hex.DecodeString(w.Prev)
	if err != nil || len(own) != len(Hash{}) {
		return Event{}, "its prev is not a hash"
	}
	again, sum := e.encode(Hash(own))
	switch {
	case w.Hash != sum.String() || !bytes.Equal(again, append(line, '\n')):
		return Event{}, "its bytes do not match its hash: it was edited"
	case Hash(own) != prev || w.Seq != seq:
		return Event{}, fmt.Sprintf("it does not follow line %d (it says it is number %d): a line was dropped, moved or inserted", seq, w.Seq+1)
	}
	e.Hash = sum
	return e, ""
}

var known = map[Kind]bool{
	Begin: true, Verdict: true, Listing: true, Proposal: true, Approval: true,
	Result: true, Writing: true, Outcome: true, End: true,
}

// readLine returns one line without its newline; with io.EOF, what stands
// after the last newline.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > lineLimits.Bytes:
			return nil, verdict.Fail(verdict.TraceBroken, nil, "a line is longer than %d bytes", lineLimits.Bytes)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, io.EOF):
			return line, io.EOF
		}
		return nil, verdict.Fail(verdict.TraceMissing, err, "the trace cannot be read")
	}
}
