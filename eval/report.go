package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// SchemaVersion is the version of the result documents.
const SchemaVersion = 1

// Report is the result of a suite. Its metrics document is the report without the
// rows, which have a separate file.
type Report struct {
	SchemaVersion int       `json:"schema_version"`
	Suite         string    `json:"suite"`
	Subject       string    `json:"subject"`                // what was measured: a planner, a mode or a policy
	File          string    `json:"file,omitzero"`          // of the cases
	Seed          string    `json:"seed,omitzero"`          // of generated cases
	Digest        string    `json:"digest"`                 // of the cases
	Policy        string    `json:"policy_digest,omitzero"` // of everything measured on the cases; see [Suite]
	Clusters      string    `json:"clusters,omitzero"`      // what the rows of a cluster share: "instruction"
	Complete      bool      `json:"complete"`               // every case that can be asked was measured
	Cases         int       `json:"cases"`                  // including those that cannot be asked
	Measured      int       `json:"measured"`
	Failures      []Failure `json:"failures"`         // cases that could not be measured; in no figure
	Unasked       []Unasked `json:"unasked,omitzero"` // rows that cannot be asked; also in no figure
	Remarks       []Remark  `json:"remarks,omitzero"` // oddities of rows that were asked
	Figures       []Figure  `json:"figures"`
	Reasons       []Reason  `json:"reasons,omitzero"`
	Curve         []Point   `json:"curve,omitzero"`
	Latency       []Latency `json:"latency,omitzero"`
	Notes         []string  `json:"notes,omitzero"` // what a reader must know besides the figures
	Rows          []Row     `json:"-"`
	// Extra is an object with members to add to the document. It is for a document
	// with a shape that is older than this one.
	Extra jsontext.Value `json:",embed"`
}

// Row is the observation of one case, in one of a suite's ways to observe it.
type Row struct {
	ID       string         `json:"id"`
	Group    string         `json:"group"`            // figures are given by group
	Half     string         `json:"half,omitzero"`    // tuned on, or unseen
	Cluster  string         `json:"cluster,omitzero"` // what it shares with rows that depend on it
	Agent    string         `json:"agent,omitzero"`   // what was observed, if there are several: an agent, an arm, a level
	Query    string         `json:"query,omitzero"`
	Expected string         `json:"expected"`
	Observed string         `json:"observed"`
	Passed   bool           `json:"passed"`
	Detail   string         `json:"detail,omitzero"` // why, in words
	Facts    map[string]int `json:"facts"`           // counts by measure; a case outside a measure has no such fact
	Data     jsontext.Value `json:"data,omitzero"`   // other data that the suite keeps; [Data] makes it
	Extra    jsontext.Value `json:"extra,omitzero"`  // members of the case that no suite knows, by their places
	Trace    []string       `json:"trace,omitzero"`  // the lines of the run's trace
}

