package trust

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// File is a book that a team shares: the approvals, their authors and times. Its zero
// value approves nothing.
type File struct{ pins map[pin.Place]Pins }

// fileVersion is the version of the format.
const fileVersion = 1

// written is a file of pins.
type written struct {
	SchemaVersion int             `json:"schema_version"`
	Servers       []writtenServer `json:"servers"`
}

type writtenServer struct {
	Name         string         `json:"name"` // its name at the export, which has no meaning
	Entry        jsontext.Value `json:"entry"`
	Credential   string         `json:"credential,omitempty"`
	Instructions string         `json:"instructions,omitempty"`
	Artifact     jsontext.Value `json:"artifact,omitempty"`
	Tools        []writtenTool  `json:"tools"`
}

type writtenTool struct {
	Name       string         `json:"name"`
	Digest     string         `json:"digest"` // of the descriptor and the instructions
	Descriptor jsontext.Value `json:"descriptor"`
	Effect     string         `json:"effect,omitempty"`    // stated with the approval; the allowlist decides
	Accept     []string       `json:"accept,omitempty"`    // ["order"]: the same words in another order pass
	OrderAt    []string       `json:"order_at,omitempty"`  // at these places
	AfterCall  bool           `json:"after_call,omitzero"` // the server lists it only after a call
	By         string         `json:"by"`
	How        string         `json:"how"`
	At         time.Time      `json:"at"`
}

// fileLimits bound a file of pins of some thousand tools.
var fileLimits = schema.Limits{Bytes: 64 << 20, Depth: 80, Values: 2_000_000, Exponent: 308, Digits: 64}

// ParseFile reads a file of pins. With one mistake in it, it approves nothing: the
// descriptors must match the digests next to them.
func ParseFile(b []byte) (File, error) {
	var w written
	if err := schema.Decode(b, &w, fileLimits); err != nil {
		return File{}, verdict.Fail(verdict.ConfigInvalid, err, "the file of pins has %v", err)
	}
	if w.SchemaVersion != fileVersion {
		return File{}, verdict.Fail(verdict.ConfigInvalid, nil, "the file of pins has version %d, and this program reads version %d", w.SchemaVersion, fileVersion)
	}
	f := File{map[pin.Place]Pins{}}
	for _, s := range w.Servers {
		at, pins, err := s.read()
		if _, twice := f.pins[at]; err == nil && twice {
			err = verdict.Fail(verdict.ConfigInvalid, nil, "it is listed twice")
		}
		if err != nil {
			return File{}, verdict.Fail(verdict.ConfigInvalid, err, "the file of pins, server %.64q: %v", s.Name, err)
		}
		f.pins[at] = pins
	}
	return f, nil
}

func (s writtenServer) read() (pin.Place, Pins, error) {
	entry, err := schema.Canonical(s.Entry)
	if err != nil {
		return pin.Place{}, Pins{}, err
	}
	pins := Pins{Instructions: s.Instructions, Artifact: s.Artifact, Tools: map[string]Pin{}}
	for _, t := range s.Tools {
		raw, err := schema.Canonical(t.Descriptor) // the file's own layout is not part of it
		if err != nil {
			return pin.Place{}, Pins{}, err
		}
		d := pin.Descriptor{Raw: raw, Instructions: s.Instructions}
		f, err := d.Fields()
		digest, unreadable := Reviewed(d)
		_, twice := pins.Tools[t.Name]
		other := f.Name != t.Name || digest != t.Digest || twice
		if err != nil || unreadable != nil || other {
			return pin.Place{}, Pins{}, verdict.Fail(verdict.ConfigInvalid, err, "the descriptor of tool %.64q is not the one of its digest", t.Name)
		}
		places, err := t.orderAt()
		if err != nil {
			return pin.Place{}, Pins{}, err
		}
		pins.Tools[t.Name] = Pin{Raw: raw, Instructions: s.Instructions, Effect: t.Effect, By: t.By, How: t.How, At: t.At, OrderAt: places, AfterCall: t.AfterCall}
	}
	return pin.PlaceOf(entry, s.Credential), pins, nil
}

// orderAt are the places at which any order is accepted of one tool.
func (t writtenTool) orderAt() ([]string, error) {
	for _, word := range t.Accept {
		if word != pin.Order {
			return nil, verdict.Fail(verdict.ConfigInvalid, nil, "tool %.64q accepts %q, and only %q can be accepted of a tool", t.Name, escape.Line(word, 60), pin.Order)
		}
	}
	if len(t.Accept) == 0 {
		return nil, nil
	}
	return t.OrderAt, nil
}

func acceptOf(t Pin) []string {
	if len(t.OrderAt) > 0 {
		return []string{pin.Order}
	}
	return nil
}

// Pins returns what the file approves at a place.
func (f File) Pins(_ context.Context, at pin.Place) (Pins, error) {
	if at == (pin.Place{}) {
		return Pins{}, nil
	}
	return f.pins[at], nil
}

// Exported is one server of an export.
type Exported struct {
	Name       string
	Entry      jsontext.Value
	Credential string
	Pins       Pins
}

// Export writes a file of pins.
func Export(servers []Exported) ([]byte, error) {
	w := written{SchemaVersion: fileVersion, Servers: []writtenServer{}}
	for _, s := range servers {
		out := writtenServer{
			Name: s.Name, Entry: s.Entry, Credential: s.Credential,
			Instructions: s.Pins.Instructions, Artifact: s.Pins.Artifact, Tools: []writtenTool{},
		}
		for _, name := range slices.Sorted(maps.Keys(s.Pins.Tools)) {
			t := s.Pins.Tools[name]
			digest, err := Reviewed(t.descriptor(""))
			if err != nil {
				return nil, err
			}
			out.Tools = append(out.Tools, writtenTool{name, digest, t.Raw, t.Effect, acceptOf(t), t.OrderAt, t.AfterCall, t.By, t.How, t.At.UTC()})
		}
		w.Servers = append(w.Servers, out)
	}
	return json.Marshal(w, jsontext.WithIndent("  "))
}
