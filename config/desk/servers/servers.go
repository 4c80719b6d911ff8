// Package servers is the work of a person on the configured servers. The person lists, adds,
// removes, tests, fetches and confines them, logs in to them, and sees the approvals of each.
//
// It vouches that the servers file changes as a whole or not at all. It starts or dials a
// server only in a function with a name that says so.
//
// cmd/ask calls it, and parses and prints around it.
package servers

import (
	"context"
	"maps"
	"slices"

	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/host/trust"
)

// Servers are the configured servers. None is started or dialled.
type Servers struct {
	setup.Inventory
	Desk desk.Desk
}

// Open reads the configuration. The caller closes its State, also after an error.
func (d Desk) Open() (Servers, error) {
	inv, err := setup.Open(d.Settings, d.With)
	return Servers{inv, d.Desk}, err
}

// Unlocked refuses a file of pins in a command that stores a person's decisions.
func (d Desk) Unlocked() error {
	if d.With.Pins == nil {
		return nil
	}
	return verdict.Fail(verdict.UsageFlag, nil, "decisions go to the state, not to a file of pins: remove --locked")
}

// Reviewable refuses servers without stored decisions, and an allowlist that allows nothing
// because of a mistake.
func (s Servers) Reviewable() error {
	if s.Keeper == nil {
		return verdict.Fail(verdict.UsageFlag, nil, "the approvals of the demo's servers are part of this binary")
	}
	if wrong := s.Allowlist.Refusal(); verdict.CodeOf(wrong) == verdict.AllowInvalid {
		return wrong
	}
	return nil
}

// Configured refuses a name that no server has.
func (s Servers) Configured(names ...string) error {
	for _, name := range names {
		if !slices.Contains(s.Names(), name) {
			return verdict.Fail(verdict.UsageArgument, nil, "there is no server %s%s", escape.Line(name, 64), verdict.Near(name, s.Names()))
		}
	}
	return nil
}

// Choose returns the named servers, or all servers that the allowlist names.
func (s Servers) Choose(ctx context.Context, names []string) ([]string, error) {
	if len(names) == 0 {
		names = s.Allowlist.Servers()
		if len(names) == 0 {
			return nil, s.Refusal(ctx)
		}
	}
	return names, s.Configured(names...)
}

// Trust is the stored data about one server.
type Trust struct {
	Approved []string           `json:"approved"`             // tools
	Held     []store.Seen       `json:"held"`                 // approved earlier, and not now
	After    []string           `json:"after_call,omitempty"` // approved tools that the server lists only after a call
	AnyOrder []string           `json:"any_order,omitempty"`  // approved tools; names in their texts may change order
	Starts   *artifact.Artifact `json:"starts,omitempty"`     // for a server that is a package
	Health   []store.Health     `json:"health"`               // the oldest first
}

// Waiting are the allowed tools that a review would ask about.
func (t *Trust) Waiting(allowed []string) (tools []string) {
	if t == nil {
		return nil
	}
	held := map[string]verdict.Code{}
	for _, h := range t.Held {
		held[h.Tool] = verdict.Code(h.Code)
	}
	for _, tool := range allowed {
		if code, is := held[tool]; !slices.Contains(t.Approved, tool) && (!is || code.WaitsForReview()) {
			tools = append(tools, tool)
		}
	}
	return tools
}

// Trust reads the stored data about a server; it starts and makes nothing.
func (s Servers) Trust(ctx context.Context, name string) (*Trust, error) {
	place, _ := s.Place(name)
	pins, err := s.Pins.Pins(ctx, place)
	if err != nil {
		return nil, err
	}
	t := &Trust{Approved: slices.Sorted(maps.Keys(pins.Tools))}
	for _, tool := range t.Approved {
		if pins.Tools[tool].AfterCall {
			t.After = append(t.After, tool)
		}
		if len(pins.Tools[tool].OrderAt) > 0 {
			t.AnyOrder = append(t.AnyOrder, tool)
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(pins.Held)) {
		t.Held = append(t.Held, store.Seen{Tool: tool, Code: string(pins.Held[tool].Code), Why: pins.Held[tool].Reason})
	}
	if c := s.Command(name); c.Package.Registry != "" { // only a review digests a program: reading it is costly
		t.Starts = new(s.Cache.Of(c))
	}
	if s.Keeper != nil {
		t.Health, err = s.Keeper.Health(ctx, place)
	}
	return t, err
}

// Unapproved are the tools of the named servers, or of all, that an approval would admit.
func Unapproved(ctx context.Context, h *setup.Ready, servers ...string) []catalog.Exclusion {
	return slices.DeleteFunc(h.Catalog(ctx, "", servers...).Excluded(), func(e catalog.Exclusion) bool { return !e.Waits() })
}

// Waiting are the servers with a tool that waits for approval. first is the concerned server,
// or else the first one; "" if no server waits. Servers that were seen, and other names of
// the first, are left out.
func (s Servers) Waiting(ctx context.Context, h *setup.Ready, concerned string, seen map[string]bool) (first string, others []string) {
	of := slices.DeleteFunc([]string{concerned}, func(name string) bool { return name == "" })
	var names []string
	for _, e := range Unapproved(ctx, h, of...) {
		if !seen[e.Server] {
			names = append(names, e.Server)
		}
	}
	names = slices.Compact(names)
	if len(names) == 0 {
		return "", nil
	}
	also := s.Also(names[0])
	return names[0], slices.DeleteFunc(names[1:], func(name string) bool { return slices.Contains(also, name) })
}

// KnownTools are the tools of a server that the allowlist names, or that are or were
// approved.
func (s Servers) KnownTools(ctx context.Context, name string) []string {
	tools := slices.Clone(s.Allowlist.Tools(name))
	place, _ := s.Place(name)
	if pins, err := s.Pins.Pins(ctx, place); err == nil {
		tools = slices.AppendSeq(slices.AppendSeq(tools, maps.Keys(pins.Tools)), maps.Keys(pins.Held))
	}
	slices.Sort(tools)
	return slices.Compact(tools)
}

// Export is the approvals of the named servers, or of all, as a file to which others lock. It
// reports whether the file has any.
func (s Servers) Export(ctx context.Context, names []string) (file []byte, some bool, err error) {
	if err := s.Configured(names...); err != nil {
		return nil, false, err
	}
	var all []trust.Exported
	there := map[pin.Place]bool{} // a server may have several names
	for _, name := range names {
		place, _ := s.Place(name)
		pins, err := s.Pins.Pins(ctx, place)
		if err != nil {
			return nil, false, err
		}
		at, text := s.Shared(name)
		if len(pins.Tools) > 0 && !there[at] {
			there[at] = true
			all = append(all, trust.Exported{Name: name, Entry: text, Credential: place.Credential, Pins: pins})
		}
	}
	file, err = trust.Export(all)
	return file, len(all) > 0, err
}

// Desk manages the servers of an installation.
type Desk struct{ desk.Desk }

// At is the desk of an installation.
func At(d desk.Desk) Desk { return Desk{d} }
