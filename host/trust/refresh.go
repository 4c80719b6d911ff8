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
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/trace"
)

// Refreshed describes the changes of a server since its approval.
type Refreshed struct {
	Program []pin.Difference // differences from the approved program
	Held    []store.Seen     // by name: approved tools with another description, and allowlisted tools without approval
}

// Open reports whether a decision is needed.
func (r Refreshed) Open() bool { return len(r.Held) > 0 || otherProgram(r.Program) }

// Refresh asks a server once, and stores which approved tools have another description
// now. These are out of the catalog until the user decides. Without a change it writes
// nothing. It does not ask a server that would start another program than the approved
// one, just as no question asks it.
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

// held returns the tools whose description differs from the approved one, and the tools
// that wait for a first approval. It stores nothing about the other tools of a server:
// there may be any number, and no run uses them.
func (s Target) held(pins Pins, now catalog.Listing, accept pin.Accept) (changed, waiting []store.Seen) {
	of := Source{Accept: accept, Allowed: func(string) []string { return s.Allowed }}
	l, _ := of.listing(s.Name, pins)
	is := byName(now)
	for _, h := range of.compared(l, now, pins).Held {
		if h.Denial.Code == verdict.PinRejected {
			continue // the user's decision, not a change of the server
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

// withFaces adds to the changes the earlier findings of unstable tools and of two faces:
// one listing cannot refute them.
func withFaces(was, changed []store.Seen) []store.Seen {
	faces := slices.DeleteFunc(slices.Clone(was), func(s store.Seen) bool { return !faceCode(verdict.Code(s.Code)) })
	wrote := slices.DeleteFunc(slices.Clone(was), func(s store.Seen) bool { return s.Code != string(verdict.SandboxWrote) })
	late := slices.DeleteFunc(was, func(s store.Seen) bool { return s.Code != store.AfterCall && s.Code != store.Listed })
	all := append(without(changed, faces...), faces...)
	all = append(all, without(wrote, all...)...)
	return append(all, without(late, all...)...)
}

// without removes the findings about some tools.
func without(all []store.Seen, these ...store.Seen) []store.Seen {
	return slices.DeleteFunc(slices.Clone(all), func(s store.Seen) bool {
		return slices.ContainsFunc(these, func(t store.Seen) bool { return t.Tool == s.Tool })
	})
}

// noteFaces stores which tools a review found unstable or with two faces. They are out of
// the catalog, for that reason, until another review or a decision.
func (k *Keeper) noteFaces(ctx context.Context, r Review) error {
	return k.store.ChangeSeen(ctx, r.Place, func(was []store.Seen) []store.Seen {
		seen := slices.DeleteFunc(was, func(s store.Seen) bool { // the tool is as approved, or the review decided whether it has two faces
			i := slices.IndexFunc(r.Parts, func(p Part) bool { return p.Tool == s.Tool })
			return i >= 0 && (r.Parts[i].State == Same || faceCode(verdict.Code(s.Code)))
		})
		for _, p := range r.Parts {
			if code, why := r.withheld(p); code != "" {
				face := store.Seen{Place: r.Place, Tool: p.Tool, Code: string(code), Why: why, Raw: p.Now.Raw, Instructions: p.Now.Instructions}
				seen = append(without(seen, face), face)
			}
		}
		return withListed(seen, r.names)
	})
}

// withheld returns why a tool of a review is out of the catalog. It is "" if only a
// decision determines that.
func (r Review) withheld(p Part) (verdict.Code, string) {
	_, approved := r.pins.Tools[p.Tool]
	switch {
	case p.State == Unstable:
		return verdict.PinUnstable, verdict.PinUnstable.Entry().Meaning
	case p.State == TwoFaced:
		return verdict.PinEquivocation, verdict.PinEquivocation.Entry().Meaning
	case p.State == Reordered && approved:
		return verdict.PinChanged, "the server writes the same words in another order each time"
	case p.State == Reordered: // keeps the bytes that were shown
		return verdict.PinUnapproved, "the server writes the same words in another order each time, and the tool was not approved so"
	}
	return "", ""
}

func faceCode(c verdict.Code) bool { return c == verdict.PinUnstable || c == verdict.PinEquivocation }

// NotStarted is the refusal of a program. It says nothing about the server's tools, so it
// holds none back.
type NotStarted struct{ Why error }

func (n NotStarted) Error() string { return n.Why.Error() }

// Unwrap returns the refusal.
func (n NotStarted) Unwrap() error { return n.Why }

// Watched is a caller that checks a server's program before each call. If a tool's
// description differs right before a call, it stores that, and the tool is out of the
// next run's catalog.
type Watched struct {
	host.Caller
	Keeper *Keeper // nil stores nothing
	Places map[string]pin.Place
	// Program returns the refusal of a server's program. It is nil if the approved
	// program would be started, or runs, or if the start itself is checked.
	Program func(ctx context.Context, server string) error
}

// Call makes the call. A failure to store a change does not affect the outcome: the call
// was refused, and the next one is compared again.
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
	if no, _ := verdict.First(err); no != nil && !a.Redeemed() && w.changed(ctx, a, no, err) {
		advise(a.Server(), no, w.Keeper == nil)
		_ = w.Keeper.note(ctx, store.Seen{
			Place: w.Places[a.Server()], Tool: a.Tool(), Code: string(no.Code), Why: no.Reason, Raw: live.Raw, Instructions: live.Instructions,
		})
	}
	return raw, live, err
}

// changed reports whether a refusal says that a server that was started has changed.
func (w Watched) changed(ctx context.Context, a gate.Approved, no *verdict.Denial, err error) bool {
	if !changes(no.Code) || w.late(ctx, a, no) {
		return false
	}
	return !errors.As(err, &NotStarted{})
}

// late reports whether the server lists the tool only after a call. Then its absence in
// this session withdraws nothing.
func (w Watched) late(ctx context.Context, a gate.Approved, no *verdict.Denial) bool {
	if no.Code != verdict.PinAbsent || w.Keeper == nil {
		return false
	}
	pins, err := w.Keeper.Pins(ctx, w.Places[a.Server()])
	return err == nil && pins.Tools[a.Tool()].AfterCall
}

// Bind makes the caller find the files that a call names, before the call is approved.
func (w Watched) Bind(server string, args jsontext.Value) (files []trace.FileBody, release func(), err error) {
	if b, binds := w.Caller.(host.Binder); binds {
		return b.Bind(server, args)
	}
	return nil, func() {}, nil
}

// wrote says what a reading tool tried to write in its call, or "". If one process serves
// several calls at a time, the attempt counts for each of them. Files that Python
// compiles do not count.
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

// note adds one finding at a place.
func (k *Keeper) note(ctx context.Context, found store.Seen) error {
	if k == nil || found.Place == (pin.Place{}) {
		return nil
	}
	return k.store.ChangeSeen(ctx, found.Place, func(was []store.Seen) []store.Seen { return append(without(was, found), found) })
}
