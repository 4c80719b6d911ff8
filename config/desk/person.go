package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/host/trust"
	"github.com/onestep-run/onestep/planner/lexical"
)

// Person reads a review and answers.
type Person interface {
	// Show shows one part, before its question.
	Show(p trust.Part)
	// Answer asks about a part by its name, about TheProgram, or about the whole by
	// the server's name. The answer is one of the letters; "" leaves it as it is.
	Answer(ctx context.Context, name, letters string) (string, error)
}

// TheProgram is what a part without a tool's name is called.
const TheProgram = "what is started"

// interview collects a person's answers. Nothing is kept before the last one:
// who leaves in between has decided nothing.
type interview struct {
	person Person
	r      Review
	v      trust.Choice
	rest   bool     // the others are approved as well
	allow  bool     // and allowed as writing, where the allowlist does not say
	bulk   []string // the tools of that
	closed bool     // what is started was not approved
	shared []string // changes of several tools that were decided on
}

// Interview asks a person about a review, tool by tool, and gives their decision.
func (r Review) Interview(ctx context.Context, p Person) (trust.Choice, error) {
	i := &interview{person: p, r: r, v: trust.Choice{How: gate.AtTerminal, Effects: map[string]string{}}}
	if r.Twin != nil {
		if yes, err := i.whole(ctx); yes || err != nil {
			return i.v, err
		}
	}
	for _, part := range r.Parts {
		if slices.Contains(i.shared, part.Edit) {
			continue
		}
		if err := i.each(ctx, part); err != nil {
			return trust.Choice{}, err
		}
	}
	if len(r.Open()) == 0 { // the instructions alone
		if _, err := i.whole(ctx); err != nil {
			return trust.Choice{}, err
		}
	}
	return i.v, i.reading(ctx)
}

// reading asks, once for all that were allowed as writing by one key, whether
// those that claim to read are to be allowed as reading. Left out is what the
// scan or a cue is about, and what has a changing verb in its name: a claim is
// the server's word, and each of the others is the operator's.
func (i *interview) reading(ctx context.Context) error {
	var names []string
	for _, part := range i.r.Open() {
		f, err := part.Now.Fields()
		claims := err == nil && f.Annotations.ReadOnly != nil && *f.Annotations.ReadOnly
		if slices.Contains(i.bulk, part.Tool) && claims && !lexical.Changes(part.Tool) && part.Change.Class() > pin.Cue && !i.r.Found(part.Tool) {
			names = append(names, part.Tool)
		}
	}
	if len(names) == 0 {
		return nil
	}
	answer, err := i.person.Answer(ctx, "as reading, as they claim: "+strings.Join(names, ", "), "y/N")
	if err == nil && answer == "y" {
		for _, tool := range names {
			i.v.Effects[tool] = Reads
		}
	}
	return err
}

// Found reports whether the scan has a finding in what is said of a tool.
func (r Review) Found(tool string) bool {
	return r.Scanned.Unlisted > 0 || slices.ContainsFunc(r.Scanned.Findings, func(f scan.Finding) bool { return strings.HasPrefix(f.Where, "/"+tool+"/") })
}

// whole asks about all at once.
func (i *interview) whole(ctx context.Context) (yes bool, err error) {
	answer, err := i.person.Answer(ctx, i.r.Name, "y/N")
	if err != nil || answer != "y" {
		return false, err
	}
	i.v.Digests = []string{i.r.Digest}
	return true, nil
}

// each asks about a part, or once about all tools that have its very change.
func (i *interview) each(ctx context.Context, part trust.Part) error {
	all := i.r.Sharing(part)
	if len(all) == 0 || i.closed || i.rest && !part.Alone {
		i.person.Show(part)
		return i.part(ctx, part)
	}
	i.shared = append(i.shared, part.Edit)
	for _, one := range all {
		i.person.Show(one)
	}
	answer, err := i.person.Answer(ctx, fmt.Sprintf("the same change of %d tools", len(all)), "y/x/a/o/N/?")
	if err != nil {
		return err
	}
	switch answer {
	case "a":
		i.rest = true
		fallthrough
	case "y":
		i.v.Digests = append(i.v.Digests, part.Edit)
	case "x":
		for _, one := range all {
			i.v.Rejected = append(i.v.Rejected, one.Tool)
		}
	case "o":
		for _, one := range all {
			if err := i.part(ctx, one); err != nil {
				return err
			}
		}
	}
	return nil
}

func (i *interview) part(ctx context.Context, part trust.Part) error {
	switch {
	case !part.Open() || part.Rejected || i.closed:
		return nil
	case i.rest && !part.Alone:
		i.v.Digests = append(i.v.Digests, part.Digest)
		i.writes(part)
		return nil
	case part.Tool == "":
		return i.program(ctx, part)
	}
	answer, err := i.person.Answer(ctx, part.Tool, "y/r/w/x/a/W/N/?")
	if err != nil {
		return err
	}
	i.take(part, answer)
	return nil
}

// program asks about what is started. No tool of a program that was not approved
// can be approved, so that a no ends the questions.
func (i *interview) program(ctx context.Context, part trust.Part) error {
	answer, err := i.person.Answer(ctx, TheProgram, "y/a/N/?")
	i.closed, i.rest = answer != "y" && answer != "a", answer == "a"
	if err == nil && !i.closed {
		i.v.Digests = append(i.v.Digests, part.Digest)
	}
	return err
}

// take notes an answer. Any other than these leaves the tool as it is.
func (i *interview) take(part trust.Part, answer string) {
	switch answer {
	case "r":
		i.v.Effects[part.Tool] = Reads
	case "w":
		i.v.Effects[part.Tool] = Writes
	case "a":
		i.rest = true
	case "W":
		i.rest, i.allow = true, true
		i.writes(part)
	case "x":
		i.v.Rejected = append(i.v.Rejected, part.Tool)
		return
	case "y":
	default:
		return
	}
	i.v.Digests = append(i.v.Digests, part.Digest)
}

// writes allows a tool as writing, where one key said so of all and the
// allowlist has no word on it.
func (i *interview) writes(part trust.Part) {
	if i.allow && part.State != trust.Gone && i.r.Allowlist.Effect(i.r.Name, part.Tool).By() != "operator" {
		i.v.Effects[part.Tool] = Writes
		i.bulk = append(i.bulk, part.Tool)
	}
}
