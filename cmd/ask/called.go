package main

import (
	"fmt"
	"strings"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
)

// maxSaid is how many arguments, and marks, are said before the answer: the
// trace has all of them.
const maxSaid = 24

// showCall says on stderr what was called and what of it the user said, always:
// half of all wrong calls carry no mark, and this line is what shows them. Of a
// plan that was refused before that was looked at, it says what it is.
func (a *app) showCall(out host.Outcome) {
	if out.Planned.Declines() {
		return
	}
	if out.Intent == nil {
		fmt.Fprintln(a.Err, verbOf(out)+" "+guard.Line(planLine(out.Planned), cli.MaxLine))
		return
	}
	p := out.Planned
	said, more := atMost(account.Arguments(out.Intent))
	if more > 0 {
		said = append(said, fmt.Sprintf("and %d more", more))
	}
	fmt.Fprintln(a.Err, strings.TrimSpace(verbOf(out)+" "+guard.Line(p.Server()+"/"+p.Tool(), cli.MaxLine)+" "+strings.Join(said, ", ")))
	marks, more := atMost(account.Marks(out.Intent))
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
