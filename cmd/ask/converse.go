package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk/review"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/trace"
)

// maxAnswers is how many answers one command takes: a tool, a value that it
// needs, and one more.
const maxAnswers = 3

// converse asks a question and shows the outcome. If the planner asks for more and a person
// is at the terminal, the person's answer makes the next question. Each question has its own
// run and trace; the result is that of the last. If the planner asks the same again, it did
// not understand the answer, and the next answer replaces it.
func (a *app) converse(ctx context.Context, h *setup.Ready, q host.Question, l *setup.Limit) error {
	var open *planner.Open
	asked := q // the question that the answer extends
	seen := map[string]bool{}
	for answers := 0; ; answers++ {
		out, end := a.put(ctx, h, q, l, seen)
		if answers == maxAnswers || !a.asksBack(h, out) {
			a.offerResult(ctx, l, out)
			a.showSuggestions(out)
			return end
		}
		l.Pause()
		answer := a.answerTo(ctx, a.keyboard(), out)
		l.Resume()
		if answer == (host.Answer{}) {
			return end
		}
		if open == nil || !reflect.DeepEqual(open, out.Open) {
			asked, open = q, out.Open
		}
		q = asked.Follow(out, answer)
	}
}

// put asks a question and shows the outcome. It asks again each time a person approves what
// the question waited for. It reviews a server once.
func (a *app) put(ctx context.Context, h *setup.Ready, q host.Question, l *setup.Limit, seen map[string]bool) (host.Outcome, error) {
	for {
		out := h.Host.Ask(ctx, q) // within the limit of the whole command
		edited := out.Error != nil && out.Error.Code == verdict.ApprovalEdited
		if args := a.takeEdited(); args != nil && edited && out.TraceDigest != "" {
			a.Say("run %s made no call: its arguments were changed", out.RunID)
			of := runs.Request{Record: gate.Record{Server: out.Planned.Server(), Tool: out.Planned.Tool()}}
			subject := q.Subject
			q = runs.EditedOf(q, trace.RunBody{RunID: out.RunID, Trace: out.TraceDigest}, of, args)
			q.Subject = subject
			continue
		}
		end := a.show(out)
		if out.Error == nil || !out.Error.Code.WaitsForReview() || a.Locked != "" {
			return out, end
		}
		again, err := a.reviewFirst(ctx, h, concerned(q, out), l, seen)
		if err != nil {
			return out, err
		}
		if !again {
			return out, end
		}
		if a.again != nil {
			if q.Plan, err = a.again(ctx); err != nil {
				return out, err
			}
		}
	}
}

// concerned is the server that an outcome is about, "" if no plan and no choice names a
// server.
func concerned(q host.Question, out host.Outcome) string {
	brought, _ := plan.Parse(q.Plan) // a question without a plan has none
	chosen, _, _ := strings.Cut(q.Only, "/")
	return cmp.Or(out.Planned.Server(), brought.Server(), chosen)
}

// asksBack reports whether to ask a person. It asks if a model's words ask for more, or if an
// answer can add what the embedded planner lacks. With --json there is one document, and no
// conversation.
func (a *app) asksBack(h *setup.Ready, out host.Outcome) bool {
	declined := out.Type == host.FinalAnswer && out.Error == nil && out.TraceDigest != ""
	answerable := out.Open != nil || out.Suggestions != nil || h.Planner != setup.Embedded
	return declined && answerable && a.canAsk()
}

// answerTo reads the answer to the shown question. It is the number or the name of one of
// several calls or tools, or further words. An empty line or the end of the input does not
// count. If input typed before the question cannot be dropped, it asks nothing.
func (a *app) answerTo(ctx context.Context, in *os.File, out host.Outcome) host.Answer {
	if dropTyped(in) != nil {
		return host.Answer{}
	}
	tools, numbered := choices(out), choosable(out)
	if len(numbered) == 0 {
		a.showSuggestions(out)
	}
	for i, one := range numbered {
		fmt.Fprintf(a.Err, "  %d  %s\n", i+1, escape.Line(one.shown, cli.MaxLine))
	}
	for lines := bufio.NewReader(in); ; {
		text, err := a.prompt(ctx, lines, wanted(out)+" (empty to skip): ")
		switch n, number := strconv.Atoi(text); {
		case err != nil:
			return host.Answer{}
		case slices.Contains(tools, text):
			return host.Answer{Tool: text}
		case len(numbered) == 0 || number != nil || len(text) > 1:
			return host.Answer{Text: text}
		case n >= 1 && n <= len(numbered):
			return numbered[n-1].answer
		}
		fmt.Fprintf(a.Err, "There are %d.\n", len(numbered))
	}
}

// choice is one numbered line, and the answer of its number.
type choice struct {
	shown  string
	answer host.Answer
}

