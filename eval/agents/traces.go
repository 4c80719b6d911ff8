package agents

import (
	"context"
	"fmt"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// traces keeps the trace of one run in memory. Thousands of files, each synced to the
// disk, would measure the disk. If an operator wants the traces, beside keeps them as
// well.
type traces struct {
	beside host.Traces // optional

	memory strings.Builder
	file   host.TraceSink // nil without beside
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

// Sync waits for the disk, if the trace has a file.
func (t *traces) Sync() error {
	if t.file != nil {
		return t.file.Sync()
	}
	return nil
}

// Close closes the file, if the trace has one.
func (t *traces) Close() error {
	if t.file != nil {
		return t.file.Close()
	}
	return nil
}

// maxTraceLine bounds one line in a row, in bytes. The trace itself has the whole of a
// huge result.
const maxTraceLine = 16 << 10

// lines returns the trace's lines for a row. A long line is cut and ends with its
// length.
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

// unmeasured returns the error of a run that failed outside the subject of its case.
// Examples are a server that died or was not approved, an absent model, or a stopped
// run. A present model with an unusable answer is measured.
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
