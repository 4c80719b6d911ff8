package lexical

import (
	"cmp"
	"slices"
)

// place is a value in a slot.
type place struct {
	value, slot int
	score       int
	arg         argument
}

// assign gives values to open slots. Each value goes to the slot that the words around it
// and its form support at least as strongly as least. If least is 0, a required slot needs
// no support. If a value fits another slot as well, or two values could change places, the
// reading is unclear, and the value is noted as such.
func (f *filling) assign(least int) {
	var all []place
	for i := range f.values {
		for k := range f.e.slots {
			if least == 0 && !f.e.slots[k].required {
				continue
			}
			if p, ok := f.place(i, k); ok && p.score >= least {
				all = append(all, p)
			}
		}
	}
	// Equal scores keep the order of the question, then that of the schema.
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(b.score, a.score) })
	var chosen []place
	for _, p := range all {
		if !slices.ContainsFunc(chosen, func(c place) bool { return c.value == p.value || c.slot == p.slot }) {
			chosen = append(chosen, p)
		}
	}
	for _, p := range chosen {
		if f.rivalled(p, chosen, all) {
			f.unclear = append(f.unclear, f.values[p.value])
		}
	}
	for _, p := range chosen {
		if v := &f.values[p.value]; !f.taken(v) {
			f.set(p.slot, p.arg, v.from, v.to)
		}
	}
}

// place weighs one value in one slot.
func (f *filling) place(i, k int) (place, bool) {
	v, s := &f.values[i], &f.e.slots[k]
	if f.listed(i) || f.taken(v) || !f.open(k) {
		return place{}, false
	}
	if v.shape == plain && v.only != k {
		return place{}, false
	}
	arg, ok := f.convert(v, s)
	if !ok {
		return place{}, false
	}
	score := f.cue(v, s)
	if score >= 0 {
		arg.form = s.form(v)
		score += arg.form
	}
	arg.told = score >= told
	return place{i, k, score, arg}, score >= 0 && !f.barred(v, s, score)
}

// barred reports whether a value that fits a slot still does not belong to it. A word that
// tools use is only a word, and free text needs a mark, unless the place of the value is
// certain.
func (f *filling) barred(v *value, s *slot, score int) bool {
	switch {
	case v.shape == named && s.says(pathNames()) && score < byName:
		return true
	case score >= told:
		return false
	case s.takesText(), v.shape == named && s.identifies:
		return true
	}
	return (v.shape == identifier || v.shape == named) && f.known(v)
}

// known reports whether tools use all words of a value.
func (f *filling) known(v *value) bool {
	return !slices.ContainsFunc(f.t.words[v.from:v.to], func(w word) bool { return len(f.x.postings[w.stem]) == 0 })
}

// rivalled reports whether a value fits another slot as well. That slot is empty and as
// required, or its value could change places with this one.
func (f *filling) rivalled(p place, chosen, all []place) bool {
	return slices.ContainsFunc(all, func(c place) bool {
		if c.value != p.value || c.slot == p.slot {
			return false
		}
		if c.score < p.score || f.series(p.slot, c.slot) {
			return false
		}
		i := slices.IndexFunc(chosen, func(o place) bool { return o.slot == c.slot })
		if i < 0 {
			return f.e.slots[c.slot].required == f.e.slots[p.slot].required
		}
		back := slices.IndexFunc(all, func(o place) bool { return o.slot == p.slot && o.value == chosen[i].value })
		return back >= 0 && c.score+all[back].score >= p.score+chosen[i].score
	})
}

// listed reports whether a value is the second of a list, if the first has its place. In
// "the monitors m1 and m2" both are one parameter's, or neither is.
func (f *filling) listed(i int) bool {
	if i == 0 || f.values[i-1].to > f.values[i].from {
		return false
	}
	v, w := &f.values[i-1], &f.values[i]
	if f.t.low(v.from-1) == "between" {
		return false
	}
	return f.taken(v) && kin(*v, *w) && f.t.enumerates(v.to, w.from)
}

// series reports whether two slots are numbered or lettered names of one thing, as num1 and
// num2 are. Values go to them in the order of the question. For a tool that changes
// something, they go nowhere.
func (f *filling) series(a, b int) bool {
	s, o := &f.e.slots[a], &f.e.slots[b]
	if f.e.changes || !s.required || !o.required {
		return false
	}
	return s.base == o.base && s.kind == o.kind
}
