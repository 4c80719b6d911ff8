package input

import (
	"slices"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Rules are what a question may not match. The zero value refuses every
// question, for nobody decided what to let through. Only [ParseRules],
// [BuiltIn] and And make others; all are safe for concurrent use.
type Rules struct {
	builtIn bool
	own     []*layer
	past    *past
}

// past is a verdict that was given once.
type past struct{ no *verdict.Denial }

// Recorded gives the verdict that a run recorded, nil where it admitted the
// question, whatever the question is. It is for host/replay alone, where a run
// had rules that this program does not have.
func Recorded(no *verdict.Denial) Rules { return Rules{past: &past{no}} }

// BuiltIn is the set that comes with the program, gate/input/builtin.json.
func BuiltIn() Rules { return Rules{builtIn: true} }

// FromRecord reports whether the verdict is one that was recorded, and not
// computed anew.
func (r Rules) FromRecord() bool { return r.past != nil }

// And refuses what either refuses; so with zero Rules it refuses everything.
func (r Rules) And(other Rules) Rules {
	if r.empty() || other.empty() {
		return Rules{}
	}
	if r.past != nil || other.past != nil {
		return Rules{} // what was decided once adds up with nothing
	}
	both := Rules{builtIn: r.builtIn || other.builtIn, own: slices.Clone(r.own)}
	for _, l := range other.own {
		both.add(l)
	}
	return both
}

// add appends a layer, unless it is there already.
func (r *Rules) add(l *layer) {
	same := func(m *layer) bool { return string(encode(*m.words.file)) == string(encode(*l.words.file)) }
	if !slices.ContainsFunc(r.own, same) {
		r.own = append(r.own, l)
	}
}

func (r Rules) empty() bool { return !r.builtIn && len(r.own) == 0 && r.past == nil }

// layers are the built-in set, if it applies, and then the operator's own.
func (r Rules) layers() []*layer {
	if !r.builtIn {
		return r.own
	}
	return append([]*layer{builtInLayer()}, r.own...)
}

// match is the first rule that text runs into, in the order of the layers and
// of their files. An empty category means all of them.
func (r Rules) match(text, category string) *rule {
	if text == "" {
		return nil
	}
	for _, view := range views(text) {
		for _, l := range r.layers() {
			if hit := l.match(view, category); hit != nil {
				return hit
			}
		}
	}
	return nil
}

// layer is one rules file.
type layer struct {
	rules []rule
	words vocabulary
}

// match is the first rule of the category that matches and has no exception
// that does. Exceptions look at the whole view: "kill" in a question that
// names a game is about the game.
func (l *layer) match(view, category string) *rule {
	t := l.words.read(view)
	for i := range l.rules {
		r := &l.rules[i]
		if category != "" && r.Category != category {
			continue
		}
		if r.said(view, t) && !r.excused(view, t) {
			return r
		}
	}
	return nil
}

// said reports whether the view holds the rule's pattern, or one sentence of
// it all of the rule's phrases.
func (r *rule) said(view string, t *text) bool {
	if r.pattern != nil {
		return r.pattern.MatchString(view)
	}
	for _, p := range r.says {
		if !p.possible(t.seen) {
			return false
		}
	}
	return t.anySentence(func(from, to int) bool {
		return !slices.ContainsFunc(r.says, func(p phrase) bool { return !p.in(t, from, to) })
	})
}

func (r *rule) excused(view string, t *text) bool {
	if r.unless != nil {
		return r.unless.MatchString(view)
	}
	return slices.ContainsFunc(r.excuses, func(p phrase) bool {
		return p.possible(t.seen) && t.anySentence(func(from, to int) bool { return p.in(t, from, to) })
	})
}

func (r *rule) denial(field string) *verdict.Denial {
	d := verdict.Deny(verdict.InputRule, "%s matches the rule %s of the category %s: %s", field, r.ID, r.Category, r.Reason)
	d.Rules = []string{r.ID}
	return d
}
