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

// Of a call this much is said before the answer: the trace has all of it. A
// value is cut by itself, so that a long one hides no other.
const (
	maxSaid      = 24  // arguments, and marks
	maxSaidValue = 160 // bytes of one value
)

// showCall says on stderr what was called and what of it the user said, always:
// half of all wrong calls carry no mark, and this line is what shows them.
func (a *app) showCall(out host.Outcome) {
	if out.Intent == nil || out.Planned.Declines() {
		return
	}
	p := out.Planned
	var said []string
	for _, l := range out.Intent.Leaves {
		if !l.Name {
			said = append(said, argument(l))
		}
	}
	said, more := atMost(said)
	if more > 0 {
		said = append(said, fmt.Sprintf("and %d more", more))
	}
	fmt.Fprintln(a.Err, strings.TrimSpace(verbOf(out)+" "+guard.Line(p.Server()+"/"+p.Tool(), cli.MaxLine)+" "+strings.Join(said, ", ")))
	marks, more := atMost(marksOf(out.Intent))
	for _, mark := range marks {
		fmt.Fprintln(a.Err, "  "+mark)
	}
	if more > 0 {
		fmt.Fprintf(a.Err, "  and %d more marks: ask trace show %s\n", more, out.RunID)
	}
}

func atMost(said []string) (first []string, more int) {
	n := min(len(said), maxSaid)
	return said[:n:n], len(said) - n
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

// argument is one argument with the user's own spelling, where that differs.
func argument(l intent.Leaf) string {
	text := position(l.Pointer) + ": " + quoted(l)
	if l.Origin == intent.Respelled {
		text += " (you wrote " + quote(l.Span.Text) + ")"
	}
	return text
}

// position is where an argument is. A name that is not plain is quoted: it could
// pose as a value otherwise.
func position(pointer string) string {
	path := strings.TrimPrefix(pointer, "/")
	for name := range strings.SplitSeq(path, "/") {
		if !guard.Name(name) {
			return quote(path)
		}
	}
	return path
}

// quoted is a value as JSON spells it; a leaf keeps a string decoded.
func quoted(l intent.Leaf) string {
	if l.Literal {
		return guard.Line(l.Value, maxSaidValue)
	}
	return quote(l.Value)
}

// quote is a stranger's text in quotes, cut.
func quote(s string) string { return guard.Line(strconv.Quote(s), maxSaidValue) }

// marksOf says what cannot be tied to the question, a line each.
func marksOf(i *host.Intent) []string {
	var all []string
	for _, u := range i.Unused {
		all = append(all, "not used: "+quote(u.Text))
	}
	for _, l := range i.Marks(i.Effect == "read") {
		all = append(all, mark(l))
	}
	return all
}

func mark(l intent.Leaf) string {
	value := position(l.Pointer) + " " + quoted(l)
	switch {
	case l.Name:
		return "not in your words: the name " + quote(l.Value)
	case l.Repeated:
		return "said once, sent twice: " + value
	case l.Origin == intent.Part:
		return "part of " + quote(l.Span.Text) + ": " + quoted(l)
	case l.Origin == intent.Context:
		return "from the context: " + value
	case l.Origin == intent.Respelled:
		return "respelled: " + value + ", where you wrote " + quote(l.Span.Text)
	}
	return "not in your words: " + value
}
