package main

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/host"
)

// reviewFirst looks at the servers whose tools wait for approval. At a terminal
// a person is asked, and it reports whether the question is to be put again;
// elsewhere it says the line that approves what the server says now.
func (a *app) reviewFirst(ctx context.Context, h *setup.Ready, l *limit) (again bool, err error) {
	s, inv, err := a.trusted()
	if err != nil {
		return false, nil // nothing is kept of the demo's, or of a file of pins
	}
	l.pause()
	defer l.resume()
	before := unapprovedTools(ctx, h)
	for _, r := range a.look(ctx, s, inv, serversOf(before), false) {
		switch {
		case r.err != nil:
			a.Failure("server "+r.Name, host.FailureOf(r.err))
		case a.keyboard() == nil || a.JSON:
			for _, line := range r.approvals() {
				a.Say("next: %s", line)
			}
		default:
			if _, err := a.reviewOne(ctx, r); err != nil {
				return false, err
			}
		}
	}
	return a.keyboard() != nil && !a.JSON && len(unapprovedTools(ctx, h)) < len(before), nil
}

// unapprovedTools are those that an approval would let in.
func unapprovedTools(ctx context.Context, h *setup.Ready) []catalog.Exclusion {
	return slices.DeleteFunc(h.Catalog(ctx).Excluded(), func(e catalog.Exclusion) bool { return !e.Waits() })
}

// serversOf are the servers of tools that are sorted by them.
func serversOf(tools []catalog.Exclusion) (names []string) {
	for _, e := range tools {
		names = append(names, e.Server)
	}
	return slices.Compact(names)
}

// given are the flags of the settings that this command was given, for another
// command to be given as well.
func (a *app) given() (flags string) {
	for _, name := range slices.Sorted(maps.Keys(a.Flags.Given)) {
		if name == "servers" || name == "allowlist" {
			flags += " --" + name + " " + shellWord(a.Flags.Given[name])
		}
	}
	return flags
}

// shellWord is a text as a shell reads it for one word.
func shellWord(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
