package host

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/internal/recorded"
	"github.com/onestep-run/onestep/trace"
)

// World answers a run's questions about the moment in which it runs. [New] gives a
// host the live world: the clock, the state, the files and the rules of this
// program. [Recorded] gives it a world that answers from a trace. A run cannot
// distinguish the two. No program outside of host can make one.
type World interface {
	// Facts are the facts that decide a call. Without them it is refused.
	Facts(ctx context.Context, of grant.Key, given gate.Given) (Facts, error)
	// Files are the files that the call's arguments name, if its server is granted
	// only those. Until release is called, no other file can take the place of one
	// of them; a nil release protects none.
	Files(server string, args jsontext.Value) (files []trace.FileBody, release func(), err error)
	// Unchanged refuses a call if the configuration has changed since its decision.
	Unchanged(ctx context.Context) error
	// Decided receives the policy's decision.
	Decided(d trace.DecisionBody)

	// Spend checks and spends all that a call needs of the state. It is one step
	// that is on disk when Spend returns nil. It gives what is left of the limits
	// of the call.
	Spend(ctx context.Context, r grant.Redemption) (left []grant.Bucket, err error)
	// Label keeps labels of a conversation after its call was made.
	Label(ctx context.Context, r grant.Redemption) error

	// Redact takes the secrets out of an answer before anything else is done with
	// it. sealed is the HMAC of the answer with its secrets, "" if it has none.
	Redact(raw gate.RawResult) (out gate.RawResult, sealed string)
	// Found gives the findings of the built-in rules in an answer; own are the
	// findings of this program's rules.
	Found(own gate.Scanned) gate.Scanned
	// Release is a person's decision that a withheld result may go on, nil without one.
	Release() *trace.ResumeBody
}

// Facts decide a call, next to the question and the tools.
type Facts struct {
	Deciding string     // the digest of the policy
	Time     string     // RFC 3339 in the zone of the rules; "" if no rule reads it
	Given    gate.Given // the approval of the same call that a person gave before
	Labels   []string   // of the conversation, sorted
	Grants   []grant.Grant

	// Left are limits of the call, as known before it takes from them. A limit that
	// is not listed is not known to be used up.
	Left []grant.Bucket
}

// Recording is a world that answers from a trace, with the servers that it recorded.
type Recording interface {
	World
	Source
	Caller
}

// live is the current world.
type live struct {
	*reading
	host  *Host
	where *time.Location // of the rules of calls
}

func liveWorld(h *Host, rd *reading) (World, error) {
	where, err := Location(rd.config.Policy.CallRules)
	return live{rd, h, where}, err
}

// Recorded makes a host that answers from a recording. It reaches no server and no
// state. Only host/replay can seal a recording.
func Recorded(c Config, sealed recorded.Sealed[Recording]) (*Host, error) {
	from := sealed.Open()
	if from == nil {
		return nil, verdict.Fail(verdict.Internal, nil, "host: no package of host sealed this recording")
	}
	c.Source, c.Caller = from, from
	return c.host(func(_ *Host, rd *reading) (World, error) {
		rd.config.Source, rd.config.Caller, rd.config.Approvals = from, from, nil // of a later reading, too
		return from, nil
	})
}

// Location is the time zone of the rules of calls. Without a zone it is UTC.
func Location(p rule.Policy) (*time.Location, error) {
	where, err := time.LoadLocation(p.Zone())
	if err != nil {
		return nil, verdict.Fail(verdict.ConfigInvalid, err, "the zone %.60q of the policy is not known on this machine", p.Zone()).
			WithHint("write the IANA name of a time zone, such as Europe/Berlin, or install the system's time zones")
	}
	return where, nil
}

// Facts reads the state and the clock at most once each. Without rules and grants
// the time stays empty.
func (l live) Facts(ctx context.Context, of grant.Key, given gate.Given) (Facts, error) {
	f := Facts{Deciding: l.deciding, Given: given}
	ruled := l.config.Policy.CallRules.Configured() || len(l.config.Points) > 0
	var known grant.Known
	if l.config.Approvals != nil && (ruled || of.Labelled != "") {
		var err error
		if known, err = l.config.Approvals.Known(ctx, of); err != nil {
			return f, edge(ctx, err, verdict.Internal)
		}
	}
	f.Labels, f.Grants = known.Labels, known.Grants
	if !ruled && len(known.Grants) == 0 {
		return f, nil
	}
	now := l.config.Now()
	if now.Add(time.Second).Before(known.Newest) { // nothing of the clock can be relied on
		return f, verdict.Deny(verdict.StateClock, "the clock says %s, and the state has an entry of %s", now.UTC().Format(time.RFC3339), known.Newest.UTC().Format(time.RFC3339))
	}
	f.Time = now.In(l.where).Format(time.RFC3339)
	return f, nil
}

func (l live) Files(server string, args jsontext.Value) (files []trace.FileBody, release func(), err error) {
	if b, binds := l.config.Caller.(Binder); binds {
		files, release, err = b.Bind(server, args)
	}
	if err != nil {
		err = l.clean(server, err)
	}
	return files, release, err
}

func (l live) Unchanged(ctx context.Context) error {
	is, err := l.host.take(ctx)
	defer l.host.give(is)
	if err == nil && is != l.reading {
		err = otherwise("%s", differing(l.config.Files, is.config.Files))
	}
	return err
}

// Decided does nothing: the trace has the decision.
func (live) Decided(trace.DecisionBody) {}

func (l live) Spend(ctx context.Context, r grant.Redemption) ([]grant.Bucket, error) {
	if l.config.Approvals == nil {
		for i := range r.Takes {
			r.Takes[i].Why = "no state counts the calls here"
		}
		return r.Takes, nil
	}
	if _, every := l.config.Approvals.(everyCall); r.Empty() && !every {
		return nil, nil
	}
	return r.Takes, l.config.Approvals.Redeem(ctx, r)
}

// everyCall is implemented by [Approvals] that check something in the transaction of every
// call, also of a call that spends nothing.
type everyCall interface{ EveryCall() }

func (l live) Label(ctx context.Context, r grant.Redemption) error {
	if l.config.Approvals == nil || len(r.Marks) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepLimit) // the call was made
	defer cancel()
	return l.config.Approvals.Redeem(ctx, r)
}

// Redact also removes the digest of the answer with its secrets. A plain digest
// would let anyone confirm a guess of a weak password, so it is sealed with this
// machine's key.
func (l live) Redact(raw gate.RawResult) (out gate.RawResult, sealed string) {
	body, hidden, err := secret.RedactJSON(raw.Body)
	if err != nil { // not JSON: no gate takes it, and the trace has it
		text, found := secret.Redact(string(raw.Body))
		body, hidden = []byte(text), found
	}
	if len(hidden) == 0 {
		return raw, ""
	}
	if l.config.Seal != nil {
		sealed = l.config.Seal(raw.Body)
	}
	raw.Body, raw.Hidden = body, hidden
	return raw, sealed
}

func (live) Found(own gate.Scanned) gate.Scanned { return own }

// Release is nil: only a resumed run has one.
func (live) Release() *trace.ResumeBody { return nil }
