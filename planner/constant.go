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
