package trust

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

// Target is the server that is reviewed.
type Target struct {
	Name     string
	Place    pin.Place
	Shown    jsontext.Value       // how it is reached, without secrets
	Artifact jsontext.Value       // the program that is started, or nil
	Allowed  []string             // its tools that the allowlist names
	All      bool                 // review the others as well
	Again    bool                 // decide again on what is approved as it is
	Others   map[pin.Place]string // the other servers of the file, by where they are
	Rules    scan.Rules           // what it says is scanned by them
	Own      pin.Own              // whose the server is, as its entry says

	// List lists the server again, in a connection of its own, for a client of
	// this name; "" is ours.
	List func(ctx context.Context, client string) catalog.Listing
}

// Review is what a server says of itself now, next to what was approved.
type Review struct {
	Target
	Protocol, Info string
	Told           string // the instructions that the server gives now
	ToldDiffers    bool   // and they are not those that were approved
	InfoDiffers    bool   // it called itself otherwise when it was approved
	Instructions   pin.Change
	Program        []pin.Difference // how what is started differs from what was approved
	Parts          []Part           // by danger, then by name
	Listed         []string         // the names of all tools that the server lists
	Misnamed       []string         // names that no call can name, and no approval: a stranger's text
	Scanned        scan.Report
	Digest         string // of all that is to be decided
	Twin           *Twin  // the same server with another credential, of which all this is approved; nil where there is none
	Unasked        error  // why asking under another name was impossible: whether it has two faces is not known

	pins  Pins
	seen  []store.Seen          // by the reviews before
	late  map[string]bool       // the tools of earlier sessions, which the server does not list now
	names []string              // of all tools that it lists now
	first map[string]pin.Change // of what is decided on again: as if no tool were approved

	said      catalog.Listing
	faces     faces
	decided   map[pin.Place][]store.Decision // on every place
	elsewhere map[string]string              // tools of other servers, and of which
}

// State is what became of a tool since it was approved.
type State string

// The states of a [Part].
const (
	Same       State = "approved"
	New        State = "new"
	Changed    State = "changed"
	Gone       State = "removed"
	Unstable   State = "unstable"   // two listings in a row differ: it cannot be approved
	Reordered  State = "reordered"  // two listings differ in the order of names: its approval accepts any order there
	TwoFaced   State = "two-faced"  // another client is told something else
	Unreadable State = "unreadable" // what the server says of it is not known: it cannot be approved
	Absent     State = "absent"     // the allowlist names it, and the server does not list it
)

// Steady is what can be done about an [Unstable] tool.
const Steady = "use a version or an option of the server that writes the same each time, or remove the tool from the allowlist"

// Part is one tool of a review.
type Part struct {
	Tool     string // "" is what is started, where that is not what was approved
	State    State
	Now      pin.Descriptor // what the server says; of a tool that is gone, what was approved
	Change   pin.Change     // what differs from what was approved; of [TwoFaced], also from what the other client is told
	Digest   string         // of this part alone; "" where nothing is to be decided
	Edit     string         // of all tools with this very change, this one among them; "" where no other has it
	Wrote    bool           // a tool that is called reading tried to write: an approval lets it count as reading again
	Alone    bool           // it is approved by its own digest only: it lowers caution, has two faces, or was rejected
	Rejected bool           // a person said no, and is not asked again
	Late     bool           // the server lists it only after a call: it is shown as an earlier session listed it
	Why      string         // of a tool that cannot be approved, or was rejected

	other   string   // digest of what another client is told otherwise
	orderAt []string // of [Reordered]: the places at which the listings differ
}

// Open reports whether there is something to decide.
func (p Part) Open() bool { return p.Digest != "" }

// Again reports whether the part is approved as it is, and is decided on again: only
// its own digest does that, and without a decision nothing changes.
func (p Part) Again() bool { return p.State == Same && p.Open() }

// TwoFaces reports whether another client is told something else of the tool.
func (p Part) TwoFaces() bool { return p.other != "" }

// Settled reports whether nothing waits for somebody: neither for a decision nor,
// where none is possible, for the server or the allowlist to be mended.
func (r Review) Settled() bool {
	return r.Digest == "" && !slices.ContainsFunc(r.Parts, func(p Part) bool {
		return !p.Rejected && slices.Contains([]State{Unstable, Unreadable, Absent}, p.State)
	})
}

// OtherClient is the name under which a review asks a second time: that of
// the protocol's own tool for looking at servers.
const OtherClient = "mcp-inspector"

