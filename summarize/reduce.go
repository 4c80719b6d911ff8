package summarize

// states of a sentence that is being cut down, one bit each. The first two
// stand after a kept word, the others inside a gap; shifted by bound, they say
// that the gap's last word takes the next one with it.
const (
	kept     uint32 = 1 << iota // anything may follow
	holding                     // the next word has to be kept
	leading                     // nothing was kept yet
	part                        // the gap began as a part of its own, such as "of Bob" or ", who left"
	joined                      // and has met a word that joins
	passed                      // and gone on behind it: the sentence goes on after a comma, or with no "of" or number
	inner                       // the gap began in the middle of a part
	mixed                       // and has met a word that joins
	across                      // and gone on into the next part: nothing may be kept again
	sunk                        // an inner gap that went on behind a preposition, into what belongs to its own words
	astray                      // the same of a leading one
	headless                    // an inner gap that began where a noun phrase may have its head
	bound    = 16
)

// reduces reports whether the claim is the evidence with words left out, by
// some way of leaving them out that breaks no link. It walks the evidence
// once, with the set of states it can be in for every length of claim.
func reduces(claim, evidence []word, links []link) bool {
	now := make([]uint32, len(claim)+1)
	next := make([]uint32, len(claim)+1)
	now[0] = leading
	for i := range evidence {
		clear(next)
		for c, states := range now {
			if states == 0 {
				continue
			}
			next[c] |= leave(states, links[i])
			if c < len(claim) && same(claim, evidence, c, i) {
				if pauses(claim, evidence, c, i) {
					states &^= kept | holding // they are neighbours
				}
				next[c+1] |= keep(states, links[i])
			}
		}
		now, next = next, now
	}
	return now[len(claim)]&^(headless|headless<<bound) != 0
}

func keep(states uint32, l link) uint32 {
	open := kept | holding | leading | part | joined | inner | mixed
	if l.parted || !l.opens && !l.counts {
		open |= passed
	}
	if l.opens {
		open |= sunk
	}
	if l.begins {
		open |= astray
	}
	if !l.halts {
		open |= headless // "the CEO quickly resigned"
	}
	switch {
	case states&open == 0:
		return 0
	case l.holds:
		return holding
	}
	return kept
}

func leave(states uint32, l link) uint32 {
	if l.hard {
		return 0
	}
	in := states | states>>bound // a bound gap may go on
	if l.tag {
		in &^= leading | astray
	}
	in = wander(in, l)
	out := in&(leading|astray|passed|across|headless) | further(in, l)
	if l.relate && in&(leading|astray) != 0 {
		out = out&^(leading|astray) | across // "the team that leaked the keys": not "the keys"
	}
	if !l.binds && !l.alone {
		return out | begin(states, l)
	}
	if l.alone {
		return begin(states, l) | out<<bound
	}
	var free uint32
	if l.joins && l.parted {
		free = out & (leading | astray) // "Bob left, and Carol stayed" may begin at Carol
	}
	out |= begin(states, l)
	return free | (out&^free)<<bound
}

// wander is where a gap stands that goes on behind a preposition, or behind
// the punctuation that ends what it leads to: of "the mother of the CEO left"
// nobody may make "the CEO left".
func wander(in uint32, l link) uint32 {
	if l.parted {
		in = swap(swap(in, sunk, inner), astray, leading)
	}
	if l.leads {
		in = swap(swap(in, inner, sunk), leading, astray)
	}
	if l.halts || l.joins {
		in = swap(in, headless, across)
	}
	return in
}

func swap(in, from, to uint32) uint32 {
	if in&from != 0 {
		in = in&^from | to
	}
	return in
}

// begin is the gap that a word left out begins.
func begin(states uint32, l link) uint32 {
	switch {
	case states&kept == 0:
		return 0
	case l.opens:
		return part
	case l.noun:
		return headless
	}
	return inner
}

// further is where a gap has come to with one more word.
func further(in uint32, l link) uint32 {
	const next, second = 1, 2 // the states of a kind stand in a row
	if in&sunk != 0 {
		if l.joins || l.turns {
			in = swap(in, sunk, inner)
		} else {
			return further(in&^sunk, l) | sunk
		}
	}
	switch {
	case l.joins:
		return (in&(part|inner))<<next | in&(joined|mixed)
	case l.turns:
		return in&part<<second | (in&inner)<<second | (in&(joined|mixed))<<next
	case l.parted:
		return in&part<<second | in&inner | (in&(joined|mixed))<<next
	}
	return in&(part|inner) | (in&(joined|mixed))<<next
}
