package main

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/summarize"
)

// Everything printed as text may hold a stranger's words, and is bounded and
// escaped here. JSON documents are printed verbatim: a reader of JSON decodes.

// The bounds of shown text, in bytes.
const (
	maxShown = 256 << 10
	maxLine  = 2 << 10
)

// document prints one JSON document on stdout.
func (a *app) document(v any) {
	b, err := json.Marshal(v, jsontext.Multiline(true), jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		b = []byte(`{"error":{"code":"internal.failure","message":"the document cannot be written","hint":"","retryable":false}}`)
	}
	fmt.Fprintf(a.out, "%s\n", b)
}

// say tells the user one line on stderr, unless -q was given. Whatever is put
// into it stays on that line: what a stranger wrote cannot pass for another.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintln(a.err, guard.Line(fmt.Sprintf(format, args...), maxLine))
	}
}

// show prints an outcome and gives the command's end.
func (a *app) show(out host.Outcome) error {
	if a.json {
		a.document(out)
	} else {
		a.showAnswer(out)
	}
	a.showRest(out)
	if code := out.Exit(); code != 0 {
		return ended(code)
	}
	return nil
}

// showAnswer prints what was answered on stdout.
func (a *app) showAnswer(out host.Outcome) {
	switch {
	case out.Summary != nil:
		a.showSummary(out)
	case out.Typed != nil:
		fmt.Fprintln(a.out, readable(out.Typed))
	case out.Raw != nil:
		fmt.Fprintln(a.out, readable(out.Raw))
	case out.Type == host.Planned:
		fmt.Fprintln(a.out, readable(out.Plan))
	}
}

func (a *app) showSummary(out host.Outcome) {
	for _, part := range []struct {
		title string
		items []summarize.Item
	}{{"Summary", out.Summary.Bullets()}, {"Risks", out.Summary.Risks()}, {"Recommendations", out.Summary.Recommendations()}} {
		if len(part.items) > 0 {
			fmt.Fprintln(a.out, a.bold(a.out, part.title))
		}
		for _, item := range part.items {
			fmt.Fprintf(a.out, "  - %s\n", guard.Line(item.Claim, maxLine))
			fmt.Fprintf(a.out, "    %s\n", a.dim(a.out, evidence(item.Claim, item.Evidence, item.Pointer)))
		}
	}
	fmt.Fprintln(a.out, a.dim(a.out, "from "+guard.Line(planLine(out.Planned), maxLine)))
}

func evidence(claim, text, pointer string) string {
	if claim == text {
		return "verbatim at " + guard.Line(pointer, maxLine)
	}
	return fmt.Sprintf("evidence at %s: %q", guard.Line(pointer, maxLine), guard.Line(text, maxLine))
}

// showRest prints on stderr what is not the answer.
func (a *app) showRest(out host.Outcome) {
	if a.debug {
		for _, d := range out.Decisions {
			a.say("%-10s %-6s %s %s", d.Gate, d.Verdict, d.Code, d.Reason)
		}
	}
	for _, u := range out.Unreachable {
		a.say("server %s left out: %s: %s", u.Server, u.Code, u.Reason)
	}
	if out.Asks != "" && !a.json {
		fmt.Fprintln(a.err, "The planner asks: "+guard.Line(out.Asks, maxLine))
	}
	if out.Note != "" {
		a.say("%s", out.Note)
	}
	if out.Error != nil && !a.json {
		a.failure(headline(out), out.Error)
	}
	if out.Call == host.Unknown {
		a.say("A call left and its effect is unknown. It was not repeated.")
	}
	if out.TraceDigest != "" {
		a.say("trace %s %s", out.RunID, out.TraceDigest)
	}
}

func headline(out host.Outcome) string {
	switch {
	case out.Type == host.Blocked:
		return "refused"
	case out.Type == host.ToolResult:
		return "no summary"
	}
	return "failed"
}

// failure prints a code, what it means here and what to do about it.
func (a *app) failure(what string, f *host.Failure) {
	fmt.Fprintf(a.err, "%s %s\n", a.bold(a.err, what+":"), f.Code)
	fmt.Fprintf(a.err, "  why:  %s\n", indent(guard.Text(f.Message, maxShown)))
	if f.Hint != "" {
		fmt.Fprintf(a.err, "  next: %s\n", indent(guard.Text(f.Hint, maxShown)))
	}
}

func indent(s string) string {
	return strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n        ")
}

// readable is a JSON value for a person: a string as its text, anything else
// indented with its strings' escapes left in place.
func readable(v jsontext.Value) string {
	if v.Kind() == '"' {
		if s, err := jsontext.AppendUnquote(nil, v); err == nil {
			return guard.Text(string(s), maxShown)
		}
	}
	shown := v.Clone()
	if err := shown.Indent(jsontext.WithIndent("  ")); err != nil {
		return guard.Text(string(v), maxShown)
	}
	return guard.Text(string(shown), maxShown)
}

// planLine is a plan in one line: server/tool and arguments.
func planLine(p plan.Plan) string {
	return fmt.Sprintf("%s/%s %s", p.Server(), p.Tool(), p.Args())
}

func (a *app) bold(w *stream, s string) string { return a.paint(w, "1", s) }

func (a *app) dim(w *stream, s string) string { return a.paint(w, "2", s) }

// paint colours text that is already escaped.
func (a *app) paint(w *stream, sgr, s string) string {
	if !a.colour(w) {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}
