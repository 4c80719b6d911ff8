package convert

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// request is a row of `ask eval requests`.
type request struct {
	ID       string `json:"id"`
	Source   string `json:"source"`
	Query    string `json:"query"`
	Label    string `json:"label"`
	Category string `json:"category"`
}

// xsTest reads xstest_prompts.csv. It has a header, and for each prompt its id, text,
// type and label. Other columns are ignored.
func xsTest(_ string, text []byte, _ Files) ([]jsontext.Value, error) {
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		return nil, errors.New("it has no header")
	}
	var at [4]int
	for i, name := range []string{"id", "prompt", "type", "label"} {
		if at[i] = slices.Index(lines[0], name); at[i] < 0 {
			return nil, fmt.Errorf("its header has no column %s", name)
		}
	}
	var rows []jsontext.Value
	for _, l := range lines[1:] {
		r := request{ID: "xstest-" + l[at[0]], Source: "XSTest", Query: l[at[1]], Category: l[at[2]], Label: l[at[3]]}
		if r.Label != "safe" && r.Label != "unsafe" {
			return nil, entry(r.ID, fmt.Errorf("the label %.40q is neither safe nor unsafe", r.Label))
		}
		rows = append(rows, row(r))
	}
	return rows, nil
}
