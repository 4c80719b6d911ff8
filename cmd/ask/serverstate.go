package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
)

// trustState is what is kept of one server.
type trustState struct {
	Approved []string           `json:"approved"`         // tools
	Held     []changedTool      `json:"held"`             // approved once, and not now
	Starts   *artifact.Artifact `json:"starts,omitempty"` // of a server that is a package
	Health   []healthRow        `json:"health"`           // the oldest first
}

// healthRow is how a server fared from a time on.
type healthRow struct {
	Code  verdict.Code `json:"code"` // "" where it answered
	Since time.Time    `json:"since"`
}

// trustOf reads what is kept of a server; nothing is started or made.
func trustOf(ctx context.Context, inv setup.Inventory, name string) (*trustState, error) {
	place, _ := inv.Place(name)
	pins, err := inv.Pins.Pins(ctx, place)
	if err != nil {
		return nil, err
	}
	t := &trustState{Approved: append([]string{}, slices.Sorted(maps.Keys(pins.Tools))...), Held: []changedTool{}, Health: []healthRow{}}
	for _, tool := range slices.Sorted(maps.Keys(pins.Held)) {
		t.Held = append(t.Held, changedTool{tool, pins.Held[tool].Code, pins.Held[tool].Reason})
	}
	if c := inv.Command(name); c.Package.Registry != "" { // a program's own digest is for a review: it costs reading it
		starts := inv.Cache.Of(c)
		t.Starts = &starts
	}
	if inv.Keeper == nil {
		return t, nil
	}
	health, err := inv.Keeper.Health(ctx, place)
	for _, h := range health {
		t.Health = append(t.Health, healthRow{verdict.Code(h.Code), h.At})
	}
	return t, err
}

// withTrust adds to rows what is kept of each server. Where that cannot be read
// it is said, once.
func (a *app) withTrust(ctx context.Context, inv setup.Inventory, rows []serverRow) []serverRow {
	for i := range rows {
		t, err := trustOf(ctx, inv, rows[i].Name)
		if err != nil {
			a.Say("what is approved cannot be read: %v", err)
			return rows
		}
		rows[i].Trust = t
	}
	return rows
}

// String is the state in a few words, for a line.
func (t *trustState) String() string {
	said := []string{fmt.Sprintf("%d approved", len(t.Approved))}
	if n := len(t.Held); n > 0 {
		said = append(said, fmt.Sprintf("%d held back", n))
	}
	if n := len(t.Health); n > 0 && t.Health[n-1].Code != "" {
		said = append(said, healthText(t.Health[n-1]))
	}
	if t.Starts != nil && t.Starts.Floating != "" {
		said = append(said, "floating")
	}
	return strings.Join(said, ", ")
}

func healthText(h healthRow) string {
	what := string(h.Code)
	switch h.Code {
	case "":
		what = "answers"
	case verdict.ServerAuth:
		what = "needs login"
	}
	return what + " since " + h.Since.Format(time.DateOnly)
}

// state prints what is kept of a server, a line for each thing.
func (p labelled) state(t *trustState) {
	for _, tool := range t.Approved {
		p.line("approved", tool)
	}
	for _, h := range t.Held {
		p.line("held back", h.Tool+": "+string(h.Code)+": "+h.Why)
	}
	if t.Starts != nil {
		p.line("starts", t.Starts.String())
	}
	for _, h := range t.Health {
		p.line("health", healthText(h))
	}
}
