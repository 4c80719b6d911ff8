package servers

import (
	"context"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/gate/verdict"
)

// NotReviewed are the configured servers without an allowlisted tool and without any
// decision, each server once. It starts nothing, and returns nothing if decisions cannot be
// stored.
func (s Servers) NotReviewed(ctx context.Context) (names []string, err error) {
	if s.Keeper == nil {
		return nil, nil
	}
	for _, name := range s.Distinct(s.Names()) {
		place, _ := s.Place(name)
		pins, err := s.Keeper.Pins(ctx, place)
		if err != nil {
			return nil, err
		}
		if len(s.Target(name, false).Allowed)+len(pins.Tools)+len(pins.Held) == 0 {
			names = append(names, name)
		}
	}
	return names, nil
}

// ToReview is the command that reviews servers.
func ToReview(names []string) string { return "ask servers review " + strings.Join(names, " ") }

// Refusal is why the allowlist allows nothing, or nil if it allows something. Its next step
// is to review the servers that were not reviewed yet.
func (s Servers) Refusal(ctx context.Context) error {
	refused := s.Allowlist.Refusal()
	no, _ := verdict.First(refused)
	if no == nil || !slices.Contains([]verdict.Code{verdict.AllowMissing, verdict.AllowEmpty}, no.Code) {
		return refused
	}
	names, err := s.NotReviewed(ctx)
	if err != nil || len(names) == 0 {
		return refused
	}
	said := *no
	said.Reason += "; not reviewed yet: " + strings.Join(names, ", ")
	said.Hint = "`" + ToReview(names) + "` shows their tools, and allows those that you choose"
	return &said
}

// examineReviews names the servers that were not reviewed yet. An unused entry is
// not a fault.
func (s Servers) examineReviews(ctx context.Context) []desk.Check {
	names, err := s.NotReviewed(ctx)
	if err == nil && len(names) == 0 {
		return nil
	}
	return []desk.Check{desk.NewCheck("reviews", "not reviewed yet: "+strings.Join(names, ", ")+"; next: `"+ToReview(names)+"`", err)}
}

// Distinct leaves out names of a server that the list already has under another name.
func (s Servers) Distinct(names []string) (all []string) {
	for _, name := range names {
		if !slices.ContainsFunc(s.Also(name), func(other string) bool { return slices.Contains(all, other) }) {
			all = append(all, name)
		}
	}
	return all
}
