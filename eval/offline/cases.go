package offline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/cases"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Case is one input to the gates and the result that it must have.
type Case struct {
	ID     string
	Group  string
	What   string // a short description
	Expect string // Allow, or the code of the refusal
	probe  probe
	line   string // the text of the input, as read or as generated
}

// probe puts an input before the gates. The error is their refusal, or altered.
type probe interface {
	try() (detail string, err error)
}

// generatedProbe is the probe of a generated case. parses reports whether the input
// passed the parser; err is the gates' answer.
type generatedProbe interface {
	probe
	parses(err error) bool
}

// written is an input in the form of a case file.
type written interface {
	probe
	ready() error // returns the fault in how it is written
}

// pattern matches the files of the suite in a folder. The folder may have cases of
// other suites as well.
const pattern = "offline-*.jsonl"

// Read reads the cases of a file, or of all files offline-*.jsonl of a folder.
func Read(name string) (eval.Cases[Case], error) {
	files := []string{name}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(name, pattern)); err != nil || len(files) == 0 {
			return eval.Cases[Case]{}, verdict.Fail(verdict.EvalCases, err, "the folder %s holds no files %s", name, pattern)
		}
	}
	return eval.ReadCases(parse, files...)
}

// Own returns the cases that come with the program.
func Own() ([]Case, error) {
	names, err := fs.Glob(cases.Files, pattern)
	if err != nil {
		return nil, err
	}
	return eval.OwnCases(parse, cases.Files, names...)
}

// parse reads one row. It refuses a case of an unknown group, or with an input that
// the group's gate lacks.
func parse(l *eval.Line) (id string, c Case, err error) {
	row, err := eval.Decode[struct {
		ID     string         `json:"id"`
		Group  string         `json:"group"`
		What   string         `json:"what"`
		Input  jsontext.Value `json:"input"`
		Expect string         `json:"expect"`
	}](l)
	switch {
	case err != nil:
		return "", Case{}, err
	case row.ID != "" && !escape.Name(row.ID):
		return "", Case{}, fmt.Errorf("the id %.100q has characters outside A-Z a-z 0-9 _ . -", row.ID)
	case row.What == "":
		return "", Case{}, errors.New("a row that does not say what it is")
	case row.Expect != Allow && !known(row.Expect):
		return "", Case{}, fmt.Errorf("expect is %.60q, which is neither allow nor a code of docs/codes.md", row.Expect)
	}
	p, err := newProbe(row.Group, row.Input)
	if err != nil {
		return "", Case{}, err
	}
	return row.ID, Case{row.ID, row.Group, row.What, row.Expect, p, string(l.Text)}, nil
}

func known(code string) bool {
	return slices.ContainsFunc(verdict.Entries(), func(e verdict.Entry) bool { return string(e.Code) == code })
}

func newProbe(group string, input jsontext.Value) (probe, error) {
	var p written
	switch group {
	case PolicyGate:
		p = &policyInput{}
	case PlanParse:
		p = &parseInput{}
	case PlanGate:
		p = &gateInput{}
	case TypedOutput:
		p = &outputInput{}
	case Grounding:
		p = &groundInput{}
	default:
		return nil, fmt.Errorf("%.60q is no group that cases are written for", group)
	}
	if input.Kind() != '{' {
		return nil, errors.New("input is no object")
	}
	if err := schema.Decode(input, p, eval.RowLimits()); err != nil {
		return nil, fmt.Errorf("the input has %w", err)
	}
	if err := p.ready(); err != nil {
		return nil, fmt.Errorf("the input has %w", err)
	}
	return p, nil
}
