package input

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/schema"
)

// Bounds of a rules file. The pattern limits keep one compiled set under a
// few megabytes.
const (
	maxRules   = 500
	maxParts   = 500
	maxLayers  = 64
	maxPattern = 4 << 10  // bytes of a pattern or a term as written
	maxFull    = 32 << 10 // bytes of a pattern with its terms put in
	maxReason  = 300
)

var fileLimits = schema.Limits{Bytes: 4 << 20, Depth: 8, Values: 200_000, Exponent: 0, Digits: 1}

// file is a rules file as written. docs/input-rules.md is its reference.
type file struct {
	BuiltIn       *bool               `json:"builtin,omitempty"`        // absent means true
	BuiltInDigest string              `json:"builtin_digest,omitempty"` // of the only built-in set that will do
	Words         map[string][]string `json:"words,omitempty"`          // lists: ["kill(ing), murder(ing)", "stab(bing)"]
	Terms         map[string]string   `json:"terms,omitempty"`          // parts of patterns; excuses of several rules
	Reasons       map[string]string   `json:"reasons,omitempty"`        // by category, for rules that give none
	Rules         []rule              `json:"rules,omitempty"`
	Layers        []file              `json:"layers,omitempty"`
}

// rule is one entry of a rules file: words to find, or a pattern. Its compiled
// parts have no JSON name.
type rule struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	Says     string `json:"says,omitempty"`
	Pattern  string `json:"pattern,omitempty"`
	Unless   string `json:"unless,omitempty"`
	Reason   string `json:"reason,omitempty"`

	says, excuses   []phrase
	pattern, unless *regexp.Regexp
}

// ParseRules reads a rules file. With the built-in set, unless the file says
// "builtin":false, because leaving a word out must not take protection away.
// The error names the rule and what is wrong with it.
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
	for i := range f.Layers {
		l, err := f.Layers[i].checked()
		if alone := &f.Layers[i]; err == nil && (alone.BuiltIn != nil || alone.BuiltInDigest != "" || alone.Layers != nil) {
			err = errors.New("a layer has words, terms, reasons and rules, and nothing else")
		}
		if err != nil {
			return Rules{}, fmt.Errorf("layer %d: %w", i+1, err)
		}
		r.add(l)
	}
	if len(f.Rules) > 0 {
		l, err := f.checked()
		if err != nil {
			return Rules{}, err
		}
		r.add(l)
	}
	if r.empty() {
		return Rules{}, errors.New(`the rules file has no rules, and "builtin" is false: every question would be refused`)
	}
	return r, nil
}

// ErrOtherBuiltIn is of a rules file that names a built-in set which this
// program does not have.
var ErrOtherBuiltIn = errors.New("recorded under other built-in rules")

// sameBuiltIn refuses a file that was recorded under another built-in set:
// to judge by this one would pass for a replay and be none.
func (f *file) sameBuiltIn(used bool) error {
	switch {
	case f.BuiltInDigest == "" || used && f.BuiltInDigest == builtInDigest():
		return nil
	case !used:
		return errors.New(`the rules file has a "builtin_digest", and "builtin" is false`)
	}
	return fmt.Errorf("%w: %s, and this version has %s", ErrOtherBuiltIn, guard.Line(f.BuiltInDigest, 80), builtInDigest())
}

// Source is a rules file that [ParseRules] turns into these very rules. The
// built-in ones stand in it by their digest: whoever replays a run has the
// program that holds them, and a program with others refuses the file.
func (r Rules) Source() []byte {
	if r.empty() {
		return nil
	}
	f := file{BuiltIn: &r.builtIn}
	if r.builtIn {
		f.BuiltInDigest = builtInDigest()
	}
	for _, l := range r.own {
		f.Layers = append(f.Layers, *l.words.file)
	}
	return encode(f)
}

// checked is the layer of an operator's file, without further ones.
func (f *file) checked() (*layer, error) {
	own := file{Words: f.Words, Terms: f.Terms, Reasons: f.Reasons, Rules: f.Rules}
	if err := own.checkNames(); err != nil {
		return nil, err
	}
	return own.layer()
}

