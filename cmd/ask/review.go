package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/trust"
)

func (a *app) reviewCommand() *cobra.Command {
	var all, tools bool
	cmd := &cobra.Command{
		Use:   "review [SERVER...]",
		Short: "Show what servers say of themselves, and approve it",
		Long: `review starts or dials servers, shows what they say of themselves and of the tools
that the allowlist names, and how that differs from what was approved. At a
terminal it asks what to approve; elsewhere it prints the line that approves it.`,
		Example: "  ask servers review files\n  ask servers review --all",
		RunE: func(cmd *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return cli.Usage(verdict.UsageArgument, "review takes the names of servers, or --all")
			}
			return a.review(cmd.Context(), args, tools)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "review every server that the allowlist names")
	cmd.Flags().BoolVar(&tools, "all-tools", false, "review tools too that the allowlist does not name")
	return cmd
}

// reviewed is a server that a person looks at.
type reviewed struct {
	trust.Review
	was   trust.Pins // what was approved
	entry *config.Spec
	from  string // the directory of the servers file, where that has a say in what the server is
	inv   setup.Inventory
	err   error    // why there is nothing to look at
	flags string   // that a command about it has to be given, as this one was
	also  []string // the other names of this very server
}

// trusted is what is configured, where it is kept what was approved. An
// allowlist that allows nothing because of a mistake is that mistake.
func (a *app) trusted() (config.Settings, setup.Inventory, error) {
	if err := a.unlocked(); err != nil {
		return config.Settings{}, setup.Inventory{}, err
	}
	s, inv, err := a.inventory()
	if err == nil && inv.Keeper == nil {
		err = cli.Usage(verdict.UsageFlag, "what is approved of the demo's servers is part of this binary")
	}
	if wrong := inv.Allowlist.Refusal(); err == nil && verdict.CodeOf(wrong) == verdict.AllowInvalid {
		err = wrong
	}
	return s, inv, err
}

// unlocked refuses a file of pins where people's decisions are kept.
func (a *app) unlocked() error {
	if a.Locked == "" {
		return nil
	}
	return cli.Usage(verdict.UsageFlag, "what is decided here is kept, and in no file of pins: leave --locked out")
}

// those are the named servers, or all that the allowlist names. A name that no
// server has is refused.
func those(inv setup.Inventory, names []string) ([]string, error) {
	if len(names) == 0 {
		names = inv.Allowlist.Servers()
		if len(names) == 0 {
			return nil, inv.Allowlist.Refusal()
		}
	}
	return names, configured(inv, names)
}

func (a *app) review(ctx context.Context, names []string, tools bool) error {
	s, inv, err := a.trusted()
	if err != nil {
		return err
	}
	if names, err = those(inv, names); err != nil {
		return err
	}
	all := a.look(ctx, s, inv, distinct(inv, names), tools, inv.Keeper.Look)
	if a.JSON {
		docs := []reviewDocument{}
		for _, r := range all {
			docs = append(docs, r.document())
		}
		a.Member("reviews", docs)
		return ended(exitOf(all))
	}
	exit := 0
	for _, r := range all {
		if r.err != nil {
			a.Failure("server "+r.Name, host.FailureOf(r.err))
			exit = max(exit, r.exit())
			continue
		}
		asked, err := a.reviewOne(ctx, r)
		if err != nil {
			return err
		}
		if !asked {
			exit = max(exit, r.exit())
		}
	}
	return ended(exit)
}

func ended(exit int) error {
	if exit == 0 {
		return nil
	}
	return cli.Ended(exit)
}

// configured refuses a name that no server has.
func configured(inv setup.Inventory, names []string) error {
	for _, name := range names {
		if !slices.Contains(inv.Names, name) {
			return cli.Usage(verdict.UsageArgument, "there is no server %s%s", guard.Line(name, 64), cli.Near(name, inv.Names))
		}
	}
	return nil
}

// distinct leaves out the names of servers that are there under another one.
func distinct(inv setup.Inventory, names []string) (all []string) {
	for _, name := range names {
		if !slices.ContainsFunc(inv.Also(name), func(other string) bool { return slices.Contains(all, other) }) {
			all = append(all, name)
		}
	}
	return all
}

// maxAtOnce bounds how many servers are asked at the same time: each is a
// process of its own, or several.
const maxAtOnce = 8

