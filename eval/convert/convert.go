// Package convert turns published corpora into the rows that the suites read:
// InjecAgent, BFCL and XSTest. With the originals and this package, every reader can
// reproduce the figures of docs/internals/evaluation.md.
//
// It vouches that rows are only reshaped: names of types become those of JSON Schema,
// one user turn becomes a query, and one expected call becomes an expectation. It
// rewords nothing, and an entry without the published shape is an error. It does not
// vouch for the labels.
//
// `ask eval convert` calls it.
package convert

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Files are the further files of an original. An empty path means the file's place in
// the publication.
type Files struct {
	Answers string // of bfcl: possible_answer/ and the file's own name
	Tools   string // of injecagent: tools.json
}

// formats are the publications, by their names on the command line.
var formats = map[string]func(file string, text []byte, f Files) ([]jsontext.Value, error){
	"bfcl":             bfcl,
	"injecagent":       injecAgent,
	"injecagent-tools": injecAgentTools,
	"xstest":           xsTest,
}

// Formats returns the names of the publications, sorted.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// Rows returns the rows of a published file. The error names the file and the entry.
func Rows(format, file string, f Files) ([]jsontext.Value, error) {
	of := formats[format]
	if of == nil {
		return nil, verdict.Fail(verdict.UsageArgument, nil, "no corpus is called %.60q; there are %s", format, strings.Join(Formats(), ", "))
	}
	text, err := read(file)
	if err != nil {
		return nil, err
	}
	rows, err := of(file, text, f)
	if err != nil {
		return nil, wrong(file, err)
	}
	if len(rows) == 0 {
		return nil, wrong(file, errors.New("it holds no entries"))
	}
	return rows, nil
}

// maxFile bounds a published file, in bytes. The longest is under 4 MiB.
const maxFile = 64 << 20

// limits bound a published file.
var limits = schema.Limits{Bytes: maxFile, Depth: 64, Values: 4 << 20, Exponent: 308, Digits: 64}

func read(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err == nil && info.Size() > maxFile {
		return nil, wrong(file, fmt.Errorf("it is over %d bytes", maxFile))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, verdict.Fail(verdict.EvalCases, err, "%s cannot be read: %v", file, errors.Unwrap(err))
	}
	return text, nil
}

func wrong(file string, err error) error {
	if verdict.CodeOf(err) == verdict.EvalCases {
		return err // about another file, which it names
	}
	return verdict.Fail(verdict.EvalCases, err, "%s: %v", file, err)
}

// entry adds the name of the faulty entry to an error.
func entry(what string, err error) error { return fmt.Errorf("%.60s: %w", what, err) }

// base returns a file's name without its folder and its ending.
func base(file string) string {
	name := filepath.Base(file)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// row returns a value as one line.
func row(v any) jsontext.Value { return eval.Data(v) }
