package trust

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/trace"
)

// Refreshed is what became of a server since it was approved.
type Refreshed struct {
	Program []pin.Difference // how what would be started differs from what was approved
	Held    []store.Seen     // approved tools that the server describes otherwise, and allowlisted ones that are not approved, by name
}

// Open reports whether there is something to decide.
func (r Refreshed) Open() bool { return len(r.Held) > 0 || otherProgram(r.Program) }

// Refresh asks a server once, and keeps what it says of approved tools otherwise
// than it did: those are out of the catalog until a person decides. Where
// nothing changed nothing is written. A server that would start another program
// than was approved is not asked, as no question asks it.
func (k *Keeper) Refresh(ctx context.Context, s Target, accept pin.Accept) (Refreshed, error) {
	pins, err := k.approved(ctx, s.Place)
	if err != nil {
		return Refreshed{}, err
	}
	r := Refreshed{Program: pins.program(s.Artifact)}
	if artifact.Another(pins.Artifact, s.Artifact) {
		return r, nil
	}
	now := s.List(ctx, "")
	if err := k.RecordHealth(ctx, s.Place, now.Err); err != nil {
		return Refreshed{}, err
	}
	if now.Err != nil {
		return Refreshed{}, now.Err
	}
	changed, waiting := s.held(pins, now, accept)
	if err := k.store.ChangeSeen(ctx, s.Place, func(was []store.Seen) []store.Seen { return withListed(withFaces(was, changed), namesOf(now)) }); err != nil {
		return Refreshed{}, err
	}
	kept, err := k.store.Seen(ctx, s.Place)
	kept = slices.DeleteFunc(kept, func(s store.Seen) bool { return s.Code == store.Listed || s.Code == store.AfterCall })
	r.Held = without(waiting, kept...)
	r.Held = append(r.Held, kept...)
	slices.SortFunc(r.Held, func(a, b store.Seen) int { return strings.Compare(a.Tool, b.Tool) })
	return r, err
}

// held is what a listing says otherwise than what was approved, and what waits
// for a first approval. Of the other tools that a server lists nothing is kept:
// there may be any number, and no run looks at them.
func (s Target) held(pins Pins, now catalog.Listing, accept pin.Accept) (changed, waiting []store.Seen) {
	of := Source{Accept: accept, Allowed: func(string) []string { return s.Allowed }}
	l, _ := of.listing(s.Name, pins)
	is := byName(now)
	for _, h := range of.compared(l, now, pins).Held {
		if h.Denial.Code == verdict.PinRejected {
			continue // a person's word, and none of the server's
		}
		d := is.of(h.Tool)
		seen := store.Seen{Place: s.Place, Tool: h.Tool, Code: string(h.Denial.Code), Why: h.Denial.Reason, Raw: d.Raw, Instructions: d.Instructions}
		if _, approved := pins.Tools[h.Tool]; approved {
			changed = append(changed, seen)
		} else if h.Denial.Code != verdict.PinUnapproved || slices.Contains(s.Allowed, h.Tool) {
			waiting = append(waiting, seen)
		}
	}
	return changed, waiting
}

// withFaces are the changes, and what was found before to be unstable or to have
// two faces: one listing cannot tell that it is not.
func withFaces(was, changed []store.Seen) []store.Seen {
	faces := slices.DeleteFunc(slices.Clone(was), func(s store.Seen) bool { return !faceCode(verdict.Code(s.Code)) })
	wrote := slices.DeleteFunc(slices.Clone(was), func(s store.Seen) bool { return s.Code != string(verdict.SandboxWrote) })
	late := slices.DeleteFunc(was, func(s store.Seen) bool { return s.Code != store.AfterCall && s.Code != store.Listed })
	all := append(without(changed, faces...), faces...)
	all = append(all, without(wrote, all...)...)
	return append(all, without(late, all...)...)
}

// without are what was seen but for what is about these tools.
func without(all []store.Seen, these ...store.Seen) []store.Seen {
	return slices.DeleteFunc(slices.Clone(all), func(s store.Seen) bool {
		return slices.ContainsFunc(these, func(t store.Seen) bool { return t.Tool == s.Tool })
	})
}

// noteFaces keeps which tools a review found unstable or with two faces: they
// are out of the catalog, with that reason, until another review or a decision.
func (k *Keeper) noteFaces(ctx context.Context, r Review) error {
	return k.store.ChangeSeen(ctx, r.Place, func(was []store.Seen) []store.Seen {
		seen := slices.DeleteFunc(was, r.settles)
		for _, p := range r.Parts {
			if code, why := r.withheld(p); code != "" {
				face := store.Seen{Place: r.Place, Tool: p.Tool, Code: string(code), Why: why, Raw: p.Now.Raw, Instructions: p.Now.Instructions}
				seen = append(without(seen, face), face)
			}
		}
		return withListed(seen, r.names)
	})
}

// settles reports whether the review found otherwise what was seen before: that
// a tool is as it was approved, or whether it has two faces.
func (r Review) settles(s store.Seen) bool {
	i := slices.IndexFunc(r.Parts, func(p Part) bool { return p.Tool == s.Tool })
	return i >= 0 && (r.Parts[i].State == Same || faceCode(verdict.Code(s.Code)))
}

