package scan

import (
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/secret"
)

// Rule is one thing that a scan looks for.
type Rule struct {
	ID     string `json:"id"`
	Tier   Tier   `json:"tier"`   // of its findings; those of a hard rule may be soft if the text is quoted
	Core   bool   `json:"core"`   // it cannot be suppressed
	Why    string `json:"why"`    // what is wrong with the text of its findings
	Leaves string `json:"leaves"` // what it leaves undetected
}

// hit is a stretch of a text.
type hit struct{ start, end int }

// finding receives a finding.
type finding func(rule string, tier Tier, h hit)

// matches reports the first matches of an expression.
func (f finding) matches(rule string, tier Tier, e *regexp.Regexp, text string, most int) {
	for _, at := range e.FindAllStringIndex(text, most) {
		f(rule, tier, hit{at[0], at[1]})
	}
}

// Suppression leaves out the findings of one rule in one server's texts.
type Suppression struct {
	Server string `json:"server"`
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
}

// Rules are the rules of a scan. The zero value has the built-in rules, all of them in
// force.
type Rules struct{ without []Suppression }

// Suppress is the rules without those findings. Core rules cannot be left out. A
// suppression needs a server, an existing rule, and a reason.
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
	return Rules{slices.Concat(r.without, without)}, nil
}

// Suppressed are the findings that the rules leave out.
func (r Rules) Suppressed() []Suppression { return slices.Clone(r.without) }

// BuiltIn are all rules, in the order of their ids.
func BuiltIn() []Rule { return slices.Clone(builtIn) }

// Explain is the rule of that id.
func Explain(id string) (Rule, bool) {
	i := slices.IndexFunc(builtIn, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return builtIn[i], true
}

func (r Rules) suppressed(server, rule string) bool {
	return slices.ContainsFunc(r.without, func(s Suppression) bool { return s.Server == server && s.Rule == rule })
}

// find has the findings of the rules in one part.
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

// find has the findings of all rules in a text of the part. The text is its own, or was
// decoded from it.
func (p Part) find(text string, level int, found finding) {
	p.Text = text
	if !utf8.ValidString(text) {
		found("unreadable", Hard, hit{0, len(text)})
		return
	}
	characters(text, found)
	if described(p.Kind) {
		found.matches("out-of-sight", Soft, phrase("raw unseen"), text, findingsMax)
		found.matches("poisoning", Soft, phrase("raw posing"), text, findingsMax)
	}
	orders(p, level > 0, found)
	concealed(p, level, found)
	for _, s := range secret.Find(text) {
		found("secret", Soft, hit{s[0], s[1]})
	}
}

// characters finds invisible characters, and characters that change the order of others.
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

// excerpt is the stretch in a form that is safe to show.
func excerpt(text string, h hit) string {
	safe, _ := secret.Redact(text[h.start:min(h.end, h.start+4*excerptMax)])
	return escape.Line(safe, excerptMax)
}

// builtIn are all rules, sorted by id.
var builtIn = []Rule{
	{
		"concealed-encoding", Hard, true, "it is an order once it is decoded",
		"encodings other than base64, hexadecimal, escapes and a named rot13; what is encoded three times",
	},
	{
		"forged-role", Hard, true, "it poses as another turn of the conversation, and gives an order; with a destination or a tool it is hard",
		"turns of a conversation that are marked in another way",
	},
	{
		"invisible-text", Hard, true, "it contains invisible characters",
		"three of them between words, and a message in spaces or in the choice of letters",
	},
	{
		"leak", Hard, true, "it wants the conversation or a file brought to an address, or given to a tool",
		"an order that names neither what it wants nor a destination",
	},
	{
		"model-order", Hard, true, "it gives an order to a model; with a destination or a tool it is hard",
		"an order that does not say to whom it speaks",
	},
	{
		"out-of-sight", Soft, false, "it puts something in a description where nobody looks",
		"what a page would hide by its style sheet",
	},
	{
		"override", Hard, true, "it wants earlier instructions dropped",
		"an order that takes the place of others without naming them, one in quotation marks, and languages other than the ten it knows",
	},
	{
		"poisoning", Soft, false, "it is of no use to a tool: it wants what is private, a shell, silence, precedence over other tools, their arguments, or no confirmation",
		"an address that the tool itself sends to, and a wish that is worded as a reason",
	},
	{
		"reordering", Hard, true, "it is shown in another order than it has",
		"right-to-left letters, which change the order by themselves",
	},
	{
		"request", Soft, false, "it asks for something to be done",
		"a wish that is worded as a statement, and one that names nothing of the asker's and nothing exact",
	},
	{"secrecy", Hard, false, "it wants something kept from the user", "what is to be kept secret in other words"},
	{"secret", Soft, false, "it has the shape of a secret", "a secret without a published shape or a name"},
	{
		"tag-characters", Hard, true, "tag characters spell text that nobody sees",
		"nothing: the flags of some regions are spelled with them, and no other text is",
	},
	{"unreadable", Hard, true, "it is not UTF-8, and no rule can read it", "nothing: what is not UTF-8 is not a text"},
}
