package agents

import (
	"context"
	"fmt"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// traces keeps the trace of one run in memory: thousands of files, each waited
// for until it is on the disk, would measure the disk. With beside it is kept
// there as well, where an operator wants it.
type traces struct {
	beside host.Traces // optional

	memory strings.Builder
	file   host.TraceSink // nil without a place beside
}

// Create opens the one trace.
func (t *traces) Create(ctx context.Context, runID string) (host.TraceSink, string, error) {
	if t.beside == nil {
		return t, "", nil
	}
	file, path, err := t.beside.Create(ctx, runID)
	t.file = file
	return t, path, err
}

func (t *traces) Write(b []byte) (int, error) {
	t.memory.Write(b)
	if t.file != nil {
		return t.file.Write(b)
	}
	return len(b), nil
}

// Sync waits for the disk, where there is one.
func (t *traces) Sync() error {
	if t.file != nil {
		return t.file.Sync()
	}
	return nil
}

// Close closes the file, where there is one.
func (t *traces) Close() error {
	if t.file != nil {
		return t.file.Close()
	}
	return nil
}

// maxTraceLine bounds what a row keeps of one line, in bytes: a huge result is
// whole in the trace itself.
const maxTraceLine = 16 << 10

// lines are the trace's, as a row keeps them; a long one is cut, and says so.
func (t *traces) lines() []string {
	var all []string
	for line := range strings.Lines(t.memory.String()) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) > maxTraceLine {
			line = fmt.Sprintf("%s… (cut: %d bytes)", strings.ToValidUTF8(line[:maxTraceLine], ""), len(line))
		}
		all = append(all, line)
	}
	return all
}

// unmeasured is the error of a run that broke where nothing of it is what a
// case is about: a server that died or was not approved, a model that is not there, a run that was
// told to stop. A model that is there and says what cannot be used is measured.
func unmeasured(ctx context.Context, out host.Outcome) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if len(out.Unreachable) > 0 {
		u := out.Unreachable[0]
		return verdict.Fail(u.Code, nil, "server %s: %s", u.Server, u.Reason)
	}
	if out.Error == nil {
		return nil
	}
	if eval.Unusable(out.Error.Code) {
		return nil
	}
	for _, broken := range []string{"server.", "pin.", "model.", "trace.", string(verdict.RunTimeout), string(verdict.Internal), string(verdict.CallOutcomeUnknown), string(verdict.SummaryWriter)} {
		if strings.HasPrefix(string(out.Error.Code), broken) {
			return verdict.Fail(out.Error.Code, nil, "%s", out.Error.Message)
		}
	}
	return nil
}
