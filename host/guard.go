package host

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Guard is what became of an answer on its way in. It quotes nothing.
type Guard struct {
	Rules      string            `json:"rules"` // the version of the built-in rules
	Redactions []guard.Redaction `json:"redactions,omitempty"`
	Findings   []Finding         `json:"findings,omitempty"`
	NotScanned []guard.Entry     `json:"not_scanned,omitempty"`
	Withheld   string            `json:"withheld,omitempty"` // what `ask quarantine` calls the result, once it is kept
}

// Finding is a place that a scanner found. A result that is withheld has no
// places: their names are the server's words.
type Finding struct {
	Scanner string `json:"scanner"`
	Rule    string `json:"rule"`
	Tier    string `json:"tier"`
	Where   string `json:"where,omitempty"`
}

// Examined is what a run recorded of its guard. A replay has it in place of
// redaction, which is not done twice, and of rules that this program does not have.
type Examined struct {
	None     bool            // the run had no guard: its format is older
	Rules    string          // the version of the rules
	Patterns []guard.Finding // what the built-in rules of that version found
	Failed   error           // or how they failed
}

// hide takes secrets out of an answer before anything else is done with it. With
// them goes their digest: a plain one would tell a weak password to whoever
// guesses it, so it is sealed with this machine's key.
func (r *run) hide(raw gate.RawResult) (out gate.RawResult, sealed string) {
	if r.config.Examined != nil {
		return raw, ""
	}
	body, hidden, err := guard.RedactJSON(raw.Body)
	if err != nil { // not JSON: no gate takes it, and the trace has it
		text, found := guard.Redact(string(raw.Body))
		body, hidden = []byte(text), found
	}
	if len(hidden) == 0 {
		return raw, ""
	}
	if r.config.Seal != nil {
		sealed = r.config.Seal(raw.Body)
	}
	raw.Body, raw.Hidden = body, hidden
	return raw, sealed
}

// heard is an error as it is repeated to anybody.
func (h *Host) heard(server string, err error) error {
	return Heard(h.config.Policy.Guard, server, err)
}

// Heard is an error of a server's without the secrets in its words, and without
// the words where these are aimed at a model.
func Heard(rules guard.Rules, server string, err error) error {
	d, f := verdict.First(err)
	switch {
	case d != nil:
		clean := *d
		if clean.Reason = repeated(rules, server, d.Reason); clean.Reason != d.Reason {
			return &clean
		}
	case f != nil:
		clean := *f
		if clean.Reason = repeated(rules, server, f.Reason); clean.Reason != f.Reason {
			return &clean
		}
	}
	return err
}

// repeated is what is repeated of an error's words.
func repeated(rules guard.Rules, server, words string) string {
	words, _ = guard.Redact(words)
	found := rules.Scan(server, []guard.Part{{Where: "/error", Kind: "error", Text: words}})
	if !found.Hard() {
		return words
	}
	var ids []string
	for _, one := range found.Findings {
		ids = append(ids, one.Rule)
	}
	return fmt.Sprintf("server %s failed, and its words are withheld: %s", server, strings.Join(unique(ids), ", "))
}

// examined is the answer once every scanner has seen it, or why it is withheld.
func (r *run) examined(ctx context.Context, a gate.Approved, raw gate.RawResult) (gate.RawResult, error) {
	if was := r.config.Examined; was != nil && was.None {
		return raw, nil // before the fourth format nobody looked
	}
	parts := r.gate.Parts(raw)
	found, ledger := r.scan(ctx, Sample{a.Server(), a.Tool(), parts})
	g := Guard{Rules: guard.RulesVersion, Redactions: raw.Hidden}
	for _, e := range ledger {
		if e.State == guard.Unscanned {
			g.NotScanned = append(g.NotScanned, e)
		}
	}
	raw.Flagged = found.stretches(parts)
	no := r.withhold(a, raw, found)
	g.Findings = found.findings(no != nil)
	if no != nil {
		for i := range g.NotScanned {
			g.NotScanned[i].Where = nil // names of members are the server's words, too
		}
	}
	r.out.Guard = &g
	if err := r.append(trace.Guard, trace.GuardBody{Rules: g.Rules, Ledger: ledger, Scanners: found.record()}); err != nil {
		return raw, err
	}
	r.remark(found)
	if no == nil {
		return raw, r.decide("guard", nil)
	}
	return gate.RawResult{}, r.decide("guard", no)
}

// withhold is the refusal of an answer in which something hard was found that
// nobody overruled, or that a scanner could not judge.
func (r *run) withhold(a gate.Approved, raw gate.RawResult, found findings) *verdict.Denial {
	var rules []string
	for _, rule := range found.hard() {
		if r.config.Release == nil || !slices.Contains(r.config.Release.Rules, rule) {
			rules = append(rules, rule)
		}
	}
	if len(rules) == 0 {
		return nil
	}
	r.kept = &Withheld{RunID: r.out.RunID, Server: a.Server(), Tool: a.Tool(), Rules: rules, Body: raw.Body}
	no := verdict.Deny(verdict.OutputQuarantined, "the answer of %s/%s is withheld: %s", a.Server(), a.Tool(), strings.Join(rules, ", "))
	no.Rules = rules
	return no
}

// remark says what was hidden and what was found, where the answer is shown.
func (r *run) remark(found findings) {
	if r.kept != nil {
		return
	}
	var kinds []string
	for _, h := range r.out.Guard.Redactions {
		kinds = append(kinds, fmt.Sprintf("%d of kind %s", h.Count, h.Kind))
	}
	if len(kinds) > 0 {
		r.note("Secrets in the result stand as [redacted:kind]: " + strings.Join(kinds, ", ") + ".")
	}
	if rules := found.rules(); len(rules) > 0 {
		r.note("Parts of the result read as if they were meant for a model (" + strings.Join(rules, ", ") + "): no claim is made of them.")
	}
}

func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
