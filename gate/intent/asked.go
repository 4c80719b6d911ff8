package intent

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/speech"
)

// Sign is a sign against a change in a question, and its place.
type Sign struct {
	Kind string `json:"kind"` // "forbidden", "asked about", "quoted", "conditional" or "reported"
	Span
}

// Against is the sign that a question does not plainly ask for a change by the tool of that
// name, or nil. Values of the call and quoted words are not signs: a title may say "do
// not". It reads English words by lists and positions, so nil does not prove a request:
// words that it cannot read give no sign.
func Against(question, tool string, values ...Span) *Sign {
	var t text
	t.cut(question)
	return t.against(tool, nil, values)
}

// request is a question that is read for signs.
type request struct {
	t      *text
	values []Span
	verbs  map[string]bool // stems of the verbs of the tool's name
	nouns  map[string]bool // stems of its other words, which order nothing
	free   bool            // its name has no verb of a change
	sends  bool            // its name says that the tool sends something

	own, any orders // with a verb of the tool's name, and with any
	quoted   bool   // a quotation has the verb of a change
	barred   *Sign  // against a value of the call; no other order outweighs it
}

// orders summarizes the orders that were found.
type orders struct {
	ordered bool
	plain   bool  // one is without a sign
	sign    *Sign // the first
}

func (o *orders) add(s *Sign) {
	o.ordered = true
	o.plain = o.plain || s == nil
	if o.sign == nil {
		o.sign = s
	}
}

func (t *text) against(tool string, modes []string, values []Span) *Sign {
	r := request{t: t, values: values}
	r.named(speech.NameParts(tool))
	for _, mode := range modes {
		if name := speech.NameParts(mode); len(name) > 0 && speech.Changes(name[0]) {
			r.verbs[speech.Stem(name[0])], r.free = true, false
		}
	}
	sentences := t.Sentences(r.holds)
	for i := range sentences {
		r.read(&sentences[i])
	}
	if r.own.ordered {
		r.any = r.own
	}
	switch {
	case r.barred != nil:
		return r.barred
	case r.any.plain:
		return nil
	case r.any.sign == nil && r.quoted && !r.free:
		return r.sign(speech.Quoted, speech.Range{To: sentences[len(sentences)-1].To})
	}
	return r.any.sign
}

// named takes the words of the tool's name.
func (r *request) named(parts []string) {
	r.verbs, r.nouns, r.free = map[string]bool{}, map[string]bool{}, true
	for _, name := range speech.Verbs(parts) {
		r.verbs[speech.Stem(name)] = true
	}
	for i, name := range parts {
		r.nouns[speech.Stem(name)] = !r.verbs[speech.Stem(name)]
		r.sends = r.sends || speech.Sends(name)
		r.free = r.free && harmless(name, i, len(parts))
	}
}

// harmless reports whether word i of a tool's name means no change.
func harmless(name string, i, parts int) bool {
	switch {
	case i > 0 && speech.Thing(name), name == "run", !speech.Changes(name):
		return true
	case name == "open" && parts == 1: // a page, a file: nothing is made
		return true
	}
	return i == 0 && speech.Reads(name)
}

// holds reports whether token i is part of a value.
func (r *request) holds(i int) bool {
	k := r.t.Tokens[i]
	return slices.ContainsFunc(r.values, func(v Span) bool { return k.Start >= v.Start && k.End <= v.End })
}

// read reads the orders of one sentence.
func (r *request) read(s *speech.Sentence) {
	if s.Rests() {
		r.any.add(r.sign(speech.Forbidden, s.Range))
		return
	}
	ordered := false
	for i := s.From; i < s.To; i++ {
		if s.Low(i) == "" {
			r.quoted = r.quoted || r.quotes(i)
			continue
		}
		if !s.Sought(i) && r.order(s, i) {
			ordered = true
		}
	}
	if ordered || r.any.sign != nil {
		return
	}
	switch {
	case !r.free && s.Inquires():
		r.any.sign = r.sign(speech.AskedAbout, s.Range)
	case !s.Wishes() && r.past(s):
		r.any.sign = r.sign(speech.Reported, s.Range)
	}
}

// order reads the word at token i. It reports whether the word orders a change or speaks
// against one.
func (r *request) order(s *speech.Sentence, i int) bool {
	verb := r.orders(s, i)
	if !verb && !r.thing(s, i) {
		return false
	}
	for _, not := range s.Excluded(i) {
		r.bar(not)
	}
	mood, at := s.Mood(i)
	if !verb && mood == speech.Plain { // no new pull request
		return false
	}
	sign := r.sign(mood, at)
	r.any.add(sign)
	if !verb || r.names(s.Low(i)) {
		r.own.add(sign)
	}
	return true
}

// orders reports whether token i is the plain form of a verb that changes
// something, or a verb of the tool's name.
func (r *request) orders(s *speech.Sentence, i int) bool {
	low := s.Low(i)
	switch {
	case s.Noun(i):
		return false
	case speech.Changes(low) && !r.free:
		return true
	case low == "tell" && r.sends:
		return !s.Seeks(i)
	}
	return r.names(low) && !speech.Inflected(low)
}

// names reports whether a word is a verb of the tool's name.
func (r *request) names(low string) bool { return low != "" && r.verbs[speech.Stem(low)] }

// thing reports whether token i is another word of the tool's name. It orders nothing, but
// a sign against it is a sign against the call.
func (r *request) thing(s *speech.Sentence, i int) bool {
	return r.nouns[speech.Stem(s.Low(i))] && !speech.Inflected(s.Low(i)) && !s.Noun(i)
}

// bar notes that a value of the call is in a forbidden range.
func (r *request) bar(not speech.Range) {
	from, to := r.t.Tokens[not.From].End, r.t.Tokens[not.To-1].OuterEnd
	if r.barred == nil && slices.ContainsFunc(r.values, func(v Span) bool { return v.Start > from && v.End <= to }) {
		r.barred = r.sign(speech.Forbidden, not)
	}
}

// past reports whether a sentence only says that the change was made.
func (r *request) past(s *speech.Sentence) bool {
	for i := s.From; i < s.To; i++ {
		low := s.Low(i)
		done := speech.Done(low)
		switch {
		case done == "":
		case speech.Several(low): // the intern deletes it
			noun := i == s.From || s.Noun(i)
			if !noun && r.names(low) && speech.Changes(done) {
				return true
			}
		case !speech.Inflected(low): // we sent it
			if i > s.From && r.names(done) {
				return true
			}
		case r.names(done), r.nouns[speech.Stem(done)], speech.Changes(done):
			return true
		}
	}
	return false
}

// quotes reports whether token i is a quotation with a verb of a change.
func (r *request) quotes(i int) bool {
	k := r.t.Tokens[i]
	if !k.Quoted {
		return false
	}
	inner := speech.Tokens(r.t.NFC[k.Start:k.End])
	return slices.ContainsFunc(inner.Tokens[:min(speech.MaxSentence, len(inner.Tokens))], func(k speech.Token) bool {
		low := strings.ToLower(inner.NFC[k.Start:k.End])
		return speech.Changes(low) || r.names(low) && !speech.Inflected(low)
	})
}

// sign is a mood with the words that show it, nil for a plain mood.
func (r *request) sign(mood speech.Mood, at speech.Range) *Sign {
	if mood == speech.Plain {
		return nil
	}
	from, to := r.t.Tokens[at.From].Start, r.t.Tokens[max(at.From, at.To-1)].End
	return &Sign{string(mood), r.t.span(from, to)}
}
