package input

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Rules are what a question may not match. The zero value refuses every
// question, for nobody decided what to let through. Only [ParseRules],
// [BuiltIn] and And make others; all are safe for concurrent use.
type Rules struct{ layers []*layer }

//go:embed builtin.json
var builtin []byte

// BuiltIn is the set that comes with the program, gate/input/builtin.json.
func BuiltIn() Rules { return Rules{[]*layer{compiledBuiltIn()}} }

var compiledBuiltIn = sync.OnceValue(func() *layer {
	l, err := parseLayer(builtin, trusted)
	if err != nil {
		panic("gate/input/builtin.json: " + err.Error()) // a test compiles it
	}
	return l
})

// And refuses what either refuses; so with zero Rules it refuses everything.
func (r Rules) And(other Rules) Rules {
	if r.empty() || other.empty() {
		return Rules{}
	}
	layers := slices.Clone(r.layers)
	for _, l := range other.layers {
		same := func(m *layer) bool { return string(m.source) == string(l.source) }
		if !slices.ContainsFunc(layers, same) {
			layers = append(layers, l)
		}
	}
	return Rules{layers}
}

func (r Rules) empty() bool { return len(r.layers) == 0 }

// match is the first rule that text runs into, in the order of the layers and
// of their files. An empty category means all of them.
func (r Rules) match(text, category string) *rule {
	if text == "" {
		return nil
	}
	for _, view := range views(text) {
		for _, l := range r.layers {
			if hit := l.match(view, category); hit != nil {
				return hit
			}
		}
	}
	return nil
}

func (r *rule) denial(field string) *verdict.Denial {
	return verdict.Deny(verdict.InputRule, "%s matches the rule %s of the category %s: %s", field, r.ID, r.Category, r.Reason)
}
