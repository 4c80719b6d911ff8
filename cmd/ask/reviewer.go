package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/trust"
)

// reviewer asks a person tool by tool. Nothing is kept before the last answer:
// who leaves in between has decided nothing.
type reviewer struct {
	app  *app
	view *reviewView
	in   *os.File

	digests  []string
	rejected []string
	effects  map[string]string // of tools to be allowlisted: read or write
	rest     bool              // the others are approved as well
}

const reviewHelp = `  y  approve the tool as it is shown
  r  approve it, and allow it as one that reads
  w  approve it, and allow it as one that writes: each call is then asked for
  x  reject it
  a  approve it and all that follow, but those that are approved by themselves alone
  n  leave it as it is
`

func (p *reviewer) run(ctx context.Context) error {
	p.effects = map[string]string{}
	lines := bufio.NewReader(p.in)
	if p.view.r.Twin != nil {
		if yes, err := p.whole(ctx, lines); yes || err != nil {
			return err
		}
	}
	for _, part := range p.view.r.Parts {
		p.view.part(part)
		switch {
		case !part.Open() || part.Rejected:
		case p.rest && !part.Alone:
			p.digests = append(p.digests, part.Digest)
		default:
			answer, err := p.ask(ctx, lines, part.Tool, "y/r/w/x/a/N/?")
			if err != nil {
				return err
			}
			p.take(part, answer)
		}
	}
	if len(p.view.r.open()) == 0 { // what is started, or the instructions alone
		if yes, err := p.whole(ctx, lines); yes || err != nil {
			return err
		}
	}
	return p.keep(ctx)
}

// whole asks about all at once, and keeps a yes.
func (p *reviewer) whole(ctx context.Context, lines *bufio.Reader) (yes bool, err error) {
	answer, err := p.ask(ctx, lines, p.view.r.Name, "y/N")
	if err != nil || answer != "y" {
		return false, err
	}
	p.digests = []string{p.view.r.Digest}
	return true, p.keep(ctx)
}

// ask wants one letter. What was typed before the tool was shown answers
// nothing; where that cannot be told the tool's name is wanted as well.
func (p *reviewer) ask(ctx context.Context, lines *bufio.Reader, name, letters string) (answer string, err error) {
	shown := guard.Line(name, 128)
	prompt := "Approve " + shown + "? [" + letters + "] "
	sure := dropTyped(p.in) == nil
	if !sure {
		prompt = "To approve " + shown + ", type its name and one of [" + letters + "]: "
	}
	for {
		fmt.Fprint(p.app.Err, prompt)
		line, err := readLine(ctx, lines)
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err != nil: // nobody is there any more
			return "", verdict.Deny(verdict.ApprovalRefused, "the review ended before its last question; nothing was kept")
		}
		answer := strings.TrimSpace(line)
		if letter, named := strings.CutPrefix(answer, name+" "); !sure && named {
			answer = strings.TrimSpace(letter)
		} else if !sure && answer != "?" {
			answer = ""
		}
		if answer == "" || answer != "?" && slices.Contains(strings.Split(letters+"/n", "/"), answer) {
			return answer, nil
		}
		fmt.Fprint(p.app.Err, reviewHelp) // "yes" is no answer, and is not to pass for a no
	}
}

// take notes an answer. Any other than these leaves the tool as it is.
func (p *reviewer) take(part trust.Part, answer string) {
	switch answer {
	case "r":
		p.effects[part.Tool] = reads
	case "w":
		p.effects[part.Tool] = writes
	case "a":
		p.rest = true
	case "x":
		p.rejected = append(p.rejected, part.Tool)
		return
	case "y":
	default:
		return
	}
	p.digests = append(p.digests, part.Digest)
}

// keep writes down what was answered: the approvals first, all at once.
func (p *reviewer) keep(ctx context.Context) error {
	r := p.view.r
	if len(p.digests) == 0 && len(p.rejected) == 0 {
		p.app.Say("%s: nothing was decided", r.Name)
	}
	by := trust.Verdict{By: subject(), How: gate.AtTerminal, Digests: p.digests, Effects: p.effects}
	if len(p.digests) > 0 {
		approved, err := r.inv.Keeper.Approve(ctx, r.Review, by)
		if err != nil {
			return err
		}
		p.app.showDecided(r.Name, "approved", approved)
	}
	if len(p.rejected) > 0 {
		if err := r.inv.Keeper.Reject(ctx, r.Place, by, p.rejected...); err != nil {
			return err
		}
		p.app.showDecided(r.Name, "rejected", p.rejected)
	}
	return p.app.allow(r.inv.AllowlistFile, r.Name, p.effects)
}

// What whoever approves a tool can say that it does.
const reads, writes = "read", "write"

// allow writes tools into the allowlist, each with its effect. What was approved
// before stays approved, whatever becomes of that.
func (a *app) allow(file, server string, effects map[string]string) error {
	var failed []error
	for tool, effect := range effects {
		if err := config.AllowTool(file, server, tool, effect == reads); err != nil {
			failed = append(failed, err)
			continue
		}
		a.Say("%s allows %s/%s as %s", file, server, tool, map[string]string{reads: "reading", writes: "writing"}[effect])
	}
	return errors.Join(failed...)
}

func (a *app) showDecided(server, what string, tools []string) {
	if len(tools) == 0 {
		tools = []string{"the server itself"} // what is started, or its instructions
	}
	if !a.JSON {
		fmt.Fprintln(a.Out, guard.Line(fmt.Sprintf("%s: %s %s", server, what, strings.Join(tools, ", ")), cli.MaxShown))
	}
}
