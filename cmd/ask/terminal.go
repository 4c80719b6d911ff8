package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/term"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
)

// person approves at the terminal; nil without a terminal.
func (a *app) person(l *setup.Limit) host.Approver {
	if in := a.keyboard(); in != nil {
		return &atTerminal{a, in, l}
	}
	return nil
}

// keyboard is the terminal of the user, or nil without one: both the question and the answer
// need one.
func (a *app) keyboard() *os.File {
	f, ok := a.In.(*os.File)
	switch {
	case !ok, a.NoInput, !a.Err.Terminal():
		return nil
	case !term.IsTerminal(int(f.Fd())):
		return nil
	}
	return f
}

// canAsk reports whether a person at a terminal can be asked. With --json there is one
// document, and no question.
func (a *app) canAsk() bool { return !a.JSON && a.keyboard() != nil }

type atTerminal struct {
	app   *app
	in    *os.File
	limit *setup.Limit
}

// Approve shows the call and asks. A yes after the approval's time does not count.
func (t *atTerminal) Approve(ctx context.Context, r host.Request) (gate.Yes, error) {
	t.limit.Pause()
	defer t.limit.Resume()
	v, err := runs.RequestOf(r.Record, r.Question, r.Claim)
	if err != nil {
		return gate.Yes{}, err
	}
	v.Offer, v.Why = r.Offer, r.Again
	yes, _, err := t.ask(ctx, v, r.Digest)
	if expires, bad := time.Parse(time.RFC3339, r.Expires); err == nil && (bad != nil || time.Now().After(expires)) {
		return gate.Yes{}, verdict.Deny(verdict.ApprovalExpired, "the call could be approved until %s", r.Expires)
	}
	return yes, err
}

// ask requires a y. It requires the tool's name if a y would prove too little: no user has
// read text that scrolled away. Input typed before the call was shown does not count.
func (t *atTerminal) ask(ctx context.Context, v runs.Request, digest string) (yes gate.Yes, answer string, err error) {
	text := requestText(v, digest)
	fmt.Fprint(t.app.Err, text)
	want, prompt := "y", "Make this call? [y/N/?] "
	switch undropped := dropTyped(t.in); {
	case !t.app.Err.Holds(text):
		want, prompt, v.Offer = v.Tool, "Longer than the screen. To make this call, type the tool's name; ? for help: ", nil
	case undropped != nil:
		want, prompt, v.Offer = v.Tool, "To make this call, type the tool's name; ? for help: ", nil
	case v.Offer != nil:
		prompt = "Make this call? g also grants later ones [y/g/N/?] "
	}
	lines := bufio.NewReader(t.in)
	for {
		answer, err = t.app.prompt(ctx, lines, prompt)
		switch {
		case err != nil:
			return gate.Yes{}, "", unanswered(ctx, verdict.ApprovalNeeded, noAnswer)
		case answer == "?":
			fmt.Fprint(t.app.Err, t.app.requestHelp(v))
			t.app.Command(t.app.Err, t.app.commandOf(v.Server+"/"+v.Tool, v.Args))
			continue
		case answer == want:
			return gate.Yes{Approval: digest, By: subject(), How: gate.AtTerminal}, answer, nil
		case answer == "e" && want == "y" && t.app.edits(v):
			return gate.Yes{}, answer, t.edit(ctx, lines)
		case strings.HasPrefix(answer, "g") && v.Offer != nil:
			life, ok := lifeOf(answer)
			if !ok {
				fmt.Fprintln(t.app.Err, "Write g, or g and for how long, up to 24h: g 30m")
				continue
			}
			yes = gate.Yes{Approval: digest, By: subject(), How: gate.AtTerminal}
			yes.Gives, err = t.grants(ctx, lines, *v.Offer, yes, life)
			return yes, answer, err
		}
		return gate.Yes{}, answer, verdict.Deny(verdict.ApprovalRefused, "the answer was not %q", want)
	}
}

// edit reads the arguments that the person writes in place of the shown ones. The shown call
// is refused, and the new one is asked for in a separate run.
func (t *atTerminal) edit(ctx context.Context, lines *bufio.Reader) error {
	args, err := t.app.prompt(ctx, lines, "The arguments as one JSON object: ")
	if err == nil {
		err = arguments(args)
	}
	if err != nil {
		return unanswered(ctx, verdict.ApprovalRefused, "these arguments cannot be used: %v", err)
	}
	t.app.edited = jsontext.Value(args)
	return verdict.Deny(verdict.ApprovalEdited, "the arguments were changed; the call with them follows in another run")
}

