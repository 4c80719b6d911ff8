package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/host/trust"
	"github.com/onestep-run/onestep/planner/lexical"
)

// Person reads a review and answers.
type Person interface {
	// Show shows one part, before its question.
	Show(ctx context.Context, p trust.Part) error
	// List shows tools in groups, each tool with its parameters, before one question about
	// all of them, which "w" answers as well. It reports whether it showed everything. as is
	// how a tool would be allowed, "" for the allowlist's own statement.
	List(ctx context.Context, groups []Group, as func(tool string) string) (shown bool, err error)
	// Answer asks about a part by its name, about TheProgram, or about the whole by the
	// server's name. The answer is one of the letters; "" changes nothing.
	Answer(ctx context.Context, name, letters string) (string, error)
	// Confirm asks whether a tool should need less consent than it does. loosens describes
	// the difference.
	Confirm(ctx context.Context, tool, loosens string) (bool, error)
}

// TheProgram is the name of the part without a tool's name.
const TheProgram = "what is started"

// interview collects a person's answers. Nothing is stored before the last answer: a person
// who leaves earlier has decided nothing.
type interview struct {
	person Person
	r      Review
	v      trust.Choice
	at     int      // the part of the current question
	bulk   []string // the tools that one answer decided
	closed bool     // the program was not approved
	shared []string // decided changes that several tools share
}

// Interview asks a person about a review, tool by tool, and returns the decision.
func (r Review) Interview(ctx context.Context, p Person) (trust.Choice, error) {
	i := &interview{person: p, r: r, v: trust.Choice{How: gate.AtTerminal, Effects: map[string]string{}}}
	if r.Twin != nil && r.Digest != "" {
		if yes, err := i.whole(ctx); yes || err != nil {
			return i.v, err
		}
	}
	for n, part := range r.Parts {
		if slices.Contains(i.shared, part.Edit) || part.Tool != "" && slices.Contains(i.bulk, part.Tool) {
			continue
		}
		i.at = n
		if err := i.each(ctx, part); err != nil {
			return trust.Choice{}, err
		}
	}
	if len(r.Asked()) == 0 { // the instructions alone
		if _, err := i.whole(ctx); err != nil {
			return trust.Choice{}, err
		}
	}
	return i.v, nil
}

// follow asks one question about tools that it lists first. They are the current tool, if
// this key approved it, and all that follow, except tools that need a separate decision.
//
// With allow it also allows the tools without an effect stated by the operator. A tool
// becomes a reading one if it claims to read and has no finding, no cue and no changing verb
// in its name; otherwise it becomes a writing one. The claim is from the server, and the
// answer is the operator's.
func (i *interview) follow(ctx context.Context, from int, allow bool) (done bool, err error) {
	parts := i.following(from)
	as := map[string]string{}
	reads := 0
	for _, p := range parts {
		switch {
		case !allow || p.State == trust.Gone || i.r.Allowlist.Effect(i.r.Name, p.Tool).By() == "operator":
		case i.r.readable(p):
			as[p.Tool], reads = tools.Reads, reads+1
		default:
			as[p.Tool] = tools.Writes
		}
	}
	if len(parts) == 0 {
		return true, nil
	}
	shown, err := i.person.List(ctx, i.r.Groups(parts), func(tool string) string { return as[tool] })
	if err != nil || !shown {
		return false, err
	}
	name := "this tool"
	if len(parts) > 1 {
		name = fmt.Sprintf("these %d tools", len(parts))
	}
	if len(as) > 0 {
		name += fmt.Sprintf(", %d as reading and %d as writing", reads, len(as)-reads)
	}
	answer, err := i.person.Answer(ctx, name, "y/N")
	all := answer == "w" && reads > 0
	if err != nil || answer != "y" && !all {
		return false, err
	}
	for _, p := range parts {
		i.v.Digests, i.bulk = append(i.v.Digests, p.Digest), append(i.bulk, p.Tool)
	}
	for tool, effect := range as {
		if all {
			effect = tools.Writes
		}
		i.v.Effects[tool] = effect
	}
	return true, nil
}