// withheld is why a tool of a review is out of the catalog, "" where a decision
// alone says that.
func (r Review) withheld(p Part) (verdict.Code, string) {
	_, approved := r.pins.Tools[p.Tool]
	switch {
	case p.State == Unstable:
		return verdict.PinUnstable, verdict.PinUnstable.Entry().Meaning
	case p.State == TwoFaced:
		return verdict.PinEquivocation, verdict.PinEquivocation.Entry().Meaning
	case p.State == Reordered && approved:
		return verdict.PinChanged, "the server writes the same words in another order each time"
	case p.State == Reordered: // kept for the bytes that were shown
		return verdict.PinUnapproved, "the server writes the same words in another order each time, and the tool was not approved so"
	}
	return "", ""
}

func faceCode(c verdict.Code) bool { return c == verdict.PinUnstable || c == verdict.PinEquivocation }

// Caller makes the one call; session.Pool does.
type Caller interface {
	Call(ctx context.Context, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error)
}

// NotStarted is the refusal of a program. It says nothing of the server's tools,
// so none is held back for it.
type NotStarted struct{ Why error }

func (n NotStarted) Error() string { return n.Why.Error() }

// Unwrap is the refusal itself.
func (n NotStarted) Unwrap() error { return n.Why }

// Watched is a caller that asks about a server's program before each call, and
// keeps what a server was found to say otherwise right before a call: the tool
// is out of the next run's catalog.
type Watched struct {
	Caller
	Keeper *Keeper // nil where nothing is kept
	Places map[string]pin.Place
	// Program is the refusal of a server's program. It is nil where the approved
	// one would be started, or runs, or where the start itself is checked.
	Program func(ctx context.Context, server string) error
}

// Call makes the call. That a change could not be kept changes nothing of what
// came of it: the call was refused, and the next one is compared again.
func (w Watched) Call(ctx context.Context, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	if w.Program == nil {
		return gate.RawResult{}, pin.Descriptor{}, verdict.Deny(verdict.PinUnapproved, "which program would be started is not known")
	}
	if err := w.Program(ctx, a.Server()); err != nil {
		return gate.RawResult{}, pin.Descriptor{}, err
	}
	raw, live, err := w.Caller.Call(ctx, a, on, yes)
	if why := wrote(a, raw); why != "" {
		_ = w.Keeper.note(ctx, store.Seen{Place: w.Places[a.Server()], Tool: a.Tool(), Code: string(verdict.SandboxWrote), Why: why, Raw: live.Raw, Instructions: live.Instructions})
	}
	_ = w.Keeper.noteLater(ctx, w.Places[a.Server()], raw.Grown, raw.Listed)
	if no, _ := verdict.First(err); no != nil && !a.Redeemed() && !w.late(ctx, a, no) && changes(no.Code) && !errors.As(err, &NotStarted{}) {
		advise(a.Server(), no, w.Keeper == nil)
		_ = w.Keeper.note(ctx, store.Seen{
			Place: w.Places[a.Server()], Tool: a.Tool(), Code: string(no.Code), Why: no.Reason, Raw: live.Raw, Instructions: live.Instructions,
		})
	}
	return raw, live, err
}

// late reports whether the tool is one that the server lists only after a call: that it
// is not listed in this session takes nothing back.
func (w Watched) late(ctx context.Context, a gate.Approved, no *verdict.Denial) bool {
	if no.Code != verdict.PinAbsent || w.Keeper == nil {
		return false
	}
	pins, err := w.Keeper.Pins(ctx, w.Places[a.Server()])
	return err == nil && pins.Tools[a.Tool()].AfterCall
}

// Bind has the caller find the files that a call names, before it is approved.
func (w Watched) Bind(server string, args jsontext.Value) (files []trace.FileBody, release func(), err error) {
	if b, binds := w.Caller.(interface {
		Bind(string, jsontext.Value) ([]trace.FileBody, func(), error)
	}); binds {
		return b.Bind(server, args)
	}
	return nil, func() {}, nil
}

// wrote says what a tool that is called reading tried to write in its call, ""
// where that is nothing. Where one process serves several calls at a time, each
// of them answers for it. Files that Python compiles are the interpreter's own.
func wrote(a gate.Approved, raw gate.RawResult) string {
	if !a.Effect().Reads || raw.Sandbox == nil {
		return ""
	}
	for _, b := range raw.Sandbox.Blocked {
		writes := b.Permission == string(confine.FilesWrite) || b.Permission == string(confine.FilesDelete)
		if writes && b.InCall && !strings.Contains(b.Resource, "/__pycache__") {
			return fmt.Sprintf("the allowlist says that it reads, but a call tried to %s %.200q, which its sandbox refused", b.Action, b.Resource)
		}
	}
	return ""
}

func changes(code verdict.Code) bool {
	return code == verdict.PinChanged || code == verdict.PinAbsent || code == verdict.PinUnstable
}

// note adds one thing to what is pending at a place.
func (k *Keeper) note(ctx context.Context, found store.Seen) error {
	if k == nil || found.Place == (pin.Place{}) {
		return nil
	}
	return k.store.ChangeSeen(ctx, found.Place, func(was []store.Seen) []store.Seen { return append(without(was, found), found) })
}
