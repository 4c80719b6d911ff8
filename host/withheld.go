package host

import (
	"context"
	"fmt"
	"time"
)

// Quarantine keeps results that are withheld.
type Quarantine interface {
	// Keep keeps one, once its run has ended and its trace is on disk.
	Keep(ctx context.Context, w Withheld) error
}

// Withheld is a result that nobody is shown unless a person releases it.
type Withheld struct {
	RunID   string // what it is called
	Trace   string // the digest of the run's trace
	Server  string
	Tool    string
	Rules   []string // that withhold it, as scanner/rule
	Body    []byte   // the answer, without its secrets
	Created time.Time
}

// quarantine keeps what the run withheld, once its trace has ended, and names it
// when it is kept. Where it is not, its trace has it.
func (r *run) quarantine(ctx context.Context, out *Outcome) {
	switch {
	case r.kept == nil || out.Error == nil || out.Guard == nil:
		return
	case r.config.Quarantine == nil:
		out.Error.Hint = "nothing keeps it here but the trace, and nobody can release it"
		return
	}
	r.kept.Trace, r.kept.Created = out.TraceDigest, r.config.Now()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepLimit) // the run's time may be over
	defer cancel()
	if err := r.config.Quarantine.Keep(ctx, *r.kept); err != nil {
		out.Error.Hint = fmt.Sprintf("it could not be kept: %v; `ask quarantine keep %s` takes it from the trace", err, r.kept.RunID)
		return
	}
	out.Guard.Withheld = r.kept.RunID
}

// keepLimit is how long it may take to keep a result or an approval.
const keepLimit = 10 * time.Second
