package lexical

import (
	"cmp"
	"slices"

	"github.com/onestep-run/onestep/gate/speech"
)

// candidate is a tool that the question may mean.
type candidate struct {
	tool    int
	score   float64 // BM25
	rank    float64 // score, weighted by how much of the question the call explains
	f       *filling
	account account
}

// The states of a candidate, best first.
const (
	complete   = iota // the call accounts for the question
	incomplete        // the same, except for a parameter that the user must give
	unfit
	unasked // it changes something, and the question does not plainly ask for that
)

func (k *candidate) state() int {
	switch {
	case k.account.against == noRequest:
		return unasked
	case k.account.against != "" || !k.meant():
		return unfit
	case len(k.f.missing) > 0:
		return incomplete
	}
	return complete
}

// enoughSaid is the part of its name from which a changing tool is meant.
const enoughSaid = 0.6

// meant reports whether the question's words are about the tool, and no other word is left
// over. One word may be left over if the question has all of the tool's name.
func (k *candidate) meant() bool {
	a := k.account
	switch {
	case k.f.e.changes && !k.formed() && !k.called():
		return false
	case a.unknown > 0:
		return a.unknown == 1 && a.said >= 1 && slices.ContainsFunc(k.f.e.nouns, func(st string) bool { return slices.Contains(k.f.e.name, st) })
	}
	if a.known > 1 || a.known > 0 && a.said > 0 {
		return true
	}
	return k.formed()
}

// called reports whether the question names a changing tool. It needs most of the name, and
// each noun of it if the name has a verb of change.
func (k *candidate) called() bool {
	unsaid := func(st string) bool { return slices.Contains(k.f.e.name, st) && !k.f.t.has(st) }
	return k.account.said >= enoughSaid && !(k.f.e.alters && slices.ContainsFunc(k.f.e.nouns, unsaid))
}

// formed reports whether an argument has a form that distinguishes it from a word.
func (k *candidate) formed() bool {
	for i, a := range k.f.args {
		if a.origin != fromQuestion {
			continue
		}
		if s := &k.f.e.slots[i]; s.telling() || s.required && a.form >= told {
			return true
		}
	}
	return false
}

// share is the known part of the words that are not in arguments.
func (a account) share() float64 {
	if a.known+a.unknown == 0 {
		return 1
	}
	return float64(a.known) / float64(a.known+a.unknown)
}

// weight is the gain of a call that leaves little over, and that the question names by its
// name and its verb.
func (k *candidate) weight() float64 {
	w := (0.5 + k.account.said/2) * k.account.share()
	if k.f.e.deprecated {
		w /= 2
	}
	if k.f.verb() {
		w *= sameVerb
	}
	return w
}

// verb reports whether the question asks with the verb of the tool's name.
func (f *filling) verb() bool {
	return slices.ContainsFunc(f.t.words, func(w word) bool {
		return requestVerbs()[w.low] && slices.Contains(speech.NameParts(f.e.tool.Name()), w.low)
	})
}

// sameVerb is the weight of a question with the verb of the tool's name: "list" for
// list_directory, and not for read_file.
const sameVerb = 1.6

// tellingWord is the score of an argument with a certain place. It is the score of a word
// that one tool in nine has.
const tellingWord = 1.9

// maxCandidates bounds the tools that are filled; the rest have only a score.
const maxCandidates = 12

// nearest are the tools with the best scores. A tool with a form for one of the values gets
// a higher score.
func (x *index) nearest(t text, vs []value) []candidate {
	var all []candidate
	for i, score := range x.scores(t.topics()) {
		if x.tools[i].formFor(vs) {
			score++
		}
		if score > 0 {
			all = append(all, candidate{tool: i, score: score})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return all[:min(len(all), maxCandidates)]
}

// zoneForm matches a name of IANA's time zones.
var zoneForm = pattern(`^(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Z][\w-]+(?:/[A-Z][\w-]+)?$`)

// formFor reports whether a required parameter has a distinct form that one of the values
// has.
func (e *entry) formFor(vs []value) bool {
	for k := range e.slots {
		s := &e.slots[k]
		if s.required && slices.ContainsFunc(vs, s.claims) {
			return true
		}
	}
	return false
}

// claims reports whether a value has the slot's distinct form.
func (s *slot) claims(v value) bool {
	switch {
	case s.telling() && s.pattern.MatchString(v.text):
		return true
	case s.says(zoneNames()) && zoneForm().MatchString(v.text):
		return true
	}
	switch v.shape {
	case identifier, mailbox, address:
		return s.shapes(&v)
	}
	return false
}

// thinMargin is how far the best must be before the next that accounts for as much, as a
// part of its rank.
const thinMargin = 0.3

// judge decides whether the best candidate is good enough.
func (d *decision) judge() {
	d.why = ""
	if d.none {
		d.why = noTools
		return
	}
	if len(d.candidates) == 0 {
		d.why = noMatch
		return
	}
	best := d.best()
	switch best.state() {
	case complete:
		switch {
		case slices.ContainsFunc(d.candidates[1:], best.outdone):
			d.why = noMatch
		case len(d.candidates) > 1 && !best.before(&d.candidates[1], d.text):
			d.why = ambiguous
		}
	case incomplete:
		d.why = missing
	default:
		d.why = noMatch
		against := best.account.against
		if against == "" || !best.meant() && !best.formed() {
			return
		}
		if against != noRequest || best.f.named() {
			d.why = leftOver
		}
	}
}

// outdone reports whether the words fit another tool better, which cannot be called yet.
// Then nothing is called in its place.
func (k *candidate) outdone(other candidate) bool {
	if other.state() == unasked && k.account.unknown == 0 {
		return false
	}
	sure := k.formed() || k.account.said > 0
	weak := other.account.unknown > 0 || other.rank < 2*k.rank
	if other.state() == unfit && sure && weak {
		return false
	}
	return other.state() != complete && other.account.said > k.account.said && other.rank > k.rank
}

// before reports whether the best candidate is well before the next. The next may leave
// something over, or have a much lower rank. Or the question has all of the best one's
// name, and less of the other's.
func (k *candidate) before(next *candidate, t text) bool {
	if next.state() > k.state() || k.rank-next.rank >= thinMargin*k.rank {
		return true
	}
	more := next.account.said < 1
	for i, st := range k.f.e.name {
		if !t.has(st) && (!glue()[st] || i == len(k.f.e.name)-1) {
			return false
		}
		more = more || !slices.Contains(next.f.e.name, st)
	}
	return more
}
