package grounding

import (
	"errors"
	"io"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/schema"
)

// Case is one claim about a text, with the stretch of the text that it is said
// to rest on.
type Case struct {
	ID        string
	Source    string // where the row is from; figures are given by source
	Text      string
	Claim     string
	Evidence  string
	Supported bool // by the text
}

// Read reads a file of lines such as
//
//	{"id":"a-1","source":"a","text":"Logs are kept for 30 days. …","claim":"Logs are kept.","evidence":"Logs are kept for 30 days.","supported":true}
//
// and of nothing else. The error names the file and the line.
func Read(path string) ([]Case, error) { return eval.ReadCases(path, parseCase) }

// Parse is Read for what is not a file; name stands for its path in errors.
func Parse(name string, from io.Reader) ([]Case, error) {
	return eval.ParseCases(name, from, parseCase)
}

// parseCase asks no more of claim and evidence than that they are given: what
// is wrong with them is for the lock to say.
func parseCase(line []byte) (id string, c Case, err error) {
	var row struct {
		ID        string  `json:"id"`
		Source    string  `json:"source"`
		Text      string  `json:"text"`
		Claim     *string `json:"claim"`
		Evidence  *string `json:"evidence"`
		Supported *bool   `json:"supported"`
	}
	if err := schema.Decode(line, &row, eval.RowLimits()); err != nil {
		return "", Case{}, err
	}
	switch {
	case row.Source == "":
		return "", Case{}, errors.New("a row without a source")
	case row.Text == "":
		return "", Case{}, errors.New("a row without a text")
	case row.Claim == nil, row.Evidence == nil:
		return "", Case{}, errors.New("a row without a claim or its evidence")
	case row.Supported == nil:
		return "", Case{}, errors.New("a row that does not say whether the claim is supported")
	}
	return row.ID, Case{row.ID, row.Source, row.Text, *row.Claim, *row.Evidence, *row.Supported}, nil
}
