package main

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk/review"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/trust"
)

func (a *app) reviewServers(cmd *cobra.Command) action {
	var of review.Extent
	var given givenFlags
	f := cmd.Flags()
	all := f.Bool("all", false, "review every server that the allowlist names")
	f.BoolVar(&of.Unlisted, "all-tools", false, "also review tools that the allowlist does not name")
	f.BoolVar(&of.Again, "again", false, "also decide again on tools that are approved or rejected already")
	given.Apply(f)
	return func(ctx context.Context, args []string) error {
		args, err := a.server(&given, args)
		if err != nil {
			return err
		}
		if *all == (len(args) > 0) {
			return cli.Usage(verdict.UsageArgument, "review takes the names of servers, or --all")
		}
		s, err := a.reviewable()
		if err != nil {
			return err
		}
		return a.review(ctx, s, args, of)
	}
}

func (a *app) approveServer(cmd *cobra.Command) action {
	var tools effectOptions
	var given givenFlags
	f := cmd.Flags()
	given.Apply(f)
	digests := f.StringArray("digest", nil, "the `DIGEST` that was reviewed, of the whole or of one tool")
	tools.Apply(f, "also allow the `TOOL`, as a reading tool", "also allow the `TOOL`, as a writing tool")
	return func(ctx context.Context, args []string) error {
		args, err := a.server(&given, args)
		if err != nil {
			return err
		}
		if len(args) != 1 {
			return cli.Usage(verdict.UsageArgument, "approve takes one SERVER: %d argument(s) given", len(args))
		}
		if named := slices.Concat(tools.read, tools.write); len(named) > 0 && len(*digests) == 0 {
			return cli.Usage(verdict.UsageArgument, "--read and --write say what approved tools do, and nothing was approved: give the --digest that `ask servers review %s --all-tools` shows, of a review that has %s",
				args[0], escape.Line(strings.Join(named, ", "), cli.MaxLine))
		}
		s, err := a.reviewable()
		if err != nil {
			return err
		}
		if len(*digests) == 0 {
			return a.review(ctx, s, args, review.Extent{})
		}
		effects, err := tools.effects()
		if err != nil {
			return err
		}
		of, err := review.Approve(ctx, s, args[0], *digests, effects)
		return a.showDecision(s, args[0], of, err)
	}
}

func (a *app) rejectTools(ctx context.Context, args []string) error {
	if len(args) < 2 {
		return cli.Usage(verdict.UsageArgument, "reject takes a SERVER and TOOLs of it")
	}
	s, err := a.reviewable()
	if err == nil {
		err = review.Reject(ctx, s, args[0], a.how(), args[1:])
	}
	if err == nil {
		a.showDecided(args[0], trust.Decided{Rejected: args[1:]})
	}
	return err
}

func (a *app) review(ctx context.Context, inv servers.Servers, names []string, of review.Extent) error {
	all := len(names) == 0
	names, err := inv.Choose(ctx, names)
	if err != nil {
		return err
	}
	confined, err := a.confineNew(ctx, &inv, names)
	if err != nil {
		return err
	}
	exit, docs := 0, []review.Document{}
	for _, r := range review.Of(ctx, inv, names, of) {
		asked := false
		switch {
		case a.JSON:
			docs = append(docs, r.Document())
		case r.Err != nil:
			a.Failure("server "+r.Name, host.FailureOf(r.Err))
			a.sayNeeds(r.Name, confined)
		default:
			if asked, err = a.reviewOne(ctx, inv, r); err != nil {
				return err
			}
		}
		if !asked {
			exit = max(exit, r.Exit())
		}
	}
	if a.JSON {
		a.Member("reviews", docs)
	}
	if all {
		a.sayUnreviewed(ctx, inv)
	}
	return ended(exit)
}

