package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host"
)

// longest is the limit of a message in the chat. A call that was cut cannot be approved.
const longest = 4000

// describe formats the outcome for the chat, and reports whether nothing was cut or
// escaped. Any part of it may be untrusted text.
func describe(out host.Outcome) (text string, whole bool) {
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

// call prints a line for each argument, with what the intent lock found.
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
		fmt.Fprintf(b, "  not clearly asked for: %s, %q\n", s.Kind, s.Text)
	}
	for _, unused := range out.Intent.Unused {
		fmt.Fprintf(b, "  not used: %q\n", unused.Text)
	}
}

// offer says how to approve the call: in the chat only if the chat showed all of it.
func offer(out host.Outcome, here bool) string {
	if !here {
		return fmt.Sprintf("This may change something. Run `ask approve %s` to see it whole and approve it.\n", out.RunID)
	}
	return fmt.Sprintf("This may change something. To approve it: %s %s\n", out.RunID, out.Approval.Digest)
}
