package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk/review"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

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
	to := labelled{a.Err}
	fmt.Fprintf(a.Err, "%s\n", a.Bold(a.Err, escape.Line(name+" is new. Proposed manifest:", cli.MaxLine)))
	for _, line := range p.Lines() {
		to.upTo(cli.MaxShown, "sandbox", line)
	}
	if len(p.Command) > 0 {
		to.upTo(cli.MaxShown, "starts", strings.Join(p.Command, " ")+", in place of a version manager's script")
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
		a.Err.Prompt("Confine " + escape.Line(name, 128) + " to this? [Y/n/?] ")
		line, err := a.readLine(ctx, lines)
		switch answer := strings.ToLower(strings.TrimSpace(line)); {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case err != nil:
			return false, verdict.Deny(verdict.ApprovalRefused, "the review ended before its first question; nothing was saved")
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
