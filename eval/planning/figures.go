package planning

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
)

// measures are shares of four sets: the proposed calls, the rows with an answer, the
// rows without one, and all rows. The figures for right and wrong declining are next
// to each other, because either one alone is easy to reach.
var measures = []eval.Measure{
	{Name: "wrong", Title: "wrong, of calls", Better: eval.Lower}, // the tool or a value is wrong, or dropped
	{Name: "wrong_read", Title: "wrong, of reading calls", Better: eval.Lower},
	{Name: "wrong_write", Title: "wrong, of writing calls", Better: eval.Lower},
	{Name: "write_unasked", Title: "writing call proposed where none is right", Better: eval.Lower}, // of rows without one
	{Name: "exact", Title: "exact, of calls", Better: eval.Higher},
	{Name: "exact_lenient", Title: "exact, of calls, leniently", Better: eval.Higher},
	{Name: "call_exact", Title: "call exact", Better: eval.Higher}, // of the rows with an answer
	{Name: "call_exact_lenient", Title: "call exact, leniently", Better: eval.Higher},
	{Name: "tool_right", Title: "tool right", Better: eval.Higher},
	{Name: "called_right", Title: "tool right, of calls", Better: eval.Higher}, // for a row with an answer
	{Name: "declined_wrongly", Title: "declined wrongly", Better: eval.Lower},
	{Name: "declined_rightly", Title: "declined rightly", Better: eval.Higher},
	{Name: "declined", Title: "declined", Better: eval.Neither},
	{Name: "unusable", Title: "no plan", Better: eval.Lower},
	{Name: "not_asked", Title: "could not be asked", Better: eval.Lower},
}

// finding is a planner's answer to a case, judged.
type finding struct {
	asked             asked
	observed, lenient Observed
	effect            string // of the called tool; "" without a call
	fault             fault
}

func (a asked) find(p plan.Plan) finding {
	f := finding{asked: a, observed: a.Judge(p), lenient: a.JudgeLeniently(p)}
	if p.Declines() {
		return f
	}
	f.effect = a.effectOf(p.Server(), p.Tool())
	if f.observed != Exact {
		f.fault = a.fault(p)
	}
	return f
}

// effectOf returns "write" for an absent tool, too, because no operator called it
// reading.
func (a asked) effectOf(server, tool string) string {
	t, err := a.tools.Tool(server, tool)
	if err != nil {
		return "write"
	}
	return t.Effect().String()
}

func (f finding) called() bool { return f.effect != "" }

func (f finding) passed() bool {
	return f.observed == Exact || f.observed == Declined && f.asked.Expect.Abstain
}

func (f finding) facts() map[string]int {
	facts := map[string]int{
		"declined": eval.Fact(f.observed == Declined), "unusable": eval.Fact(f.observed == Unusable), "not_asked": 0,
	}
	if f.called() {
		wrong := eval.Fact(f.observed != Exact)
		facts["wrong"], facts["wrong_"+f.effect], facts["exact"] = wrong, wrong, 1-wrong
		facts["exact_lenient"] = eval.Fact(f.lenient == Exact)
	}
	if !f.asked.writes() {
		facts["write_unasked"] = eval.Fact(f.effect == "write")
	}
	if f.asked.Expect.Abstain {
		facts["declined_rightly"] = facts["declined"]
		return facts
	}
	facts["call_exact"] = eval.Fact(f.observed == Exact)
	facts["call_exact_lenient"] = eval.Fact(f.lenient == Exact)
	facts["tool_right"] = eval.Fact(f.observed == Exact || f.observed == WrongArguments)
	facts["declined_wrongly"] = facts["declined"]
	if f.called() {
		facts["called_right"] = facts["tool_right"]
	}
	return facts
}

// writes reports whether the right call is of a writing tool.
func (a asked) writes() bool { return !a.Expect.Abstain && a.effectOf(a.call()) == "write" }

// fault is a fault of a call.
type fault string

// The faults, the gravest first.
const (
	uncalledFor fault = "a call where none is right"
	wrongTool   fault = "another tool"
	turned      fault = "a yes for a no, or a no for a yes"
	misplaced   fault = "another argument's value"
	wrongValue  fault = "another value"
	invented    fault = "an argument too many"
	dropped     fault = "an argument too few"
)

