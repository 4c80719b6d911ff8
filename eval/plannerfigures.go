package eval

import "slices"

// PlannerFigures sum a report up.
type PlannerFigures struct {
	SchemaVersion int            `json:"schema_version"`
	Suite         string         `json:"suite"`
	Planner       string         `json:"planner,omitzero"` // who was measured, and on which file: whoever measures says so
	File          string         `json:"file,omitzero"`
	Complete      bool           `json:"complete"` // every case was measured
	Cases         int            `json:"cases"`
	Measured      int            `json:"measured"`
	Failed        int            `json:"failed"`         // rows on which the planner broke; in no rate
	Excluded      int            `json:"excluded_tools"` // tools of the cases that no run could call
	Groups        []PlannerGroup `json:"groups"`         // by source, in the order of the file, whole and in halves; last all sources
}

// PlannerGroup gives the rates of some rows. A rate is null where there is no
// row that it could be of.
type PlannerGroup struct {
	Source string `json:"source"` // "" for all of them
	Half   string `json:"half"`   // "" for both
	Rows   int    `json:"rows"`

	// Of the rows that have an answer, those that were declined included.
	ToolRight       *Rate `json:"tool_right"`
	CallExact       *Rate `json:"call_exact"` // the tool, every argument acceptable, none extra
	DeclinedWrongly *Rate `json:"declined_wrongly"`
	// Of the rows that have none.
	DeclinedRightly *Rate `json:"declined_rightly"`
	// Of all rows: answers that are no plan.
	Unusable *Rate `json:"unusable"`
}

func figures(cases int, rows []PlannerRow) PlannerFigures {
	f := PlannerFigures{SchemaVersion: SchemaVersion, Suite: "planner", Cases: cases, Groups: []PlannerGroup{}}
	var measured []PlannerRow
	var sources []string
	for _, r := range rows {
		f.Excluded += len(r.Excluded)
		if r.Observed == Failed {
			f.Failed++
			continue
		}
		measured = append(measured, r)
		if !slices.Contains(sources, r.Source) {
			sources = append(sources, r.Source)
		}
	}
	f.Measured = len(measured)
	f.Complete = f.Measured == cases
	if len(sources) > 1 {
		sources = append(sources, "")
	}
	for _, source := range sources {
		for _, half := range []string{"", EvenTens, OddTens} {
			if g := group(source, half, measured); g.Rows > 0 {
				f.Groups = append(f.Groups, g)
			}
		}
	}
	return f
}

// plannerTally counts observations.
type plannerTally map[Observed]int

func (t plannerTally) all() int {
	n := 0
	for _, k := range t {
		n += k
	}
	return n
}

func group(source, half string, rows []PlannerRow) PlannerGroup {
	answerable, unanswerable := plannerTally{}, plannerTally{}
	for _, r := range rows {
		switch {
		case source != "" && source != r.Source, half != "" && half != r.Half:
		case r.Expected.Abstain:
			unanswerable[r.Observed]++
		default:
			answerable[r.Observed]++
		}
	}
	a, u := answerable.all(), unanswerable.all()
	return PlannerGroup{
		Source: source, Half: half, Rows: a + u,
		ToolRight:       NewRate(answerable[Exact]+answerable[WrongArguments], a),
		CallExact:       NewRate(answerable[Exact], a),
		DeclinedWrongly: NewRate(answerable[Declined], a),
		DeclinedRightly: NewRate(unanswerable[Declined], u),
		Unusable:        NewRate(answerable[Unusable]+unanswerable[Unusable], a+u),
	}
}
