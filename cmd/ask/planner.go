package main

import (
	"context"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner/lexical"
)

// embedded is the name of the planner inside the binary.
const embedded = "embedded"

// planner chooses who plans: the embedded planner, unless a flag, ASK_MODEL or
// the configuration names a model. A model's key in the environment chooses nothing.
func (a *app) planner(ctx context.Context, s config.Settings, explain bool) (proposer, error) {
	switch name := s.Model.V; {
	case name != "" && name != embedded && explain:
		return proposer{}, usage(verdict.UsageFlag, "--explain is for the embedded planner: a model does not say how it chose")
	case name != "" && name != embedded:
		return a.modelPlanner(ctx, s)
	}
	a.say("Planning with the embedded planner; --model PROVIDER/MODEL chooses a language model.")
	p := lexical.New(time.Now)
	if explain {
		return proposer{Proposer: explained{p, a}, name: embedded}, nil
	}
	return proposer{Proposer: p, name: embedded}, nil
}
