package review

import (
	"context"

	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
)

// Refreshed is how one server differs from its approval.
type Refreshed struct {
	Server  string           `json:"server"`
	Program []pin.Difference `json:"program"` // how the program that starts differs from the approved one
	Changed []store.Seen     `json:"changed"`
	Error   *host.Failure    `json:"error,omitempty"`
	Open    bool             `json:"-"` // a decision is needed
}

// Refresh asks servers for their current definitions, several at a time, and holds changed
// tools for review.
func Refresh(ctx context.Context, s servers.Servers, names []string) ([]Refreshed, error) {
	policy, err := s.Policy(s.Desk.Settings)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Desk.Settings.Timeout.V)
	defer cancel()
	all := make([]Refreshed, len(names))
	eachOf(len(names), func(i int) {
		now, err := s.Keeper.Refresh(ctx, s.Target(names[i], false), policy.Accept)
		all[i] = Refreshed{Server: names[i], Program: now.Program, Changed: now.Held, Error: host.FailureOf(err), Open: now.Open()}
	})
	return all, nil
}
