// Package review is a person's decision about servers: their current definitions next to the
// approved ones, the questions and the answers.
//
// It vouches that a decision is stored whole: a kill in between leaves at most an approved
// tool that the allowlist does not name. It does not vouch for the person: its caller
// identifies the person, and asks.
//
// cmd/ask calls it, and shows and asks around it.
package review

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/trust"
)

// Review is a server's current definition, next to the approved one and the operator's
// statements about it.
type Review struct {
	trust.Review
	Was       trust.Pins // the approved definitions
	Reached   string     // how, without secrets
	Entry     *config.Spec
	From      string              // the directory of the servers file, if the server depends on it
	Bridge    *config.Bridge      // the bridge that starts the server; nil if none is known
	Also      []string            // other names of the same server
	Login     *servers.LoginState // nil without a login
	Allowlist catalog.Allowlist
	Confine   []string // the commands that confine it before its approval; none if it is confined, or is not new
	Err       error    // why there is no review
}

// maxAtOnce bounds how many servers are asked at the same time: each is at least one process.
const maxAtOnce = 8

// eachOf calls do for each of n, several at a time.
func eachOf(n int, do func(i int)) {
	var all errgroup.Group
	all.SetLimit(maxAtOnce)
	for i := range n {
		all.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = all.Wait() // no call fails
}

// Extent determines the tools of a review, besides those in the allowlist that wait for a
// decision.
type Extent struct {
	Unlisted bool // also tools outside of the allowlist
	Again    bool // also tools that were approved in this form, or rejected
}

// Of starts or dials servers and reviews them, each server once, whatever its names. It
// reviews all tools of a server without an allowlisted tool.
func Of(ctx context.Context, s servers.Servers, names []string, of Extent) []Review {
	return look(ctx, s, s.Distinct(names), of, s.Keeper.Look)
}

// Preview reviews a server for a question: it starts no program but the approved one, and
// stores nothing.
func Preview(ctx context.Context, s servers.Servers, name string) Review {
	return look(ctx, s, []string{name}, Extent{}, s.Keeper.Preview)[0]
}

// look asks servers in one way, several at a time.
func look(ctx context.Context, s servers.Servers, names []string, of Extent, ask func(context.Context, trust.Target) (trust.Review, error)) []Review {
	ctx, cancel := context.WithTimeout(ctx, s.Desk.Settings.Timeout.V)
	defer cancel()
	file, _ := s.Registry.(config.Servers)
	all := make([]Review, len(names))
	eachOf(len(names), func(i int) {
		r := Review{From: file.From(names[i]), Also: s.Also(names[i]), Reached: s.Describe(names[i]), Allowlist: s.Allowlist}
		r.Confine = confining(ctx, s, names[i])
		r.Login, _ = s.LoginOf(names[i]) // reaching the server reports an unreadable login
		if spec, _, is := file.Spec(names[i]); is {
			if b, is := file.Bridge(names[i]); is {
				r.Bridge = &b
			}
			r.Entry = new(spec.Concealed())
		}
		target := s.Target(names[i], of.Unlisted)
		target.All = of.Unlisted || len(target.Allowed) == 0 // otherwise a new server would have no tool to decide
		target.Again = of.Again
		if r.Review, r.Err = ask(ctx, target); r.Err == nil {
			r.Was, r.Err = s.Keeper.Pins(ctx, r.Place)
		}
		r.Name = names[i]
		all[i] = r
	})
	together(all)
	return all
}

// together marks the tool names of all servers in one review as taken. If two servers have
// the same name of a tool, the second is shown as shadowing the first.
func together(all []Review) {
	for i := range all {
		names := map[string]string{}
		for j, other := range all {
			if other.Err != nil || all[i].Err != nil || other.Place.Entry == all[i].Place.Entry {
				continue
			}
			server := ""
			if j < i {
				server = other.Name
			}
			for _, p := range other.Open() {
				if p.Tool != "" && p.State != trust.Gone {
					names[p.Tool] = pin.Both(names[p.Tool], server)
				}
			}
		}
		all[i].Among(names)
	}
}

// confining are the commands that confine a new server.
func confining(ctx context.Context, s servers.Servers, name string) (commands []string) {
	fetched, is := s.Confinable(ctx, name)
	if is && !fetched {
		commands = append(commands, "ask servers fetch "+name)
	}
	if is {
		commands = append(commands, "ask manifest use "+name)
	}
	return commands
}

// Open are the parts that wait for a decision.
func (r Review) Open() []trust.Part {
	return slices.DeleteFunc(r.Asked(), func(p trust.Part) bool { return p.Again() || p.Rejected })
}

// Asked are the parts to ask a person about.
func (r Review) Asked() []trust.Part {
	return slices.DeleteFunc(slices.Clone(r.Parts), func(p trust.Part) bool { return !p.Open() || p.Rejected && !r.Again })
}

// LeftOut is how many listed tools are not in the review.
func (r Review) LeftOut() int {
	return len(slices.DeleteFunc(slices.Clone(r.Listed), func(tool string) bool {
		return slices.ContainsFunc(r.Parts, func(p trust.Part) bool { return p.Tool == tool })
	}))
}

// Exit is the exit code of a review that was not answered.
func (r Review) Exit() int {
	switch {
	case r.Err != nil:
		return verdict.CodeOf(r.Err).Entry().Exit
	case !r.Settled():
		return verdict.ApprovalNeeded.Entry().Exit
	}
	return 0
}

// lists refuses the name of a tool that the server does not list: a misspelt name
// must not get into an allowlist.
func (r Review) lists(tools []string) error {
	for _, tool := range tools {
		if !slices.Contains(r.Listed, tool) {
			return verdict.Fail(verdict.UsageArgument, nil, "server %s does not list %s%s", r.Name, escape.Line(tool, 64), verdict.Near(tool, r.Listed))
		}
	}
	return nil
}

// has reports whether the review has every digest.
func (r Review) has(digests []string) bool {
	known := map[string]bool{r.Digest: true}
	for _, p := range r.Parts {
		known[p.Digest], known[p.Edit] = true, true
	}
	return !slices.ContainsFunc(digests, func(d string) bool { return !known[d] })
}

// maxDigests bounds one command line: a line of a message has at most 2 KiB.
const maxDigests = 16

// Sharing are the tools that share the change of a part, with one digest for all of them.
func (r Review) Sharing(p trust.Part) []trust.Part {
	return slices.DeleteFunc(slices.Clone(r.Parts), func(other trust.Part) bool { return p.Edit == "" || other.Edit != p.Edit })
}

// Unprinted are the tools that no printed command line approves, because the scan has a
// finding in them. A finding in the instructions makes that all tools.
func (r Review) Unprinted() (tools []string) {
	told := slices.ContainsFunc(r.Scanned.Findings, func(f scan.Finding) bool { return f.Where == "/instructions" })
	for _, p := range r.Open() {
		if told || p.Tool != "" && r.Found(p.Tool) {
			tools = append(tools, p.Tool)
		}
	}
	return tools
}

// Approvals are the command lines that approve the open parts. One line approves the whole.
// Further lines have a digest for each part that is approved separately, or for each shared
// edit. Every line has the given flags.
//
// A line for copying approves no tool with a finding: if there is one, no line approves the
// whole, and each of the other parts has its own digest.
func (r Review) Approvals(flags string) (lines []string) {
	var digests, tools []string
	open, alone := r.Open(), 0
	unprinted := r.Unprinted()
	for _, p := range open {
		shares := slices.ContainsFunc(r.Sharing(p), func(other trust.Part) bool { return slices.Contains(unprinted, other.Tool) })
		if slices.Contains(unprinted, p.Tool) || p.Edit != "" && shares {
			continue
		}
		if !p.Alone && len(unprinted) == 0 {
			continue
		}
		alone++
		digest := cmp.Or(p.Edit, p.Digest)
		if i := slices.Index(digests, digest); i >= 0 {
			tools[i] += " and " + p.Tool
			continue
		}
		digests, tools = append(digests, digest), append(tools, p.Tool)
	}
	line := func(notes []string, digests ...string) {
		text := "ask servers approve " + r.Name + flags + " --digest " + strings.Join(digests, " --digest ")
		if len(notes) > 0 {
			text += "   # " + strings.Join(notes, "; ") // a shell skips it
		}
		lines = append(lines, text)
	}
	together := len(open) == 0 || alone < len(open)
	if r.Digest != "" && len(unprinted) == 0 && together {
		line(r.Also, r.Digest)
	}
	for len(digests) > 0 {
		n := min(len(digests), maxDigests)
		line(append([]string{"one by one: " + strings.Join(tools[:n], ", ")}, r.Also...), digests[:n]...)
		digests, tools = digests[n:], tools[n:]
	}
	return lines
}

// Document is a review as programs read it.
type Document struct {
	Server       string              `json:"server"`
	Error        *host.Failure       `json:"error,omitempty"`
	Place        pin.Place           `json:"place"`
	Entry        jsontext.Value      `json:"entry,omitempty"`
	Bridge       *BridgeDocument     `json:"bridge,omitempty"` // the bridge that starts the server
	Protocol     string              `json:"protocol,omitempty"`
	Info         string              `json:"info,omitempty"`         // the server's own name
	InfoDiffers  bool                `json:"info_differs,omitempty"` // from its name at the approval
	Artifact     jsontext.Value      `json:"artifact,omitempty"`     // the program or package that is started
	Program      []pin.Difference    `json:"program"`                // how it differs from the approved one
	Unasked      *host.Failure       `json:"unasked,omitempty"`      // why two faces could not be checked
	Instructions string              `json:"instructions"`
	Twin         *trust.Twin         `json:"twin,omitempty"` // with another credential, approved in the same form
	Login        *servers.LoginState `json:"login,omitempty"`
	Also         []string            `json:"also"`               // other names of the same server
	Confine      []string            `json:"confine,omitempty"`  // commands that confine a new server before approval
	Digest       string              `json:"digest"`             // of everything to decide; "" if there is nothing
	Misnamed     []string            `json:"misnamed,omitempty"` // tools with names that no call can use
	Tools        []PartDocument      `json:"tools"`
	Findings     []scan.Finding      `json:"findings"`
	Ledger       []scan.Entry        `json:"ledger"`
}

// BridgeDocument is a bridge, the reason to avoid it, and the command that adds the server
// itself.
type BridgeDocument struct {
	config.Bridge
	Why     string `json:"why"`
	Command string `json:"command,omitempty"`
}

// PartDocument is one tool of a review.
type PartDocument struct {
	Tool        string           `json:"tool"`
	State       trust.State      `json:"state"`
	Kind        string           `json:"kind,omitempty"`
	From        string           `json:"from,omitempty"`
	To          string           `json:"to,omitempty"`     // a removed tool's new name, if not in the review
	Effect      string           `json:"effect,omitempty"` // if the allowlist names it
	EffectBy    string           `json:"effect_by,omitempty"`
	Digest      string           `json:"digest,omitempty"`
	EditDigest  string           `json:"edit_digest,omitempty"` // of all tools that share this change
	OneByOne    bool             `json:"one_by_one,omitempty"`
	Rejected    bool             `json:"rejected,omitempty"`   // by a person: it is not asked about again
	AfterCall   bool             `json:"after_call,omitempty"` // listed only after a call: from an earlier session
	Why         string           `json:"why,omitempty"`
	Uncallable  string           `json:"uncallable,omitempty"` // why no call of it can be made, even if approved
	Descriptor  jsontext.Value   `json:"descriptor,omitempty"`
	Differences []pin.Difference `json:"differences"`
}

// Document is the review as a document.
func (r Review) Document() Document {
	d := Document{Server: r.Name, Also: r.Also, Twin: r.Twin, Login: r.Login, Confine: r.Confine}
	if b := r.Bridge; b != nil {
		d.Bridge = &BridgeDocument{*b, b.Reason(), b.Command(r.Name)}
	}
	if r.Err != nil {
		d.Error = host.FailureOf(r.Err)
		return d
	}
	d.Place, d.Entry, d.Artifact, d.Protocol, d.Info, d.Instructions, d.Digest = r.Place, r.Shown, r.Artifact, r.Protocol, r.Info, r.Told, r.Digest
	d.Findings, d.Ledger, d.Program, d.InfoDiffers = r.Scanned.Findings, r.Scanned.Ledger, r.Program, r.InfoDiffers
	d.Unasked, d.Misnamed = host.FailureOf(r.Unasked), r.Misnamed
	for _, p := range r.Parts {
		one := PartDocument{
			Tool: p.Tool, State: p.State, Kind: p.Change.Kind, From: p.Change.From, To: p.Change.To, Digest: p.Digest, EditDigest: p.Edit, OneByOne: p.Alone, Rejected: p.Rejected, AfterCall: p.Late, Why: p.Why,
			Descriptor: p.Now.Raw, Differences: p.Change.Differences,
		}
		if no := catalog.Uncallable(p.Now); p.Now.Raw != nil && no != nil {
			one.Uncallable = no.Reason
		}
		if e := r.Allowlist.Effect(r.Name, p.Tool); slices.Contains(r.Allowlist.Tools(r.Name), p.Tool) {
			one.Effect, one.EffectBy = e.String(), e.By()
		}
		d.Tools = append(d.Tools, one)
	}
	return d
}