// following are the parts, from one of them on, that one answer can decide. The first was
// already shown by itself.
func (i *interview) following(from int) (all []trust.Part) {
	asked := from == i.at
	for n, p := range i.r.Parts {
		decided := p.Tool == "" || !p.Open() || p.Rejected
		if n < from || decided {
			continue
		}
		first := asked && n == from
		separate := p.Alone || i.r.Whole(p) || slices.Contains(i.shared, p.Edit)
		if first || !separate {
			all = append(all, p)
		}
	}
	return all
}

// readable reports whether a tool may be allowed as reading by its claim.
func (r Review) readable(p trust.Part) bool {
	f, err := p.Now.Fields()
	claims := err == nil && f.Annotations.ReadOnly != nil && *f.Annotations.ReadOnly
	switch {
	case !claims, lexical.Changes(p.Tool), r.Found(p.Tool):
		return false
	}
	return p.Change.Class() > pin.Cue
}

// Found reports whether the scan has a finding in a tool.
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

// each asks about a part, or once about all tools that share its change.
func (i *interview) each(ctx context.Context, part trust.Part) error {
	all := i.r.Sharing(part)
	if len(all) == 0 || i.closed {
		if err := i.person.Show(ctx, part); err != nil {
			return err
		}
		return i.part(ctx, part)
	}
	i.shared = append(i.shared, part.Edit)
	for _, one := range all {
		if err := i.person.Show(ctx, one); err != nil {
			return err
		}
	}
	answer, err := i.person.Answer(ctx, fmt.Sprintf("the same change of %d tools", len(all)), "y/x/a/o/N/?")
	if err != nil {
		return err
	}
	switch answer {
	case "a", "y":
		i.v.Digests = append(i.v.Digests, part.Edit)
	case "x":
		for _, one := range all {
			i.v.Rejected = append(i.v.Rejected, one.Tool)
		}
	case "o":
		for _, one := range all {
			i.at = slices.IndexFunc(i.r.Parts, func(p trust.Part) bool { return p.Tool == one.Tool })
			if err := i.part(ctx, one); err != nil {
				return err
			}
		}
	}
	if answer == "a" {
		_, err = i.follow(ctx, i.at+1, false)
	}
	return err
}

func (i *interview) part(ctx context.Context, part trust.Part) error {
	switch {
	case !part.Open(), i.closed, part.Rejected && !i.r.Again, slices.Contains(i.bulk, part.Tool):
		return nil
	case part.Tool == "":
		return i.program(ctx, part)
	}
	for {
		answer, err := i.person.Answer(ctx, part.Tool, "y/r/w/x/a/W/N/?")
		if err != nil {
			return err
		}
		if answer != "a" && answer != "W" {
			meant, err := i.meant(ctx, part, answer)
			if meant {
				i.take(part, answer)
			}
			if meant || err != nil {
				return err
			}
			continue
		}
		done, err := i.follow(ctx, i.at, answer == "W")
		if done || err != nil {
			return err
		}
		if err := i.person.Show(ctx, part); err != nil {
			return err
		}
	}
}

// meant asks once more before a tool that the operator calls writing becomes a reading one.
func (i *interview) meant(ctx context.Context, part trust.Part, answer string) (bool, error) {
	was := i.r.Allowlist.Effect(i.r.Name, part.Tool)
	if answer != "r" || was.Reads || was.By() != "operator" {
		return true, nil
	}
	return i.person.Confirm(ctx, part.Tool, Loosens(was))
}

// program asks about the program that is started. If it is not approved, none of its tools
// can be, so a no ends the questions.
func (i *interview) program(ctx context.Context, part trust.Part) error {
	answer, err := i.person.Answer(ctx, TheProgram, "y/a/N/?")
	i.closed = answer != "y" && answer != "a"
	if err != nil || i.closed {
		return err
	}
	i.v.Digests = append(i.v.Digests, part.Digest)
	if answer == "a" {
		_, err = i.follow(ctx, i.at+1, false)
	}
	return err
}

// take records an answer. Any other letter leaves the tool unchanged.
func (i *interview) take(part trust.Part, answer string) {
	switch answer {
	case "r":
		i.v.Effects[part.Tool] = tools.Reads
	case "w":
		i.v.Effects[part.Tool] = tools.Writes
	case "x":
		i.v.Rejected = append(i.v.Rejected, part.Tool)
		return
	case "y":
	default:
		return
	}
	i.v.Digests = append(i.v.Digests, part.Digest)
}
