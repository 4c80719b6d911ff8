package trust

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

// Target is the server under review.
type Target struct {
	Name     string
	Place    pin.Place
	Shown    jsontext.Value       // its address or command, without secrets
	Artifact jsontext.Value       // the program, or nil
	Allowed  []string             // its tools in the allowlist
	All      bool                 // review its other tools as well
	Again    bool                 // decide again on unchanged approved tools
	Others   map[pin.Place]string // the other servers of the file, by place
	Rules    scan.Rules           // for scanning its texts
	Own      pin.Own              // the server's owner, as its entry states

	// List lists the server again, over a separate connection, for a client of this name;
	// "" is ours.
	List func(ctx context.Context, client string) catalog.Listing
}

// Review is a server's current description, next to the approved one.
type Review struct {
	Target
	Protocol, Info string
	Told           string // the server's current instructions
	ToldDiffers    bool   // the instructions differ from the approved ones
	InfoDiffers    bool   // its own name was different at the approval
	Instructions   pin.Change
	Program        []pin.Difference // differences from the approved program
	Parts          []Part           // by danger, then by name
	Listed         []string         // names of all tools that the server lists
	Misnamed       []string         // names that cannot be called or approved: untrusted text
	Scanned        scan.Report
	Digest         string // of everything that waits for a decision
	Twin           *Twin  // the same server with another credential and this whole description approved, or nil
	Unasked        error  // why the listing under another name failed: two faces are then unknown

	pins  Pins
	seen  []store.Seen          // findings of earlier reviews
	late  map[string]bool       // tools of earlier sessions, not listed now
	names []string              // of all currently listed tools
	first map[string]pin.Change // for Again: changes as if no tool were approved

	said      catalog.Listing
	faces     faces
	decided   map[pin.Place][]store.Decision // on every place
	elsewhere map[string]string              // tools of other servers, with their servers
}

// State is the state of a tool since its approval.
type State string

// The states of a [Part].
const (
	Same       State = "approved"
	New        State = "new"
	Changed    State = "changed"
	Gone       State = "removed"
	Unstable   State = "unstable"   // two listings in a row differ: it cannot be approved
	Reordered  State = "reordered"  // two listings differ in the order of names: its approval accepts any order there
	TwoFaced   State = "two-faced"  // another client gets another description
	Unreadable State = "unreadable" // its description cannot be read: it cannot be approved
	Absent     State = "absent"     // in the allowlist, but not listed by the server
)

// Steady is the advice for an [Unstable] tool.
const Steady = "use a version or an option of the server that writes the same each time, or remove the tool from the allowlist"

// Part is one tool of a review.
type Part struct {
	Tool     string // "" is the program, if it differs from the approved one
	State    State
	Now      pin.Descriptor // the current descriptor; for a tool that is gone, the approved one
	Change   pin.Change     // differences from the approved descriptor; for [TwoFaced] also for the other client
	Digest   string         // of this part alone; "" if it needs no decision
	Edit     string         // of all tools with the same change, including this one; "" if no other has it
	Wrote    bool           // a reading tool tried to write: an approval makes it reading again
	Alone    bool           // needs its own digest: it lowers caution, has two faces, or was rejected
	Rejected bool           // the user rejected it, and is not asked again
	Late     bool           // listed only after a call: Now is from an earlier session
	Why      string         // why it cannot be approved, or was rejected

	other   string   // digest of another client's different description
	orderAt []string // for [Reordered]: the places where the listings differ
}

// Open reports whether the part needs a decision.
func (p Part) Open() bool { return p.Digest != "" }

// Again reports whether the part is approved, unchanged, and decided on again. Only its
// own digest does that, and without a decision nothing changes.
func (p Part) Again() bool { return p.State == Same && p.Open() }

// TwoFaces reports whether another client gets another description of the tool.
func (p Part) TwoFaces() bool { return p.other != "" }

