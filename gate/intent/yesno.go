package intent

import (
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"
)

// helpers are the words of a yes-or-no parameter's name that questions leave out.
var helpers = words(`is has include with enable enabled use should allow show set only add as want flag be are do`)

// spoken finds the name of a yes-or-no parameter in the question. It says yes,
// unless something before it, or an "off" behind it, denies it.
func (c *comparison) spoken(l *leaf) (m match, yes, found bool) {
	name := strings.Split(snake(l.name()), "_")
	for len(name) > 1 && helpers()[name[0]] {
		name = name[1:]
	}
	for len(name) > 1 && helpers()[name[len(name)-1]] {
		name = name[:len(name)-1]
	}
	if l.Name || name[0] == "" || helpers()[name[0]] && len(name) == 1 && states[name[0]] == "" {
		return m, false, false
	}
	t := &c.question
	if switches := states[name[len(name)-1]]; switches != "" && len(name) == 1 {
		m, yes, found = t.switched()
		return m, yes == (switches == "on"), found
	}
	for i := range t.tokens {
		if end := t.names(i, name); end > 0 && !t.used(int32(i), int32(end-1)) {
			return match{start: t.tokens[i].start, end: t.tokens[end-1].end, by: byName}, !t.denied(i, end), true
		}
	}
	for i := range t.tokens { // without the cache: no_cache
		if len(name) < 2 || !denials()[name[0]] {
			break
		}
		if end := t.names(i, name[1:]); end > 0 && t.denied(i, end) {
			return match{start: t.tokens[i].start, end: t.tokens[end-1].end, by: byName}, true, true
		}
	}
	return m, false, false
}

// states are the names of yes-or-no parameters that say whether a thing is on.
var states = map[string]string{"enabled": "on", "enable": "on", "active": "on", "disabled": "off", "disable": "off", "inactive": "off"}

var (
	switchedOn  = words(`enable enabled activate activated reactivate`)
	switchedOff = words(`disable disabled deactivate deactivated`)
)

// switched finds that a thing is switched on or off: "turn the flag off". Where the
// question says both it says neither.
func (t *text) switched() (m match, on, found bool) {
	for i := range t.tokens {
		if !t.spend(1) {
			break
		}
		low, end := t.label(i), i
		is := switchedOn()[low]
		if low == "turn" || low == "switch" || low == "turned" || low == "switched" {
			for end++; end < min(len(t.tokens), i+8) && t.label(end) != "on" && t.label(end) != "off"; end++ {
				if strings.ContainsAny(t.all[t.tokens[end-1].end:t.tokens[end].start], ",.;:!?") {
					end = len(t.tokens)
				}
			}
			if end >= min(len(t.tokens), i+8) {
				continue
			}
			is = t.label(end) == "on"
		} else if !is && !switchedOff()[low] {
			continue
		}
		if t.negated(i) {
			is = !is
		}
		if found && is != on {
			return m, false, false
		} else if !found {
			if end > i+1 { // what is between belongs to others
				i = end
			}
			m = match{start: t.tokens[i].start, end: t.tokens[end].end, by: byName}
		}
		on, found = is, true
	}
	return m, on, found
}

// negated reports whether a negation is said shortly before a verb: do not enable.
func (t *text) negated(i int) bool {
	for k := i - 1; k >= max(0, i-3) && !strings.ContainsAny(t.all[t.tokens[k].end:t.tokens[k+1].start], ",.;:!?"); k-- {
		low := strings.ReplaceAll(t.label(k), "’", "'")
		if taken()[low] {
			return false
		} else if low == "not" || low == "never" || low == "without" || strings.HasSuffix(low, "n't") {
			return true
		}
	}
	return false
}

var denials = words(`no not non never without dont skip disable disabled except exclude excluding omit unless if`)

// names is the token behind those that say a name from token i on, 0 where they do not.
func (t *text) names(i int, name []string) int {
	at := int32(i)
	for k, part := range name {
		for k > 0 && (strings.EqualFold(t.word(at), "the") || strings.EqualFold(t.word(at), "a")) {
			at++
		}
		w := strings.ToLower(t.word(at))
		if rest := strings.Join(name[k:], "-"); w == rest {
			return int(at) + 1
		}
		if verb, noun := strings.CutSuffix(strings.TrimSuffix(w, "s"), "ication"); noun && verb+"y" == part { // no notification: notify
			w = part
		}
		if w == "" || !t.spend(1) || w != part && english.Stem(w, true) != english.Stem(part, true) {
			return 0
		}
		at++
	}
	return int(at)
}

// denied reports whether words around the tokens [from, to) say no to them.
func (t *text) denied(from, to int) bool {
	for i := from - 1; i >= max(0, from-4); i-- {
		if strings.ContainsAny(t.all[t.tokens[i].end:t.tokens[i+1].start], ",.;:!?") {
			break
		}
		switch low := strings.ReplaceAll(strings.ToLower(t.word(int32(i))), "’", "'"); {
		case strings.HasSuffix(low, "n't"), denials()[low]:
			return true
		}
	}
	return slices.Contains([]string{"off", "false", "disabled"}, strings.ToLower(t.word(int32(to))))
}
