package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config/desk/review"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/trust"
)

// reviewView prints a review. Every line begins with a word of this program or with a mark,
// so that no text of a server can pass for this program's.
type reviewView struct {
	labelled
	app   *app
	r     review.Review
	edits map[edited][]string // the tools that have an edit
	shown map[edited]string   // the tool with which an edit was shown
	same  map[string]bool     // shared changes that were shown
	width int
	brief bool // new tools are shown without their schemas
	alike bool // all tools have the same four hints, which head shows
}

// whole does not bound texts to approve. A text with a meaning is short enough (see
// [pin.Descriptor.Meaning]), and all of it is shown.
const whole = math.MaxInt

// maxMisnamed is how many tools with a name that no call can use are shown.
const maxMisnamed = 20

func newReviewView(a *app, r review.Review) *reviewView {
	width := a.Out.Width()
	if width == 0 {
		width = whole
	}
	v := &reviewView{labelled: labelled{a.Out, whole}, app: a, r: r, edits: map[edited][]string{}, shown: map[edited]string{}, same: map[string]bool{}, width: width}
	var tools []pin.Descriptor
	for _, p := range r.Parts {
		if p.Now.Raw != nil {
			tools = append(tools, p.Now)
		}
		for _, d := range p.Change.Differences {
			v.edits[editOf(d)] = append(v.edits[editOf(d)], p.Tool)
		}
	}
	v.alike = pin.SameHints(tools)
	return v
}

// head shows the server as a whole.
func (v *reviewView) head() {
	fmt.Fprintf(v.to, "%s\n", v.app.Bold(v.to, escape.Line(v.r.Name, 128)))
	v.line("reached", v.r.Reached)
	v.configured()
	v.program()
	v.claimed()
	v.instructions()
	if v.r.Again {
		v.line("again", "n leaves a decision as it is, x rejects the tool, r and w change the allowlist")
	}
	v.groups()
	v.claims()
	if v.brief {
		v.line("schemas", "not shown for a new tool; s shows them, and everything else")
	}
	v.leftOut()
}

// configured shows the entry of the servers file, and further facts about the server.
func (v *reviewView) configured() {
	if v.r.Entry != nil {
		labelled{v.to, cli.MaxShown}.entry(*v.r.Entry)
		v.lines("hidden", servers.Unseen(*v.r.Entry))
	}
	if b := v.r.Bridge; b != nil {
		v.line("bridge", b.Reason())
		if command := b.Command(v.r.Name); command != "" {
			v.line("instead", "`ask servers remove "+v.r.Name+"`, set the variables that the command names, and")
			v.line("", command)
		}
	}
	if l := v.r.Login; l != nil && l.Stated {
		v.line("login", "at "+l.Issuer+": "+servers.IssuerStated)
	}
	if len(v.r.Also) > 0 {
		v.line("also", strings.Join(v.r.Also, ", ")+": the same server, so an approval of one is an approval of all")
	}
	v.some("from", v.r.From)
}

// claimed shows the server's statements about itself, and those to another client.
func (v *reviewView) claimed() {
	v.line("says", strings.TrimSpace("MCP "+v.r.Protocol+"  "+v.r.Info)+"  (not verified)")
	if v.r.InfoDiffers {
		v.line("changed", "informational: its name or version was different when it was approved")
	}
	if v.r.Unasked != nil {
		v.line("two faces", "not known: it did not answer a client called "+trust.OtherClient)
	}
	if t := v.r.Twin; t != nil && v.r.Digest != "" {
		v.line("same as", "what "+strings.Join(t.By, ", ")+" approved "+withCredential(t.Credential)+" on "+t.At.Local().Format(time.DateOnly)+", byte for byte")
	}
}

// instructions shows the server's instructions, or how they differ from the approved ones.
func (v *reviewView) instructions() {
	switch {
	case v.r.ToldDiffers:
		v.line("changed", "its instructions, which are about every tool")
		for _, d := range v.r.Instructions.Differences {
			v.line("mind", differenceText(d))
		}
		v.margin(show.Diff(v.r.Was.Instructions, v.r.Told, v.width-6))
	case v.r.Told != "":
		v.quoted("instructs", v.r.Told)
	}
	v.foundAt("/instructions")
	v.hidden("the instructions", v.r.Told)
}