// Settled reports whether the review needs no action. An action is a decision or, if none
// is possible, a correction of the server or the allowlist.
func (r Review) Settled() bool {
	return r.Digest == "" && !slices.ContainsFunc(r.Parts, func(p Part) bool {
		return !p.Rejected && slices.Contains([]State{Unstable, Unreadable, Absent}, p.State)
	})
}

// OtherClient is the name under which a review asks a second time. It is the name of the
// protocol's own tool for inspecting servers.
const OtherClient = "mcp-inspector"

// review lists the server three times, twice under our name and once under another, and
// compares the listings with the approved description. It stores nothing.
func (k *Keeper) review(ctx context.Context, s Target) (Review, error) {
	first := s.List(ctx, "")
	if first.Err != nil {
		return Review{}, first.Err
	}
	again, other := s.List(ctx, ""), s.List(ctx, OtherClient)
	if again.Err != nil {
		return Review{}, again.Err
	}
	decisions, err := k.store.All(ctx)
	if err != nil {
		return Review{}, err
	}
	all := map[pin.Place][]store.Decision{}
	for _, d := range decisions {
		all[d.Place] = append(all[d.Place], d)
	}
	seen, err := k.store.Seen(ctx, s.Place)
	if err != nil {
		return Review{}, err
	}
	r := Review{Target: s, Protocol: first.Protocol, Info: first.Info, Told: told(first), Unasked: other.Err, pins: fold(all[s.Place]), seen: seen}
	r.names = namesOf(first)
	r.Misnamed = slices.DeleteFunc(slices.Clone(r.names), escape.Name)
	more := later(seen, r.pins.Tools)
	first, r.late = with(first, more)
	again, _ = with(again, more)
	if other.Err == nil {
		other, _ = with(other, more)
	}
	r.ToldDiffers, r.Program = r.pins.Last > 0 && r.Told != r.pins.Instructions, r.pins.program(s.Artifact)
	r.InfoDiffers = r.pins.info != "" && r.pins.info != infoDigest(r.Info)
	r.said, r.faces = first, faces{byName(first), byName(again), byName(other), other.Err}
	r.decided, r.elsewhere = all, s.elsewhere(all)
	r.compare()
	return r, nil
}

// compare makes the parts of the review.
func (r *Review) compare() {
	changes := changesOf(*r, r.pins, r.said, historyOf(r.decided[r.Place]), r.elsewhere)
	if r.Target.Again {
		r.first = changesOf(*r, Pins{}, r.said, nil, r.elsewhere)
	}
	r.Instructions, r.Parts, r.Listed = changes[""], r.parts(r.faces, changes), slices.Sorted(maps.Keys(r.faces.ours.by))
	if r.Twin = r.twin(r.decided, r.faces.ours.by); r.Twin != nil {
		for i := range r.Parts {
			r.Parts[i].Alone = r.Parts[i].Rejected // a user accepted these bytes, even if they lower caution
		}
	}
	r.sameEdits()
	r.Scanned, r.Digest = r.scan(), r.digest()
}

// Among makes the names of tools of other servers count as taken, each with its server.
// These servers are reviewed at the same time. A name with "" counts only in the words of
// other tools. The digests do not depend on these names: an approval of one server
// changes no review of another.
func (r *Review) Among(names map[string]string) {
	if len(names) == 0 {
		return
	}
	for name, server := range names {
		r.elsewhere[name] = pin.Both(r.elsewhere[name], server)
	}
	r.compare()
}

func told(l catalog.Listing) string {
	for _, d := range l.Tools {
		return d.Instructions
	}
	return ""
}

