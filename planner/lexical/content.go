package lexical

// content fills required free-text parameters. One takes what is quoted, or
// the content of the question: its longest stretch without the words at the
// edges that chose the tool, and without what became another argument.
func (f *filling) content(m *match) {
	for _, i := range f.open(m.e, (*slot).takesContent) {
		if from, to := f.stretch(m); from < to {
			words := m.t.wording(from, to)
			f.set(i, argument{quote(words), words, fromContent}, from, to)
		}
	}
}

// cited gives required free-text parameters what the question quotes.
func (f *filling) cited(m *match, vs []value) {
	for {
		at, best, most := -1, value{}, -1.0
		for _, i := range f.open(m.e, (*slot).takesContent) {
			for _, v := range vs {
				if v.shape != quoted || f.covers(v) {
					continue
				}
				if c := m.cue(&m.e.slots[i], &v) + float64(len(v.text))/4096; c > most {
					at, best, most = i, v, c
				}
			}
		}
		if at < 0 {
			return
		}
		f.set(at, argument{quote(best.text), best.text, fromQuestion}, best.from, best.to)
	}
}

func (s *slot) takesContent() bool {
	return s.required && s.wants.free && s.kind == "string" && len(s.enum) == 0 && s.pattern == nil
}

// about leads from the words that chose the tool to what is sought.
var about = set("about for on regarding concerning mentioning containing matching of with related titled named called saying say says that")

// stretch is the longest run of the question's content.
func (f *filling) stretch(m *match) (from, to int) {
	begin := m.lead()
	best := 0
	for i := begin; i < len(m.t.toks); i++ {
		if f.used[i] || m.dropped(i) {
			continue
		}
		end, last, n := i, i, 0
		for ; end < len(m.t.toks) && !f.used[end] && (end == i || !m.t.breaks(end)); end++ {
			if !m.dropped(end) {
				last = end
				n++
			}
		}
		if n > best {
			best, from, to = n, i, last+1
		}
		i = end
	}
	return from, to
}

// lead is where the content begins: after the first "about" that follows a
// word of the tool's own.
func (m *match) lead() int {
	own := false
	for i := range m.t.toks {
		tok := &m.t.toks[i]
		if about()[tok.word] && own {
			return i + 1
		}
		if !tok.stop {
			own = m.e.words[tok.stem]&(inName|inTitle|inDescription|inParameter) != 0 || modifiers()[tok.word] || weakStems()[tok.stem]
		}
	}
	return 0
}

// dropped reports whether token i cannot stand at an edge of the content.
func (m *match) dropped(i int) bool {
	tok := &m.t.toks[i]
	if tok.stop || modifiers()[tok.word] {
		return true
	}
	for _, st := range tok.stems {
		if m.edge[st] {
			return true
		}
	}
	return false
}
