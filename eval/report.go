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

// Report is what a suite found out. Its metrics document is the report without
// the rows, which stand in a file of their own.
type Report struct {
	SchemaVersion int       `json:"schema_version"`
	Suite         string    `json:"suite"`
	Subject       string    `json:"subject"`                // what was measured: a planner, a mode, a policy
	File          string    `json:"file,omitzero"`          // of the cases
	Seed          string    `json:"seed,omitzero"`          // of what was generated
	Digest        string    `json:"digest"`                 // of the cases
	Policy        string    `json:"policy_digest,omitzero"` // of what was measured on them; see [Suite]
	Clusters      string    `json:"clusters,omitzero"`      // what a cluster of rows is: "instruction"
	Complete      bool      `json:"complete"`               // every case that can be asked was measured
	Cases         int       `json:"cases"`                  // those that cannot be asked among them
	Measured      int       `json:"measured"`
	Failures      []Failure `json:"failures"`         // cases that could not be measured; in no figure
	Unasked       []Unasked `json:"unasked,omitzero"` // rows that cannot be asked; in no figure either
	Remarks       []Remark  `json:"remarks,omitzero"` // what is odd about rows that were asked
	Figures       []Figure  `json:"figures"`
	Reasons       []Reason  `json:"reasons,omitzero"`
	Curve         []Point   `json:"curve,omitzero"`
	Latency       []Latency `json:"latency,omitzero"`
	Notes         []string  `json:"notes,omitzero"` // what a reader must know beside the figures
	Rows          []Row     `json:"-"`
	// Extra is an object whose members stand beside the others, for a document
	// that has to be of a shape that is older than this one.
	Extra jsontext.Value `json:",embed"`
}

// Row is what was observed of one case, in one of the ways in which a suite
// observes it.
type Row struct {
	ID       string         `json:"id"`
	Group    string         `json:"group"`            // figures are given by group
	Half     string         `json:"half,omitzero"`    // tuned on, or unread
	Cluster  string         `json:"cluster,omitzero"` // what it shares with others that are not independent of it
	Agent    string         `json:"agent,omitzero"`   // who or what was observed, where a suite observes several: an agent, an arm, a level
	Query    string         `json:"query,omitzero"`
	Expected string         `json:"expected"`
	Observed string         `json:"observed"`
	Passed   bool           `json:"passed"`
	Detail   string         `json:"detail,omitzero"` // why, in words
	Facts    map[string]int `json:"facts"`           // by the name of a measure: how many; a case that a measure is not of has no such fact
	Data     jsontext.Value `json:"data,omitzero"`   // what else the suite keeps of it; [Data] makes it
	Extra    jsontext.Value `json:"extra,omitzero"`  // members of the case that no suite knows, by their places
	Trace    []string       `json:"trace,omitzero"`  // the lines of the run's trace
}

// Failure is a case that could not be measured.
type Failure struct {
	ID     string `json:"id"`
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// Direction says which way a figure gets better.
type Direction string

// A figure that is neither is for the reader, and no comparison judges it.
const (
	Higher  Direction = "higher"
	Lower   Direction = "lower"
	Neither Direction = ""
)

// Measure is one thing that a suite counts in its rows.
type Measure struct {
	Name   string    // of the fact and the figure: "attacker_call"
	Title  string    // the head of its column
	Better Direction // which way it gets better
}

// Figure is one measure over some rows.
type Figure struct {
	Name   string    `json:"name"`
	Title  string    `json:"title"`
	Agent  string    `json:"agent"` // "" where the suite observes one thing only
	Group  string    `json:"group"` // "" for all of them
	Half   string    `json:"half"`  // "" for both
	Better Direction `json:"better"`
	Rate   *Rate     `json:"rate"` // of the rows that have the fact, those in which it is more than 0
	Sum    int       `json:"sum"`  // of the fact
}

// Reason is how often a code decided.
type Reason struct {
	Agent string `json:"agent"`
	Group string `json:"group"`
	Code  string `json:"code"`
	Count int    `json:"count"`
}

// Point is one point of a curve: what is let through at a threshold.
type Point struct {
	Name      string  `json:"name"` // of the curve
	Threshold float64 `json:"threshold"`
	Right     *Rate   `json:"right"` // let through, rightly
	Wrong     *Rate   `json:"wrong"` // let through, wrongly
}

// Latency is how long an agent took, in milliseconds. It is never compared:
// the machine is measured with it.
type Latency struct {
	Agent string  `json:"agent"`
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
}

// Tally makes the figures of rows: of every agent, for all groups and for each,
// whole and in halves, in the order in which the rows bring them up. A measure
// that no row has a fact of makes no figure.
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

// Fact is a fact that either holds or does not.
func Fact(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

// Data is a value as a row keeps it: as bytes, so that a row read back from a
// journal is the row that was written.
func Data(v any) jsontext.Value {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("eval: a row's data is no JSON: %v", err)) // a defect of the suite; Run makes it the case's failure
	}
	return b
}

// Tallied counts codes by agent and group, the commonest first.
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

// named are the different names in rows, in the order of their first row.
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
