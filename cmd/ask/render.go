package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/planner/lexical"
	"github.com/onestep-run/onestep/summarize"
)

// show prints an outcome and returns the command's end.
func (a *app) show(out host.Outcome) error {
	if err := a.folder.Save(&out); err != nil && out.Error == nil {
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
	return ended(out.Exit())
}

// showAnswer prints the answer on stdout.
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
	shown := map[string]bool{}
	whole := out.Summary.Whole()
	if len(whole) > 0 {
		fmt.Fprintln(a.Out, a.Bold(a.Out, escape.Line(out.Planned.Server(), cli.MaxLine)+" says, unchecked"))
		a.showLines("  | ", "", whole)
	}
	for _, part := range []struct {
		title string
		items []summarize.Item
	}{
		{escape.Line(out.SummaryTitle(), cli.MaxLine), out.Summary.Bullets()},
		{"Risks, as the writer sorted them", out.Summary.Risks()},
		{"Recommendations, as the writer sorted them", out.Summary.Recommendations()},
	} {
		if len(part.items) > 0 && len(whole) == 0 {
			fmt.Fprintln(a.Out, a.Bold(a.Out, part.title))
			a.showItems("", part.items, shown)
		}
	}
	a.showCommentary(out.Summary.Commentary(), shown)
	fmt.Fprintln(a.Out, a.Dim(a.Out, "from "+escape.Line(planLine(out.Planned), cli.MaxLine)))
}

// showCommentary prints a writer's own words after everything that is checked, and marks each
// line with its writer.
func (a *app) showCommentary(all []summarize.Comment, shown map[string]bool) {
	if len(all) > 0 {
		fmt.Fprintln(a.Out, a.Bold(a.Out, "Commentary, in the writer's words: not checked"))
	}
	for _, c := range all {
		fmt.Fprintln(a.Out, "  - not checked: "+escape.Line(c.Text, cli.MaxLine))
		a.showItems("next to it: ", []summarize.Item{c.Item}, shown)
	}
}

// showItems prints claims line by line, each behind a mark. So no line of a stranger's text
// can look like one of this program's.
func (a *app) showItems(whose string, items []summarize.Item, shown map[string]bool) {
	for _, p := range summarize.Passages(items, shown) {
		a.showLines("  - ", whose, p.Lines)
		fmt.Fprintln(a.Out, "    "+whose+a.Dim(a.Out, "verbatim "+escape.Line(p.Place, cli.MaxLine)))
	}
}

// showLines prints each line with its place in the selection, in colour and as a word.
func (a *app) showLines(mark, whose string, lines []summarize.Line) {
	for _, l := range lines {
		text := escape.Line(l.String(), cli.MaxShown)
		switch {
		case l.Word != "" && l.Selected:
			text = a.Bold(a.Out, text)
		case l.Word != "":
			text = a.Dim(a.Out, text)
		}
		fmt.Fprintln(a.Out, mark+whose+text)
		mark = "  | "
	}
}

// offerResult shows the full result next to a summary, after one key: the important part may
// not have been selected. A short result is already shown, unless it has findings.
func (a *app) offerResult(ctx context.Context, l *setup.Limit, out host.Outcome) {
	in := a.keyboard()
	whole := out.Summary == nil || out.Summary.Whole() != nil && len(out.Guard.Findings) == 0
	switch {
	case whole, a.JSON, a.Quiet, in == nil, !a.Out.Terminal():
		return
	case dropTyped(in) != nil:
		return
	}
	l.Pause()
	defer l.Resume()
	if answer, _ := a.prompt(ctx, bufio.NewReader(in), "r for the full result (empty to skip): "); answer == "r" {
		fmt.Fprintln(a.Out, a.readable(out.Typed))
	}
}

