package setup

import (
	"context"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/model"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
	"github.com/onestep-run/onestep/summarize"
)

// Embedded is the name of the planner inside the binary.
const Embedded = "embedded"

// NamesModel reports whether a setting's value names a language model, and
// not the embedded planner.
func NamesModel(name string) bool { return name != "" && name != Embedded }

// Planner is who plans, and by which name the trace knows it.
type Planner struct {
	host.Proposer
	Name  string
	Chat  planner.Chat // the model, where one plans
	ready func(context.Context) error
}

// Choose gives who plans: the embedded planner, unless a flag, ASK_MODEL or
// the configuration names a model. A model's key in the environment chooses
// nothing, and is not looked up here.
func Choose(s config.Settings, o Options) (Planner, error) {
	if NamesModel(s.Model.V) {
		return modelPlanner(s, o)
	}
	p := lexical.New(o.now())
	if o.Explain != nil {
		return Planner{Proposer: explained{p, o.Explain}, Name: Embedded}, nil
	}
	return Planner{Proposer: p, Name: Embedded}, nil
}

// modelPlanner plans with the language model that was named.
func modelPlanner(s config.Settings, o Options) (Planner, error) {
	cfg, err := modelConfig(s, o)
	if err != nil {
		return Planner{}, err
	}
	client, err := model.New(cfg)
	if err != nil {
		return Planner{}, err
	}
	asked, now := waitedChat{client, cfg.Provider + "/" + cfg.Model, o.Waits}, o.now()
	p := planner.Model{
		Chat: asked, Rank: lexical.New(now).Rank, Today: now().Format(time.DateOnly), MaxData: s.MaxPrompt.V,
		Narrow: s.Constrain.V == config.ConstrainArguments, SuggestMarked: s.ModelMarks.V == config.MarksSuggest,
	}
	return Planner{Proposer: p, Name: asked.name, Chat: asked, ready: client.Ready}, nil
}

// Ready looks a model's key up, and says what is wrong with it. No model is
// asked.
func (p Planner) Ready(ctx context.Context) error {
	if p.ready == nil {
		return nil
	}
	return p.ready(ctx)
}

// Writer is who writes summaries: the embedded writer, unless the
// configuration gives that to the model too.
func (p Planner) Writer(s config.Settings, level summarize.Level) (host.Writer, error) {
	switch {
	case s.Writer.V != "model":
		return summarize.Extractive{}, nil
	case p.Chat == nil:
		return nil, verdict.Fail(verdict.ModelUnconfigured, nil, "writer is %q (%s), and no model is chosen", s.Writer.V, s.Writer.Origin)
	}
	return summarize.Model{Chat: p.Chat, Level: level}, nil
}

// explained plans as the embedded planner does, and tells how.
type explained struct {
	*lexical.Proposer
	tell func(lexical.Explanation)
}

// Propose explains, then proposes.
func (e explained) Propose(ctx context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error) {
	e.tell(e.Explain(q, c))
	return e.Proposer.Propose(ctx, q, c)
}