// edits reports whether a person may write other arguments. They may not if one document is
// printed, since that has one run, nor for a client, which waits for its own call.
func (a *app) edits(v runs.Request) bool { return !a.Whole() && !v.Question.Client }

// takeEdited returns the arguments that the person wrote, once.
func (a *app) takeEdited() jsontext.Value {
	args := a.edited
	a.edited = nil
	return args
}

// lifeOf is the lifetime of a grant by "g" or "g DURATION".
func lifeOf(answer string) (life time.Duration, ok bool) {
	g, given, limited := strings.Cut(answer, " ")
	if !limited {
		return grant.MaxLife, g == "g"
	}
	life, err := time.ParseDuration(strings.TrimSpace(given))
	inBounds := life > 0 && life <= grant.MaxLife
	return life, g == "g" && err == nil && inBounds
}

// grants turns an offer into the grant that the person gives, and asks which texts may differ
// in later calls.
func (t *atTerminal) grants(ctx context.Context, lines *bufio.Reader, o grant.Offer, yes gate.Yes, life time.Duration) (*grant.Grant, error) {
	var open []string
	if len(o.Free) > 0 {
		for _, at := range o.Free {
			fmt.Fprintf(t.app.Err, "           %s\n", escape.Line(account.Position(at), cli.MaxLine))
		}
		answer, err := t.app.prompt(ctx, lines, "May later calls have another text there? [y/N] ")
		if err != nil {
			return nil, unanswered(ctx, verdict.ApprovalNeeded, noAnswer)
		}
		if answer == "y" {
			open = o.Free
		}
	}
	now := time.Now()
	g, err := o.Accept(yes.By, yes.How, now, now.Add(life), open)
	return &g, err
}

const noAnswer = "the input ended before an answer was given"

// unanswered is the end of a question without an answer: an interrupt, or else a refusal.
func unanswered(ctx context.Context, code verdict.Code, format string, args ...any) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return verdict.Deny(code, format, args...)
}

// prompt asks, and returns the answer without the white space around it, "" after an error.
func (a *app) prompt(ctx context.Context, r *bufio.Reader, text string) (answer string, err error) {
	a.Err.Prompt(text)
	line, err := a.readLine(ctx, r)
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return "", err
	}
	return strings.TrimSpace(line), nil
}

// readLine reads the input after a prompt. If that has no line end, it ends the prompt's row,
// so that later output begins a row.
func (a *app) readLine(ctx context.Context, r *bufio.Reader) (line string, err error) {
	line, err = reading(ctx, func() (string, error) { return r.ReadString('\n') })
	if err != nil {
		fmt.Fprintln(a.Err)
	}
	return line, err
}

// reading waits for a read, or for the end of the context: a read cannot be stopped, and the
// process ends instead.
func reading[T any](ctx context.Context, read func() (T, error)) (v T, err error) {
	done := make(chan func() (T, error), 1)
	go func() {
		v, err := read()
		done <- func() (T, error) { return v, err }
	}()
	select {
	case <-ctx.Done():
		return v, ctx.Err()
	case result := <-done:
		return result()
	}
}

// asker asks the user at the terminal for an input of the servers file; nil
// without a terminal.
func (a *app) asker(ctx context.Context) config.Asker {
	in := a.keyboard()
	if in == nil {
		return nil
	}
	return func(i config.Input) (string, error) {
		prompt := escape.Line(cmp.Or(i.Description, i.ID), cli.MaxLine)
		if len(i.Options) > 0 {
			prompt += " (" + escape.Line(strings.Join(i.Options, ", "), cli.MaxLine) + ")"
		}
		if i.Password {
			text, err := a.hidden(ctx, in, prompt+" (it is not shown): ")
			return string(text), err
		}
		if i.Default != "" {
			prompt += " [" + escape.Line(i.Default, 80) + "]"
		}
		answer, err := a.prompt(ctx, bufio.NewReader(in), prompt+": ")
		return cmp.Or(answer, i.Default), err
	}
}

// hidden reads a line that is not shown. After an interrupt it restores the terminal's echo
// before the process ends.
func (a *app) hidden(ctx context.Context, f *os.File, prompt string) ([]byte, error) {
	before, err := term.GetState(int(f.Fd()))
	if err == nil {
		err = hush(f) // before the prompt, so that a quick answer is not shown
	}
	if err != nil {
		return nil, fmt.Errorf("the terminal cannot be read without an echo: %w", err)
	}
	a.Err.Prompt(prompt)
	text, err := reading(ctx, func() ([]byte, error) { return term.ReadPassword(int(f.Fd())) })
	fmt.Fprintln(a.Err)
	restored := term.Restore(int(f.Fd()), before)
	if err != nil && errors.Is(err, ctx.Err()) {
		return nil, verdict.Fail(verdict.CallInterrupted, restored, "interrupted before an answer was given")
	}
	return text, errors.Join(err, restored)
}

