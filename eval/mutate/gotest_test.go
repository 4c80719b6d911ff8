package mutate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTheFirstFailureIsReadFromTheEvents(t *testing.T) {
	t.Parallel()
	const events = `{"Action":"start","Package":"github.com/onestep-run/onestep/gate"}
{"Time":"2026-01-02T03:04:05Z","Action":"run","Package":"github.com/onestep-run/onestep/gate","Test":"TestA"}
{"Action":"output","Package":"github.com/onestep-run/onestep/gate","Test":"TestB","Output":"    b_test.go:1: of another\n"}
{"Action":"output","Package":"github.com/onestep-run/onestep/gate","Test":"TestA/x","Output":"=== RUN TestA/x\n"}
{"Action":"output","Package":"github.com/onestep-run/onestep/gate","Test":"TestA/x","Output":"        a_test.go:12: it let \u001b[2J in\n"}
{"Action":"output","Package":"github.com/onestep-run/onestep/gate","Test":"TestA/x","Output":"        a_test.go:13: and more\n"}
{"Action":"fail","Package":"github.com/onestep-run/onestep/gate","Test":"TestA/x","Elapsed":0.1}
{"Action":"fail","Package":"github.com/onestep-run/onestep/gate","Elapsed":0.1}
`
	got, err := read(strings.NewReader(events))
	if want := (Catch{"gate", "TestA/x", `it let \u{1B}[2J in`}); err != nil || got == nil || *got != want {
		t.Errorf("%+v, %v", got, err)
	}
	passed := `{"Action":"pass","Package":"p","Test":"T"}` + "\n" + `{"Action":"pass","Package":"p"}` + "\n"
	if got, err := read(strings.NewReader(passed)); got != nil || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWhatIsNoVerdictIsNoCatch(t *testing.T) {
	t.Parallel()
	for name, events := range map[string]string{
		"a build": `{"ImportPath":"p","Action":"build-output","Output":"# p\n"}
{"ImportPath":"p","Action":"build-output","Output":"p/p.go:1:2: unused\n"}
{"ImportPath":"p","Action":"build-fail"}
{"Action":"fail","Package":"p","FailedBuild":"p"}
`,
		"time":     `{"Action":"output","Package":"p","Test":"T","Output":"panic: test timed out after 4m0s\n"}` + "\n" + `{"Action":"fail","Package":"p","Test":"T"}` + "\n",
		"no event": "FAIL\n",
		"half one": `{"Action":"fa`,
	} {
		if got, err := read(strings.NewReader(events)); got != nil || err == nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestAMutantIsCaughtByItsRoom runs the go command over a module of its own.
func TestAMutantIsCaughtByItsRoom(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module " + module + "\n",
		"door/door.go":      "package door\n\nfunc Open(key bool) bool {\n\treturn key\n}\n\nfunc Unseen() int {\n\treturn 1\n}\n",
		"door/door_test.go": "package door\n\nimport \"testing\"\n\nfunc TestDoor(t *testing.T) {\n\tif Open(false) {\n\t\tt.Error(\"it is open\")\n\t}\n}\n",
		"suite/s.go":        "package suite\n\nimport \"" + module + "/door\"\n\nvar Shut = !door.Open(false)\n",
		"suite/s_test.go":   "package suite\n\nimport \"testing\"\n\nfunc TestSuite(t *testing.T) {\n\tif !Shut {\n\t\tpanic(\"open\")\n\t}\n}\n",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	change := func(from, to string) []Change { return []Change{{File: "door/door.go", Old: from, New: to}} }
	mutants := []Mutant{
		{Gate: "door", Name: "open", Changes: change("\treturn key\n", "\treturn true\n"), Tests: []string{"door"}, Suites: []string{"suite"}},
		{Gate: "door", Name: "unseen", Changes: change("\treturn 1\n", "\treturn 2\n"), Tests: []string{"door"}, Apart: "nobody looks"},
		{Gate: "door", Name: "broken", Changes: change("\treturn 1\n", "\treturn \"1\"\n"), Tests: []string{"door"}, Apart: "nobody looks"},
		{Gate: "door", Name: "gone", Changes: change("\treturn 3\n", "\treturn 4\n"), Tests: []string{"door"}, Apart: "nobody looks"},
	}
	if err := Baseline(t.Context(), root, mutants); err != nil {
		t.Fatal(err)
	}
	seen := 0
	r := NewReport(Run(t.Context(), root, mutants, Limits{Jobs: 3}, func(Finding) { seen++ }))
	open := r.Findings[0]
	if open.Hole() != "" || *open.Test != (Catch{"door", "TestDoor", "it is open"}) || open.Suite.Package != "suite" || open.Suite.Test != "TestSuite" || !strings.HasPrefix(open.Suite.Says, "panic: open") {
		t.Errorf("%+v %v %v", open, open.Test, open.Suite)
	}
	for i, want := range []string{"", "SURVIVES", "does not compile", "stand there no more"} {
		if hole := r.Findings[i].Hole(); !strings.Contains(hole, want) || (hole == "") != (want == "") {
			t.Errorf("%s: %q", mutants[i].Name, hole)
		}
	}
	if seen != 4 || r.ByTests != 1 || r.BySuites != 1 || r.Apart != 3 || len(r.Holes) != 3 {
		t.Errorf("%d seen, %+v", seen, r)
	}
	var table strings.Builder
	if err := r.Table(&table); err != nil || !strings.Contains(table.String(), "door.TestDoor") || !strings.Contains(table.String(), "3 holes") {
		t.Errorf("%v\n%s", err, table.String())
	}
	dir := t.TempDir()
	if _, err := r.Save(dir); err != nil {
		t.Error(err)
	}
	mutants = mutants[:1]
	mutants[0].Changes = nil
	if err := os.WriteFile(filepath.Join(root, "door/door.go"), []byte("package door\n\nfunc Open(bool) bool { return true }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Baseline(t.Context(), root, mutants); err == nil || !strings.Contains(err.Error(), "it is open") {
		t.Errorf("a failing baseline: %v", err)
	}
}

func TestNothingIsBegunAfterTheTime(t *testing.T) {
	t.Parallel()
	all := make([]Mutant, 9)
	seen := 0
	found := Run(t.Context(), t.TempDir(), all, Limits{Jobs: 1, Time: time.Nanosecond}, func(Finding) { seen++ })
	if len(found) == len(all) || len(found) != seen {
		t.Errorf("%d findings, %d seen", len(found), seen)
	}
}
