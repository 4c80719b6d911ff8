// Package trust turns what people approved of servers into what runs plan from.
//
// A person reviews what a server says of itself and its tools, once; [Keeper]
// shows it, and keeps the decision. [Source] then gives a host the descriptors
// that were approved, byte for byte, and starts nothing. What the server says
// later is only compared: right before the call by gate, and by [Source] where
// a run asks for it.
//
// It vouches that no tool is in a listing that nobody approved at this place,
// and that what was approved is what was reviewed. It does not vouch for what a
// server does behind an unchanged description, nor against whoever can write
// the user's files.
//
// config/setup wires it; the commands of `ask servers` call the keeper.
package trust

import (
	"context"
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

	info string         // digest of what the server called itself
	past map[string]Pin // of tools that are not approved any more: as they were last
}

// Pin is one approved tool.
type Pin struct {
	Raw          jsontext.Value // the reviewed descriptor
	Instructions string         // that it was reviewed with
	Effect       string         // what whoever approved it said that it does: read, write or nothing
	By, How      string
	At           time.Time

	reviewed string // digest of all that was reviewed
}

// facing reports whether it was approved next to this second face.
func (p Pin) facing(other string) bool {
	digest, err := reviewed(p.descriptor(""), other)
	return err == nil && digest == p.reviewed
}

// descriptor is the pinned descriptor under the name that a file gives the server.
func (p Pin) descriptor(server string) pin.Descriptor {
	return pin.Descriptor{Server: server, Raw: p.Raw, Instructions: p.Instructions}
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
			p.Tools[d.Tool] = Pin{Raw: d.Raw, Instructions: d.Instructions, Effect: d.Effect, By: d.By, How: d.How, At: d.At, reviewed: d.Reviewed}
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
			p.Held[name] = verdict.Deny(verdict.PinChanged, "%s was approved with other instructions of its server", name)
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
