package main

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/summarize"
)

// show prints an outcome and gives the command's end.
func (a *app) show(out host.Outcome) error {
	if err := a.saver.save(&out); err != nil && out.Error == nil {
		out.Error = host.FailureOf(err)
	}
	if !a.Whole() {
		a.showCall(out)
	}
	if a.JSON {
		a.Document(out)
	} else {
		a.showAnswer(out)
	}
	a.showRest(out)
	if code := out.Exit(); code != 0 {
		return cli.Ended(code)
	}
	return nil
}

// showAnswer prints what was answered on stdout.
func (a *app) showAnswer(out host.Outcome) {
	switch {
	case out.Summary != nil:
		a.showSummary(out)
	case out.Typed != nil:
		fmt.Fprintln(a.Out, a.readable(out.Typed))
	case out.Raw != nil:
		fmt.Fprintln(a.Out, a.readable(out.Raw))
	case out.Type == host.Planned:
		fmt.Fprintln(a.Out, a.readable(out.Plan))
	}
}

func (a *app) showSummary(out host.Outcome) {
	for _, part := range []struct {
		title string
		items []summarize.Item
	}{
		{"Summary", out.Summary.Bullets()},
		{"Risks, as the writer files them", out.Summary.Risks()},
		{"Recommendations, as the writer files them", out.Summary.Recommendations()},
	} {
		if len(part.items) > 0 {
			fmt.Fprintln(a.Out, a.Bold(a.Out, part.title))
		}
		for _, item := range part.items {
			a.showItem("", item)
		}
	}
	a.showCommentary(out.Summary.Commentary())
	fmt.Fprintln(a.Out, a.Dim(a.Out, "from "+guard.Line(planLine(out.Planned), cli.MaxLine)))
}

// showCommentary prints a writer's own words after all that is checked, and
// says of each line whose it is.
func (a *app) showCommentary(all []summarize.Comment) {
	if len(all) > 0 {
		fmt.Fprintln(a.Out, a.Bold(a.Out, "Commentary, in the writer's words: not checked"))
	}
	for _, c := range all {
		fmt.Fprintln(a.Out, "  - not checked: "+guard.Line(c.Text, cli.MaxLine))
		a.showItem("beside it: ", c.Item)
	}
}

// showItem prints a claim line by line, each behind a mark: no line of a
// stranger's text can look like one of ours.
func (a *app) showItem(whose string, item summarize.Item) {
	mark := "  - "
	for line := range strings.SplitSeq(item.Claim, "\n") {
		fmt.Fprintln(a.Out, mark+whose+guard.Line(line, cli.MaxShown))
		mark = "  | "
	}
	fmt.Fprintln(a.Out, "    "+whose+a.Dim(a.Out, "verbatim at "+guard.Line(item.Pointer, cli.MaxLine)))
}

// showRest prints on stderr what is not the answer.
func (a *app) showRest(out host.Outcome) {
	if a.Debug {
		for _, d := range out.Decisions {
			a.Say("%-10s %-6s %s %s", d.Gate, d.Verdict, d.Code, d.Reason)
		}
	}
	for _, u := range out.Unreachable {
		a.Say("server %s left out: %s: %s", u.Server, u.Code, cli.InALine(u.Reason))
	}
	if out.Asks != "" && !a.Whole() {
		fmt.Fprintln(a.Err, "The planner asks: "+guard.Line(out.Asks, cli.MaxLine))
	}
	for _, one := range out.Attachments {
		a.Say("%s", attached(one))
	}
	if out.Note != "" {
		a.Say("%s", out.Note)
	}
	if out.Error != nil && !a.Whole() {
		a.Failure(headline(out), out.Error)
	}
	if out.Call == host.Unknown {
		a.Say("A call left and its effect is unknown. It was not repeated.")
	}
	if out.TraceDigest != "" {
		a.Say("trace %s %s", out.RunID, out.TraceDigest)
	}
}

// showStrays prints what servers printed where only messages belong.
func (a *app) showStrays(h *setup.Ready) {
	if a.Debug {
		for _, line := range h.Strays() {
			a.Say("%s", line)
		}
	}
}

func headline(out host.Outcome) string {
	switch {
	case out.Type == host.Blocked:
		return "refused"
	case out.Type == host.ApprovalNeeded:
		return "approval needed"
	case out.Error.Code == verdict.OutputUnsaved:
		return "not saved"
	case out.Type == host.ToolResult:
		return "no summary"
	}
	return "failed"
}

// readable is a JSON value for whoever reads stdout.
func (a *app) readable(v jsontext.Value) string {
	if width := a.Out.Width(); width > 0 {
		return show.Value(v, width)
	}
	return readable(v)
}

// readable is a JSON value for a pipe or a file: a string as its text, anything else
// indented with its strings' escapes left in place.
func readable(v jsontext.Value) string {
	if v.Kind() == '"' {
		if s, err := jsontext.AppendUnquote(nil, v); err == nil {
			return guard.Text(string(s), cli.MaxShown)
		}
	}
	shown := v.Clone()
	if err := shown.Indent(jsontext.WithIndent("  ")); err != nil {
		return guard.Text(string(v), cli.MaxShown)
	}
	return guard.Text(string(shown), cli.MaxShown)
}

// planLine is a plan in one line: server/tool and arguments.
func planLine(p plan.Plan) string {
	return fmt.Sprintf("%s/%s %s", p.Server(), p.Tool(), p.Args())
}
