package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host"
)

// longest is what the chat shows of one message. What was cut cannot be approved.
const longest = 4000

// told is the outcome for the chat, and whether that is all of it. Any part may
// be a stranger's text.
func told(out host.Outcome) (text string, whole bool) {
	var b strings.Builder
	if out.Intent != nil {
		call(&b, out)
	}
	switch {
	case out.Type == host.ApprovalNeeded:
	case out.Error != nil:
		fmt.Fprintf(&b, "%s: %s\n", out.Error.Code, out.Error.Message)
	case out.Asks != "":
		fmt.Fprintf(&b, "The planner asks: %s\n", out.Asks)
	default:
		fmt.Fprintf(&b, "%s\n", cmp.Or(string(out.Typed), string(out.Raw)))
	}
	fmt.Fprintf(&b, "trace %s %s\n", out.RunID, out.TraceDigest)
	text = escape.Text(b.String(), longest)
	return text, b.Len() <= longest && text == b.String()
}

// call is a line for each argument, with what the lock found of it.
func call(b *strings.Builder, out host.Outcome) {
	fmt.Fprintf(b, "%s/%s\n", out.Planned.Server(), out.Planned.Tool())
	for _, l := range out.Intent.Leaves {
		mark := l.Origin.String()
		if l.Differs != "" {
			mark += ", differs: " + l.Differs
		}
		if l.Repeated {
			mark += ", repeated"
		}
		if l.Name {
			mark = "a name that the schema does not list, " + mark
		}
		fmt.Fprintf(b, "  %s = %q  [%s]\n", l.Pointer, l.Value, mark)
	}
	if s := out.Intent.NotAsked; s != nil {
		fmt.Fprintf(b, "  not plainly asked: %s, %q\n", s.Kind, s.Text)
	}
	for _, unused := range out.Intent.Unused {
		fmt.Fprintf(b, "  not used: %q\n", unused.Text)
	}
}

// offer says how the call is approved: here, if all of it was shown here.
func offer(out host.Outcome, here bool) string {
	if !here {
		return fmt.Sprintf("This may change something. `ask approve %s` shows it whole, and asks.\n", out.RunID)
	}
	return fmt.Sprintf("This may change something. To approve it: %s %s\n", out.RunID, out.Approval.Digest)
}
