// Package planner turns a question and a catalog into one proposed step.
//
// It vouches for nothing: whether a model plans or code, its bytes go to
// gate/plan, and what they ask for to the gates. It promises only that a
// stranger's description reaches a model as data, and that a context chooses no
// tool. host asks it.
package planner

import (
	"context"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
)

// Constant proposes the same bytes whatever the question: an operator's own
// plan, which goes through the same gates as a model's.
type Constant []byte

// Propose returns the bytes.
func (c Constant) Propose(context.Context, input.Query, catalog.Catalog) (Proposal, error) {
	return Proposal{Said: c}, nil
}
