package runs_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/trace"
)

// recorded is a directory with the committed traces, by their run ids there.
func recorded(t *testing.T) (dir string, traces map[string][]byte) {
	t.Helper()
	files, err := filepath.Glob("../../../host/replay/testdata/format5/*.jsonl")
	if err != nil || len(files) < 19 {
		t.Fatalf("%d traces, %v", len(files), err)
	}
	dir, traces = t.TempDir(), map[string][]byte{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id := filepath.Base(file[:len(file)-len(".jsonl")])
		traces[id] = b
		write(t, dir, id, b)
	}
	return dir, traces
}

func write(t *testing.T, dir, id string, b []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, trace.FileName(id)), b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// rows are the rows of a list, by the file.
func rows(t *testing.T, dir string) map[string]account.Row {
	t.Helper()
	all, err := runs.Runs(dir).List(runs.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]account.Row{}
	for _, run := range all {
		found[trace.RunID(filepath.Base(run.Path))] = run.Row
	}
	return found
}

// A list reads less than a reader of whole traces, and shows the same.
func TestAListShowsWhatTheWholeTracesSay(t *testing.T) {
	t.Parallel()
	dir, traces := recorded(t)
	listed := rows(t, dir)
	for id := range traces {
		whole, err := runs.Runs(dir).Read(filepath.Join(dir, trace.FileName(id)))
		if err != nil {
			t.Fatal(err)
		}
		want, got := account.RowOf(whole.Events), listed[id]
		if want.Type != got.Type || want.Tool != got.Tool || want.Question != got.Question || !bytes.Equal(want.Arguments, got.Arguments) {
			t.Errorf("%s is listed as %+v; it says %+v", id, got, want)
		}
	}
}

// A trace with one edited byte before its outcome is incomplete from there on.
func TestAListShowsThatATraceWasEdited(t *testing.T) {
	t.Parallel()
	dir, traces := recorded(t)
	for id, b := range traces {
		edited := bytes.Replace(b, []byte(`"verdict":"allow"`), []byte(`"verdict":"Allow"`), 1)
		if bytes.Equal(edited, b) {
			edited = bytes.Replace(b, []byte(`"verdict":"`), []byte(`"verdict":" `), 1)
		}
		write(t, dir, id, edited)
	}
	for id, row := range rows(t, dir) {
		if row.Type != "incomplete" {
			t.Errorf("%s was edited, and is listed as %s", id, row.Type)
		}
	}
}
