package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// unasked approves what `ask call --yes` says: the operator wrote the call out.
type unasked struct{}

// Approve says yes.
func (unasked) Approve(_ context.Context, r host.Request) (gate.Yes, error) {
	return gate.Yes{Approval: r.Digest, By: subject(), How: gate.ByYes}, nil
}

// person approves at the terminal; nil where nobody sits there.
func (a *app) person(l *limit) host.Approver {
	if in := a.keyboard(); in != nil {
		return &atTerminal{a, in, l}
	}
	return nil
}

// keyboard is the terminal of whoever can be asked, or nil where nobody can:
// both the question and the answer need one.
func (a *app) keyboard() *os.File {
	f, ok := a.In.(*os.File)
	if !ok || a.NoInput || !a.Err.Terminal() || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return f
}

type atTerminal struct {
	app   *app
	in    *os.File
	limit *limit
}

// Approve shows the call and asks. A yes after the approval's time is none.
func (t *atTerminal) Approve(ctx context.Context, r host.Request) (gate.Yes, error) {
	t.limit.pause()
	defer t.limit.resume()
	v, err := viewOf(r.Record, r.Question, r.Claim)
	if err != nil {
		return gate.Yes{}, err
	}
	yes, err := t.ask(ctx, v, r.Digest)
	if expires, bad := time.Parse(time.RFC3339, r.Expires); err == nil && (bad != nil || time.Now().After(expires)) {
		return gate.Yes{}, verdict.Deny(verdict.ApprovalExpired, "the call could be approved until %s", r.Expires)
	}
	return yes, err
}

// ask wants a y. It wants the tool's name where a y says too little: nobody has
// read what scrolled away, and what was typed before the call was shown answers
// nothing.
func (t *atTerminal) ask(ctx context.Context, v view, digest string) (gate.Yes, error) {
	text := v.text(digest)
	fmt.Fprint(t.app.Err, text)
	want, prompt := "y", "Make this call? [y/N/?] "
	columns, rows, err := term.GetSize(int(t.in.Fd()))
	switch kept := dropTyped(t.in); {
	case err != nil || longer(text, columns, rows):
		want, prompt = v.Tool, "Longer than the screen. To make this call, type the tool's name; ? for help: "
	case kept != nil:
		want, prompt = v.Tool, "To make this call, type the tool's name; ? for help: "
	}
	lines := bufio.NewReader(t.in)
	for {
		fmt.Fprint(t.app.Err, prompt)
		line, err := readLine(ctx, lines)
		switch answer := strings.TrimSpace(line); {
		case ctx.Err() != nil:
			return gate.Yes{}, ctx.Err()
		case answer == "?" && err == nil:
			fmt.Fprint(t.app.Err, v.help())
			continue
		case answer == want && err == nil:
			return gate.Yes{Approval: digest, By: subject(), How: gate.AtTerminal}, nil
		}
		return gate.Yes{}, verdict.Deny(verdict.ApprovalRefused, "the answer was not %q", want)
	}
}

func readLine(ctx context.Context, r *bufio.Reader) (line string, err error) {
	done := make(chan struct{})
	go func() { // a read cannot be told to stop; the process ends instead
		defer close(done)
		line, err = r.ReadString('\n')
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case <-done:
		return line, err
	}
}
