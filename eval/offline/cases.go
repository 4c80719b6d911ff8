package offline

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Case is one input to the gates and what has to come of it.
type Case struct {
	ID     string
	Group  string
	What   string // a phrase that names it
	Expect string // Allow, or the code of the refusal
	probe  probe
	line   string // as it was read, or what was generated
}

// probe puts an input before the gates. The error is their refusal, or altered.
type probe interface {
	try() (detail string, err error)
}

// generatedProbe is one of a case that was generated. Parses reports whether it
// reached what is behind the parser; err is what the gates said to it.
type generatedProbe interface {
	probe
	parses(err error) bool
}

// written is an input as a case file has it.
type written interface {
	probe
	ready() error // says what is wrong with how it is written
}

// pattern is how the files of a folder are called, which may hold cases of
// other suites as well.
const pattern = "offline-*.jsonl"

// Read reads the cases of a file, or of all files offline-*.jsonl of a folder.
// Its errors name file and line.
func Read(name string) ([]Case, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, verdict.Fail(verdict.EvalCases, err, "%s cannot be read: %v", name, errors.Unwrap(err))
	}
	files := []string{name}
	if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(name, pattern)); err != nil || len(files) == 0 {
			return nil, verdict.Fail(verdict.EvalCases, err, "the folder %s holds no files %s", name, pattern)
		}
	}
	var r reader
	for _, file := range files {
		r.begin(file)
		more, err := eval.ReadCases(file, r.parse)
		if err != nil {
			return nil, err
		}
		r.cases = append(r.cases, more...)
	}
	return r.cases, nil
}

// ReadFS reads the cases of all files offline-*.jsonl at the root of a file
// system.
func ReadFS(files fs.FS) ([]Case, error) {
	names, err := fs.Glob(files, pattern)
	if err != nil || len(names) == 0 {
		return nil, verdict.Fail(verdict.EvalCases, err, "there are no files %s", pattern)
	}
	var r reader
	for _, name := range names {
		if err := r.readFrom(files, name); err != nil {
			return nil, err
		}
	}
	return r.cases, nil
}

// reader reads files of cases whose ids all differ.
type reader struct {
	cases  []Case
	places map[string]string // the files of the ids
	file   string
}

func (r *reader) readFrom(files fs.FS, name string) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return verdict.Fail(verdict.EvalCases, err, "%s cannot be read: %v", name, err)
	}
	r.begin(name)
	more, err := eval.ParseCases(name, bytes.NewReader(text), r.parse)
	r.cases = append(r.cases, more...)
	return err
}

func (r *reader) begin(file string) {
	r.file = file
	if r.places == nil {
		r.places = map[string]string{}
	}
}

// parse refuses the id of another file's; of two in one file the frame tells.
func (r *reader) parse(line []byte) (id string, c Case, err error) {
	c, err = parse(line)
	if err != nil {
		return c.ID, c, err
	}
	if first, twice := r.places[c.ID]; twice && first != r.file {
		return c.ID, c, fmt.Errorf("the id %.100q is in %s already", c.ID, first)
	}
	r.places[c.ID] = r.file
	return c.ID, c, nil
}

// parse reads one row.
func parse(line []byte) (Case, error) {
	var row struct {
		ID     string         `json:"id"`
		Group  string         `json:"group"`
		What   string         `json:"what"`
		Input  jsontext.Value `json:"input"`
		Expect string         `json:"expect"`
	}
	if err := schema.Decode(line, &row, eval.RowLimits()); err != nil {
		return Case{}, err
	}
	switch {
	case row.ID == "":
		return Case{}, errors.New("a case without an id")
	case !guard.Name(row.ID):
		return Case{}, fmt.Errorf("the id %.100q has characters outside A-Z a-z 0-9 _ . -", row.ID)
	case row.What == "":
		return Case{}, errors.New("a case that does not say what it is")
	case row.Expect != Allow && !known(row.Expect):
		return Case{}, fmt.Errorf("expect is %.60q, which is neither allow nor a code of docs/codes.md", row.Expect)
	}
	p, err := newProbe(row.Group, row.Input)
	if err != nil {
		return Case{}, err
	}
	return Case{row.ID, row.Group, row.What, row.Expect, p, string(line)}, nil
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