// eachOf does something for each of n, some of them at the same time.
func eachOf(n int, do func(i int)) {
	var all errgroup.Group
	all.SetLimit(maxAtOnce)
	for i := range n {
		all.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = all.Wait() // nothing of it fails
}

// look asks servers in one way, some of them at the same time.
func (a *app) look(ctx context.Context, s config.Settings, inv setup.Inventory, names []string, tools bool,
	ask func(context.Context, trust.Subject) (trust.Review, error),
) []reviewed {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout.V)
	defer cancel()
	file, _ := config.LoadServers(s.Servers.V) // it was read before
	all := make([]reviewed, len(names))
	eachOf(len(names), func(i int) {
		r := reviewed{inv: inv, from: file.From(names[i]), flags: a.given(), also: inv.Also(names[i])}
		if spec, _, is := file.Spec(names[i]); is {
			spec = spec.Concealed()
			r.entry = &spec
		}
		if r.Review, r.err = ask(ctx, inv.Subject(names[i], tools)); r.err == nil {
			r.was, r.err = inv.Keeper.Pins(ctx, r.Place)
		}
		r.Name = names[i]
		all[i] = r
	})
	return all
}

// open are the parts that somebody is asked about.
func (r reviewed) open() (all []trust.Part) {
	for _, p := range r.Parts {
		if p.Open() && !p.Rejected {
			all = append(all, p)
		}
	}
	return all
}

// exit is the exit code of a review that nobody answered.
func (r reviewed) exit() int {
	switch {
	case r.err != nil:
		return verdict.CodeOf(r.err).Entry().Exit
	case !r.Settled():
		return verdict.ApprovalNeeded.Entry().Exit
	}
	return 0
}

// reviewOne shows one server, and asks where somebody is there.
func (a *app) reviewOne(ctx context.Context, r reviewed) (asked bool, err error) {
	view := newReviewView(a, r)
	view.head()
	if in := a.keyboard(); in != nil && r.Digest != "" {
		return true, (&reviewer{app: a, view: view, in: in}).run(ctx)
	}
	for _, p := range r.Parts {
		view.part(p)
	}
	view.foot()
	return false, nil
}

// approvals are the command lines that approve what is open: one for the whole,
// and one for what is approved one by one, with a digest for each.
func (r reviewed) approvals() (lines []string) {
	var digests, tools []string
	for _, p := range r.open() {
		if p.Alone {
			digests, tools = append(digests, p.Digest), append(tools, p.Tool)
		}
	}
	if all := r.open(); r.Digest != "" && (len(all) == 0 || len(digests) < len(all)) {
		lines = append(lines, r.approval(r.also, r.Digest))
	}
	for len(digests) > 0 {
		n := min(len(digests), maxDigests)
		note := "one by one: " + strings.Join(tools[:n], ", ")
		lines = append(lines, r.approval(append([]string{note}, r.also...), digests[:n]...))
		digests, tools = digests[n:], tools[n:]
	}
	return lines
}

// maxDigests bounds one command line: what is said in a line is of 2 KiB.
const maxDigests = 16

// approval is one of these lines, with notes that a shell passes over.
func (r reviewed) approval(notes []string, digests ...string) string {
	line := "ask servers approve " + r.Name + r.flags
	for _, d := range digests {
		line += " --digest " + d
	}
	if len(notes) > 0 {
		line += "   # " + strings.Join(notes, "; ")
	}
	return line
}

func exitOf(all []reviewed) (exit int) {
	for _, r := range all {
		exit = max(exit, r.exit())
	}
	return exit
}

// claims are what a server says of what its tool does, for people.
func claims(f pin.Fields) string {
	var said []string
	for _, c := range []struct {
		hint    *bool
		yes, no string
	}{
		{f.Annotations.ReadOnly, "it only reads", "it changes things"},
		{f.Annotations.Destructive, "it may destroy", "it destroys nothing"},
		{f.Annotations.Idempotent, "twice is as once", ""},
		{f.Annotations.OpenWorld, "it reaches the open world", "it stays in a closed world"},
	} {
		if c.hint != nil {
			said = append(said, map[bool]string{true: c.yes, false: c.no}[*c.hint])
		}
	}
	return strings.Join(slices.DeleteFunc(said, func(s string) bool { return s == "" }), ", ")
}