// reviewOne shows one server, and asks at a terminal.
func (a *app) reviewOne(ctx context.Context, inv servers.Servers, r review.Review) (asked bool, err error) {
	view := newReviewView(a, r)
	in := a.keyboard()
	if in == nil || r.Digest == "" && len(r.Asked()) == 0 {
		view.head()
		for _, p := range r.Parts {
			view.part(p)
		}
		view.foot()
		a.nextAgain(r)
		return false, nil
	}
	view.brief = r.Twin == nil
	p := &reviewer{view: view, in: in, lines: bufio.NewReader(in)}
	if _, err := p.paged(ctx, view.head); err != nil {
		return true, err
	}
	v, err := r.Interview(ctx, p)
	if err != nil {
		return true, err
	}
	if len(v.Digests)+len(v.Rejected) == 0 {
		a.Say("%s: nothing was decided", r.Name)
		return true, nil
	}
	of, err := review.Decide(ctx, inv, r, v)
	return true, a.showDecision(inv, r.Name, of, err)
}

// showDecision reports the result of each decision, and the tools with an effect that the
// allowlist now states.
func (a *app) showDecision(inv servers.Servers, server string, of review.Decided, err error) error {
	if of.Kept {
		a.showDecided(server, of.Decided)
	}
	for _, tool := range slices.Sorted(maps.Keys(of.Lists)) {
		if was := inv.Allowlist.Effect(server, tool); was.By() == "operator" && was.String() != of.Lists[tool] {
			undo := "ask servers allow %s --write %s"
			if was.Reads {
				undo = "ask servers allow %s --read %s"
			}
			a.Say("%s/%s was %s before; to undo: `"+undo+"`", server, tool, effectLabel(was.String()), server, tool)
		}
	}
	tools := map[string][]string{}
	for _, tool := range slices.Sorted(maps.Keys(of.Lists)) {
		tools[of.Lists[tool]] = append(tools[of.Lists[tool]], server+"/"+tool)
	}
	for _, effect := range slices.Sorted(maps.Keys(tools)) {
		a.Say("%s allows %s as %s", inv.AllowlistFile, strings.Join(tools[effect], ", "), effectLabel(effect))
	}
	return err
}

func (a *app) showDecided(server string, of trust.Decided) {
	if !of.Any() {
		of.Approved = []string{"its instructions"}
	}
	a.showEach(server, "approved", of.Approved)
	a.showEach(server, "removed", of.Removed)
	a.showEach(server, "rejected", of.Rejected)
}

func (a *app) showEach(server, what string, tools []string) {
	if a.JSON || len(tools) == 0 {
		return
	}
	if tools[0] == "" {
		tools = append([]string{review.TheProgram}, tools[1:]...)
	}
	fmt.Fprintln(a.Out, escape.Line(fmt.Sprintf("%s: %s %s", server, what, strings.Join(tools, ", ")), cli.MaxShown))
}

func (a *app) refresh(ctx context.Context, s servers.Servers, names []string) error {
	names, err := s.Choose(ctx, names)
	if err != nil {
		return err
	}
	all, err := review.Refresh(ctx, s, names)
	if err != nil {
		return err
	}
	a.showRefreshed(all)
	exit := 0
	for _, r := range all {
		switch {
		case r.Error != nil:
			exit = max(exit, r.Error.Code.Entry().Exit)
		case r.Open:
			exit = max(exit, verdict.ApprovalNeeded.Entry().Exit)
		}
	}
	return ended(exit)
}

func (a *app) showRefreshed(all []review.Refreshed) {
	if a.JSON {
		a.Member("servers", all)
		return
	}
	var rows [][]string
	for _, r := range all {
		if r.Error != nil {
			rows = append(rows, []string{r.Server, string(r.Error.Code), cli.InALine(r.Error.Message)})
		} else if !r.Open {
			rows = append(rows, []string{r.Server, "as approved"})
		}
		for _, d := range r.Program {
			rows = append(rows, []string{r.Server, d.Class.String() + " at " + d.Path + " of the program", d.Why})
		}
		for _, c := range r.Changed {
			rows = append(rows, []string{r.Server + "/" + c.Tool, c.Code, c.Why})
		}
	}
	a.Table(rows)
	for _, r := range all {
		if r.Open {
			a.Say("`ask servers review %s` shows what changed, and approves it.", r.Server)
		}
	}
}
