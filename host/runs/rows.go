package runs

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/trace"
)

// Rows stores traces in the state, for a service on several machines. The disk of a machine
// that was lost may never come back, and its calls have to be known elsewhere. The objects
// that runs share are rows as well.
type Rows struct{ State *store.Store }

// Create opens the trace of a new run. Its first sync fails if the run has one already.
func (r Rows) Create(ctx context.Context, runID string) (host.TraceSink, string, error) {
	if !escape.Name(runID) {
		return nil, "", errors.New("the run id is not a plain name")
	}
	return &rowSink{ctx: context.WithoutCancel(ctx), state: r.State, runID: runID}, "", nil
}

// rowSink is the trace of one run. Each sync adds a row.
type rowSink struct {
	ctx   context.Context //nolint:containedctx // a sink has none of its own
	state *store.Store
	runID string
	lines bytes.Buffer // that are not stored
	part  int64
	err   error // the first one: whether its row is stored is not known
}

// rowTime is how long a row may take.
const rowTime = 10 * time.Second

func (s *rowSink) Write(b []byte) (int, error) { return s.lines.Write(b) }

// Sync stores the lines so far.
func (s *rowSink) Sync() error {
	if s.err != nil || s.lines.Len() == 0 {
		return s.err
	}
	ctx, cancel := context.WithTimeout(s.ctx, rowTime)
	defer cancel()
	if s.err = s.state.AddLines(ctx, s.runID, s.part, s.lines.Bytes()); s.err == nil {
		s.part++
		s.lines.Reset()
	}
	return s.err
}

// Keep stores a shared value, which is on disk before a line that refers to it.
func (s *rowSink) Keep(digest trace.Hash, _ int, value func() jsontext.Value) error {
	ctx, cancel := context.WithTimeout(s.ctx, rowTime)
	defer cancel()
	return s.state.AddObject(ctx, digest.String(), value())
}

func (s *rowSink) Close() error { return s.Sync() }

// Record is a trace that was read.
type Record struct {
	Events  []trace.Event
	Objects trace.Objects
}

// Read reads the trace of a run, which may not have ended.
func (r Rows) Read(ctx context.Context, runID string) (Record, error) {
	lines, err := r.State.Lines(ctx, runID)
	if err == nil && lines == nil {
		err = verdict.Fail(verdict.TraceMissing, nil, "no trace of run %.80q is stored", runID)
	}
	if err != nil {
		return Record{}, err
	}
	events, err := trace.Read(bytes.NewReader(lines))
	if verdict.CodeOf(err) == verdict.TraceIncomplete {
		err = nil
	}
	return Record{events, func(h trace.Hash) (jsontext.Value, error) {
		b, err := r.State.Object(ctx, h.String())
		if err == nil && b == nil {
			err = verdict.Fail(verdict.TraceObject, nil, "the object %s is missing", h)
		}
		if err != nil {
			return nil, err
		}
		return trace.ReadObject(bytes.NewReader(b), h)
	}}, err
}

// Left is [verdict.CallOutcomeUnknown] for a trace with a call that may have left, and without
// its result. The process was killed, or still waits; no process makes that call again. Left
// is "" for any other trace.
func (r Record) Left() (code verdict.Code) {
	asks := false
	for _, e := range r.Events {
		switch e.Kind {
		case trace.Verdict:
			var v trace.VerdictBody
			if e.Decode(&v) == nil && v.Gate == "approve" {
				asks = v.Verdict == verdict.Ask.String()
			}
		case trace.Approval:
			if !asks {
				code = verdict.CallOutcomeUnknown
			}
		case trace.Consent:
			code = verdict.CallOutcomeUnknown
		case trace.Reread, trace.Result, trace.Outcome:
			code = ""
		}
	}
	return code
}