// review asks the server three times, twice under our name and once under
// another, and holds what it says against what was approved. It keeps nothing.
func (k *Keeper) review(ctx context.Context, s Target) (Review, error) {
	first := s.List(ctx, "")
	if first.Err != nil {
		return Review{}, first.Err
	}
	again, other := s.List(ctx, ""), s.List(ctx, OtherClient)
	if again.Err != nil {
		return Review{}, again.Err
	}
	all, err := k.byPlace(ctx)
	if err != nil {
		return Review{}, err
	}
	seen, err := k.store.Seen(ctx, s.Place)
	if err != nil {
		return Review{}, err
	}
	decisions := all[s.Place]
	r := Review{Target: s, Protocol: first.Protocol, Info: first.Info, Told: told(first), Unasked: other.Err, pins: fold(decisions), seen: seen}
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
			r.Parts[i].Alone = r.Parts[i].Rejected // a person accepted what lowers caution, in these bytes
		}
	}
	r.sameEdits()
	r.Scanned, r.Digest = r.scan(), r.digest()
}

// Among has the names of tools of other servers, which are reviewed at the same time,
// count as taken, each with its server; a name with "" counts in the words of other
// tools alone. The digests are those that the review has without them: an approval of
// one server changes no review of another.
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

// parts are the tools that are reviewed: those of the allowlist, those that
// were approved, and the others where they are asked for.
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
		p := Part{State: Changed, Change: pin.Change{Kind: pin.Changed, Differences: r.Program}}
		p.Digest = r.programDigest()
		all = append(all, p)
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
		p.State, p.Alone, p.Wrote = Changed, true, true
		p.Change = pin.Change{Tool: name, Kind: pin.Changed, Was: was.descriptor(r.Name), Now: p.Now}
		p.Change.Differences = []pin.Difference{{Class: pin.Lowering, Path: "/annotations", Why: r.wrote(name)}}
	case approved && was.passes(p.Now, r.Name) && p.Late && !was.AfterCall:
		p.State = Changed
		p.Change = pin.Change{Tool: name, Kind: pin.Changed, Was: was.descriptor(r.Name), Now: p.Now}
		p.Change.Differences = []pin.Difference{{Class: pin.Contract, Why: "the server lists it only after a call now"}}
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

// again has a tool that is approved as it is show what there was to look at in its
// first review.
func (r *Review) again(p *Part, f faces) {
	p.Change = pin.Change{Tool: p.Tool, Now: p.Now, Differences: r.first[p.Tool].Differences}
	if p.other != "" {
		p.Change.Differences = append(slices.Clone(p.Change.Differences), toOthers(p.Now, f.others.of(p.Tool))...)
	}
}

// wrote says what an approved tool tried to write, "" where that is nothing.
func (r *Review) wrote(tool string) string {
	for _, s := range r.seen {
		if s.Tool == tool && s.Code == string(verdict.SandboxWrote) {
			return s.Why
		}
	}
	return ""
}

// reorder is a tool of which a listing has the same words in another order. What
// is shown and can be approved is what the first review of it showed: a digest
// of that review is one of those bytes, whatever the server writes next. Another
// order is accepted at the places where two listings differ in it, and no others.
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
		return d.Path == "" || d.Order && slices.Contains(p.orderAt, d.Path) // that it is new, or what follows
	})
	p.Change.Differences = append(known, moved...)
}

// moves are the places at which listings have the names in another order, each as
// the first listing of it differs.
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

// fresh is a tool that is not approved, next to what was approved of it before.
func (r *Review) fresh(p *Part) {
	p.State = New
	if past, was := r.pins.past[p.Tool]; was {
		all, err := pin.Compare(past.descriptor(r.Name), p.Now)
		p.Change.Was, p.Change.Differences, p.Alone = past.descriptor(r.Name), all, p.Alone || err != nil || lowersCaution(all)
	}
}

// offer gives a digest to a part that can be decided on.
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

// lowersCaution reports whether an annotation says that a tool is tamer than it
// said before.
func lowersCaution(all []pin.Difference) bool {
	return slices.ContainsFunc(all, func(d pin.Difference) bool {
		return d.Class == pin.Lowering && len(d.Path) >= len("/annotations") && d.Path[:len("/annotations")] == "/annotations"
	})
}

// danger orders the parts: what the server does not list; what is started, which
// answers for all of them; what cannot be approved; what has two faces; then what
// changed, in the order of [pin.ByDanger].
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

// reviews reports whether a tool is looked at.
func (r Review) reviews(name string) bool {
	_, was := r.pins.Tools[name]
	_, held := r.pins.Held[name]
	return r.All || was || held || slices.Contains(r.Allowed, name)
}