// listed is a word of a list. Its ends are ASCII, for the \b of a pattern knows
// no other, and its first two letters are in every form of it.
var listed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[a-z0-9.,]|[a-z0-9][^\p{Lu}(){}\[\]|,+*?^$\\](?:[^\p{Lu}(){}\[\]|,+*?^$\\]*(?:\([a-z]+(?:\|[a-z]+)*\))?){0,8})$`)
})

// checkNames shows that all lists are lists, and that terms can be named.
func (f *file) checkNames() error {
	if n := len(f.Terms) + len(f.Words); n > maxParts {
		return fmt.Errorf("the rules file has %d terms and lists, over the limit of %d", n, maxParts)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Words)) {
		for word := range strings.SplitSeq(strings.Join(f.Words[name], ", "), ", ") {
			if end := len(word) - 1; !listed().MatchString(word) || end > 0 && word[end] != ')' && !wordByte(word[end]) {
				return fmt.Errorf("words %s: %q is not a word or a phrase in lower case, with endings in brackets: kill(ing), lad(y|ies)",
					guard.Line(name, 80), guard.Line(word, 80))
			}
		}
	}
	for name := range f.Terms {
		if _, both := f.Words[name]; both || !guard.Name(name) {
			return fmt.Errorf("term %q: the name must be 1 to 128 characters of A-Z a-z 0-9 _ . -, and not that of a list", guard.Line(name, 80))
		}
	}
	return nil
}

// layer reads the file's own rules.
func (f *file) layer() (*layer, error) {
	if n := len(f.Rules); n == 0 || n > maxRules {
		return nil, fmt.Errorf("the rules file has %d rules; it may have 1 to %d", n, maxRules)
	}
	l := &layer{rules: slices.Clone(f.Rules), words: vocabulary{
		file: f, numbers: make(map[string]int, 4*len(f.Words)), heads: make([]int32, beginnings),
		entries: make([]entry, 0, 40*len(f.Words)), known: map[string][]phrase{},
	}}
	expander := sync.OnceValue(f.expander)
	seen := map[string]bool{}
	for i := range l.rules {
		r := &l.rules[i]
		r.Reason = cmp.Or(r.Reason, f.Reasons[r.Category])
		err := r.check(seen)
		switch {
		case err != nil:
		case r.Says != "":
			err = r.readPhrases(&l.words)
		default:
			err = r.compile(expander())
		}
		if err != nil {
			return nil, fmt.Errorf("rule %d (%s): %w", i+1, guard.Line(r.ID, 80), err)
		}
		seen[r.ID] = true
	}
	return l, nil
}

func (r *rule) check(seen map[string]bool) error {
	switch {
	case !guard.Name(r.ID):
		return errors.New("the id must be 1 to 128 characters of A-Z a-z 0-9 _ . -")
	case seen[r.ID]:
		return errors.New("the id is taken by an earlier rule")
	case !guard.Name(r.Category):
		return errors.New("the category must be 1 to 128 characters of A-Z a-z 0-9 _ . -")
	case (r.Says == "") == (r.Pattern == ""):
		return errors.New("it needs either says or a pattern")
	case strings.TrimSpace(r.Reason) == "", len(r.Reason) > maxReason:
		return fmt.Errorf("the reason, its own or that of its category, must be 1 to %d bytes", maxReason)
	}
	return nil
}

func (r *rule) readPhrases(v *vocabulary) (err error) {
	if r.says, err = v.phrases(r.Says, " & ", nil); err != nil {
		return fmt.Errorf("says: %w", err)
	}
	if r.excuses, err = v.phrases(r.Unless, " | ", v.file.Terms); err != nil {
		return fmt.Errorf("unless: %w", err)
	}
	return nil
}

// encode writes a file the same way every time. Its values were decoded or
// made here, so they encode.
func encode(f file) []byte {
	b, err := json.Marshal(f, json.Deterministic(true))
	if err != nil {
		panic("a rules file does not encode: " + err.Error())
	}
	return bytes.TrimSpace(b)
}
