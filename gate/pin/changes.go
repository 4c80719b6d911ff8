package pin

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
)

// Snapshot is a server's report on itself at one time. Anyone may make one; it vouches for
// nothing. Protocol and Info, its serverInfo, are the server's own words about itself and
// are compared with nothing.
type Snapshot struct {
	Protocol     string         `json:"protocol,omitempty"`
	Info         jsontext.Value `json:"info,omitempty"`
	Instructions string         `json:"instructions,omitempty"`
	Tools        []Descriptor   `json:"tools"`

	// Others are tools that are not reviewed. They are not compared. Their names count, and
	// one may be an approved tool under another name.
	Others []Descriptor `json:"-"`

	// Own is taken from the operator's entry, not from the server's words.
	Own Own `json:"-"`
}

// The kinds of change.
const (
	New       = "new"
	Changed   = "changed"
	Removed   = "removed"
	Renamed   = "renamed"   // another name, and otherwise the approved tool
	Reverted  = "reverted"  // back to an earlier approved descriptor
	Shadowing = "shadowing" // a new name that is, or nearly is, one of another server
)

// Change is the change of one tool of a server, or of its instructions.
type Change struct {
	Tool        string // its name now, or before it was removed; "" of the instructions
	Kind        string
	From        string // of a renamed tool its old name, of a shadowing one the other servers
	To          string // of a removed tool that the server lists under a name that is not reviewed: that name
	Was, Now    Descriptor
	Differences []Difference
}

// Class is the worst class of a change's differences. A change that only removes a tool is
// Informational: nothing is left to approve.
func (c Change) Class() Class {
	worst := Informational
	for _, d := range c.Differences {
		worst = min(worst, d.Class)
	}
	return worst
}

// Changes lists the changes that a person would have to approve for a server, the most
// dangerous first. Approved are its approved tools, and history is every descriptor that
// was ever approved. Others are the approved tools of other servers, each with its server,
// or with several as [Both] writes them; one with "" counts only as a name in the words of
// other tools. Instructions are one change, not one for every tool. No changed tool is left
// out: a tool that cannot be compared is a Lowering difference.
func Changes(approved, history []Descriptor, now Snapshot, others map[string]string) []Change {
	l := newListing(approved, history, now, others)
	all := l.instructions()
	for _, d := range now.Tools {
		if c, changed := l.tool(d); changed {
			all = append(all, c)
		}
	}
	all = append(all, l.removed()...)
	exchanged(all, approved)
	spread(all)
	slices.SortStableFunc(all, ByDanger)
	return all
}

// exchanged marks tools that have the description that another one was approved with. It
// does not matter if that other tool keeps it. A model that calls the described tool, which
// reads, would call a tool that deletes.
func exchanged(all []Change, approved []Descriptor) {
	if len(all) == 0 {
		return
	}
	had := map[string]string{}
	for _, d := range approved {
		if text := described(d); text != "" {
			had[text] = d.name()
		}
	}
	for i, c := range all {
		if of := had[described(c.Now)]; of != "" && of != c.Tool && described(c.Was) != described(c.Now) {
			all[i].Differences = append([]Difference{{
				Class: Cue, Path: "/description", Why: "it is described as " + escape.Line(of, 64) + " was", Weight: 60,
			}}, c.Differences...)
			byDanger(all[i].Differences)
		}
	}
}

// described are the words of a description, with single blanks between them.
func described(d Descriptor) string {
	f, _ := d.Fields()
	return strings.Join(strings.Fields(f.Description), " ")
}

// listing is one server's tools, before and now.
type listing struct {
	was      map[string]Descriptor // by name
	now      map[string]bool       // the names
	snapshot Snapshot
	approved []Descriptor
	bodies   map[Digest]string // names of approved tools that are gone, by their meaning without the name
	before   map[Digest]bool   // meanings that were ever approved
	others   map[string]string // servers, by names that a reader may confuse
	comparing
}

func newListing(approved, history []Descriptor, now Snapshot, others map[string]string) *listing {
	l := &listing{
		was: map[string]Descriptor{}, now: map[string]bool{}, snapshot: now, approved: approved,
		bodies: map[Digest]string{}, before: map[Digest]bool{}, others: map[string]string{},
		comparing: comparing{map[string]bool{}, new(budget(maxAllWork)), now.Own},
	}
	for _, d := range slices.Concat(now.Tools, now.Others) {
		l.now[d.name()] = true
		l.names[d.name()] = false
	}
	for _, d := range approved {
		l.was[d.name()] = d
		if digest, ok := body(d); ok && !l.now[d.name()] {
			l.bodies[digest] = d.name()
		}
	}
	for _, d := range history {
		if digest, err := alone(d).Meaning(); err == nil {
			l.before[digest] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		if _, own := l.names[name]; !own {
			l.names[name] = true
		}
		l.others[alike(name)] = Both(l.others[alike(name)], others[name])
	}
	return l
}

// alone is a descriptor without the instructions, which all tools of the server share.
func alone(d Descriptor) Descriptor {
	d.Instructions = ""
	return d
}

// body is a tool's meaning without its name.
func body(d Descriptor) (Digest, bool) {
	s, err := parse(alone(d))
	if err != nil {
		return Digest{}, false
	}
	delete(s.normal, "name")
	return s.meaning(), true
}

// alike is a key that is equal for names that a reader may confuse. They differ only in
// case and in the separators of their words.
func alike(name string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))
}