// maxViewed is more than the length of any question or call in print: the approver sees all
// of it.
const maxViewed = 4 << 20

// requestText is the request for approval as a person reads it. It is escaped, and whole
// except for the server's claim.
func requestText(v runs.Request, digest string) string {
	var b strings.Builder
	row := func(name, value string) { fmt.Fprintf(&b, "%-10s %s\n", name, escape.Line(value, maxViewed)) }
	row("question", v.Question.Text)
	if v.Question.Context != "" {
		row("context", fmt.Sprintf("%d bytes", len(v.Question.Context)))
	}
	if v.Why != "" {
		row("asked again", v.Why)
	}
	row("asked by", v.Subject)
	for _, r := range account.Asker(v.Facts) {
		row(r[0], r[1])
	}
	row("server", fmt.Sprintf("%s (%s)", v.Server, v.Identity))
	row("tool", v.Tool)
	if v.Claim != "" {
		row("", "the server says of it: "+escape.Line(v.Claim, maxClaim))
	}
	for _, l := range v.Intent.Leaves {
		text := leafText(l)
		if from := account.Source(v.Question.Facts.Origins, l.Pointer); from != "" && !l.Name {
			text += "  [" + from + "]"
		}
		row("argument", text)
	}
	if asked := v.Facts; asked != nil && asked.Client != "" && v.Question.Facts.Origins == nil {
		row("sources", "not known: no hook of the client reports what you typed")
	}
	if line := account.Removed(v.Removed); line != "" {
		row("removed", line)
	}
	for _, line := range account.Files(v.Record) {
		row("file", line)
	}
	if len(v.Intent.Leaves) == 0 {
		row("arguments", "none")
	}
	for _, u := range v.Intent.Unused {
		row("not used", fmt.Sprintf("%q", u.Text))
	}
	if s := v.Intent.NotAsked; s != nil {
		row("mark", account.NotAsked(s))
	}
	row("effect", setBy(v.Effect, v.EffectBy))
	if o := v.Offer; o != nil {
		row("about", o.Resource)
		if o.Destructive {
			row("destroys", "the server says that the tool is destructive")
		}
	}
	row("expires", v.Expires)
	row("digest", digest)
	return b.String()
}

// setBy is a tool's effect, and who stated it.
func setBy(effect, by string) string {
	switch by {
	case "operator":
		return effect + ", set by the operator"
	case "sandbox":
		return effect + ", because its sandbox saw a call try to write"
	}
	return effect + " by default"
}

// maxClaim is how much of a tool's description the approver sees.
const maxClaim = 500

func leafText(l intent.Leaf) string {
	value := l.Value
	if !l.Literal {
		value = fmt.Sprintf("%q", value)
	}
	text := account.Position(l.Pointer) + " = " + value
	if l.Name {
		text = "the name " + escape.Spelled(l.Value)
	}
	return text + "  [" + account.Origin(l) + "]" + account.Written(l)
}

// requestHelp explains the possible answers; the command that changes something follows.
func (a *app) requestHelp(v runs.Request) string {
	granting := ""
	if o := v.Offer; o != nil {
		granting = fmt.Sprintf("g: also later calls of %s/%s about %s in this conversation, with the same arguments, for at most 24 hours, with g 30m for half an hour; `ask grants revoke %s` ends that.\n",
			v.Server, v.Tool, escape.Line(o.Resource, cli.MaxLine), escape.Line(o.ID, 128))
	}
	if a.edits(v) {
		granting += "e: write other arguments; a new run asks for the call with them.\n"
	}
	return granting + "stated: in your words. derived: recomputed from them. part, context, unstated, differs: check these. Any answer other than yes makes no call.\n" +
		"To change something:\n"
}

// commandOf is the command that makes the same call, quoted for a shell. The arguments are
// the same JSON in visible characters, so that they can be copied alone.
func (a *app) commandOf(tool string, args jsontext.Value) string {
	before := "ask call " + tool + " --args '"
	word := strings.ReplaceAll(string(escape.JSON(args)), "'", `\u0027`) // a shell's quotes must contain it
	return before + show.JSON(word, len(before), a.Err.Width()) + "'" + a.given()
}
