package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk/policy"
	"github.com/onestep-run/onestep/config/desk/review"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/trace"
)

// raw is what a terminal must not get as it is, and shown how it is printed.
const (
	raw     = "a\x1b[2Jb\u202ec\nd"
	escaped = `a\u{1B}[2Jb\u{202E}c\u{A}d`
)

// Each place that prints a stranger's text escapes it, in a line.
func TestEachPlaceThatPrintsEscapes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		print func(*app)
		times int // of the text
	}{
		"ask guard test": {func(a *app) {
			a.showTried(policy.ScanResult{Report: scan.Report{Findings: []scan.Finding{{Rule: "r", Where: raw}}}})
		}, 1},
		"ask trace list": {func(a *app) {
			a.printRuns([]runs.Run{{Row: account.Row{RunID: raw, Type: raw, Tool: raw, Question: raw}}})
		}, 4},
		"a line on stdout": {func(a *app) { a.Print("%s", raw) }, 1},
		"ask approvals list": {func(a *app) {
			fmt.Fprintln(a.Out, approvalLine(runs.Approval{RunID: raw, Subject: raw, Tool: raw, Question: raw, Expires: time.Now()}))
		}, 4},
		"ask servers refresh": {func(a *app) {
			a.printRefreshed([]review.Refreshed{
				{Server: raw, Open: true, Program: []pin.Difference{{Path: raw, Why: raw}}, Changed: []store.Seen{{Tool: raw, Why: raw}}},
				{Server: raw, Error: &host.Failure{Message: strings.ReplaceAll(raw, "\n", "\v")}},
			})
		}, 9},
	} {
		var out, errs strings.Builder
		c.print(&app{App: &cli.App{Env: func(string) (string, bool) { return "", false }, Out: cli.NewStream(&out), Err: cli.NewStream(&errs)}})
		text := strings.ReplaceAll(out.String()+errs.String(), `\u{B}`, `\u{A}`)
		if strings.ContainsAny(text, "\x1b\u202e\v") {
			t.Errorf("%s prints %q", name, text)
		}
		if got := strings.Count(text, escaped); got < c.times {
			t.Errorf("%s prints it %d times, want %d:\n%s", name, got, c.times, text)
		}
	}
}

// The approver sees what was respelled, and the server's words in one line.
func TestTheViewOfACallIsEscapedAndShowsWhatWasRespelled(t *testing.T) {
	t.Parallel()
	v := runs.Request{Claim: raw, Record: gate.Record{Server: "s", Tool: "t", Effect: "write", EffectBy: "operator", Subject: raw}}
	v.Question.Text = raw
	v.Intent.Leaves = []intent.Leaf{{Pointer: "/day", Value: "2026-11-23", Origin: intent.Respelled, Span: &intent.Span{Text: "tomorrow"}}}
	v.Files = []trace.FileBody{{Pointer: "/day", Path: raw, Permission: "mcp.ac.filesystem.read"}}
	want := []string{
		"question   " + escaped,
		"asked by   " + escaped,
		"           the server says of it: " + escaped,
		`argument   day = "2026-11-23"  [respelled] — you wrote "tomorrow"`,
		"file       day: the server may read " + strconv.Quote(raw) + ", where that path leads",
	}
	var got []string
	for line := range strings.SplitSeq(requestText(v, "sha256:1"), "\n") {
		if strings.Contains(line, "says of it") || strings.HasPrefix(line, "argument") || strings.HasPrefix(line, "question") || strings.HasPrefix(line, "asked by") || strings.HasPrefix(line, "file") {
			got = append(got, line)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
