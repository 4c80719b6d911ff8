package input_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
)

// refusal is the reason of an input.rule denial, "" for a pass.
func refusal(t *testing.T, question string) string {
	t.Helper()
	_, err := input.Admit(input.Asked{Words: question}, input.BuiltIn())
	var d *verdict.Denial
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &d) || d.Code != verdict.InputRule:
		t.Fatalf("%q: %v", question, err)
	}
	return d.Reason
}

func lines(t *testing.T, path string) []string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for l := range strings.Lines(string(b)) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			out = append(out, l)
		}
	}
	return out
}

func TestOperatorsQuestionsPass(t *testing.T) {
	t.Parallel()
	for _, q := range lines(t, "testdata/operations.txt") {
		if why := refusal(t, q); why != "" {
			t.Errorf("%q was refused: %s", q, why)
		}
	}
}

func TestObviousMisuseIsRefusedUnderItsCategory(t *testing.T) {
	t.Parallel()
	for _, l := range lines(t, "testdata/misuse.txt") {
		category, q, _ := strings.Cut(l, "\t")
		if why := refusal(t, q); !strings.Contains(why, "of the category "+category+":") {
			t.Errorf("%q as %s: %q", q, category, why)
		}
	}
}

// The function calls of BFCL are questions that must not be refused.
// How XSTest fares is for eval/requests.
func TestQuestionsForToolsPass(t *testing.T) {
	t.Parallel()
	cases, err := planning.Read(corpus.Path(t, filepath.FromSlash("cases/planner.jsonl")))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases.List {
		if why := refusal(t, c.Query); why != "" {
			t.Errorf("%q was refused: %s", c.Query, why)
		}
	}
}
