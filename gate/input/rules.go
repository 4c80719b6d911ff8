package input

import (
	"slices"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Rules are what a question may not match. The zero value refuses every question,
// because it has no rules to judge by. Only [ParseRules], [BuiltIn] and And make
// others; all are safe for concurrent use.
type Rules struct {
	builtIn bool
	own     []*layer
	fixed   *fixed
}

// fixed is the one verdict of rules that read no text.
type fixed struct{ no *verdict.Denial }

// Recorded gives the verdict that a run recorded, nil where it admitted the
// question, whatever the question is. It is for host/replay alone, where a run
// had rules that this program does not have.
func Recorded(no *verdict.Denial) Rules { return Rules{fixed: &fixed{no}} }

// BuiltIn is the set that comes with the program, gate/input/builtin.json.
func BuiltIn() Rules { return Rules{builtIn: true} }

// FromRecord reports whether the verdict was recorded instead of computed.
func (r Rules) FromRecord() bool { return r.fixed != nil }

// And refuses what either set refuses; so with zero Rules it refuses everything.
func (r Rules) And(other Rules) Rules {
	if r.empty() || other.empty() {
		return Rules{}
	}
	if r.fixed != nil || other.fixed != nil {
		return Rules{} // a fixed verdict adds up with nothing
	}
	return Rules{builtIn: r.builtIn || other.builtIn, own: slices.Concat(r.own, other.own)}
}

func (r Rules) empty() bool { return !r.builtIn && len(r.own) == 0 && r.fixed == nil }

// match returns the first rule that matches the text. The order is that of the layers
// and of their files, the built-in layer first. An empty category means all
// categories.
func (r Rules) match(text, category string) *rule {
	if text == "" {
		return nil
	}
	layers := r.own
	if r.builtIn {
		layers = append([]*layer{&builtInLayer}, r.own...)
	}
	for _, view := range views(text) {
		for _, l := range layers {
			if hit := l.match(view, category); hit != nil {
				return hit
			}
		}
	}
	return nil
}

// layer is one rules file.
type layer struct {
	set   set
	rules []rule
	words *lexicon
}

// match returns the first rule of the category that matches without an exception that
// matches. Exceptions read the whole view: "kill" in a question that names a game is
// about the game.
func (l *layer) match(view, category string) *rule {
	t := l.words.read(view)
	for i := range l.rules {
		r := &l.rules[i]
		if category != "" && r.Category != category {
			continue
		}
		if r.said.in(t) && !r.isExcused(t) {
			return r
		}
	}
	return nil
}

//go:generate go test . -run TestTheTablesAreThoseOfTheFile -update

// builtInLayer has the rules of builtin.json. They were read when the tables were
// generated, so no run reads them.
var builtInLayer = layer{rules: builtInRules, words: &lexicon{table: &builtInWords}}

// BuiltInDigest identifies the built-in set, for traces: the digest of builtin.json.
func BuiltInDigest() string { return builtInDigest }
