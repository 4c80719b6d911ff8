package main

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
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

// maxViewed is more than any question or call is when it is written out:
// whoever approves sees all of it.
const maxViewed = 4 << 20

// text is the view for a person: escaped, and whole but for the server's claim.
func (v view) text(digest string) string {
	var b strings.Builder
	row := func(name, value string) { fmt.Fprintf(&b, "%-10s %s\n", name, guard.Line(value, maxViewed)) }
	row("question", v.question.Text)
	if v.question.Context != "" {
		row("context", fmt.Sprintf("%d bytes", len(v.question.Context)))
	}
	row("asked by", v.Subject)
	row("server", fmt.Sprintf("%s (%s)", v.Server, v.Identity))
	row("tool", v.Tool)
	if v.claim != "" {
		row("", "the server says of it: "+guard.Line(v.claim, maxClaim))
	}
	for _, l := range v.Intent.Leaves {
		row("argument", l.text())
	}
	if len(v.Intent.Leaves) == 0 {
		row("arguments", "none")
	}
	for _, u := range v.Intent.Unused {
		row("not used", fmt.Sprintf("%q", u.Text))
	}
	row("effect", fmt.Sprintf("%s, by the %s's word", v.Effect, v.EffectBy))
	row("expires", v.Expires)
	row("digest", digest)
	return b.String()
}

// maxClaim is how much of a tool's description is shown to whoever approves.
const maxClaim = 500

func (l shownLeaf) text() string {
	value := l.Value
	if !l.Literal {
		value = fmt.Sprintf("%q", value)
	}
	text := account.Position(l.Pointer) + " = " + value
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

// longer reports whether a text takes more than a screen: what scrolls away is
// not read. A character is counted as wide as it is long.
func longer(text string, columns, rows int) bool {
	if columns < 1 {
		return true
	}
	for line := range strings.SplitSeq(text, "\n") {
		rows -= max(1, (len(line)+columns-1)/columns)
	}
	return rows < 1 // one is the question that follows
}

// help says what can be answered, and how to change something.
func (v view) help() string {
	args := strings.ReplaceAll(string(guard.JSON(v.Args)), "'", `'\''`)
	return "stated: in your words. part, context, unstated: look twice. Anything but a yes makes no call.\n" +
		"To change something: " + guard.Line(fmt.Sprintf("ask call %s/%s --args '%s'", v.Server, v.Tool, args), maxViewed) + "\n"
}
