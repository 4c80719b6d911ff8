package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/host"
)

// showCall says on stderr what was called and what of it the user said, always:
// half of all wrong calls carry no mark, and this line is what shows them.
func (a *app) showCall(out host.Outcome) {
	if out.Intent == nil || out.Planned.Declines() {
		return
	}
	p := out.Planned
	fmt.Fprintln(a.Err, guard.Line(verbOf(out)+" "+p.Server()+"/"+p.Tool()+" "+inOneLine(out.Intent.Leaves), cli.MaxLine))
	for _, mark := range marksOf(out.Intent) {
		fmt.Fprintln(a.Err, "  "+guard.Line(mark, cli.MaxLine))
	}
}

func verbOf(out host.Outcome) string {
	switch {
	case out.Call != host.None:
		return "called"
	case out.Type == host.Planned, out.Type == host.ApprovalNeeded:
		return "would call"
	}
	return "did not call"
}

// inOneLine is a call's arguments in one line.
func inOneLine(leaves []intent.Leaf) string {
	var all []string
	for _, l := range leaves {
		if !l.Name {
			all = append(all, argument(l))
		}
	}
	return strings.Join(all, ", ")
}

// argument is one argument with the user's own spelling, where that differs.
func argument(l intent.Leaf) string {
	text := strings.TrimPrefix(l.Pointer, "/") + ": " + quoted(l)
	if l.Origin == intent.Respelled {
		text += " (you wrote " + strconv.Quote(l.Span.Text) + ")"
	}
	return text
}

// quoted is a value as JSON spells it; a leaf keeps a string decoded.
func quoted(l intent.Leaf) string {
	if l.Literal {
		return l.Value
	}
	return strconv.Quote(l.Value)
}

// marksOf says what cannot be tied to the question, a line each.
func marksOf(i *host.Intent) []string {
	var all []string
	for _, u := range i.Unused {
		all = append(all, "not used: "+strconv.Quote(u.Text))
	}
	for _, l := range i.Marks(i.Effect == "read") {
		all = append(all, mark(l))
	}
	return all
}

func mark(l intent.Leaf) string {
	value := strings.TrimPrefix(l.Pointer, "/") + " " + quoted(l)
	switch {
	case l.Name:
		return "not in your words: the name " + strconv.Quote(l.Value)
	case l.Repeated:
		return "said once, sent twice: " + value
	case l.Origin == intent.Part:
		return "part of " + strconv.Quote(l.Span.Text) + ": " + quoted(l)
	case l.Origin == intent.Context:
		return "from the context: " + value
	case l.Origin == intent.Respelled:
		return "respelled: " + value + ", where you wrote " + strconv.Quote(l.Span.Text)
	}
	return "not in your words: " + value
}
