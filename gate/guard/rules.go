package guard

import (
	"fmt"
	"unicode/utf8"
)

// Rule is one thing that a scan looks for.
type Rule struct {
	ID   string `json:"id"`
	Tier Tier   `json:"tier"`
	Core bool   `json:"core"` // it cannot be suppressed
	Why  string `json:"why"`  // what is wrong with what it finds

	find func(p Part) []hit
}

// hit is a stretch of a text.
type hit struct{ start, end int }

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
	if !utf8.ValidString(p.Text) {
		return []Finding{{Rule: "unreadable", Where: p.Where, End: len(p.Text), Excerpt: excerpt(p.Text, hit{0, len(p.Text)}), Why: "the text is not UTF-8, and no rule can read it"}}
	}
	var found []Finding
	for _, rule := range builtIn {
		if r.suppressed(server, rule.ID) {
			continue
		}
		for _, h := range rule.find(p) {
			found = append(found, Finding{rule.ID, rule.Tier, p.Where, h.start, h.end, excerpt(p.Text, h), rule.Why})
		}
	}
	return found
}

// excerpt is the stretch as a person may see it.
func excerpt(text string, h hit) string {
	safe, _ := Redact(text[h.start:min(h.end, h.start+4*excerptMax)])
	return Line(safe, excerptMax)
}

var builtIn = []Rule{
	{ID: "tag-characters", Core: true, find: runes(isTag), Why: "tag characters spell text that nobody sees"},
}

// runes finds runs of characters.
func runes(of func(rune) bool) func(Part) []hit {
	return func(p Part) []hit {
		var all []hit
		for i, r := range p.Text {
			switch n := len(all); {
			case r < utf8.RuneSelf || !of(r):
			case n > 0 && all[n-1].end == i:
				all[n-1].end += utf8.RuneLen(r)
			default:
				all = append(all, hit{i, i + utf8.RuneLen(r)})
			}
		}
		return all
	}
}

func isTag(r rune) bool { return r >= 0xE0000 && r <= 0xE0FFF }
