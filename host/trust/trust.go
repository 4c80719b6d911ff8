// Package trust turns users' approvals of servers into the tools that runs plan with.
//
// A user reviews a server's description of itself and its tools, once. [Keeper] shows it,
// and stores the decision. [Source] then gives a host the approved descriptors, byte for
// byte, and starts nothing. Later descriptions are only compared: by gate right before
// the call, and by [Source] on a run's request.
//
// It vouches that no tool is in a listing without an approval at this place, and that an
// approval is for exactly the reviewed description. It does not vouch for a server's
// actions behind an unchanged description, nor against a program that can write the
// user's files.
//
// config/setup wires it; the commands of `ask servers` call the keeper.
package trust

import (
	"context"
	"maps"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/store"
)

// Book contains the approvals of places.
type Book interface {
	// Pins returns the valid approvals of a place. An unknown place has none.
	Pins(ctx context.Context, at pin.Place) (Pins, error)
}

// Pins are the approvals of one server. The zero value approves nothing.
type Pins struct {
	Instructions string // as last approved
	Artifact     jsontext.Value
	Tools        map[string]Pin
	Held         map[string]*verdict.Denial // tools without approval now that had one
	Last         int64                      // number of the last decision
	Wrote        []string                   // approved tools that count as writing because they tried to
	Later        map[string]pin.Descriptor  // tools listed only after a call, approved or not
	Listed       []string                   // names of all tools that it has listed; untrusted text

	info string         // digest of the name that the server gave itself
	past map[string]Pin // last approved state of tools without approval now
}

// Pin is one approved tool.
type Pin struct {
	Raw          jsontext.Value // the reviewed descriptor
	Instructions string         // the instructions at the review
	Effect       string         // its effect according to its approver: read, write or nothing
	By, How      string
	At           time.Time
	OrderAt      []string // places at which names of lists may come in any order
	AfterCall    bool     // the server lists it only after a call: a listing without it withdraws nothing

	reviewed string // digest of the whole reviewed description
}

// facing reports whether the tool was approved together with this second face.
func (p Pin) facing(other string) bool {
	digest, err := reviewed(p.descriptor(""), other)
	return err == nil && digest == p.reviewed
}

// passes reports whether a descriptor means the same as the approved one. If any order
// was accepted, the words may come in any order.
func (p Pin) passes(now pin.Descriptor, server string) bool {
	was := p.descriptor(server)
	return same(was, now) || len(p.OrderAt) > 0 && (pin.Accept{}).Same(was, now) == nil
}

// descriptor is the pinned descriptor under the name that a file gives the server.
func (p Pin) descriptor(server string) pin.Descriptor {
	return pin.Descriptor{Server: server, Raw: p.Raw, Instructions: p.Instructions, OrderAt: p.OrderAt}
}

// clone returns a copy with separate tools and refusals.
func (p Pins) clone() Pins {
	p.Tools, p.Held, p.Later = maps.Clone(p.Tools), maps.Clone(p.Held), maps.Clone(p.Later)
	for tool, no := range p.Held {
		p.Held[tool] = new(*no)
	}
	return p
}

// program returns the differences from the approved program, worst first. It returns none
// if no program was approved.
func (p Pins) program(now jsontext.Value) []pin.Difference {
	if len(p.Artifact) == 0 {
		return nil
	}
	return artifact.Compare(p.Artifact, now)
}

// fold returns the pins that follow from decisions in their order. For each tool the last
// decision counts. The decision without a tool is about the server: its reviewed
// instructions and program.
func fold(decisions []store.Decision) Pins {
	p := Pins{Tools: map[string]Pin{}, Held: map[string]*verdict.Denial{}, past: map[string]Pin{}}
	for _, d := range decisions {
		p.Last = d.Seq
		if d.Tool == "" {
			p.server(d)
			continue
		}
		p.drop(d.Tool)
		delete(p.Held, d.Tool)
		switch d.State {
		case store.Approved:
			text, late := strings.CutPrefix(d.Reviewed, onlyAfterCall)
			digest, places := readOrder(text)
			p.Tools[d.Tool] = Pin{
				Raw: d.Raw, Instructions: d.Instructions, Effect: d.Effect, By: d.By, How: d.How, At: d.At,
				OrderAt: places, AfterCall: late, reviewed: digest,
			}
		case store.Rejected:
			p.Held[d.Tool] = verdict.Deny(verdict.PinRejected, "%s was rejected by %s on %s", d.Tool, d.By, d.At.UTC().Format(time.DateOnly))
		}
	}
	p.settle()
	return p
}

func (p *Pins) server(d store.Decision) {
	if d.State != store.Approved {
		for tool := range p.Tools {
			p.drop(tool)
		}
		clear(p.Held)
		return
	}
	p.Instructions, p.Artifact, p.info = d.Instructions, d.Raw, d.Reviewed
}

// settle holds back the tools that were reviewed with other instructions than the last
// approved ones: instructions apply to every tool.
func (p *Pins) settle() {
	for name, t := range p.Tools {
		if t.Instructions != p.Instructions {
			p.drop(name)
			p.Held[name] = verdict.Deny(verdict.PinChanged, "%s was approved with other instructions from its server", name)
		}
	}
}

// drop withdraws a tool's approval, and remembers its descriptor: a later review shows
// the changes since.
func (p *Pins) drop(tool string) {
	if t, was := p.Tools[tool]; was {
		p.past[tool] = t
	}
	delete(p.Tools, tool)
}

// Look reviews a server at the user's request. It starts whatever program the server has
// now. It stores how the server answered, and which tools are unstable, have two faces,
// or are as approved again.
func (k *Keeper) Look(ctx context.Context, s Target) (Review, error) {
	r, err := k.review(ctx, s)
	if kept := k.RecordHealth(ctx, s.Place, err); err == nil {
		err = kept
	}
	if err != nil {
		return Review{}, err
	}
	return r, k.noteFaces(ctx, r)
}

// Preview reviews a server for a question. It starts only the approved program, and
// stores nothing.
func (k *Keeper) Preview(ctx context.Context, s Target) (Review, error) {
	pins, err := k.approved(ctx, s.Place)
	if err != nil {
		return Review{}, err
	}
	if artifact.Another(pins.Artifact, s.Artifact) {
		return Review{}, verdict.Deny(verdict.PinChanged, "it would start another program than was approved, so no question asks it").
			WithHint("`ask servers review " + s.Name + "` starts it, and shows its description")
	}
	return k.review(ctx, s)
}

// RecordHealth stores how a server answered: the error, or nil if it answered. Errors of
// the state are not the server's, and are not stored.
func (k *Keeper) RecordHealth(ctx context.Context, at pin.Place, err error) error {
	code := ""
	if err != nil {
		code = string(verdict.CodeOf(err))
	}
	if k == nil || strings.HasPrefix(code, "state.") {
		return nil
	}
	return k.store.NoteHealth(ctx, at, code)
}

// Health returns how a server answered, oldest first. It is for display, and decides
// nothing.
func (k *Keeper) Health(ctx context.Context, at pin.Place) ([]store.Health, error) {
	return k.store.HealthOf(ctx, at)
}