// parts returns the tools under review: the tools in the allowlist, the approved tools,
// and the others on request.
func (r *Review) parts(f faces, changes map[string]pin.Change) (all []Part) {
	names := map[string]bool{}
	for name := range f.ours.by {
		names[name] = r.reviews(name)
	}
	for _, name := range slices.AppendSeq(slices.Clone(r.Allowed), maps.Keys(r.pins.Tools)) {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if names[name] {
			all = append(all, r.part(name, f, changes[name]))
		}
	}
	if otherProgram(r.Program) {
		digest := digestOf("program", r.Place.Entry, r.Place.Credential, string(r.Artifact))
		all = append(all, Part{State: Changed, Change: pin.Change{Kind: pin.Changed, Differences: r.Program}, Digest: digest})
	}
	slices.SortStableFunc(all, func(a, b Part) int {
		return cmp.Or(cmp.Compare(a.danger(), b.danger()), pin.ByDanger(a.Change, b.Change))
	})
	return all
}

func (r *Review) part(name string, f faces, change pin.Change) Part {
	is, again := f.ours.of(name), f.again.of(name)
	p := Part{Tool: name, Now: is.Descriptor, Change: change, Late: r.late[name], other: f.second(name)}
	if no := r.pins.Held[name]; no != nil && no.Code == verdict.PinRejected {
		p.Rejected, p.Alone, p.Why = true, true, no.Reason
	}
	was, approved := r.pins.Tools[name]
	listings := f.shuffled(name)
	shuffled := len(listings) > 0
	if shuffled {
		p.other = ""
	}
	switch {
	case is.no != nil:
		p.State, p.Why, p.Change = Unreadable, is.no.Reason, pin.Change{}
	case is.Raw == nil && approved:
		p.State, p.Now = Gone, was.descriptor(r.Name)
	case is.Raw == nil:
		p.State, p.Why = Absent, "the allowlist names it, and the server does not list it"
	case shuffled && approved && !slices.ContainsFunc(listings, func(d pin.Descriptor) bool { return !was.passes(d, r.Name) }):
		p.State = Same
	case shuffled:
		r.reorder(&p, listings)
	case !is.same(again):
		p.State, p.Why = Unstable, "the server describes it differently each time"
		p.Change.Differences, _ = pin.Compare(is.Descriptor, again.Descriptor)
	case p.other != "" && !was.facing(p.other):
		p.State, p.Alone = TwoFaced, true
		p.Change.Differences = append(slices.Clone(change.Differences), toOthers(is.Descriptor, f.others.of(name))...)
	case approved && was.passes(p.Now, r.Name) && r.wrote(name) != "":
		p.Alone, p.Wrote = true, true
		p.changed(was.descriptor(r.Name), pin.Difference{Class: pin.Lowering, Path: "/annotations", Why: r.wrote(name)})
	case approved && was.passes(p.Now, r.Name) && p.Late && !was.AfterCall:
		p.changed(was.descriptor(r.Name), pin.Difference{Class: pin.Contract, Why: "the server lists it only after a call now"})
	case approved && was.passes(p.Now, r.Name):
		p.State = Same
	case approved:
		p.State, p.Alone = Changed, lowersCaution(change.Differences)
	default:
		r.fresh(&p)
	}
	if p.State == Same && r.Again {
		r.again(&p, f)
	}
	r.offer(&p)
	return p
}

// changed makes a part a changed tool with one difference.
func (p *Part) changed(was pin.Descriptor, d pin.Difference) {
	p.State, p.Change = Changed, pin.Change{Tool: p.Tool, Kind: pin.Changed, Was: was, Now: p.Now, Differences: []pin.Difference{d}}
}

// again makes an unchanged approved tool show the same differences as its first review.
func (r *Review) again(p *Part, f faces) {
	p.Change = pin.Change{Tool: p.Tool, Now: p.Now, Differences: r.first[p.Tool].Differences}
	if p.other != "" {
		p.Change.Differences = append(slices.Clone(p.Change.Differences), toOthers(p.Now, f.others.of(p.Tool))...)
	}
}

