package host

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/trace"
)

// scanned is what one scanner came to.
type scanned struct {
	name  string
	found []guard.Finding
	more  bool // it found more than it lists
	err   error
}

// findings are what all scanners came to.
type findings []scanned

// hard are the findings that withhold a result, as scanner/rule. A scanner that
// failed is one.
func (fs findings) hard() (rules []string) {
	for _, s := range fs {
		if s.err != nil {
			rules = append(rules, s.name+"/failed")
		}
		for _, f := range s.found {
			if f.Tier == guard.Hard {
				rules = append(rules, s.name+"/"+f.Rule)
			}
		}
	}
	return unique(rules)
}

// rules are all that found something, as scanner/rule.
func (fs findings) rules() (rules []string) {
	for _, s := range fs {
		for _, f := range s.found {
			rules = append(rules, s.name+"/"+f.Rule)
		}
	}
	return unique(rules)
}

// findings are what the outcome says of them.
func (fs findings) findings(withheld bool) (all []Finding) {
	for _, s := range fs {
		if s.err != nil {
			all = append(all, Finding{Scanner: s.name, Rule: "failed", Tier: guard.Hard.String()})
		}
		for _, f := range s.found {
			one := Finding{s.name, f.Rule, f.Tier.String(), f.Where}
			if withheld {
				one.Where = ""
			}
			all = append(all, one)
		}
	}
	return all
}

// stretches are the texts in which something was found, and no byte of a part is
// in two of them. A finding that names a part alone means all of it, and one that
// is not listed may be anywhere. A text may itself be a document, and claims are
// made of what that says: each stretch is there as it decodes, too.
func (fs findings) stretches(parts []guard.Part) (all []string) {
	at, more := map[string][]guard.Finding{}, false
	for _, s := range fs {
		for _, f := range s.found {
			at[f.Where] = append(at[f.Where], f)
		}
		more = more || s.more
	}
	for _, p := range parts {
		found := at[p.Where]
		if more {
			found = []guard.Finding{{}}
		}
		cut := cutOut(p.Text, found)
		for i, decoded := range guard.Unescaped(p.Text, cut) {
			all = append(all, strings.TrimSpace(p.Text[cut[i][0]:cut[i][1]]), strings.TrimSpace(decoded))
		}
	}
	return slices.DeleteFunc(unique(all), func(s string) bool { return s == "" })
}

// cutOut are the stretches of one text, from and to in bytes. A name and its
// value are at one place: what ends behind the text is of the other.
func cutOut(text string, found []guard.Finding) (all [][2]int) {
	slices.SortFunc(found, func(a, b guard.Finding) int { return a.Start - b.Start })
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

func (fs findings) record() (all []trace.ScannerBody) {
	for _, s := range fs {
		body := trace.ScannerBody{Name: s.name, Error: trace.ErrorOf(s.err)}
		for _, f := range s.found {
			body.Findings = append(body.Findings, trace.FindingBody{Rule: f.Rule, Tier: f.Tier.String(), Where: f.Where, Start: f.Start, End: f.End, Why: f.Why})
		}
		all = append(all, body)
	}
	return all
}
