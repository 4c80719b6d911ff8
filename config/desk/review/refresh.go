package review

import (
	"context"

	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
)

// Refreshed is what became of one server since it was approved.
type Refreshed struct {
	Server  string           `json:"server"`
	Program []pin.Difference `json:"program"` // how what is started differs from what was approved
	Changed []store.Seen     `json:"changed"`
	Error   *host.Failure    `json:"error,omitempty"`
	Open    bool             `json:"-"` // there is something to decide
}

// Refresh asks servers whether they still say what was approved, some of them at
// the same time, and holds back what changed.
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