// Failure is a case that could not be measured.
type Failure struct {
	ID     string `json:"id"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// Direction is the direction in which a figure improves.
type Direction string

// A figure with neither direction is for the reader, and no comparison judges it.
const (
	Higher  Direction = "higher"
	Lower   Direction = "lower"
	Neither Direction = ""
)

// Measure is one quantity that a suite counts in its rows.
type Measure struct {
	Name   string    // of the fact and the figure: "attacker_call"
	Title  string    // the head of its column
	Better Direction // the direction in which it improves
}

// Figure is one measure over some rows.
type Figure struct {
	Name   string    `json:"name"`
	Title  string    `json:"title"`
	Agent  string    `json:"agent"` // "" if the suite observes only one agent
	Group  string    `json:"group"` // "" for all groups
	Half   string    `json:"half"`  // "" for both
	Better Direction `json:"better"`
	Rate   *Rate     `json:"rate"` // of the rows with the fact, those where it is more than 0
	Sum    int       `json:"sum"`  // of the fact
}

// Reason is how often a code decided.
type Reason struct {
	Agent string `json:"agent"`
	Group string `json:"group"`
	Code  string `json:"code"`
	Count int    `json:"count"`
}

// Point is one point of a curve: what passes at a threshold.
type Point struct {
	Name      string  `json:"name"` // of the curve
	Threshold float64 `json:"threshold"`
	Right     *Rate   `json:"right"` // passed, rightly
	Wrong     *Rate   `json:"wrong"` // passed, wrongly
}

// Latency is how long an agent took, in milliseconds. It is never compared, because it
// also depends on the machine.
type Latency struct {
	Agent string  `json:"agent"`
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
}

// Tally makes the figures of rows. It makes them for every agent, for all groups and
// for each, whole and in halves, in the order of the rows. A measure without a fact in
// any row has no figure.
func Tally(rows []Row, measures []Measure) []Figure {
	figures := []Figure{}
	for _, agent := range named(rows, func(r Row) string { return r.Agent }) {
		own := where(rows, func(r Row) bool { return r.Agent == agent })
		groups := named(own, func(r Row) string { return r.Group })
		if len(groups) > 1 {
			groups = append([]string{""}, groups...)
		}
		for _, group := range groups {
			figures = append(figures, halved(where(own, func(r Row) bool { return group == "" || r.Group == group }), agent, group, measures)...)
		}
	}
	return figures
}

func halved(rows []Row, agent, group string, measures []Measure) []Figure {
	var figures []Figure
	halves := named(rows, func(r Row) string { return r.Half })
	slices.Sort(halves)
	if !slices.Contains(halves, "") {
		halves = append([]string{""}, halves...)
	}
	for _, half := range halves {
		of := where(rows, func(r Row) bool { return half == "" || r.Half == half })
		for _, m := range measures {
			if f := tally(of, m); f.Rate != nil {
				f.Agent, f.Group, f.Half = agent, group, half
				figures = append(figures, f)
			}
		}
	}
	return figures
}

func tally(rows []Row, m Measure) Figure {
	f := Figure{Name: m.Name, Title: m.Title, Better: m.Better}
	var clusters []cluster
	place := map[string]int{}
	for _, r := range rows {
		n, has := r.Facts[m.Name]
		if !has {
			continue
		}
		at, known := place[r.Cluster]
		if !known || r.Cluster == "" {
			at = len(clusters)
			place[r.Cluster] = at
			clusters = append(clusters, cluster{})
		}
		clusters[at].of++
		clusters[at].hits += Fact(n > 0)
		f.Sum += n
	}
	f.Rate = clustered(clusters)
	return f
}

// Fact returns 1 for true and 0 for false.
func Fact(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

// Data returns a value as bytes, the form that a row keeps. So a row from a journal
// equals the row that was written.
func Data(v any) jsontext.Value {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("eval: a row's data is no JSON: %v", err)) // Run makes it the case's failure
	}
	return b
}

// Tallied counts codes by agent and group, the most frequent first.
func Tallied(rows []Row, code func(Row) string) []Reason {
	counts := map[Reason]int{}
	for _, r := range rows {
		if c := code(r); c != "" {
			counts[Reason{Agent: r.Agent, Group: r.Group, Code: c}]++
		}
	}
	reasons := []Reason{}
	for r, n := range counts {
		r.Count = n
		reasons = append(reasons, r)
	}
	slices.SortFunc(reasons, moreOften)
	return reasons
}

// named returns the different names in rows, in the order of their first row.
func named(rows []Row, name func(Row) string) []string {
	var names []string
	seen := map[string]bool{}
	for _, r := range rows {
		if n := name(r); !seen[n] {
			seen[n] = true
			names = append(names, n)
		}
	}
	return names
}

func where(rows []Row, has func(Row) bool) []Row {
	var some []Row
	for _, r := range rows {
		if has(r) {
			some = append(some, r)
		}
	}
	return some
}

func moreOften(a, b Reason) int {
	return cmp.Or(strings.Compare(a.Agent, b.Agent), strings.Compare(a.Group, b.Group), cmp.Compare(b.Count, a.Count), strings.Compare(a.Code, b.Code))
}
