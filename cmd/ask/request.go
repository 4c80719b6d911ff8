package main

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/host/account"
)

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
		row("argument", leafText(l))
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