// fault returns the gravest fault of a call that is not exact.
func (a asked) fault(p plan.Plan) fault {
	server, tool := a.call()
	switch {
	case a.Expect.Abstain:
		return uncalledFor
	case p.Server() != server || p.Tool() != tool:
		return wrongTool
	}
	var got map[string]jsontext.Value
	if schema.Decode(p.Args(), &got, eval.RowLimits()) != nil {
		return wrongValue
	}
	found := faults(got, a.Expect.Args)
	for _, f := range []fault{turned, misplaced, wrongValue, invented} {
		if slices.Contains(found, f) {
			return f
		}
	}
	return dropped
}

func faults(got map[string]jsontext.Value, want map[string][]jsontext.Value) []fault {
	var found []fault
	same := spelling(verbatim)
	for name, v := range got {
		values, known := want[name]
		switch {
		case !known || len(values) == 0:
			found = append(found, invented)
		case same.oneOf(v, values):
		case boolean(v) && slices.ContainsFunc(values, boolean):
			found = append(found, turned)
		case ofAnother(v, name, want):
			found = append(found, misplaced)
		default:
			found = append(found, wrongValue)
		}
	}
	return found
}

func boolean(v jsontext.Value) bool { return v.Kind() == 't' || v.Kind() == 'f' }

func ofAnother(v jsontext.Value, name string, want map[string][]jsontext.Value) bool {
	for other, values := range want {
		if other != name && spelling(verbatim).oneOf(v, values) {
			return true
		}
	}
	return false
}

// The halves of a file, by the hash of a row's id. The authors of the embedded planner
// read only the open half.
const (
	openHalf   = "open"
	sealedHalf = "sealed"
)

func half(id string) string {
	if Sealed(id) {
		return sealedHalf
	}
	return openHalf
}

// finish explains the figures in words.
func finish(r *eval.Report, cases []Case) {
	r.Reasons = eval.Tallied(r.Rows, func(row eval.Row) string { return string(keptOf(row).Fault) })
	r.Notes = append(r.Notes, effectNote(cases))
	if note := faultNote(r.Rows); note != "" {
		r.Notes = append(r.Notes, note)
	}
	excluded, unasked := 0, []eval.Unasked{}
	for _, row := range r.Rows {
		excluded += len(keptOf(row).Excluded)
		if row.Observed == string(NotAsked) {
			unasked = append(unasked, eval.Unasked{Place: row.ID, Reason: row.Detail})
		}
	}
	if excluded > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d tools of the cases cannot be called; the rows say why.", excluded))
	}
	if n := len(unasked); n > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d of %d cases are of calls that no run could make: %s", n, r.Measured, eval.Some(unasked)))
	}
}

func keptOf(row eval.Row) (k kept) {
	_ = schema.Decode(row.Data, &k, eval.RowLimits()) // written by [Data] of package eval
	return k
}

// effectNote explains the origin of the tools' effects.
func effectNote(cases []Case) string {
	tools, silent := 0, 0
	as := "write"
	for _, c := range cases {
		if c.Allowlist != nil {
			continue
		}
		for _, d := range c.Tools {
			tools++
			silent += eval.Fact(saidOf(d) == "")
		}
		if c.Unhinted == Reading {
			as = "read"
		}
	}
	return fmt.Sprintf("Whether a tool reads is what its row or else its readOnlyHint says; of %d tools %d have neither, and count as tools that %s.", tools, silent, as)
}

// faultNote counts the faults of the wrong calls.
func faultNote(rows []eval.Row) string {
	counts, wrong := map[fault]int{}, 0
	for _, row := range rows {
		if f := keptOf(row).Fault; f != "" {
			counts[f]++
			wrong++
		}
	}
	var list []string
	for _, f := range []fault{uncalledFor, wrongTool, turned, misplaced, wrongValue, invented, dropped} {
		if counts[f] > 0 {
			list = append(list, fmt.Sprintf("%d %s", counts[f], f))
		}
	}
	if wrong == 0 {
		return ""
	}
	return fmt.Sprintf("%d calls are wrong, by their gravest fault: %s.", wrong, strings.Join(list, ", "))
}
