package main

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"os"
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
		a.Document(cli.Object{"reviews", docs})
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
	if err := result(a, "servers", (*app).printRefreshed)(all, err); err != nil {
		return err
	}
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

func (a *app) printRefreshed(all []review.Refreshed) {
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

// confineNew proposes a manifest for each new server that would start with all of the user's
// rights, before a review starts it. It writes the manifests that the person accepts, and
// then reads the servers again. It returns the names of the confined servers. Without a
// terminal it asks and writes nothing.
func (a *app) confineNew(ctx context.Context, inv *servers.Servers, names []string) (confined []string, err error) {
	in := a.keyboard()
	if in == nil || a.JSON || a.DryRun {
		return nil, nil
	}
	lines := bufio.NewReader(in)
	for _, name := range names {
		if fetched, is := inv.Confinable(ctx, name); !is || !fetched {
			continue
		}
		yes, err := a.confineOne(ctx, *inv, name, in, lines)
		if err != nil {
			return confined, err
		}
		if yes {
			confined = append(confined, name)
		}
	}
	if len(confined) == 0 {
		return nil, nil
	}
	*inv, err = a.reviewable()
	return confined, err
}

// confineOne proposes a manifest for one server, and writes it if the person accepts it.
func (a *app) confineOne(ctx context.Context, inv servers.Servers, name string, in *os.File, lines *bufio.Reader) (bool, error) {
	p, err := servers.At(inv.Desk).ProposeFor(ctx, name)
	if err != nil {
		return false, nil //nolint:nilerr // nothing is proposed for such an entry
	}
	to := labelled{a.Err, cli.MaxShown}
	fmt.Fprintf(a.Err, "%s\n", a.Bold(a.Err, escape.Line(name+" is new. Proposed manifest:", cli.MaxLine)))
	to.lines("sandbox", p.Lines())
	if len(p.Command) > 0 {
		to.line("starts", strings.Join(p.Command, " ")+", in place of a version manager's script")
	}
	yes, err := a.wantsConfined(ctx, name, in, lines)
	if err != nil || !yes {
		return false, err
	}
	e, _, err := servers.At(inv.Desk).Confine(ctx, name, nil, nil, false)
	if err == nil {
		a.Say("%s has a manifest in %s. To undo: `ask manifest remove %s`", name, e.File, name)
	}
	return err == nil, err
}

// wantsConfined asks, and an empty line means yes, because that gives the server less. If
// input typed before the question cannot be dropped, only a letter counts.
func (a *app) wantsConfined(ctx context.Context, name string, in *os.File, lines *bufio.Reader) (bool, error) {
	sure := dropTyped(in) == nil
	for {
		answer, err := a.prompt(ctx, lines, "Confine "+escape.Line(name, 128)+" to this? [Y/n/?] ")
		switch answer = strings.ToLower(answer); {
		case err != nil:
			return false, unanswered(ctx, verdict.ApprovalRefused, "the review ended before its first question; nothing was saved")
		case answer == "y" || answer == "" && sure:
			return true, nil
		case answer == "n":
			return false, nil
		}
		fmt.Fprintf(a.Err, "  y, or an empty line, writes the manifest into the server's entry, and starts the server under it\n  n starts the server with all of your rights\n")
	}
}

// sayNeeds explains what to do about a server that does not start confined.
func (a *app) sayNeeds(name string, confined []string) {
	if slices.Contains(confined, name) {
		a.Say("it was started confined. `ask manifest learn %s` finds what it needs, and `ask manifest remove %s` removes the manifest", name, name)
	}
}

// nextConfined reports, without a question, that a new server is not confined, and the
// commands that confine it before its approval. It writes nothing.
func (a *app) nextConfined(r review.Review) {
	if len(r.Confine) == 0 {
		return
	}
	a.Say("%s is not confined: it has all of your rights. To confine it before you approve it:", r.Name)
	for _, line := range r.Confine {
		a.Say("next: %s%s", line, a.given())
	}
}
