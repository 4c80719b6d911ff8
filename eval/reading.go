package eval

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Reading is a report about case files, next to the results.
type Reading struct {
	Unasked []Unasked // rows that cannot be asked
	Remarks []Remark

	extra map[string]jsontext.Value // members that no suite knows, by the case's id
}

// Unasked is a row that cannot be asked.
type Unasked struct {
	Place  string `json:"place"` // the file and the line
	ID     string `json:"id,omitzero"`
	Reason string `json:"reason"`
}

func (u Unasked) String() string {
	if u.ID == "" {
		return u.Place + ": " + u.Reason
	}
	return fmt.Sprintf("%s (%.60q): %s", u.Place, u.ID, u.Reason)
}

// Remark is an oddity of rows that can still be asked.
type Remark struct {
	What  string `json:"what"`
	Rows  int    `json:"rows"`
	First string `json:"first"` // the place of the first row
}

func (m Remark) String() string {
	if m.Rows == 1 {
		return m.First + ": " + m.What
	}
	return fmt.Sprintf("%s: %s, in %d rows", m.First, m.What, m.Rows)
}

// Strict returns the first reported problem, as an error.
func (r Reading) Strict() error {
	switch {
	case len(r.Unasked) > 0:
		return verdict.Fail(verdict.EvalCases, nil, "%s", r.Unasked[0])
	case len(r.Remarks) > 0:
		return verdict.Fail(verdict.EvalCases, nil, "%s", r.Remarks[0])
	}
	return nil
}

// note records the oddities of a case.
func (r *Reading) note(id string, l *Line) {
	for _, what := range l.remarks {
		r.remark(what, l.place)
	}
	if len(l.extra) == 0 {
		return
	}
	members := map[string]jsontext.Value{}
	for _, m := range l.extra {
		members[m.at] = m.value
	}
	r.extra[id] = Data(members)
}

func (r *Reading) remark(what, place string) {
	for i := range r.Remarks {
		if r.Remarks[i].What == what {
			r.Remarks[i].Rows++
			return
		}
	}
	r.Remarks = append(r.Remarks, Remark{what, 1, place})
}

// notes describes the problems in words; asked is the number of usable rows.
func (r Reading) notes(asked int) []string {
	var notes []string
	if n := len(r.Unasked); n > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d rows could not be asked: %s", n, n+asked, Some(r.Unasked)))
	}
	if len(r.Remarks) > 0 {
		notes = append(notes, "Odd about the case files: "+Some(r.Remarks))
	}
	return notes
}

// Some returns a list as text, and shortens a long list.
func Some[T fmt.Stringer](list []T) string {
	const most = 10
	var said []string
	for _, one := range list[:min(most, len(list))] {
		said = append(said, one.String())
	}
	if rest := len(list) - most; rest > 0 {
		said = append(said, fmt.Sprintf("and %d more, which the results name", rest))
	}
	return strings.Join(said, "; ")
}