// choosable are the suggestions, or else the tools to choose from. A suggestion without a
// parameter chooses its tool, which asks for the parameter next. If a value is asked for, a
// number is that value and chooses nothing.
func choosable(out host.Outcome) (list []choice) {
	if out.Open != nil && len(out.Open.Missing) > 0 {
		return nil
	}
	for i := range out.Suggestions {
		s := &out.Suggestions[i]
		answer := host.Answer{Suggestion: s}
		if len(s.Missing) > 0 {
			answer = host.Answer{Tool: s.Tool}
		}
		list = append(list, choice{s.Tool + " " + string(escape.JSON(s.Args)) + lacking(*s), answer})
	}
	if list == nil {
		for _, tool := range choices(out) {
			list = append(list, choice{tool, host.Answer{Tool: tool}})
		}
	}
	return list
}

func lacking(s planner.Suggestion) string {
	if len(s.Missing) == 0 {
		return ""
	}
	return "  # needs " + strings.Join(s.Missing, ", ")
}

// showSuggestions prints the commands of the suggested calls, if no user at a terminal
// chooses one.
func (a *app) showSuggestions(out host.Outcome) {
	for _, s := range out.Suggestions {
		if !a.Whole() && !a.Quiet {
			a.showSuggestion(s)
		}
	}
}

func (a *app) showSuggestion(s planner.Suggestion) {
	command, lacks := a.commandOf(s.Tool, s.Args), lacking(s)
	switch line := "  " + command + lacks; {
	case len(line) > cli.MaxLine:
	case a.Err.Width() == 0 || len(line) <= a.Err.Width():
		a.Say("%s", line)
	default:
		if lacks != "" {
			a.Say("%s:", strings.TrimPrefix(lacks, "  # "))
		}
		a.Command(a.Err, command)
	}
}

// wanted describes the expected answer.
func wanted(out host.Outcome) string {
	switch {
	case len(choosable(out)) > 0:
		return "Its number, or more words"
	case out.Open != nil && len(out.Open.Missing) > 1:
		return "Your answer, each value after its name"
	}
	return "Your answer"
}

// choices are the tools to choose from.
func choices(out host.Outcome) []string {
	if out.Open == nil || len(out.Open.Tools) < 2 {
		return nil
	}
	return out.Open.Tools
}

// reviewFirst reviews the server that a question waits for: the concerned one, or else the
// first with a waiting tool. At a terminal it asks a person, and reports whether to ask the
// question again. Elsewhere it prints the command that approves the current definition. It
// names the other servers.
func (a *app) reviewFirst(ctx context.Context, h *setup.Ready, concerned string, l *setup.Limit, seen map[string]bool) (again bool, err error) {
	inv, err := a.reviewable()
	if err != nil {
		return false, nil // decisions about the demo, or with a file of pins, are not stored
	}
	l.Pause()
	defer l.Resume()
	first, others := inv.Waiting(ctx, h, concerned, seen)
	if first == "" {
		return false, nil
	}
	seen[first] = true
	if len(others) > 0 {
		a.Say("also waiting: %s. `ask servers review --all` shows all.", strings.Join(others, ", "))
	}
	r := review.Preview(ctx, inv, first)
	switch {
	case r.Err != nil:
		a.Failure("server "+first, host.FailureOf(r.Err))
	case a.keyboard() == nil || a.JSON:
		a.nextApprovals(r)
	default:
		a.nextConfined(r) // the question continues with the unchanged entry
		before := len(servers.Unapproved(ctx, h, first))
		if _, err := a.reviewOne(ctx, inv, r); err != nil {
			return false, err
		}
		return len(servers.Unapproved(ctx, h, first)) < before, nil
	}
	return false, nil
}

// nextApprovals prints the commands that approve the tools of a review.
func (a *app) nextApprovals(r review.Review) {
	a.nextConfined(r)
	for _, line := range r.Approvals(a.given()) {
		a.Step(line)
	}
	if r.Digest != "" && len(r.Allowed) == 0 {
		a.Say("an approval alone allows no call: add --read TOOL or --write TOOL for each tool that may be called")
	}
	if left := r.Unprinted(); len(left) > 0 {
		a.Say("no line is printed for %s: the scan found something. Read the review; `ask servers review %s` at a terminal asks about each.",
			strings.Join(left, ", "), r.Name)
	}
}

// given are the flags of this command that affect which servers and tools another command
// sees, and where its record goes. The choice of the planner is not included.
func (a *app) given() (flags string) {
	texts := maps.Clone(a.Flags.Given)
	texts["config"], texts["locked"], texts["model"] = a.Flags.Config, a.Locked, ""
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if texts[name] != "" {
			flags += " --" + name + " '" + strings.ReplaceAll(texts[name], "'", `'\''`) + "'"
		}
	}
	if a.Demo {
		flags += " --demo"
	}
	if a.Live {
		flags += " --live"
	}
	return flags
}
