package trust

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
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
	Stamp(ctx context.Context) store.Stamp
}

// Keeper reviews servers and stores decisions. It is a [Book].
type Keeper struct {
	store Store
	now   func() time.Time

	mu   sync.Mutex
	as   store.Stamp         // of the last reading
	read map[pin.Place]*Pins // the pins in that state
}

// NewKeeper makes a keeper over a store.
func NewKeeper(s Store, now func() time.Time) *Keeper { return &Keeper{store: s, now: now} }

// Pins returns the valid approvals of a place, without tools that were found to differ
// since. It reads and verifies them again whenever this process or another may have
// changed the state.
func (k *Keeper) Pins(ctx context.Context, at pin.Place) (Pins, error) {
	p, err := k.shared(ctx, at)
	if err != nil {
		return Pins{}, err
	}
	return p.clone(), nil
}

// Program returns the approved program of a place, as [Pins] has it.
func Program(ctx context.Context, b Book, at pin.Place) (jsontext.Value, error) {
	if k, is := b.(*Keeper); is {
		p, err := k.shared(ctx, at)
		if err != nil {
			return nil, err
		}
		return p.Artifact, nil // without a copy of all tools
	}
	p, err := b.Pins(ctx, at)
	return p.Artifact, err
}

// shared is Pins without a copy: no caller may change them. While the state is the same, it
// returns the same pointer.
func (k *Keeper) shared(ctx context.Context, at pin.Place) (*Pins, error) {
	now := k.store.Stamp(ctx)
	k.mu.Lock()
	p, known := k.read[at]
	unchanged := known && now == k.as && now != (store.Stamp{})
	k.mu.Unlock()
	if unchanged {
		return p, nil
	}
	is, err := k.pins(ctx, at)
	if err != nil {
		return nil, err
	}
	if now != (store.Stamp{}) {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.as != now {
			k.as, k.read = now, map[pin.Place]*Pins{}
		}
		k.read[at] = &is
	}
	return &is, nil
}

func (k *Keeper) pins(ctx context.Context, at pin.Place) (Pins, error) {
	p, err := k.approved(ctx, at)
	if err != nil {
		return p, err
	}
	seen, err := k.store.Seen(ctx, at)
	if err != nil {
		return Pins{}, err
	}
	p.Later, p.Listed = later(seen, p.Tools), listedIn(seen)
	for _, s := range seen {
		if _, approved := p.Tools[s.Tool]; approved && s.Code == string(verdict.SandboxWrote) {
			p.Wrote = append(p.Wrote, s.Tool)
			continue
		}
		t, was := p.Tools[s.Tool]
		passed := !was || t.passes(pin.Descriptor{Raw: s.Raw, Instructions: s.Instructions}, "")
		if s.Code == store.Listed || s.Code == store.AfterCall && passed {
			continue
		}
		if s.Code == store.AfterCall {
			s.Code, s.Why = string(verdict.PinChanged), "the server describes "+s.Tool+" otherwise since a call"
		}
		if _, rejected := p.Held[s.Tool]; !rejected && (was || faceCode(verdict.Code(s.Code))) {
			delete(p.Tools, s.Tool)
			p.Held[s.Tool] = verdict.Deny(verdict.Code(s.Code), "%s", s.Why)
		}
	}
	return p, nil
}

// approved returns the pins that follow from the decisions on a place.
func (k *Keeper) approved(ctx context.Context, at pin.Place) (Pins, error) {
	decisions, err := k.store.Decisions(ctx, at)
	if err != nil {
		return Pins{}, err
	}
	return fold(decisions), nil
}

// Choice is a user's decision on a review.
type Choice struct {
	By, How  string
	Digests  []string          // of the whole review, or of parts of it
	Rejected []string          // tools that must not be called
	Effects  map[string]string // the effect of a tool: read or write
}

// Decided names the parts that were decided on. "" is the program.
type Decided struct{ Approved, Removed, Rejected []string }

// Any reports whether a part was decided on.
func (d Decided) Any() bool { return len(d.Approved)+len(d.Removed)+len(d.Rejected) > 0 }

// Decide stores a decision on exactly the reviewed description. It approves the whole
// review except the parts with separate approval, or single parts, and it rejects tools.
// If a digest is not from this review, nothing is stored.
func (k *Keeper) Decide(ctx context.Context, r Review, v Choice) (Decided, error) {
	decisions, err := k.ended(r.Place, v, store.Rejected, v.Rejected)
	if err != nil {
		return Decided{}, err
	}
	of := Decided{Rejected: v.Rejected}
	if len(v.Digests) > 0 || len(v.Rejected) == 0 {
		approved, err := r.approved(v, k.now(), &of)
		if err != nil {
			return Decided{}, err
		}
		decisions = append(approved, decisions...)
	}
	if err := k.store.Decide(ctx, r.pins.Last, decisions); err != nil {
		return Decided{}, err
	}
	return of, nil
}

