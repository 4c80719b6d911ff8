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

// reviewFirst looks at the server that a question waits for: the one that is
// concerned, or else the first with a tool that waits. At a terminal a person is
// asked, and it reports whether the question is to be put again; elsewhere it
// says the line that approves what the server says now. The others are named.
func (a *app) reviewFirst(ctx context.Context, h *setup.Ready, concerned string, l *limit, seen map[string]bool) (again bool, err error) {
	s, inv, err := a.trusted()
	if err != nil {
		return false, nil // nothing is kept of the demo's, or of a file of pins
	}
	l.pause()
	defer l.resume()
	servers := slices.DeleteFunc(waitingServers(ctx, h, concerned), func(name string) bool { return seen[name] })
	if len(servers) == 0 {
		return false, nil
	}
	first := servers[0]
	also := inv.Also(first)
	others := slices.DeleteFunc(servers[1:], func(name string) bool { return slices.Contains(also, name) })
	seen[first] = true
	if len(others) > 0 {
		a.Say("waiting as well: %s. `ask servers review --all` shows all.", strings.Join(others, ", "))
	}
	r := a.look(ctx, s, inv, []string{first}, false, inv.Keeper.Glance)[0]
	switch {
	case r.err != nil:
		a.Failure("server "+first, host.FailureOf(r.err))
	case a.keyboard() == nil || a.JSON:
		for _, line := range r.approvals() {
			a.Say("next: %s", line)
		}
	default:
		before := len(unapproved(ctx, h, first))
		if _, err := a.reviewOne(ctx, r); err != nil {
			return false, err
		}
		return len(unapproved(ctx, h, first)) < before, nil
	}
	return false, nil
}

// waitingServers are the servers, or the one that is concerned, of which a tool waits
// for approval.
func waitingServers(ctx context.Context, h *setup.Ready, concerned string) (names []string) {
	of := []string{}
	if concerned != "" {
		of = append(of, concerned)
	}
	for _, e := range unapproved(ctx, h, of...) {
		names = append(names, e.Server)
	}
	return slices.Compact(names)
}

// unapproved are the tools of servers, or of all, that an approval would let in.
func unapproved(ctx context.Context, h *setup.Ready, servers ...string) []catalog.Exclusion {
	return slices.DeleteFunc(h.Catalog(ctx, servers...).Excluded(), func(e catalog.Exclusion) bool { return !e.Waits() })
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
