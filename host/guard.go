package host

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Guard reports how an answer was checked on its way in. It quotes nothing.
type Guard struct {
	Rules      string             `json:"rules"` // the version of the built-in rules
	Redactions []secret.Redaction `json:"redactions,omitempty"`
	Findings   []Finding          `json:"findings,omitempty"`
	NotScanned []scan.Entry       `json:"not_scanned,omitempty"`
	Withheld   string             `json:"withheld,omitempty"` // its name in `ask quarantine`, once kept
	Quoted     bool               `json:"quoted,omitempty"`   // claims name their source: see [Outcome.SummaryTitle]
	LeftOut    int                `json:"left_out,omitempty"` // sentences or lines with a finding, of which no claim is made
}

// Finding is a place that a scanner found. A result that is withheld has no
// places: their names are the server's words.
type Finding struct {
	Scanner string `json:"scanner"`
	Rule    string `json:"rule"`
	Tier    string `json:"tier"`
	Where   string `json:"where,omitempty"`
}

// clean is a server's error, safe to repeat.
func (rd *reading) clean(server string, err error) error {
	return Clean(rd.config.Policy.Guard, server, err)
}

// Clean is a server's error without the secrets in its words. Words that are aimed
// at a model are withheld.
func Clean(rules scan.Rules, server string, err error) error {
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

// repeated are the words of an error that are repeated.
func repeated(rules scan.Rules, server, words string) string {
	words, aimed := sayable(rules, server, words)
	if aimed == "" {
		return words
	}
	return fmt.Sprintf("server %s failed, and its words are withheld: %s", server, aimed)
}

// sayable are words without their secrets. If they are aimed at a model, aimed has
// the rules that found that, and said is empty.
func sayable(rules scan.Rules, server, words string) (said, aimed string) {
	words, _ = secret.Redact(words)
	found := rules.Scan(server, []scan.Part{{Where: "/error", Kind: "error", Text: words}})
	if !found.Hard() {
		return words, ""
	}
	var ids []string
	for _, one := range found.Findings {
		ids = append(ids, one.Rule)
	}
	return "", strings.Join(unique(ids), ", ")
}

// Words are a server's words as they are passed on to a client while a call is
// under way, or after it. They have no secrets. Words that are aimed at a model are
// withheld.
func (h *Host) Words(server, words string) string {
	rd := h.last()
	defer h.give(rd)
	return rd.words(server, words)
}

func (rd *reading) words(server, words string) string {
	words, aimed := sayable(rd.config.Policy.Guard, server, words)
	if aimed == "" {
		return words
	}
	return "[withheld: " + aimed + "]"
}

// logged are a server's messages as they are recorded and passed on.
func (rd *reading) logged(server string, all []trace.LogBody) (out []trace.LogBody) {
	for _, one := range all {
		one.Logger, one.Text = rd.words(server, one.Logger), rd.words(server, one.Text)
		out = append(out, one)
	}
	return out
}

// examine gives the answer once every scanner has read it, or the reason why it is
// withheld.
func (r *run) examine(ctx context.Context, a answered) (answered, error) {
	parts := r.gate.Parts(a.raw)
	found, ledger := r.scan(ctx, Sample{a.Server(), a.Tool(), parts})
	g := Guard{Rules: scan.RulesVersion, Redactions: a.raw.Hidden}
	for _, e := range ledger {
		if e.State == scan.Unscanned {
			g.NotScanned = append(g.NotScanned, e)
		}
	}
	var overruled []string
	if release := r.world.Release(); release != nil {
		overruled = release.Rules
	}
	no := a.Examine(found, overruled)
	g.Findings = reported(found, no != nil)
	if no != nil {
		r.ends.kept = &Withheld{RunID: r.out.RunID, Server: a.Server(), Tool: a.Tool(), Rules: verdict.Rules(no), Body: a.raw.Body}
		for i := range g.NotScanned {
			g.NotScanned[i].Where = nil // names of members are the server's words, too
		}
	}
	g.Quoted = len(g.Findings) > 0 || !closed(a.Approved)
	r.out.Guard = &g
	if err := r.append(trace.Guard, trace.GuardBody{Rules: g.Rules, Ledger: ledger, Scanners: scannerBodies(found)}); err != nil {
		return answered{}, err
	}
	if no == nil {
		r.remark(found)
	}
	if err := r.record("guard", no); err != nil {
		return answered{}, err
	}
	a.raw.Flagged, r.out.Logs = gate.Flagged(parts, found), a.logs
	return a, nil
}

// closed reports whether the tool was approved as reaching no stranger's texts. The
// server says so, and a person approved that.
func closed(a gate.Approved) bool {
	open := a.Hints().OpenWorld
	return open != nil && !*open
}

// SummaryTitle is the heading of the claims of a summary. No rule distinguishes a
// text about machines from a text for them. So if an answer has a finding, or
// strangers may have written it, the title names the source of the words.
func (o Outcome) SummaryTitle() string {
	switch {
	case o.Guard == nil || !o.Guard.Quoted:
		return "Summary"
	case o.Guard.LeftOut == 0:
		return "Quoted from " + o.Planned.Server()
	}
	return fmt.Sprintf("Quoted from %s, without %d sentences or lines that read as if they were meant for a model", o.Planned.Server(), o.Guard.LeftOut)
}

func reported(scanned []gate.Scanned, withheld bool) (all []Finding) {
	for _, s := range scanned {
		if s.Err != nil {
			all = append(all, Finding{Scanner: s.Scanner, Rule: "failed", Tier: scan.Hard.String()})
		}
		for _, f := range s.Findings {
			one := Finding{s.Scanner, f.Rule, f.Tier.String(), f.Where}
			if withheld {
				one.Where = ""
			}
			all = append(all, one)
		}
	}
	return all
}

func scannerBodies(scanned []gate.Scanned) (all []trace.ScannerBody) {
	for _, s := range scanned {
		body := trace.ScannerBody{Name: s.Scanner, Error: trace.ErrorOf(s.Err)}
		for _, f := range s.Findings {
			body.Findings = append(body.Findings, trace.FindingBody{Rule: f.Rule, Tier: f.Tier.String(), Where: f.Where, Start: f.Start, End: f.End, Why: f.Why})
		}
		all = append(all, body)
	}
	return all
}

// remark notes the secrets that were hidden and the findings, if the answer is
// shown.
func (r *run) remark(scanned []gate.Scanned) {
	var kinds []string
	for _, h := range r.out.Guard.Redactions {
		kinds = append(kinds, fmt.Sprintf("%d of kind %s", h.Count, h.Kind))
	}
	if len(kinds) > 0 {
		r.note("Secrets in the result are replaced by [redacted:kind]: " + strings.Join(kinds, ", ") + ".")
	}
	var rules []string
	for _, s := range scanned {
		for _, f := range s.Findings {
			rules = append(rules, s.Scanner+"/"+f.Rule)
		}
	}
	if len(rules) > 0 {
		r.note("Parts of the result read as if they were meant for a model (" + strings.Join(unique(rules), ", ") + "): the summary quotes none of them.")
	}
}

func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// Quarantine keeps results that are withheld.
type Quarantine interface {
	// Keep keeps one, once its run has ended and its trace is on disk.
	Keep(ctx context.Context, w Withheld) error
}

// Withheld is a result that is not shown unless a person releases it.
type Withheld struct {
	RunID   string // the name of the result
	Trace   string // the digest of the run's trace
	Server  string
	Tool    string
	Rules   []string // that withhold it, as scanner/rule
	Body    []byte   // the answer, without its secrets
	Created time.Time
}

// quarantine keeps the result that the run withheld, once its trace has ended, and
// then names it. If it cannot be kept, the trace still has it.
func (r *run) quarantine(ctx context.Context, out *Outcome, kept *Withheld) {
	if r.config.Quarantine == nil {
		out.Error.Hint = "only the trace keeps it, and it cannot be released"
		return
	}
	kept.Trace, kept.Created = out.TraceDigest, r.config.Now()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepLimit) // the run's time may be over
	defer cancel()
	if err := r.config.Quarantine.Keep(ctx, *kept); err != nil {
		out.Error.Hint = fmt.Sprintf("it could not be kept: %v; `ask quarantine keep %s` takes it from the trace", err, kept.RunID)
		return
	}
	out.Guard.Withheld = kept.RunID
}

// keepLimit is how long it may take to keep a result or an approval.
const keepLimit = 10 * time.Second