// approved returns the decisions that approve. They are the decision on the server, with
// its program and its instructions, and those on its tools.
func (r Review) approved(v Choice, at time.Time, of *Decided) ([]store.Decision, error) {
	chosen, err := r.chosen(v.Digests)
	if err != nil {
		return nil, err
	}
	server := r.decision(v, at, store.Approved)
	server.Raw, server.Instructions, server.Reviewed = r.Artifact, r.Told, infoDigest(r.Info)
	all := []store.Decision{server}
	for _, p := range chosen {
		if p.State == Gone {
			of.Removed = append(of.Removed, p.Tool)
		} else {
			of.Approved = append(of.Approved, p.Tool)
		}
		if p.Tool == "" {
			continue
		}
		d, err := r.tool(p, v, at)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// chosen returns the parts that the digests approve.
func (r Review) chosen(digests []string) (all []Part, err error) {
	if len(digests) == 0 {
		return nil, verdict.Deny(verdict.PinUnapproved, "an approval names the digest that was reviewed")
	}
	for _, digest := range digests {
		found := false
		for _, p := range r.Parts {
			whole := digest == r.Digest && !p.Alone && !p.Again()
			is := digest == p.Digest || digest == p.Edit
			if p.Open() && (whole || is) {
				all = append(all, p)
			}
			found = found || whole || is
		}
		if digest == "" || !found && digest != r.Digest {
			return nil, verdict.Deny(verdict.PinChanged, "%.80q is not the digest of what there is to approve of server %s now", digest, r.Name).
				WithHint("`ask servers review " + r.Name + "` shows what there is to approve")
		}
	}
	return r.withProgram(all)
}

// withProgram refuses a choice without the program if the program differs from the
// approved one: that program would answer for the tools.
func (r Review) withProgram(all []Part) ([]Part, error) {
	slices.SortStableFunc(all, func(a, b Part) int { return strings.Compare(a.Tool, b.Tool) })
	all = slices.CompactFunc(all, func(a, b Part) bool { return a.Tool == b.Tool })
	if otherProgram(r.Program) && (len(all) == 0 || all[0].Tool != "") {
		return nil, verdict.Deny(verdict.PinChanged, "another program is started than was approved of server %s: %s", r.Name, r.Program[0].Why).
			WithHint("approve the started program too, by its own digest or by the server's: `ask servers review " + r.Name + "` shows both")
	}
	return all, nil
}

// tool returns the decision on one part. A tool that is gone is removed.
func (r Review) tool(p Part, v Choice, at time.Time) (store.Decision, error) {
	d := r.decision(v, at, store.Approved)
	d.Tool, d.Effect = p.Tool, v.Effects[p.Tool]
	if p.State == Gone {
		d.State = store.Removed
		return d, nil
	}
	digest, err := reviewed(p.Now, p.other)
	if err != nil {
		return d, err
	}
	if places := r.orders(p); len(places) > 0 {
		digest = writeOrder(digest, places)
	}
	if p.Late {
		digest = onlyAfterCall + digest
	}
	meaning, err := p.Now.Meaning()
	if err != nil {
		return d, err
	}
	d.Raw, d.Instructions, d.Reviewed, d.Meaning = p.Now.Raw, p.Now.Instructions, digest, meaning.String()
	return d, nil
}

func (r Review) decision(v Choice, at time.Time, state string) store.Decision {
	return store.Decision{Place: r.Place, Server: r.Name, State: state, Review: r.Digest, By: v.By, How: v.How, At: at}
}

// Reject stores that tools of a server must not be called.
func (k *Keeper) Reject(ctx context.Context, at pin.Place, v Choice, tools ...string) error {
	return k.end(ctx, at, v, store.Rejected, tools)
}

// Forget withdraws every approval of a place.
func (k *Keeper) Forget(ctx context.Context, at pin.Place, v Choice) error {
	return k.end(ctx, at, v, store.Removed, []string{""})
}

func (k *Keeper) end(ctx context.Context, at pin.Place, v Choice, state string, tools []string) error {
	decisions, err := k.ended(at, v, state, tools)
	if err != nil {
		return err
	}
	before, err := k.approved(ctx, at)
	if err != nil {
		return err
	}
	return k.store.Decide(ctx, before.Last, decisions)
}

// ended returns the decisions that withdraw approvals, or reject tools without one.
func (k *Keeper) ended(at pin.Place, v Choice, state string, tools []string) (all []store.Decision, err error) {
	for _, tool := range tools {
		if state == store.Rejected && !escape.Name(tool) {
			return nil, verdict.Fail(verdict.UsageArgument, nil, "%.64q is not the name of a tool", tool)
		}
		all = append(all, store.Decision{Place: at, Tool: tool, State: state, By: v.By, How: v.How, At: k.now()})
	}
	return all, nil
}

// elsewhere returns the approved tools of the other servers in the file, with their
// servers. The same server with another credential does not count as another.
func (s Target) elsewhere(all map[pin.Place][]store.Decision) map[string]string {
	where := map[string]string{}
	for at, server := range s.Others {
		for tool := range fold(all[at]).Tools {
			if at.Entry != s.Place.Entry {
				where[tool] = pin.Both(where[tool], server)
			}
		}
	}
	return where
}

// historyOf returns every descriptor that was ever approved here.
func historyOf(all []store.Decision) (past []pin.Descriptor) {
	for _, d := range all {
		if d.Tool != "" && d.State == store.Approved {
			past = append(past, pin.Descriptor{Raw: d.Raw, Instructions: d.Instructions})
		}
	}
	return past
}
