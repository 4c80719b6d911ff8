package gate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Scanned is the result of one scanner for an answer, or why it could not judge it.
type Scanned struct {
	Scanner  string
	Findings []scan.Finding
	More     bool // it found more than it lists
	Err      error
}

// Examine decides by the scanners' findings whether an answer goes on. Each finding
// that is not soft withholds it, and so does a scanner that failed, unless a person
// released that rule, as scanner/rule. The denial names the rules.
func (a Approved) Examine(found []Scanned, released []string) error {
	var rules []string
	for _, s := range found {
		if s.Err != nil {
			rules = append(rules, s.Scanner+"/failed")
		}
		for _, f := range s.Findings {
			if f.Tier != scan.Soft {
				rules = append(rules, s.Scanner+"/"+f.Rule)
			}
		}
	}
	slices.Sort(rules)
	rules = slices.DeleteFunc(slices.Compact(rules), func(rule string) bool { return slices.Contains(released, rule) })
	if len(rules) == 0 {
		return nil
	}
	no := verdict.Deny(verdict.OutputQuarantined, "the answer of %s/%s is withheld: %s", a.Server(), a.Tool(), strings.Join(rules, ", "))
	no.Rules = rules
	return no
}

// Flag is a text with a finding, and the rule that found it.
type Flag struct{ Text, Rule string }

// Flagged returns the texts with findings; no byte of a part is in two of them. A
// finding without a place covers its whole part, and an unlisted finding may be
// anywhere. A text may itself be a document, and claims use the decoded text, so each
// stretch is also listed in its decoded form.
func Flagged(parts []scan.Part, scanned []Scanned) (all []Flag) {
	at, more := map[string][]scan.Finding{}, false
	for _, s := range scanned {
		for _, f := range s.Findings {
			at[f.Where] = append(at[f.Where], f)
		}
		more = more || s.More
	}
	for _, p := range parts {
		found := at[p.Where]
		if more {
			found = []scan.Finding{{Rule: "not listed"}}
		}
		cut := cutOut(p.Text, found)
		for i, decoded := range lex.UnescapeJSON(p.Text, cut) {
			rule := ruleAt(found, cut[i])
			all = append(all, Flag{strings.TrimSpace(p.Text[cut[i][0]:cut[i][1]]), rule}, Flag{strings.TrimSpace(decoded), rule})
		}
	}
	slices.SortFunc(all, func(a, b Flag) int { return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.Rule, b.Rule)) })
	all = slices.CompactFunc(all, func(a, b Flag) bool { return a.Text == b.Text })
	return slices.DeleteFunc(all, func(f Flag) bool { return f.Text == "" })
}

// cutOut returns the stretches of one text, from and to in bytes. A name and its value
// have the same place, so a finding that ends behind this text belongs to the other
// one.
func cutOut(text string, found []scan.Finding) (all [][2]int) {
	slices.SortFunc(found, func(a, b scan.Finding) int { return a.Start - b.Start })
	var last [2]int
	for _, f := range found {
		start, end := f.Start, f.End
		if start == end {
			start, end = 0, len(text)
		}
		switch {
		case end > len(text):
		case start <= last[1]:
			last = [2]int{min(last[0], start), max(last[1], end)}
		default:
			all = append(all, last)
			last = [2]int{start, end}
		}
	}
	return append(all, last)
}

// ruleAt returns the rule of the first finding in a stretch.
func ruleAt(found []scan.Finding, cut [2]int) string {
	i := slices.IndexFunc(found, func(f scan.Finding) bool { return f.Start == f.End || cut[0] <= f.Start && f.Start < cut[1] })
	if i < 0 {
		return ""
	}
	return found[i].Rule
}

// Parts returns all texts of an answer for scanning, each with its place, and the
// names of its members, too. Bytes in base64 are not text. If [Gate.Accept] cannot
// read an answer, it has no texts: it is refused, and not quoted.
func (g *Gate) Parts(r RawResult) (parts []scan.Part) {
	if schema.Check(r.Body, g.limits) != nil || jsontext.Value(r.Body).Kind() != '{' {
		return []scan.Part{{Kind: "result", Unscanned: "it cannot be read, and is refused"}}
	}
	for leaf := range schema.Leaves(r.Body) {
		if leaf.Kind != '"' && !leaf.Name || leaf.Text == "" {
			continue
		}
		names := namesOf(leaf.Path())
		p := scan.Part{Where: leaf.Pointer(), Kind: kindOf(names), Text: leaf.Text}
		if !leaf.Name && secret.Attached(names, leaf.Text) {
			p.Text, p.Unscanned = "", "bytes in base64"
		}
		parts = append(parts, p)
	}
	return parts
}

// namesOf returns the names on the way to a place, "" for an item.
func namesOf(path []schema.Step) []string {
	names := make([]string, len(path))
	for i, s := range path {
		names[i] = s.Name
	}
	return names
}

// kindOf returns the kind of text at a place in an answer.
func kindOf(names []string) string {
	switch {
	case len(names) == 0:
		return "result"
	case names[0] == "structuredContent":
		return "structured"
	case names[0] != "content":
		return "result"
	case len(names) > 2 && names[2] == "resource":
		return "resource"
	}
	return "text"
}
