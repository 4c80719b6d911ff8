package input

// layer is one compiled rules file. Most questions run none of its
// expressions: the index knows what text each needs at the least.
type layer struct {
	source []byte
	rules  []rule
	index  index
}

func newLayer(source []byte, rules []rule, t *terms) *layer {
	l := &layer{source: source, rules: rules, index: newIndex()}
	for _, r := range rules {
		l.index.add(t.needs(r.Pattern))
	}
	return l
}

// match is the first rule of the category that matches and has no exception
// that does. Exceptions look at the whole view: "kill" in a question that
// names a game is about the game.
func (l *layer) match(view, category string) *rule {
	found := l.index.search(view)
	for i := range l.rules {
		r := &l.rules[i]
		if category != "" && r.Category != category || !l.index.possible(i, found) {
			continue
		}
		if r.pattern.in(view) && !r.unless.in(view) {
			return r
		}
	}
	return nil
}
