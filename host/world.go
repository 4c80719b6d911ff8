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

// World is what a run asks of the moment in which it runs. [New] gives a host the live
// world: the clock, the state, the files and the rules of this program. [Recorded] gives
// it one that answers from a trace. A run never learns which of them it asks, and no
// program outside of host can give one.
type World interface {
	// Facts are what a call is decided with. Without them it is refused.
	Facts(ctx context.Context, of grant.Key, given gate.Given) (Facts, error)
	// Files are what the call's arguments name, where its server is granted those
	// alone. Until release is called no other file can take the place of one of them;
	// nil holds none.
	Files(server string, args jsontext.Value) (files []trace.FileBody, release func(), err error)
	// Unchanged refuses a call where what decides is no longer what decided it.
	Unchanged(ctx context.Context) error
	// Decided receives what the policy decided.
	Decided(d trace.DecisionBody)

	// Spend checks and spends all that a call needs of the state, in one step that is on
	// disk when it returns nil. It gives what was left of the limits of the call.
	Spend(ctx context.Context, r grant.Redemption) (left []grant.Bucket, err error)
	// Label keeps labels of a conversation whose call was made.
	Label(ctx context.Context, r grant.Redemption) error

	// Redact takes the secrets out of an answer before anything else is done with it.
	// sealed is the HMAC of the answer that held them, "" of one without.
	Redact(raw gate.RawResult) (out gate.RawResult, sealed string)
	// Found is what the built-in rules found in an answer; own is what those of this
	// program find.
	Found(own gate.Scanned) gate.Scanned
	// Release is a person's decision that a withheld result may go on, nil without one.
	Release() *trace.ResumeBody
}

// Facts are what a call is decided with, next to the question and the tools.
type Facts struct {
	Deciding string     // the digest of the policy
	Time     string     // RFC 3339 in the zone of the rules; "" where nothing reads it
	Given    gate.Given // the approval of the same call that a person gave before
	Labels   []string   // of the conversation, sorted
	Grants   []grant.Grant

	// Left are limits of the call by what is known to be left of them before it takes
	// from them. A limit that is not among them is not known to be used up.
	Left []grant.Bucket
}

// Recording is a world that answers from a trace, with the servers that it recorded.
type Recording interface {
	World
	Source
	Caller
}

// live is the world as it is now.
type live struct {
	*reading
	host  *Host
	where *time.Location // of the rules of calls
}

func liveWorld(h *Host, rd *reading) (World, error) {
	where, err := Location(rd.config.Policy.CallRules)
	return live{rd, h, where}, err
}

// Recorded makes a host that answers from a recording: nothing of it reaches a server
// or the state. Only host/replay can seal one.
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

// Location is where the rules of calls have their time. Without a zone it is UTC.
func Location(p rule.Policy) (*time.Location, error) {
	where, err := time.LoadLocation(p.Zone())
	if err != nil {
		f := verdict.Fail(verdict.ConfigInvalid, err, "the zone %.60q of the policy is not known on this machine", p.Zone())
		f.Hint = "write the IANA name of a time zone, such as Europe/Berlin, or install the system's time zones"
		return nil, f
	}
	return where, nil
}

// Facts reads the state and the clock once each, and what no rule reads not at all.
func (l live) Facts(ctx context.Context, of grant.Key, given gate.Given) (Facts, error) {
	f := Facts{Deciding: l.deciding, Given: given}
	ruled := l.config.Policy.CallRules.Configured()
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

// Decided has no one to report to: the trace has the decision.
func (live) Decided(trace.DecisionBody) {}

func (l live) Spend(ctx context.Context, r grant.Redemption) ([]grant.Bucket, error) {
	if l.config.Approvals == nil {
		for i := range r.Takes {
			r.Takes[i].Why = "no state counts the calls here"
		}
		return r.Takes, nil
	}
	if r.Empty() {
		return nil, nil
	}
	return r.Takes, l.config.Approvals.Redeem(ctx, r)
}

func (l live) Label(ctx context.Context, r grant.Redemption) error {
	if l.config.Approvals == nil || len(r.Marks) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepLimit) // the call was made
	defer cancel()
	return l.config.Approvals.Redeem(ctx, r)
}

// Redact takes out the digest of the answer with its secrets. A plain one would give a
// weak password to anyone who guesses it, so it is sealed with this machine's key.
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

// Release is none: only a resumed run has one.
func (live) Release() *trace.ResumeBody { return nil }
