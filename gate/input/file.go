package input

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
)

// Bounds of a rules file.
const (
	maxRules  = 500
	maxParts  = 500
	maxLayers = 64
	maxReason = 300
)

var fileLimits = schema.Limits{Bytes: 4 << 20, Depth: 8, Values: 200_000, Exponent: 0, Digits: 1}

// file is a rules file as written. docs/input-rules.md is its reference.
type file struct {
	BuiltIn       *bool  `json:"builtin,omitempty"`        // absent means true
	BuiltInDigest string `json:"builtin_digest,omitempty"` // the digest of the built-in set that the file requires
	set
	Layers []set `json:"layers,omitempty"` // of further files
}

// set is the content of one file.
type set struct {
	Words   map[string][]string `json:"words,omitempty"`   // lists: ["kill, killing", "stab, stabbing"]
	Terms   map[string]string   `json:"terms,omitempty"`   // excuses of several rules; parts of patterns
	Reasons map[string]string   `json:"reasons,omitempty"` // by category, for rules that give none
	Rules   []rule              `json:"rules,omitempty"`
}

// ParseRules reads a rules file. The built-in set is included unless the file says
// "builtin":false: leaving a member out must not remove protection. The error names
// the rule and its fault.
func ParseRules(b []byte) (Rules, error) {
	var f file
	if err := schema.Decode(b, &f, fileLimits); err != nil {
		return Rules{}, fmt.Errorf("the rules file has %w", err)
	}
	r := Rules{builtIn: f.BuiltIn == nil || *f.BuiltIn}
	if err := f.sameBuiltIn(r.builtIn); err != nil {
		return Rules{}, err
	}
	if len(f.Layers) > maxLayers {
		return Rules{}, fmt.Errorf("the rules file has %d layers, over the limit of %d", len(f.Layers), maxLayers)
	}
	sets := f.Layers
	if len(f.Rules) > 0 {
		sets = append(sets, f.set)
	}
	for _, s := range sets {
		l, err := s.checked()
		if err != nil {
			return Rules{}, err
		}
		r.own = append(r.own, l)
	}
	if r.empty() {
		return Rules{}, errors.New(`the rules file has no rules, and "builtin" is false: every question would be refused`)
	}
	return r, nil
}

// ErrOtherBuiltIn reports a rules file that names a built-in set which this program
// lacks.
var ErrOtherBuiltIn = errors.New("recorded under other built-in rules")

// sameBuiltIn refuses a file that was recorded under another built-in set. Judging by
// this set would only look like a replay.
func (f *file) sameBuiltIn(used bool) error {
	switch {
	case f.BuiltInDigest == "" || used && f.BuiltInDigest == BuiltInDigest():
		return nil
	case !used:
		return errors.New(`the rules file has a "builtin_digest", and "builtin" is false`)
	}
	return fmt.Errorf("%w: %s, and this version has %s", ErrOtherBuiltIn, escape.Line(f.BuiltInDigest, 80), BuiltInDigest())
}

// Source returns a rules file that [ParseRules] turns into these rules. It has the
// built-in rules by their digest. A replay needs the program that contains them; a
// program with others refuses the file.
func (r Rules) Source() []byte {
	if r.empty() {
		return nil
	}
	f := file{BuiltIn: &r.builtIn}
	if r.builtIn {
		f.BuiltInDigest = BuiltInDigest()
	}
	for _, l := range r.own {
		f.Layers = append(f.Layers, l.set)
	}
	b, err := json.Marshal(f, json.Deterministic(true))
	if err != nil {
		panic("a rules file does not encode: " + err.Error()) // its values were decoded or made here
	}
	return b
}

// checked is layer for a set of an operator. Its words must be words that views can
// contain, and a name must not be both a list and a term.
func (s set) checked() (*layer, error) {
	for name, lines := range s.Words {
		for word := range strings.SplitSeq(strings.Join(lines, ", "), ", ") {
			if word == "" || word != plain(word) || strings.ContainsAny(word, `{}[]*+?^$\`) {
				return nil, fmt.Errorf("words %s: %q is not a word or a phrase in lower case", escape.Line(name, 80), escape.Line(word, 80))
			}
		}
		if s.Terms[name] != "" {
			return nil, fmt.Errorf("words %s: a term has that name too", escape.Line(name, 80))
		}
	}
	return s.layer(newLexicon(s.Words))
}

// layer reads the rules, and adds their words to a lexicon.
func (s set) layer(words *lexicon) (*layer, error) {
	if n := len(s.Rules); n == 0 || n > maxRules || len(s.Terms)+len(s.Words) > maxParts {
		return nil, fmt.Errorf("a rules file has 1 to %d rules, and up to %d lists and terms", maxRules, maxParts)
	}
	l := &layer{set: s, rules: slices.Clone(s.Rules), words: words}
	terms, parts := strings.NewReplacer(s.terms("{", "}", "", "")...), sync.OnceValue(s.parts)
	seen := map[string]bool{}
	for i := range l.rules {
		r := &l.rules[i]
		r.Reason = cmp.Or(r.Reason, s.Reasons[r.Category])
		err := r.check(seen)
		switch {
		case err != nil:
		case r.Says != "":
			err = r.read("says", func(s string) (test, error) { return l.words.test(terms.Replace(s)) })
		default:
			err = r.read("pattern", func(s string) (test, error) { return pattern(s, parts()) })
		}
		if err != nil {
			return nil, fmt.Errorf("rule %d (%s): %w", i+1, escape.Line(r.ID, 80), err)
		}
		seen[r.ID] = true
	}
	return l, nil
}
