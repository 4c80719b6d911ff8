package input

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/schema"
)

// Bounds of a rules file. The pattern limits keep one compiled set under a
// few megabytes.
const (
	maxRules   = 500
	maxTerms   = 100
	maxLayers  = 8
	maxPattern = 4 << 10  // bytes of a pattern or a term as written
	maxFull    = 32 << 10 // bytes of a pattern with its terms put in
	maxReason  = 300
)

var fileLimits = schema.Limits{Bytes: 1 << 20, Depth: 8, Exponent: 0, Digits: 1}

// file is a rules file as written. docs/input-rules.md is its reference.
type file struct {
	BuiltIn *bool             `json:"builtin,omitempty"` // absent means true
	Terms   map[string]string `json:"terms,omitempty"`
	Rules   []rule            `json:"rules,omitempty"`
	Layers  []jsontext.Value  `json:"layers,omitempty"`
}

// rule is one entry of a rules file. Its compiled parts have no JSON name.
type rule struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	Pattern  string `json:"pattern"`
	Unless   string `json:"unless,omitempty"`
	Reason   string `json:"reason"`

	pattern, unless *expression
}

// ParseRules reads a rules file. With the built-in set, unless the file says
// "builtin":false, because leaving a word out must not take protection away.
// The error names the rule and what is wrong with it.
func ParseRules(b []byte) (Rules, error) {
	var f file
	if err := schema.Decode(b, &f, fileLimits); err != nil {
		return Rules{}, fmt.Errorf("the rules file has %w", err)
	}
	var r Rules
	if f.BuiltIn == nil || *f.BuiltIn {
		r = BuiltIn()
	}
	if len(f.Layers) > maxLayers {
		return Rules{}, fmt.Errorf("the rules file has %d layers, over the limit of %d", len(f.Layers), maxLayers)
	}
	for i, raw := range f.Layers {
		l, err := recorded(raw)
		if err != nil {
			return Rules{}, fmt.Errorf("layer %d: %w", i+1, err)
		}
		r = r.with(l)
	}
	if len(f.Rules) > 0 {
		l, err := f.layer(untested)
		if err != nil {
			return Rules{}, err
		}
		r = r.with(l)
	}
	if r.empty() {
		return Rules{}, errors.New(`the rules file has no rules, and "builtin" is false: every question would be refused`)
	}
	return r, nil
}

func (r Rules) with(l *layer) Rules {
	if add := (Rules{[]*layer{l}}); !r.empty() {
		return r.And(add)
	} else {
		return add
	}
}

// Source is a rules file that [ParseRules] turns into these very rules, the
// built-in ones written out: a replay by a later version, with another
// built-in set, still judges by what judged the run.
func (r Rules) Source() []byte {
	if r.empty() {
		return nil
	}
	no := false
	f := file{BuiltIn: &no}
	for _, l := range r.layers {
		f.Layers = append(f.Layers, l.source)
	}
	return encode(f)
}

// recorded is the layer of a trace. Most are the built-in set of this very
// version, which is at hand.
func recorded(raw []byte) (*layer, error) {
	if l := compiledBuiltIn(); string(l.source) == string(raw) {
		return l, nil
	}
	return parseLayer(raw, untested)
}

// parseLayer reads one file that stands for itself: no built-in set, no
// further layers.
func parseLayer(b []byte, c care) (*layer, error) {
	var f file
	if err := schema.Decode(b, &f, fileLimits); err != nil {
		return nil, fmt.Errorf("the rules file has %w", err)
	}
	if f.BuiltIn == nil || *f.BuiltIn || f.Layers != nil {
		return nil, errors.New(`a layer says "builtin":false and has no layers of its own`)
	}
	return f.layer(c)
}

// layer checks and compiles the file's own rules.
func (f file) layer(c care) (*layer, error) {
	if n := len(f.Rules); n == 0 || n > maxRules {
		return nil, fmt.Errorf("the rules file has %d rules; it may have 1 to %d", n, maxRules)
	}
	t, err := newTerms(f.Terms, c)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range f.Rules {
		r := &f.Rules[i]
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("rule %d (%s): %w", i+1, guard.Line(r.ID, 80), err)
		}
		if seen[r.ID] {
			return nil, fmt.Errorf("rule %d (%s): the id is taken by an earlier rule", i+1, r.ID)
		}
		seen[r.ID] = true
		if r.pattern, err = c.compile(r.Pattern, t.full); err != nil {
			return nil, fmt.Errorf("rule %d (%s): pattern: %w", i+1, r.ID, err)
		}
		if r.Unless == "" {
			continue
		}
		if r.unless, err = c.compile(r.Unless, t.full); err != nil {
			return nil, fmt.Errorf("rule %d (%s): unless: %w", i+1, r.ID, err)
		}
	}
	no := false
	source := encode(file{BuiltIn: &no, Terms: f.Terms, Rules: f.Rules})
	return newLayer(source, f.Rules, t), nil
}

func (r *rule) check() error {
	switch {
	case !guard.Name(r.ID):
		return errors.New("the id must be 1 to 128 characters of A-Z a-z 0-9 _ . -")
	case !guard.Name(r.Category):
		return errors.New("the category must be 1 to 128 characters of A-Z a-z 0-9 _ . -")
	case strings.TrimSpace(r.Reason) == "", len(r.Reason) > maxReason:
		return fmt.Errorf("the reason must be 1 to %d bytes", maxReason)
	}
	return nil
}

// encode writes a file the same way every time. Its values were decoded or
// made here, so they encode.
func encode(f file) jsontext.Value {
	b, err := json.Marshal(f, json.Deterministic(true))
	if err != nil {
		panic("a rules file does not encode: " + err.Error())
	}
	return bytes.TrimSpace(b)
}