// leftOut shows the tools outside of the review.
func (v *reviewView) leftOut() {
	for _, name := range v.r.Misnamed[:min(len(v.r.Misnamed), maxMisnamed)] {
		v.line("uncallable", escape.Spelled(verdict.Cut(name, 128))+": its name has characters outside A-Z a-z 0-9 _ . -, or is longer than 128; no approval changes that")
	}
	if n := len(v.r.Misnamed) - maxMisnamed; n > 0 {
		v.line("uncallable", fmt.Sprintf("%d more of such names", n))
	}
	if n := v.r.LeftOut(); n > 0 {
		v.line("left out", fmt.Sprintf("%d of its %d tools, which the allowlist does not name; --all-tools shows them", n, len(v.r.Listed)))
	}
}

func withCredential(name string) string {
	if name == "" {
		return "without a credential"
	}
	return "with the credential " + name
}

// program shows the program that starts, and how it differs from the approved one.
func (v *reviewView) program() {
	if v.r.Artifact != nil {
		v.line("starts", artifact.Text(v.r.Artifact))
	}
	v.lines("sandbox", artifact.Confined(v.r.Artifact))
	for _, p := range v.r.Parts {
		if p.State == trust.Same && !p.Again() { // the others are shown with the program
			v.mayWrite(p, p.Tool+" ")
		}
	}
	for _, d := range v.r.Program {
		v.line("changed", d.Class.String()+" at "+d.Path+" of what is started: "+d.Why)
		v.margin(changed(d, v.width-6))
	}
}

// part shows one tool: a new one in full, any other by its changes.
func (v *reviewView) part(p trust.Part) {
	if p.State == trust.Same && !p.Again() {
		return // foot counts them
	}
	if p.State == trust.Absent {
		v.line("absent", p.Tool+": "+p.Why+verdict.Near(p.Tool, v.r.Listed))
		return
	}
	if p.Tool == "" {
		fmt.Fprintf(v.to, "%s  %s\n", v.app.Bold(v.to, review.TheProgram), escape.Line(state(p), 256))
		v.line("digest", p.Digest) // head shows how it differs
		return
	}
	if v.max = whole; !p.Open() {
		v.max = cli.MaxShown
	}
	if v.abridged(p) {
		return
	}
	if v.same[p.Edit] {
		v.line("also", fmt.Sprintf("%s has this change, %s  (%s)", p.Tool, p.Digest, v.effect(p.Tool)))
		v.foundAt("/" + p.Tool + "/")
		v.hiddenLeaves(p.Now.Raw)
		return
	}
	v.same[p.Edit] = p.Edit != ""
	v.partHead(p)
	if showsDescriptor(p) {
		v.descriptor(p.Now)
		v.suggestions(p.Now)
	}
	v.comparison(p)
	if showsNew(p) && !p.TwoFaces() { // nothing to compare with
		v.minds(p)
	} else {
		v.differences(p)
	}
	v.foundAt("/" + p.Tool + "/")
	v.hiddenLeaves(p.Now.Raw)
}

// showsDescriptor reports whether a tool is shown as the server describes it.
func showsDescriptor(p trust.Part) bool {
	whole := []trust.State{trust.New, trust.Unreadable, trust.TwoFaced, trust.Reordered}
	return p.Now.Raw != nil && (p.Again() || slices.Contains(whole, p.State))
}

// partHead shows the facts about a tool that are not from the server.
func (v *reviewView) partHead(p trust.Part) {
	title := v.app.Bold(v.to, escape.Line(v.r.Name+"/"+p.Tool, v.max))
	fmt.Fprintf(v.to, "%s  %s\n", title, escape.Line(state(p), v.max))
	v.some("why", p.Why)
	v.some("digest", p.Digest)
	if all := v.r.Sharing(p); len(all) > 0 {
		v.line("same", fmt.Sprintf("change of %d tools, which %s approves together", len(all), p.Edit))
	}
	v.late(p)
	v.line("effect", v.effect(p.Tool))
	v.mayWrite(p, "")
}

// comparison explains - and + if they do not mean the approved and the current definition.
func (v *reviewView) comparison(p trust.Part) {
	switch {
	case p.TwoFaces() && p.State != trust.Reordered:
		v.line("two faces", "- is for this client, + is for a client called "+trust.OtherClient)
	case p.State == trust.Reordered:
		v.line("order", "the server writes the same words in another order each time; - is the order shown above, + another one")
		v.line("order", "an approval plans with the order shown above, and accepts any order of the names in these lists from now on, and in no others")
	case p.State == trust.Unstable:
		v.line("unstable", "- is the first description, + the next one")
		v.line("next", trust.Steady)
	}
}