// showRest prints on stderr everything but the answer.
func (a *app) showRest(out host.Outcome) {
	if a.Debug {
		for _, d := range out.Verdicts {
			a.Say("%-10s %-6s %s %s", d.Gate, d.Verdict, d.Code, d.Reason)
		}
	}
	for _, u := range out.Unreachable {
		a.Say("server %s left out: %s: %s", u.Server, u.Code, cli.InALine(u.Reason))
	}
	if out.Asks != "" && !a.Whole() {
		fmt.Fprintln(a.Err, "The planner asks: "+escape.Line(out.Asks, cli.MaxLine))
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
	switch {
	case out.Call == host.Unknown && mayChange(out):
		a.Say("A call left and its effect is unknown. It was not repeated.")
	case out.Call == host.Unknown:
		a.Say("A call of a reading tool left, and no answer came back. It was not repeated.")
	}
	if out.TraceDigest != "" && (a.first || mayChange(out)) {
		a.Say("trace %s %s", out.RunID, out.TraceDigest)
	}
}

// mayChange reports whether a call was sent that may have changed something: its digest
// should be stored at once. The digest of any other call is in `ask trace show`.
func mayChange(out host.Outcome) bool {
	return out.Call != host.None && (out.Intent == nil || out.Intent.Effect != "read")
}

// reports makes servers report their progress under --debug, also without a terminal to show
// it: [desk.Desk.End] prints it.
func (a *app) reports() {
	if a.Debug && a.Reports == nil {
		a.Reports = func(string, string) {}
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

// readable is a JSON value for stdout.
func (a *app) readable(v jsontext.Value) string {
	if width := a.Out.Width(); width > 0 {
		return show.Marked(show.Value(v, width-2))
	}
	return readable(v)
}

// readable is a whole JSON value for a pipe or a file: a string as its text, anything else as
// indented JSON. Invisible characters are escaped, in JSON by its own escapes.
func readable(v jsontext.Value) string {
	if v.Kind() == '"' {
		if s, err := jsontext.AppendUnquote(nil, v); err == nil {
			return escape.Text(string(s), math.MaxInt)
		}
	}
	shown := v.Clone()
	if err := shown.Indent(jsontext.WithIndent("  ")); err != nil {
		return escape.Text(string(v), math.MaxInt)
	}
	return string(escape.JSON(shown))
}

// planLine is a plan on one line: server/tool and arguments.
func planLine(p plan.Plan) string {
	return fmt.Sprintf("%s/%s %s", p.Server(), p.Tool(), p.Args())
}

// maxListed is how many arguments, and marks, are printed before the answer: the trace has all
// of them.
const maxListed = 24

// showCall always prints on stderr which call was made, and which parts of it the user
// stated. Half of all wrong calls have no mark, and only this line shows them. For a plan
// that was refused before that check, it prints the plan.
func (a *app) showCall(out host.Outcome) {
	if out.Planned.Declines() {
		return
	}
	if out.Intent == nil {
		fmt.Fprintln(a.Err, verbOf(out)+" "+escape.Line(planLine(out.Planned), cli.MaxLine))
		return
	}
	p := out.Planned
	listed, more := atMost(account.Arguments(out.Intent))
	if more > 0 {
		listed = append(listed, fmt.Sprintf("and %d more", more))
	}
	fmt.Fprintln(a.Err, strings.TrimSpace(verbOf(out)+" "+escape.Line(p.Server()+"/"+p.Tool(), cli.MaxLine)+" "+strings.Join(listed, ", ")))
	marks, more := atMost(account.Marks(out.Intent))
	for _, mark := range marks {
		fmt.Fprintln(a.Err, "  "+mark)
	}
	if more > 0 {
		fmt.Fprintf(a.Err, "  and %d more marks: ask trace show %s\n", more, out.RunID)
	}
}

func atMost(all []string) (first []string, more int) {
	n := min(len(all), maxListed)
	return all[:n:n], len(all) - n
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

// attached is an attachment on one line.
func attached(a host.Attachment) string {
	line := "attachment " + a.Type
	for _, word := range []string{a.MIME, a.URI} {
		if word != "" {
			line += " " + word
		}
	}
	switch {
	case a.SHA256 == "":
		return line + " (a link, not followed)"
	case a.Saved != "":
		return fmt.Sprintf("%s, %d bytes, %s: saved as %s, not scanned", line, a.Bytes, a.SHA256, a.Saved)
	}
	return fmt.Sprintf("%s, %d bytes, %s: not shown; --save DIR writes it", line, a.Bytes, a.SHA256)
}

// explain prints on stderr how the embedded planner chose.
func (a *app) explain(x lexical.Explanation) {
	for i, k := range x.Candidates {
		a.Say("%d. %s/%s  rank %.2f  score %.2f  said %.2f  known %.2f%s", i+1, k.Server, k.Tool, k.Rank, k.Score, k.Said, k.Known, against(k))
	}
	for _, arg := range x.Arguments {
		a.Say("  argument %s = %s  from the %s: %s", arg.Path, arg.Value, arg.Origin, arg.Words)
	}
	if len(x.Missing) > 0 {
		a.Say("  missing: %s", strings.Join(x.Missing, ", "))
	}
	if x.Declined != "" {
		a.Say("declined: %s", x.Declined)
	}
}

// against prints the evidence against a candidate, and its words.
func against(k lexical.Candidate) string {
	s := ""
	if k.Against != "" {
		s = "  against: " + k.Against
	}
	if len(k.Words) > 0 {
		s += "  left over: " + strings.Join(k.Words, " ")
	}
	return s
}