// wrote says what an approved tool tried to write, or "".
func (r *Review) wrote(tool string) string {
	for _, s := range r.seen {
		if s.Tool == tool && s.Code == string(verdict.SandboxWrote) {
			return s.Why
		}
	}
	return ""
}

// reorder marks a tool with the same words in another order in one listing. It shows the
// descriptor of the first such review, and only that can be approved: its digest is for
// those bytes, whatever order the server writes next. Another order is accepted only at
// the places where two listings differ in it.
func (r *Review) reorder(p *Part, listings []pin.Descriptor) {
	p.State, p.Alone = Reordered, true
	if i := slices.IndexFunc(r.seen, func(s store.Seen) bool { return s.Tool == p.Tool }); i >= 0 {
		before := pin.Descriptor{Server: r.Name, Raw: r.seen[i].Raw, Instructions: r.seen[i].Instructions}
		if pin.InAnotherOrder(p.Now, before) {
			p.Now = before
		}
	}
	if was, approved := r.pins.Tools[p.Tool]; approved {
		p.Change.Differences, _ = pin.Compare(was.descriptor(r.Name), p.Now)
	}
	moved := moves(p.Now, listings)
	for _, d := range moved {
		p.orderAt = append(p.orderAt, d.Path)
	}
	slices.Sort(p.orderAt)
	known := slices.DeleteFunc(slices.Clone(p.Change.Differences), func(d pin.Difference) bool {
		return d.Path == "" || d.Order && slices.Contains(p.orderAt, d.Path) // drops that the tool is new, and the moves
	})
	p.Change.Differences = append(known, moved...)
}

// moves returns the places where listings have the names in another order, each with the
// first listing that differs there.
func moves(now pin.Descriptor, listings []pin.Descriptor) (all []pin.Difference) {
	for _, other := range listings {
		found, _ := pin.Compare(now, other)
		for _, d := range found {
			if d.Order && !slices.ContainsFunc(all, func(known pin.Difference) bool { return known.Path == d.Path }) {
				all = append(all, d)
			}
		}
	}
	return all
}

// fresh marks a tool without approval as new, next to its earlier approval if it had one.
func (r *Review) fresh(p *Part) {
	p.State = New
	if past, was := r.pins.past[p.Tool]; was {
		all, err := pin.Compare(past.descriptor(r.Name), p.Now)
		p.Change.Was, p.Change.Differences, p.Alone = past.descriptor(r.Name), all, p.Alone || err != nil || lowersCaution(all)
	}
}

// offer gives a digest to a part that needs a decision.
func (r *Review) offer(p *Part) {
	if slices.Contains([]State{Absent, Unstable, Unreadable}, p.State) || p.State == Same && !r.Again {
		return
	}
	digest, err := r.partDigest(*p)
	if err != nil {
		p.State, p.Why = Unreadable, err.Error()
	}
	p.Digest = digest
}

// lowersCaution reports whether an annotation claims that a tool is less dangerous than
// before.
func lowersCaution(all []pin.Difference) bool {
	return slices.ContainsFunc(all, func(d pin.Difference) bool {
		return d.Class == pin.Lowering && strings.HasPrefix(d.Path, "/annotations")
	})
}

// danger orders the parts. First come tools that the server does not list, then the
// program, which answers for all of them, then tools that cannot be approved, then tools
// with two faces. Changed tools follow in the order of [pin.ByDanger].
func (p Part) danger() int {
	switch p.State {
	case Changed:
		if p.Tool == "" {
			return -3
		}
	case Absent:
		return -4
	case Unreadable, Unstable:
		return -2
	case TwoFaced, Reordered:
		return -1
	case Same:
		return 1000
	}
	return 0
}

// reviews reports whether a tool is reviewed.
func (r Review) reviews(name string) bool {
	_, was := r.pins.Tools[name]
	_, held := r.pins.Held[name]
	if r.All || slices.Contains(r.Allowed, name) {
		return true
	}
	return was || held
}
