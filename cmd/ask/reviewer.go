package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config/desk/review"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/trust"
)

// reviewer is the person at the terminal.
type reviewer struct {
	view  *reviewView
	in    *os.File
	lines *bufio.Reader
	last  []trust.Part // the parts of the next question
	many  bool         // the parts were listed
}

const reviewHelp = `  y  approve the tool as shown
  r  approve it, and allow it as reading
  w  approve it, and allow it as writing: each call then needs an approval
  x  reject it
  a  list it and all that follow, except those that need a separate approval, and ask once
  W  the same, and allow them where the allowlist does not say what they do: as reading
     those that claim to read and have no finding, cue or changing verb, the others as writing
  n  change nothing
  o  ask separately about each tool with the same change
  s  show the schemas of the tools in question, and everything else that their server says about them
After a list: y approves it as listed, w allows all of it as writing.
`

// Show shows a part of the review.
func (p *reviewer) Show(ctx context.Context, part trust.Part) error {
	p.last, p.many = []trust.Part{part}, false
	_, err := p.paged(ctx, func() { p.view.part(part) })
	return err
}

// List shows tools by their claims, each with its parameters and cues.
func (p *reviewer) List(ctx context.Context, groups []review.Group, as func(tool string) string) (shown bool, err error) {
	p.last, p.many = nil, true
	return p.paged(ctx, func() {
		for _, g := range groups {
			fmt.Fprintf(p.view.to, "%s\n", p.view.app.Bold(p.view.to, escape.Line(g.String(), cli.MaxLine)))
			for _, part := range g.Parts {
				p.last = append(p.last, part)
				p.view.listed(part, as(part.Tool))
			}
		}
	})
}

// details shows the parts of the question in full.
func (p *reviewer) details(ctx context.Context) error {
	before := p.view.brief
	p.view.brief, p.view.shown, p.view.same = false, map[edited]string{}, map[string]bool{}
	_, err := p.paged(ctx, func() {
		for _, part := range p.last {
			p.view.part(part)
		}
	})
	p.view.brief = before && len(p.last) > 1 // full details of one tool apply to the next one too
	return err
}

// paged shows text, one screen at a time if it is longer. It reports whether it showed all of
// it.
func (p *reviewer) paged(ctx context.Context, show func()) (all bool, err error) {
	var text bytes.Buffer
	to := p.view.to
	p.view.to = to.Hold(&text)
	show()
	p.view.to = to
	rows := slices.Collect(strings.Lines(text.String()))
	for room := to.Rows() - 1; room > 0 && len(rows) > room; {
		_, _ = to.Own().Write([]byte(strings.Join(rows[:room], ""))) // the stream remembers its error
		rows = rows[room:]
		answer, err := p.line(ctx, fmt.Sprintf("%d more rows: Enter shows them, q leaves them out ", len(rows)))
		if err != nil || answer == "q" {
			return false, err
		}
	}
	_, _ = to.Own().Write([]byte(strings.Join(rows, "")))
	return true, nil
}

// line is the person's input. Without it nothing was decided.
func (p *reviewer) line(ctx context.Context, prompt string) (answer string, err error) {
	if answer, err = p.view.app.prompt(ctx, p.lines, prompt); err != nil {
		err = unanswered(ctx, verdict.ApprovalRefused, "the review ended before its last question; nothing was saved")
	}
	return answer, err
}

// Confirm asks whether a writing tool should be a reading one.
func (p *reviewer) Confirm(ctx context.Context, tool, loosens string) (bool, error) {
	p.view.app.Say("%s: %s", tool, loosens)
	answer, err := p.Answer(ctx, tool+" as reading", "y/N")
	return answer == "y", err
}

// Answer requires one letter. Input typed before the tool was shown does not count. If that
// input cannot be dropped, Answer requires the tool's name as well.
func (p *reviewer) Answer(ctx context.Context, name, letters string) (answer string, err error) {
	shown := escape.Line(name, cli.MaxShown)
	letter := strings.Split(letters+"/n", "/")
	if p.many {
		letter = append(letter, "w")
		name = "all"
		fmt.Fprintln(p.view.app.Err, "y: as listed; w: what is listed as reading, as writing; s: details")
	}
	prompt := "Approve " + shown + "? [" + letters + "] "
	sure := dropTyped(p.in) == nil
	if !sure {
		prompt = "To approve " + shown + ", type " + escape.Line(name, cli.MaxShown) + " and one of [" + letters + "]: "
	}
	for {
		answer, err := p.line(ctx, prompt)
		if err != nil {
			return "", err
		}
		if after, named := strings.CutPrefix(answer, name+" "); !sure && named {
			answer = strings.TrimSpace(after)
		} else if !sure && answer != "?" {
			answer = ""
		}
		switch {
		case answer == "s" && p.last != nil:
			if err := p.details(ctx); err != nil {
				return "", err
			}
		case answer == "" || answer != "?" && slices.Contains(letter, answer):
			return answer, nil
		default:
			fmt.Fprint(p.view.app.Err, reviewHelp) // "yes" is not one of the answers, and must not count as a no
		}
	}
}

// edited identifies an edit.
type edited struct {
	class          pin.Class
	path, was, now string
}

func editOf(d pin.Difference) edited { return edited{d.Class, d.Path, string(d.Was), string(d.Now)} }

// differences shows each edit once, with the names of all tools that have it. Edits that were
// shown with another tool share a line, and so do edits without a meaning.
func (v *reviewView) differences(p trust.Part) {
	var fresh []pin.Difference
	var meaningless []string
	before := map[string][]string{} // by the tool with which they were shown
	for _, d := range p.Change.Differences {
		switch with, shown := v.shown[editOf(d)]; {
		case d.Class == pin.Informational:
			meaningless = append(meaningless, d.Path)
		case shown:
			before[with] = append(before[with], d.Class.String()+" at "+d.Path)
		default:
			v.shown[editOf(d)] = p.Tool
			fresh = append(fresh, d)
		}
	}
	for _, with := range slices.Sorted(maps.Keys(before)) {
		v.line("changed", "as in "+with+": "+strings.Join(before[with], ", "))
	}
	for _, d := range fresh {
		v.difference(p.Tool, d)
	}
	if len(meaningless) > 0 {
		v.line("changed", "informational at "+strings.Join(meaningless, ", ")+": the meaning is unchanged")
	}
}

func differenceText(d pin.Difference) string {
	at := cmp.Or(d.Path, "/")
	if !escape.Composed(at) {
		at = escape.Spelled(at)
	}
	return d.Class.String() + " at " + at + ": " + d.Why
}

func (v *reviewView) difference(tool string, d pin.Difference) {
	text := differenceText(d)
	if all := v.edits[editOf(d)]; len(all) > 1 {
		others := slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == tool })
		text += "; also in " + strings.Join(others, ", ")
	}
	v.line("changed", text)
	v.margin(changed(d, v.width-6))
	v.some("takes now", string(d.Wider))
	v.some("refuses", string(d.Narrower))
}

// changed are the removed and the added words.
func changed(d pin.Difference, width int) []string {
	text := compact // for an addition or a removal alone
	if d.Was != nil && d.Now != nil {
		text = inLines
	}
	return show.Diff(wording(d.Was, text), wording(d.Now, text), width)
}

func wording(v jsontext.Value, text func(jsontext.Value) string) string {
	if v == nil {
		return ""
	}
	if words, err := jsontext.AppendUnquote(nil, v); err == nil {
		return string(words)
	}
	return text(v)
}
