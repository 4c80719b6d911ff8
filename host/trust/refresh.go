package trust

import (
	"context"
	"slices"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/trace"
)

// Refresh asks a server once, and keeps what it says otherwise than what was
// approved: those tools are out of the catalog until a person decides. It gives
// them; where nothing changed nothing is written.
func (k *Keeper) Refresh(ctx context.Context, s Subject, accept pin.Accept) ([]store.Seen, error) {
	now := s.List(ctx, "")
	if err := k.store.NoteHealth(ctx, s.Place, string(codeOf(now.Err))); err != nil {
		return nil, err
	}
	if now.Err != nil {
		return nil, now.Err
	}
	pins, err := k.approved(ctx, s.Place)
	if err != nil {
		return nil, err
	}
	of := Source{Accept: accept, Allowed: func(string) []string { return s.Allowed }}
	l, _ := of.listing(s.Name, pins)
	var seen []store.Seen
	for _, h := range of.compared(l, now, pins).Held {
		if h.Denial.Code == verdict.PinRejected {
			continue // a person's word, and none of the server's
		}
		is := byName(now)[h.Tool]
		seen = append(seen, store.Seen{
			Place: s.Place, Tool: h.Tool, Code: string(h.Denial.Code), Why: h.Denial.Reason, Raw: is.Raw, Instructions: is.Instructions,
		})
	}
	faces, err := k.store.Seen(ctx, s.Place)
	if err != nil {
		return nil, err
	}
	for _, f := range faces { // one listing cannot tell that a tool is not unstable
		if faceCode(verdict.Code(f.Code)) {
			seen = append(slices.DeleteFunc(seen, func(s store.Seen) bool { return s.Tool == f.Tool }), f)
		}
	}
	return seen, k.store.SetSeen(ctx, s.Place, seen)
}

func codeOf(err error) verdict.Code {
	if err == nil {
		return ""
	}
	return verdict.CodeOf(err)
}

// noteFaces keeps which tools a review found unstable or with two faces: they
// are out of the catalog, with that reason, until another review or a decision.
func (k *Keeper) noteFaces(ctx context.Context, r Review) error {
	before, err := k.store.Seen(ctx, r.Place)
	if err != nil {
		return err
	}
	seen := slices.DeleteFunc(slices.Clone(before), func(s store.Seen) bool { return r.settles(s) })
	for _, p := range r.Parts {
		if code := p.State.code(); code != "" {
			seen = slices.DeleteFunc(seen, func(s store.Seen) bool { return s.Tool == p.Tool })
			seen = append(seen, store.Seen{Place: r.Place, Tool: p.Tool, Code: string(code), Why: code.Entry().Meaning, Raw: p.Now.Raw, Instructions: p.Now.Instructions})
		}
	}
	return k.store.SetSeen(ctx, r.Place, seen)
}

// settles reports whether the review found otherwise what was seen before: that
// a tool is as it was approved, or whether it has two faces.
func (r Review) settles(s store.Seen) bool {
	i := slices.IndexFunc(r.Parts, func(p Part) bool { return p.Tool == s.Tool })
	return i >= 0 && (r.Parts[i].State == Same || faceCode(verdict.Code(s.Code)))
}

// code is why a tool in this state is out of the catalog, "" where a decision
// alone says that.
func (s State) code() verdict.Code {
	switch s {
	case Unstable:
		return verdict.PinUnstable
	case TwoFaced:
		return verdict.PinEquivocation
	}
	return ""
}

func faceCode(c verdict.Code) bool { return c == verdict.PinUnstable || c == verdict.PinEquivocation }

// Caller makes the one call; session.Pool does.
type Caller interface {
	Call(ctx context.Context, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error)
}

// Watched is a caller that looks at what would be started before it is, and
// keeps what a server was found to say otherwise right before a call: the tool
// is out of the next run's catalog.
type Watched struct {
	Caller
	Keeper *Keeper // nil where nothing is kept
	Places map[string]pin.Place
	// Program is the refusal of the program that would be started for a server,
	// nil where it is the approved one.
	Program func(ctx context.Context, server string) error
}

// Call makes the call. That a change could not be kept changes nothing of what
// came of it: the call was refused, and the next one is compared again.
func (w Watched) Call(ctx context.Context, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	if w.Program == nil {
		return gate.RawResult{}, pin.Descriptor{}, verdict.Deny(verdict.PinUnapproved, "nobody can tell which program would be started")
	}
	if err := w.Program(ctx, a.Server()); err != nil {
		return gate.RawResult{}, pin.Descriptor{}, err
	}
	raw, live, err := w.Caller.Call(ctx, a, on, yes)
	if no, _ := verdict.First(err); no != nil && !a.Redeemed() && changes(no.Code) {
		advise(a.Server(), no, w.Keeper == nil)
		_ = w.Keeper.note(ctx, store.Seen{
			Place: w.Places[a.Server()], Tool: a.Tool(), Code: string(no.Code), Why: no.Reason, Raw: live.Raw, Instructions: live.Instructions,
		})
	}
	return raw, live, err
}

func changes(code verdict.Code) bool {
	return code == verdict.PinChanged || code == verdict.PinAbsent || code == verdict.PinUnstable
}

// note adds one thing to what is pending at a place.
func (k *Keeper) note(ctx context.Context, found store.Seen) error {
	if k == nil || found.Place == (pin.Place{}) {
		return nil
	}
	seen, err := k.store.Seen(ctx, found.Place)
	if err != nil {
		return err
	}
	seen = slices.DeleteFunc(seen, func(s store.Seen) bool { return s.Tool == found.Tool })
	return k.store.SetSeen(ctx, found.Place, append(seen, found))
}
