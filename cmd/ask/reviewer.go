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
	closed   bool              // what is started was not approved
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
		case !part.Open() || part.Rejected || p.closed:
		case p.rest && !part.Alone:
			p.digests = append(p.digests, part.Digest)
		case part.Tool == "":
			if err := p.program(ctx, lines, part); err != nil {
				return err
			}
		default:
			answer, err := p.ask(ctx, lines, part.Tool, "y/r/w/x/a/N/?")
			if err != nil {
				return err
			}
			p.take(part, answer)
		}
	}
	if len(p.view.r.open()) == 0 { // the instructions alone
		if yes, err := p.whole(ctx, lines); yes || err != nil {
			return err
		}
	}
	return p.keep(ctx)
}

// program asks about what is started. No tool of a program that nobody approved
// can be approved, so that a no ends the questions.
func (p *reviewer) program(ctx context.Context, lines *bufio.Reader, part trust.Part) error {
	answer, err := p.ask(ctx, lines, theProgram, "y/a/N/?")
	p.closed, p.rest = answer != "y" && answer != "a", answer == "a"
	if err == nil && !p.closed {
		p.digests = append(p.digests, part.Digest)
	}
	return err
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

// keep writes down what was answered: all at once, and then the allowlist.
func (p *reviewer) keep(ctx context.Context) error {
	if len(p.digests)+len(p.rejected) == 0 {
		p.app.Say("%s: nothing was decided", p.view.r.Name)
		return nil
	}
	v := trust.Verdict{By: subject(), How: gate.AtTerminal, Digests: p.digests, Rejected: p.rejected, Effects: p.effects}
	return p.app.decide(ctx, p.view.r, v)
}

// decide keeps a decision, says what became of what, and allows the tools whose
// effect was stated. Where the allowlist cannot say that, nothing is kept.
func (a *app) decide(ctx context.Context, r reviewed, v trust.Verdict) error {
	if err := a.allow(r.inv.AllowlistFile, r.Name, v.Effects, true); err != nil {
		return err
	}
	kept, err := r.inv.Keeper.Decide(ctx, r.Review, v)
	if err != nil {
		return err
	}
	a.showDecided(r.Name, kept)
	return a.allow(r.inv.AllowlistFile, r.Name, v.Effects, false)
}

// What whoever approves a tool can say that it does.
const reads, writes = "read", "write"

// allow writes tools into the allowlist, each with its effect; a dry run says
// whether it could. What was approved before stays approved, whatever becomes of
// that.
func (a *app) allow(file, server string, effects map[string]string, dry bool) error {
	var failed []error
	for tool, effect := range effects {
		if err := config.AllowTool(file, server, tool, effect == reads, dry); err != nil {
			failed = append(failed, err)
			continue
		}
		if dry {
			continue
		}
		a.Say("%s allows %s/%s as %s", file, server, tool, map[string]string{reads: "reading", writes: "writing"}[effect])
	}
	return errors.Join(failed...)
}

func (a *app) showDecided(server string, of trust.Decided) {
	if !of.Any() {
		of.Approved = []string{"its instructions"}
	}
	a.showEach(server, "approved", of.Approved)
	a.showEach(server, "removed", of.Removed)
	a.showEach(server, "rejected", of.Rejected)
}

// theProgram is what stands in the place of a tool's name.
const theProgram = "what is started"

func (a *app) showEach(server, what string, tools []string) {
	if a.JSON || len(tools) == 0 {
		return
	}
	if tools[0] == "" {
		tools = append([]string{theProgram}, tools[1:]...)
	}
	fmt.Fprintln(a.Out, guard.Line(fmt.Sprintf("%s: %s %s", server, what, strings.Join(tools, ", ")), cli.MaxShown))
}
