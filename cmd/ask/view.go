package main

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// view is all that an approval is of, read from the record that its digest covers.
type view struct {
	question host.Question
	claim    string

	RunID    string         `json:"run_id"`
	Subject  string         `json:"subject"`
	Expires  string         `json:"expires"`
	Server   string         `json:"server"`
	Identity pin.Identity   `json:"identity"`
	Tool     string         `json:"tool"`
	Args     jsontext.Value `json:"args"`
	Effect   string         `json:"effect"`
	EffectBy string         `json:"effect_by"`
	Intent   struct {
		Leaves []shownLeaf   `json:"leaves"`
		Unused []intent.Span `json:"unused"`
	} `json:"intent"`
}

// shownLeaf is a leaf with its origin as text.
type shownLeaf struct {
	Pointer  string       `json:"pointer"`
	Name     bool         `json:"name"`
	Value    string       `json:"value"`
	Literal  bool         `json:"literal"`
	Origin   string       `json:"origin"`
	Span     *intent.Span `json:"span"`
	Repeated bool         `json:"repeated"`
}

func viewOf(record jsontext.Value, q host.Question, claim string) (view, error) {
	v := view{question: q, claim: claim}
	if err := schema.DecodeOpen(record, &v, schema.ResultLimits); err != nil {
		return view{}, verdict.Fail(verdict.TraceBroken, err, "the record of the approval has %v", err)
	}
	return v, nil
}

// text is the view for a person: escaped, and whole.
func (v view) text(digest string) string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", name, guard.Line(fmt.Sprintf(format, args...), cli.MaxShown))
	}
	row("question", "%s", v.question.Text)
	if v.question.Context != "" {
		row("context", "%d bytes", len(v.question.Context))
	}
	row("asked by", "%s", v.Subject)
	row("server", "%s (%s)", v.Server, v.Identity)
	row("tool", "%s", v.Tool)
	if v.claim != "" {
		row("", "the server says of it: %.500s", v.claim)
	}
	for _, l := range v.Intent.Leaves {
		row("argument", "%s", l.text())
	}
	if len(v.Intent.Leaves) == 0 {
		row("arguments", "none")
	}
	for _, u := range v.Intent.Unused {
		row("not used", "%q", u.Text)
	}
	row("effect", "%s, by the %s's word", v.Effect, v.EffectBy)
	row("expires", "%s", v.Expires)
	row("digest", "%s", digest)
	return b.String()
}

func (l shownLeaf) text() string {
	value := l.Value
	if !l.Literal {
		value = fmt.Sprintf("%q", value)
	}
	text := strings.TrimPrefix(l.Pointer, "/") + " = " + value
	if l.Name {
		text = "the name " + value
	}
	text += "  [" + l.Origin
	if l.Span != nil && l.Span.Text != l.Value {
		text += fmt.Sprintf(" of %q", l.Span.Text)
	}
	if l.Repeated {
		text += ", repeated"
	}
	return text + "]"
}

// help says what can be answered, and how to change something.
func (v view) help() string {
	args := strings.ReplaceAll(string(v.Args), "'", `'\''`)
	return "stated: in your words. part, context, unstated: look twice. Anything but a yes makes no call.\n" +
		"To change something: " + guard.Line(fmt.Sprintf("ask call %s/%s --args '%s'", v.Server, v.Tool, args), cli.MaxShown) + "\n"
}
