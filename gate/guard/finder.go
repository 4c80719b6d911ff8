package guard

// finder finds where any of many short literals begins in a text, in one pass
// whose cost does not grow with their number: a table of 64 KiB says of each
// pair of bytes whether a literal begins with it. It compares ASCII letters
// without their case; a rule that minds the case says so in its pattern.
type finder struct {
	first [1 << 16]uint8 // 1 + index into begin; 0: no literal begins so
	begin [][]literalOf
}

// literalOf is a literal of two bytes or more, in lower case, and its rule.
type literalOf struct {
	text string
	rule int
}

func newFinder(literals []literalOf) *finder {
	f := &finder{}
	for _, l := range literals {
		slot := 0
		for _, a := range cases(l.text[0]) {
			for _, b := range cases(l.text[1]) {
				slot = f.put(uint16(a)<<8|uint16(b), slot)
			}
		}
		f.begin[slot-1] = append(f.begin[slot-1], l)
	}
	return f
}

// put gives the pair the slot, or a new one where it is 0, or keeps the pair's own.
func (f *finder) put(pair uint16, slot int) int {
	switch {
	case f.first[pair] != 0:
		return int(f.first[pair])
	case slot == 0:
		f.begin = append(f.begin, nil)
		slot = len(f.begin)
	}
	f.first[pair] = uint8(slot)
	return slot
}

// cases are both cases of an ASCII letter, and anything else alone.
func cases(c byte) []byte {
	if lower(c) >= 'a' && lower(c) <= 'z' {
		return []byte{lower(c), lower(c) &^ 0x20}
	}
	return []byte{c}
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// each calls at with every place where a literal begins, and the literal's rule.
// It goes on from where at says.
func (f *finder) each(s string, at func(i, rule int) int) {
	for i := 0; i+1 < len(s); {
		slot := f.first[uint16(s[i])<<8|uint16(s[i+1])]
		next := i + 1
		if slot != 0 {
			for _, l := range f.begin[slot-1] {
				if begins(s[i:], l.text) {
					next = max(next, at(i, l.rule))
				}
			}
		}
		i = next
	}
}

// begins reports whether s begins with the text, which is in lower case.
func begins(s, text string) bool {
	if len(s) < len(text) {
		return false
	}
	for i := range len(text) {
		if lower(s[i]) != text[i] {
			return false
		}
	}
	return true
}