func (l *listing) tool(now Descriptor) (Change, bool) {
	name := now.name()
	was, known := l.was[name]
	if !known {
		return l.new(name, now), true
	}
	if len(was.Raw) > 0 && bytes.Equal(was.Raw, now.Raw) {
		return Change{}, false
	}
	c := Change{Tool: name, Kind: Changed, Was: was, Now: now, Differences: l.differences(was, now)}
	if c.Class() < Informational && l.wasApproved(now) {
		c.Kind = Reverted
	}
	return c, len(c.Differences) > 0
}

func (l *listing) wasApproved(d Descriptor) bool {
	digest, err := alone(d).Meaning()
	return err == nil && l.before[digest]
}

// differences are the differences of the tool without the instructions.
func (l *listing) differences(was, now Descriptor) []Difference {
	all, err := l.compare(alone(was), alone(now))
	if err != nil {
		return []Difference{{Class: Lowering, Why: "the tool cannot be compared: " + err.Error()}}
	}
	return all
}

// new is a tool with a name that was not approved. It may be another server's, a renamed
// tool, an earlier tool of this server, or a new one.
func (l *listing) new(name string, now Descriptor) Change {
	c := Change{Tool: name, Kind: New, Now: now}
	if digest, ok := body(now); ok && l.bodies[digest] != "" {
		c.Kind, c.From = Renamed, l.bodies[digest]
		c.Was = l.was[c.From]
		c.Differences = l.differences(c.Was, now)
	} else {
		c.Differences = l.first(now)
	}
	if l.wasApproved(now) {
		c.Kind, c.From = Reverted, ""
	}
	if server := l.others[alike(name)]; server != "" {
		c.Kind, c.From = Shadowing, server
		c.Differences = append([]Difference{{
			Class: Lowering, Path: "/name", Now: schema.Literal(name), Why: "another server has a tool of this name", Weight: 100,
		}}, c.Differences...)
	}
	return c
}

// Both are the servers of two lists of servers, each once and in order.
func Both(a, b string) string {
	all := slices.Concat(strings.Split(a, serversBy), strings.Split(b, serversBy))
	slices.Sort(all)
	all = slices.DeleteFunc(slices.Compact(all), func(server string) bool { return server == "" })
	return strings.Join(all, serversBy)
}

const serversBy = ", "

// first are the differences of a tool that was never approved: that it is new, and the cues
// in its words. Its annotations are the server's claims like any other, and no change.
func (l *listing) first(now Descriptor) []Difference {
	after, err := parse(alone(now))
	if err != nil {
		return []Difference{{Class: Lowering, Why: "the tool cannot be read: " + err.Error()}}
	}
	all := []Difference{{Class: Contract, Now: now.Raw, Why: "a new tool"}}
	c := &comparison{now: after, words: words{ownWords(after), l.names, l.server, map[string]map[string]sign{}}}
	all[0].Weight = c.weigh(&all[0], nil, after.raw)
	for name, v := range after.raw {
		c.addedCues(schema.Below("", name), v)
	}
	all = append(all, c.sorted()...)
	byDanger(all)
	return all
}

// instructions are compared with each text that a tool was approved with.
func (l *listing) instructions() []Change {
	now, approved, kind := l.snapshot.Instructions, l.approved, Changed
	if len(approved) == 0 {
		approved, kind = []Descriptor{{}}, New
	}
	var all []Change
	compared := map[string]bool{now: true}
	for _, d := range approved {
		was := d.Instructions
		if compared[was] {
			continue
		}
		compared[was] = true
		c := &comparison{words: words{ownWords(), l.names, l.server, map[string]map[string]sign{}}}
		c.text("/instructions", was, now, Wording)
		all = append(all, Change{Kind: kind, Was: Descriptor{Instructions: was}, Now: Descriptor{Instructions: now}, Differences: c.sorted()})
	}
	return all
}

// removed are the approved tools that are gone, except renamed ones, which are changes
// already.
func (l *listing) removed() []Change {
	known, to := l.renamed(l.snapshot.Tools), l.renamed(l.snapshot.Others)
	var all []Change
	for _, d := range l.approved {
		name := d.name()
		if _, renamed := known[name]; !l.now[name] && !renamed {
			all = append(all, Change{Tool: name, Kind: Removed, To: to[name], Was: d})
		}
	}
	return all
}

// renamed are the approved tools that are gone and have another name among these, with that
// name.
func (l *listing) renamed(among []Descriptor) map[string]string {
	to := map[string]string{}
	if len(l.bodies) == 0 {
		return to
	}
	for _, d := range among {
		if digest, ok := body(d); ok && l.was[d.name()].Raw == nil {
			to[l.bodies[digest]] = d.name()
		}
	}
	return to
}
