// Package planner turns a question and a catalog into one proposed step.
//
// It vouches for nothing: whether a model or code plans, its bytes go to gate/plan, and the
// proposed call goes to the gates. It promises only that a stranger's description reaches a
// model as data, and that a context chooses no tool. host calls it.
package planner

import (
	"context"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
)

// Constant proposes the same bytes whatever the question. They are an operator's own plan,
// which goes through the same gates as a model's.
type Constant []byte

// Propose returns the bytes.
func (c Constant) Propose(context.Context, input.Query, catalog.Catalog) (Proposal, error) {
	return Proposal{Said: c}, nil
}
