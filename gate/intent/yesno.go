package intent

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/speech"
)

// helpers are the words of a yes-or-no parameter's name that questions omit.
var helpers = lex.Words(`is has include with enable enabled use should allow show set only add as want flag be are do`)

// spoken finds the name of a yes-or-no parameter in the question. It means yes, unless a
// word before it, or an "off" behind it, denies it.
func (c *comparison) spoken(l *leaf) (m match, yes, found bool) {
	name := strings.Split(speech.Snake(l.name()), "_")
	for len(name) > 1 && helpers()[name[0]] {
		name = name[1:]
	}
	for len(name) > 1 && helpers()[name[len(name)-1]] {
		name = name[:len(name)-1]
	}
	t, one := &c.question, len(name) == 1
	switch switches := states[name[0]]; {
	case l.Name, name[0] == "":
		return m, false, false
	case one && switches != "":
		m, yes, found = t.switched()
		return m, yes == (switches == "on"), found
	case one && helpers()[name[0]]:
		return m, false, false
	}
	for i := range t.Tokens {
		if end := t.names(i, name); end > 0 && !t.used(i, end-1) {
			return t.tokens(i, end-1, byName), !t.denied(i, end), true
		}
	}
	for i := range t.Tokens { // without the cache: no_cache
		if len(name) < 2 || !denials()[name[0]] {
			break
		}
		if end := t.names(i, name[1:]); end > 0 && t.denied(i, end) {
			return t.tokens(i, end-1, byName), true, true
		}
	}
	return m, false, false
}

// states are the names of yes-or-no parameters that give the state of a thing.
var states = map[string]string{"enabled": "on", "enable": "on", "active": "on", "disabled": "off", "disable": "off", "inactive": "off"}

var (
	turns       = lex.Words(`turn switch turned switched`)
	switchedOn  = lex.Words(`enable enabled activate activated reactivate`)
	switchedOff = lex.Words(`disable disabled deactivate deactivated`)
)

// switched finds that a thing is switched on or off: "turn the flag off". If the question
// has both, it finds neither.
func (t *text) switched() (m match, on, found bool) {
	for i := range t.Tokens {
		if !t.spend(1) {
			break
		}
		low, end := t.Label(i), i
		is := switchedOn()[low]
		if turns()[low] {
			for end++; end < min(len(t.Tokens), i+8) && t.Label(end) != "on" && t.Label(end) != "off"; end++ {
				if t.Parts(end) {
					end = len(t.Tokens)
				}
			}
			if end >= min(len(t.Tokens), i+8) {
				continue
			}
			is = t.Label(end) == "on"
		} else if !is && !switchedOff()[low] {
			continue
		}
		if t.Negation(i, 3, negations()) != "" {
			is = !is
		}
		if found && is != on {
			return m, false, false
		} else if !found {
			if end > i+1 { // the text between belongs to other values
				i = end
			}
			m = t.tokens(i, end, byName)
		}
		on, found = is, true
	}
	return m, on, found
}

var (
	negations = lex.Words(`not never without n't`) // before a verb
	denials   = lex.Words(`no not non never without dont n't skip disable disabled except exclude excluding omit unless if`)
)

// names is the token behind a name that begins at token i, 0 if the name is not there.
func (t *text) names(i int, name []string) int {
	for k, part := range name {
		for k > 0 && (t.Low(i) == "the" || t.Low(i) == "a") {
			i++
		}
		low := t.Low(i)
		switch {
		case low == "":
			return 0
		case low == strings.Join(name[k:], "-"):
			return i + 1
		case !t.spend(1) || !formOf(low, part):
			return 0
		}
		i++
	}
	return i
}

// formOf reports whether two words are forms of one word, as notification and notify.
func formOf(low, part string) bool {
	verb, noun := strings.CutSuffix(strings.TrimSuffix(low, "s"), "ication")
	if noun && verb+"y" == part {
		return true
	}
	return low == part || speech.Stem(low) == speech.Stem(part)
}

// denied reports whether words around the tokens [from, to) deny them.
func (t *text) denied(from, to int) bool {
	return t.Negation(from, 4, denials()) != "" || slices.Contains([]string{"off", "false", "disabled"}, t.Low(to))
}
