// Package trust turns what people approved of servers into what runs plan from.
//
// A person reviews what a server says of itself and its tools, once; [Keeper]
// shows it, and keeps the decision. [Source] then gives a host the descriptors
// that were approved, byte for byte, and starts nothing. What the server says
// later is only compared: right before the call by gate, and by [Source] where
// a run asks for it.
//
// It vouches that no tool is in a listing without an approval at this place,
// and that what was approved is what was reviewed. It does not vouch for what a
// server does behind an unchanged description, nor against a program that can write
// the user's files.
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

// Book says what is approved of a place.
type Book interface {
	// Pins is what holds there now. A place that it does not know has none.
	Pins(ctx context.Context, at pin.Place) (Pins, error)
}

// Pins is what is approved of one server. Its zero value approves nothing.
type Pins struct {
	Instructions string // as approved last
	Artifact     jsontext.Value
	Tools        map[string]Pin
	Held         map[string]*verdict.Denial // tools that were approved once and are not now
	Last         int64                      // the decision that was the last one
	Wrote        []string                   // approved tools that count as writing, since they tried to
	Later        map[string]pin.Descriptor  // tools that the server lists only after a call, approved or not
	Listed       []string                   // names of all tools that it has listed; a stranger's text

	info string         // digest of what the server called itself
	past map[string]Pin // of tools that are not approved any more: as they were last
}

// Pin is one approved tool.
type Pin struct {
	Raw          jsontext.Value // the reviewed descriptor
	Instructions string         // that it was reviewed with
	Effect       string         // what its approver said that it does: read, write or nothing
	By, How      string
	At           time.Time
	OrderAt      []string // places at which names of lists may come in any order
	AfterCall    bool     // the server lists it only after a call: a listing without it withdraws nothing

	reviewed string // digest of all that was reviewed
}

// facing reports whether it was approved next to this second face.
func (p Pin) facing(other string) bool {
	digest, err := reviewed(p.descriptor(""), other)
	return err == nil && digest == p.reviewed
}

// passes reports whether a descriptor means what was approved, in any order of
// the same words where that was accepted.
func (p Pin) passes(now pin.Descriptor, server string) bool {
	was := p.descriptor(server)
	return same(was, now) || len(p.OrderAt) > 0 && (pin.Accept{}).Same(was, now) == nil
}

// descriptor is the pinned descriptor under the name that a file gives the server.
func (p Pin) descriptor(server string) pin.Descriptor {
	return pin.Descriptor{Server: server, Raw: p.Raw, Instructions: p.Instructions, OrderAt: p.OrderAt}
}

// clone is a copy whose tools and refusals are the caller's own.
func (p Pins) clone() Pins {
	p.Tools, p.Held, p.Later = maps.Clone(p.Tools), maps.Clone(p.Held), maps.Clone(p.Later)
	for tool, no := range p.Held {
		p.Held[tool] = new(*no)
	}
	return p
}

// program is how what is started now differs from what was approved, the worst
// first; nothing where nothing was.
func (p Pins) program(now jsontext.Value) []pin.Difference {
	if len(p.Artifact) == 0 {
		return nil
	}
	return artifact.Compare(p.Artifact, now)
}

// fold is what holds after decisions in their order. Of each tool the last one
// counts. The decision without a tool is about the server: what instructions
// and what program were reviewed.
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

// settle holds back the tools that were reviewed with other instructions than
// the ones that were approved last: those are about every tool.
func (p *Pins) settle() {
	for name, t := range p.Tools {
		if t.Instructions != p.Instructions {
			p.drop(name)
			p.Held[name] = verdict.Deny(verdict.PinChanged, "%s was approved with other instructions from its server", name)
		}
	}
}

// drop takes a tool's approval back, and remembers what it was of: a later
// review shows what changed since.
func (p *Pins) drop(tool string) {
	if t, was := p.Tools[tool]; was {
		p.past[tool] = t
	}
	delete(p.Tools, tool)
}

// Look reviews a server for a person who asked for that: it is started, whatever
// it starts by now. What comes of it is kept: how the server fared, and which
// tools are unstable, have two faces, or are as approved again.
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

// Preview reviews a server for a question. It starts no other program than was
// approved, and keeps nothing.
func (k *Keeper) Preview(ctx context.Context, s Target) (Review, error) {
	pins, err := k.approved(ctx, s.Place)
	if err != nil {
		return Review{}, err
	}
	if artifact.Another(pins.Artifact, s.Artifact) {
		no := verdict.Deny(verdict.PinChanged, "it would start another program than was approved, so no question asks it")
		no.Hint = "`ask servers review " + s.Name + "` starts it, and shows its description"
		return Review{}, no
	}
	return k.review(ctx, s)
}

// RecordHealth keeps how a server answered: what came of that, nil where
// it answered. What is wrong with the state is not the server's.
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

// Health is how a server fared when it was asked, the oldest first. It is for
// people, and decides nothing.
func (k *Keeper) Health(ctx context.Context, at pin.Place) ([]store.Health, error) {
	return k.store.HealthOf(ctx, at)
}
