package trust

import (
	"context"
	"slices"
	"time"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

// Store keeps decisions; host/store does.
type Store interface {
	Decisions(ctx context.Context, at pin.Place) ([]store.Decision, error)
	All(ctx context.Context) ([]store.Decision, error)
	Decide(ctx context.Context, after int64, all []store.Decision) error
	Seen(ctx context.Context, at pin.Place) ([]store.Seen, error)
	ChangeSeen(ctx context.Context, at pin.Place, change func([]store.Seen) []store.Seen) error
	NoteHealth(ctx context.Context, at pin.Place, code string) error
	HealthOf(ctx context.Context, at pin.Place) ([]store.Health, error)
}

// Keeper reviews servers and keeps what was decided. It is a [Book].
type Keeper struct {
	store Store
	now   func() time.Time
}

// NewKeeper makes a keeper over a store.
func NewKeeper(s Store, now func() time.Time) *Keeper { return &Keeper{s, now} }

// Pins is what holds at a place now: what was approved, without what was seen to
// differ since.
func (k *Keeper) Pins(ctx context.Context, at pin.Place) (Pins, error) {
	p, err := k.approved(ctx, at)
	if err != nil {
		return p, err
	}
	seen, err := k.store.Seen(ctx, at)
	if err != nil {
		return Pins{}, err
	}
	for _, s := range seen {
		_, was := p.Tools[s.Tool]
		if _, rejected := p.Held[s.Tool]; !rejected && (was || faceCode(verdict.Code(s.Code))) {
			delete(p.Tools, s.Tool)
			p.Held[s.Tool] = verdict.Deny(verdict.Code(s.Code), "%s", s.Why)
		}
	}
	return p, nil
}

// approved is what the decisions on a place come to.
func (k *Keeper) approved(ctx context.Context, at pin.Place) (Pins, error) {
	decisions, err := k.store.Decisions(ctx, at)
	if err != nil {
		return Pins{}, err
	}
	return fold(decisions), nil
}

// Verdict is a person's decision on a review.
type Verdict struct {
	By, How string
	Digests []string          // of the whole review, or of parts of it
	Effects map[string]string // what they say that a tool does: read or write
}

// Approve keeps the approval of exactly what was reviewed: of the whole review
// but for the parts that are approved one by one, or of single parts. Every
// digest has to be of this review, or nothing is kept. It gives the tools that
// were approved.
func (k *Keeper) Approve(ctx context.Context, r Review, v Verdict) ([]string, error) {
	chosen, err := r.chosen(v.Digests)
	if err != nil {
		return nil, err
	}
	decisions := []store.Decision{r.decision(v, k.now(), store.Approved)}
	decisions[0].Raw, decisions[0].Instructions = r.Artifact, r.Told
	var names []string
	for _, p := range chosen {
		d, err := r.tool(p, v, k.now())
		if err != nil {
			return nil, err
		}
		decisions, names = append(decisions, d), append(names, p.Tool)
	}
	if err := k.store.Decide(ctx, r.pins.Last, decisions); err != nil {
		return nil, err
	}
	return names, k.settled(ctx, r.Place, decisions)
}

// settled forgets that the decided tools were seen to differ.
func (k *Keeper) settled(ctx context.Context, at pin.Place, decided []store.Decision) error {
	return k.store.ChangeSeen(ctx, at, func(seen []store.Seen) []store.Seen {
		return slices.DeleteFunc(seen, func(s store.Seen) bool {
			return slices.ContainsFunc(decided, func(d store.Decision) bool { return d.Tool == s.Tool })
		})
	})
}

// chosen are the parts that the digests approve.
func (r Review) chosen(digests []string) (all []Part, err error) {
	if len(digests) == 0 {
		return nil, verdict.Deny(verdict.PinUnapproved, "an approval names the digest that was reviewed")
	}
	for _, digest := range digests {
		found := false
		for _, p := range r.Parts {
			whole := digest == r.Digest && !p.Alone
			if p.Open() && (whole || digest == p.Digest) {
				all = append(all, p)
			}
			found = found || whole || digest == p.Digest
		}
		if digest == "" || !found && digest != r.Digest {
			no := verdict.Deny(verdict.PinChanged, "%.80q is not the digest of what there is to approve of server %s now", digest, r.Name)
			no.Hint = "`ask servers review " + r.Name + "` shows what there is to approve"
			return nil, no
		}
	}
	return slices.CompactFunc(all, func(a, b Part) bool { return a.Tool == b.Tool }), nil
}

// tool is the decision on one part. A tool that is gone is removed.
func (r Review) tool(p Part, v Verdict, at time.Time) (store.Decision, error) {
	d := r.decision(v, at, store.Approved)
	d.Tool, d.Effect = p.Tool, v.Effects[p.Tool]
	if p.State == Gone {
		d.State = store.Removed
		return d, nil
	}
	if err := p.Refused(); err != nil {
		return d, err
	}
	reviewed, err := Reviewed(p.Now)
	if err != nil {
		return d, err
	}
	meaning, err := p.Now.Meaning()
	if err != nil {
		return d, err
	}
	d.Raw, d.Instructions, d.Reviewed, d.Meaning = p.Now.Raw, p.Now.Instructions, reviewed, meaning.String()
	return d, nil
}

func (r Review) decision(v Verdict, at time.Time, state string) store.Decision {
	return store.Decision{Place: r.Place, Server: r.Name, State: state, Review: r.Digest, By: v.By, How: v.How, At: at}
}

// Reject keeps that tools of a server are not to be called.
func (k *Keeper) Reject(ctx context.Context, at pin.Place, v Verdict, tools ...string) error {
	if i := slices.IndexFunc(tools, func(t string) bool { return !guard.Name(t) }); i >= 0 {
		return verdict.Fail(verdict.UsageArgument, nil, "%.64q is not the name of a tool", tools[i])
	}
	return k.end(ctx, at, v, store.Rejected, tools)
}

// Forget takes back every approval of a place.
func (k *Keeper) Forget(ctx context.Context, at pin.Place, v Verdict) error {
	return k.end(ctx, at, v, store.Removed, []string{""})
}

func (k *Keeper) end(ctx context.Context, at pin.Place, v Verdict, state string, tools []string) error {
	before, err := k.Pins(ctx, at)
	if err != nil {
		return err
	}
	var decisions []store.Decision
	for _, tool := range tools {
		decisions = append(decisions, store.Decision{Place: at, Tool: tool, State: state, By: v.By, How: v.How, At: k.now()})
	}
	return k.store.Decide(ctx, before.Last, decisions)
}

// byPlace are the decisions on every place.
func (k *Keeper) byPlace(ctx context.Context) (map[pin.Place][]store.Decision, error) {
	all, err := k.store.All(ctx)
	by := map[pin.Place][]store.Decision{}
	for _, d := range all {
		by[d.Place] = append(by[d.Place], d)
	}
	return by, err
}

// elsewhere are the tools that are approved of the other servers of the file,
// and of which. The same server with another credential is no other.
func (s Subject) elsewhere(all map[pin.Place][]store.Decision) map[string]string {
	where := map[string]string{}
	for at, server := range s.Others {
		for tool := range fold(all[at]).Tools {
			if was, there := where[tool]; at.Entry != s.Place.Entry && (!there || server < was) {
				where[tool] = server
			}
		}
	}
	return where
}

// historyOf is every descriptor that was ever approved here.
func historyOf(all []store.Decision) (past []pin.Descriptor) {
	for _, d := range all {
		if d.Tool != "" && d.State == store.Approved {
			past = append(past, pin.Descriptor{Raw: d.Raw, Instructions: d.Instructions})
		}
	}
	return past
}
