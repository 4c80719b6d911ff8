package guard

import (
	"fmt"
	"unicode/utf8"
)

// Rule is one thing that a scan looks for.
type Rule struct {
	ID     string `json:"id"`
	Tier   Tier   `json:"tier"`   // of its findings; a hard rule's may be soft, where the text is quoted
	Core   bool   `json:"core"`   // it cannot be suppressed
	Why    string `json:"why"`    // what is wrong with what it finds
	Leaves string `json:"leaves"` // what it does not find
}

// hit is a stretch of a text.
type hit struct{ start, end int }

// finding takes what is found.
type finding func(rule string, tier Tier, h hit)

// Suppression leaves out what one rule finds in what one server says.
type Suppression struct {
	Server string `json:"server"`
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
}

// Rules are the rules of a scan. The zero value holds the built-in ones, all
// of them in force.
type Rules struct{ without []Suppression }

// Suppress is the rules without those findings. Core rules cannot be left out,
// and nothing can without a server, a rule that there is, and a reason.
func (r Rules) Suppress(without ...Suppression) (Rules, error) {
	for _, s := range without {
		rule, known := Explain(s.Rule)
		switch {
		case !known:
			return Rules{}, fmt.Errorf("there is no rule %.40q", s.Rule)
		case rule.Core:
			return Rules{}, fmt.Errorf("the rule %s cannot be suppressed", s.Rule)
		case s.Server == "" || s.Reason == "":
			return Rules{}, fmt.Errorf("what suppresses the rule %s names no server, or no reason", s.Rule)
		}
	}
	return Rules{append(r.without[:len(r.without):len(r.without)], without...)}, nil
}

// Suppressed are the findings that the rules leave out.
func (r Rules) Suppressed() []Suppression { return append([]Suppression(nil), r.without...) }

// BuiltIn are the rules that there are, in the order of their ids.
func BuiltIn() []Rule { return append([]Rule(nil), builtIn...) }

// Explain is the rule of that id.
func Explain(id string) (Rule, bool) {
	for _, r := range builtIn {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}

func (r Rules) suppressed(server, rule string) bool {
	for _, s := range r.without {
		if s.Server == server && s.Rule == rule {
			return true
		}
	}
	return false
}

// find is what the rules find in one part.
func (r Rules) find(server string, p Part) []Finding {
	if p.Unscanned != "" {
		return nil
	}
	var all []Finding
	p.find(p.Text, 0, func(rule string, tier Tier, h hit) {
		if !r.suppressed(server, rule) {
			why, _ := Explain(rule)
			all = append(all, Finding{rule, tier, p.Where, h.start, h.end, excerpt(p.Text, h), why.Why})
		}
	})
	return all
}

// find is what all rules find in a text of the part: its own, or one that was
// decoded from it.
func (p Part) find(text string, level int, found finding) {
	p.Text = text
	if !utf8.ValidString(text) {
		found("unreadable", Hard, hit{0, len(text)})
		return
	}
	characters(text, found)
	orders(p, found)
	concealed(p, level, found)
	for _, s := range secretsIn(text) {
		found("secret", Soft, hit{s.start, s.end})
	}
}

// characters finds those that nobody sees, or that change the order of others.
func characters(text string, found finding) {
	h := hiddenIn(text)
	for _, tags := range h.tags {
		found("tag-characters", Hard, tags)
	}
	for _, controls := range h.reordering {
		found("reordering", Hard, controls)
	}
	tier, weighs := h.weigh(text)
	if !weighs {
		return
	}
	for _, invisible := range h.invisible {
		found("invisible-text", tier, invisible)
	}
}

// excerpt is the stretch as a person may see it.
func excerpt(text string, h hit) string {
	safe, _ := Redact(text[h.start:min(h.end, h.start+4*excerptMax)])
	return Line(safe, excerptMax)
}
