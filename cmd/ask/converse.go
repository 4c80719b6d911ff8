package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
)

// maxAnswers is how many answers one command takes: a tool, a value that it
// needs, and one more.
const maxAnswers = 3

// converse asks a question and shows the outcome. Where the planner asks for
// more and somebody sits at the terminal, their answer makes the next question.
// Each has its own run and trace; the end is that of the last. Where the same is
// asked again the answer was not understood, and another takes its place.
func (a *app) converse(ctx context.Context, h *setup.Ready, q host.Question, l *limit) error {
	var open *planner.Open
	asked := q // what the answer is added to
	seen := map[string]bool{}
	for answers := 0; ; answers++ {
		out, end := a.put(ctx, h, q, l, seen)
		if answers == maxAnswers || !a.asksBack(h, out) {
			return end
		}
		l.pause()
		answer := a.answerTo(ctx, a.keyboard(), out)
		l.resume()
		if answer == (host.Answer{}) {
			return end
		}
		if open == nil || !reflect.DeepEqual(open, out.Open) {
			asked, open = q, out.Open
		}
		q = asked.Follow(out, answer)
	}
}

// put asks a question and shows the outcome, and asks again as often as a person
// approves what it waited for. A server is reviewed once.
func (a *app) put(ctx context.Context, h *setup.Ready, q host.Question, l *limit, seen map[string]bool) (host.Outcome, error) {
	for {
		out := h.Ask(ctx, q)
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
	}
}

// concerned is the server that an outcome is about, "" where no plan and no
// choice names one.
func concerned(q host.Question, out host.Outcome) string {
	brought, _ := plan.Parse(q.Plan) // of a question without one, no plan
	chosen, _, _ := strings.Cut(q.Only, "/")
	return cmp.Or(out.Planned.Server(), brought.Server(), chosen)
}

// asksBack reports whether a person is asked: where a model's words ask for
// more, and where the embedded planner lacks what an answer can add. With --json
// there is one document, and no conversation.
func (a *app) asksBack(h *setup.Ready, out host.Outcome) bool {
	declined := out.Type == host.FinalAnswer && out.Error == nil && out.TraceDigest != ""
	return declined && (out.Open != nil || h.Planner != setup.Embedded) && !a.JSON && a.keyboard() != nil
}

// answerTo reads what is answered to the question that was shown: of several
// tools the number or the name of one, or else more words. Nothing, and the end
// of the input, answer nothing. Where what was typed before the question cannot
// be told from an answer to it, nobody is asked.
func (a *app) answerTo(ctx context.Context, in *os.File, out host.Outcome) host.Answer {
	if dropTyped(in) != nil {
		return host.Answer{}
	}
	tools := choices(out)
	for i, tool := range tools {
		fmt.Fprintf(a.Err, "  %d  %s\n", i+1, guard.Line(tool, cli.MaxLine))
	}
	for lines := bufio.NewReader(in); ; {
		fmt.Fprintf(a.Err, "%s (empty to leave it): ", wanted(out))
		line, err := readLine(ctx, lines)
		text := strings.TrimSpace(line)
		switch n, number := strconv.Atoi(text); {
		case err != nil:
			return host.Answer{}
		case slices.Contains(tools, text):
			return host.Answer{Tool: text}
		case len(tools) == 0 || number != nil:
			return host.Answer{Text: text}
		case n >= 1 && n <= len(tools):
			return host.Answer{Tool: tools[n-1]}
		}
		fmt.Fprintf(a.Err, "There are %d.\n", len(tools))
	}
}

// wanted says what can be typed.
func wanted(out host.Outcome) string {
	switch {
	case len(choices(out)) > 0:
		return "Its number, or more words"
	case out.Open != nil && len(out.Open.Missing) > 1:
		return "Your answer, each value after its name"
	}
	return "Your answer"
}

// choices are the tools of which one is to be chosen.
func choices(out host.Outcome) []string {
	if out.Open == nil || len(out.Open.Tools) < 2 {
		return nil
	}
	return out.Open.Tools
}
