package lexical_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/onestep-run/onestep/eval/planning"
)

// questions are rows of the corpus's shape that stand in this folder: questions
// of many trades, written before the planner was asked any of them.
func questions(tb testing.TB) []planning.Case {
	tb.Helper()
	name := filepath.Join("testdata", "questions.jsonl")
	file, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	list, err := planning.Parse(name, file)
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

// TestQuestionsOfOurOwn needs no corpus: `make test` measures the planner too.
func TestQuestionsOfOurOwn(t *testing.T) {
	t.Parallel()
	floors := map[string]floor{"single ": {75, 15}, "several ": {80, 10}, "none ": {0, 92}}
	holdAll(t, measure(t, questions(t)), floors)
}