// late shows that the server does not list a tool when a review starts it.
func (v *reviewView) late(p trust.Part) {
	if p.Late {
		v.line("listed", "after a call: as an earlier session listed it; a session that does not list it calls nothing")
	}
}

// state describes the state of a tool, and its danger.
func state(p trust.Part) string {
	text := string(p.State)
	if p.State == trust.TwoFaced {
		text += ": another client sees other text"
	}
	if p.Change.Kind != "" && p.Change.Kind != text {
		text += ", " + p.Change.Kind
	}
	if p.Change.From != "" {
		text += " (" + p.Change.From + ")"
	}
	if p.Change.To != "" {
		text += ": the server lists the same as " + p.Change.To
	}
	if all := p.Change.Differences; len(all) > 0 {
		text += ": " + all[0].Class.String()
	}
	switch {
	case p.Rejected:
		text += ", rejected: only its own digest approves it"
	case p.Alone && p.Edit != "":
		text += ", approve this change separately"
	case p.Alone:
		text += ", approved only separately"
	}
	return text
}

// effect is the effect that the operator stated for a tool, under each name of the server.
func (v *reviewView) effect(tool string) string {
	texts := []string{}
	for _, name := range append([]string{v.r.Name}, v.r.Also...) {
		if !slices.Contains(v.r.Allowlist.Tools(name), tool) {
			continue
		}
		e := v.r.Allowlist.Effect(name, tool)
		word := setBy(e.String(), e.By())
		if e.By() == "default" {
			word += ": the allowlist does not state it; `ask tools --undecided` prints lists that do"
		}
		if name != v.r.Name {
			word += ", as " + name
		}
		texts = append(texts, word)
	}
	if len(texts) == 0 {
		return "none: the allowlist does not name it"
	}
	return strings.Join(texts, "; ")
}

// foot names the parts that are not shown, and shows how to approve the others.
func (v *reviewView) foot() {
	var same []string
	for _, p := range v.r.Parts {
		if p.State == trust.Same && !p.Again() {
			same = append(same, p.Tool)
		}
	}
	if len(same) > 0 {
		v.line("approved", strings.Join(same, ", ")+": unchanged")
	}
	if n := v.r.Scanned.Unlisted; n > 0 {
		v.line("found", fmt.Sprintf("%d more that are not listed", n))
	}
	v.app.nextApprovals(v.r)
}

// margin prints lines behind a margin.
func (v *reviewView) margin(all []string) {
	for _, line := range all {
		fmt.Fprintf(v.to, "      %s\n", line)
	}
}

// quoted prints a stranger's text of several lines.
func (v *reviewView) quoted(label, text string) {
	first := label
	for line := range strings.SplitSeq(strings.TrimRight(escape.Text(text, v.max), "\n"), "\n") {
		fmt.Fprintf(v.to, "  %-9s  | %s\n", first, line)
		first = ""
	}
}

// foundAt shows the findings at a place, or below it if it ends in a slash.
func (v *reviewView) foundAt(at string) {
	for _, f := range v.r.Scanned.Findings {
		if f.Where == at || strings.HasSuffix(at, "/") && strings.HasPrefix(f.Where, at) {
			v.line("found", fmt.Sprintf("%s %s at %s: %s (%s)", f.Tier, f.Rule, f.Where, f.Why, f.Excerpt))
		}
	}
}

func (v *reviewView) hidden(where, text string) {
	if points := servers.Hidden(text); len(points) > 0 {
		v.line("hidden", strings.Join(points, " ")+" in "+where)
	}
}

// hiddenLeaves shows the escaped characters of a descriptor.
func (v *reviewView) hiddenLeaves(raw jsontext.Value) {
	for leaf := range schema.Leaves(raw) {
		if leaf.Name || leaf.Kind == '"' {
			v.hidden(leaf.Pointer(), leaf.Text)
		}
		if leaf.Name && !escape.Composed(leaf.Text) {
			v.line("hidden", "the name at "+escape.Spelled(leaf.Pointer())+" is not in Unicode's form C: another one may look the same")
		}
	}
}
