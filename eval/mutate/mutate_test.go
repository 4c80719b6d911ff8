package mutate_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/mutate"
)

// A mutant whose lines were rewritten is found here, long before anybody runs
// them all.
func TestEveryMutantIsAChangeOfTheSourceAsItStands(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	names := map[string]bool{}
	for _, m := range all(t) {
		name := m.Gate + ": " + m.Name
		if names[name] {
			t.Errorf("%s: there are two of it", name)
		}
		names[name] = true
		files, err := m.Files(root)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for file, text := range files {
			if strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s: it changes a test", name)
			}
			if !strings.HasSuffix(file, ".go") {
				continue // a table, such as gate/scan/phrases.txt
			}
			if _, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// A mutant that does not compile is caught by no test.
func TestEveryMutantCompiles(t *testing.T) {
	t.Parallel()
	mutants := all(t)
	errs, err := compile(t.Context(), "../..", mutants)
	if err != nil {
		t.Fatal(err)
	}
	for i, err := range errs {
		t.Errorf("%s: %s: %v", mutants[i].Gate, mutants[i].Name, err)
	}
}

// What opens a gate as a whole is several mutants, which may not undo one another.
func TestEveryGateOpensAsAWhole(t *testing.T) {
	t.Parallel()
	openings := mutate.Openings(all(t))
	for _, m := range openings {
		files, err := m.Files(os.DirFS("../.."))
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		if none := len(files) == 0; none != (m.Name == "none") {
			t.Errorf("%s changes %d files", m.Name, len(files))
		}
	}
	if last := openings[len(openings)-1]; len(openings) < 10 || last.Name != "all of these" {
		t.Errorf("%d openings, the last %s", len(openings), last.Name)
	}
}

// The table of docs/internals/evaluation.md is of these gates and of the program's cases,
// and its first row is what the baseline says. `make ablation` makes it again.
func TestTheTableOfOpenGatesIsOfThisProgram(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/internals/evaluation.md")
	if err != nil {
		t.Fatal(err)
	}
	base, err := eval.ReadReport("../baseline/e2e_compromised.json")
	if err != nil {
		t.Fatal(err)
	}
	shut := mutate.AblationTable([]mutate.Ablation{{Gate: "none", Report: base}})
	head := strings.TrimSuffix(shut, "<!-- end of the ablation -->\n")
	_, rest, found := strings.Cut(string(page), head)
	if !found {
		t.Fatalf("it does not begin with\n%s", head)
	}
	rows, _, _ := strings.Cut(rest, "<!--")
	for _, m := range mutate.Openings(all(t))[1:] {
		row, more, _ := strings.Cut(rows, "\n")
		if !strings.HasPrefix(row, "| "+m.Name+" | ") {
			t.Errorf("%q is not of %s", row, m.Name)
		}
		rows = more
	}
	if rows != "" {
		t.Errorf("it goes on with %q", rows)
	}
	if page, err := mutate.PutTable(page, shut); err != nil || !strings.Contains(string(page), "-->\n| gate that is open") || strings.Contains(string(page), "| all of these |") {
		t.Errorf("the table is not replaced: %v", err)
	}
}

func TestEveryRoomThatAMutantNamesHasTests(t *testing.T) {
	t.Parallel()
	for _, m := range all(t) {
		for _, room := range append(m.Tests, m.Suites...) {
			if found, err := filepath.Glob("../../" + room + "/*_test.go"); len(found) == 0 || err != nil {
				t.Errorf("%s: %s: %s has no tests", m.Gate, m.Name, room)
			}
		}
	}
}

// A name that no test has is ignored when the mutants are run: it costs time.
func TestTheTestThatCatchesAMutantIsThere(t *testing.T) {
	t.Parallel()
	for _, m := range all(t) {
		if m.By == "" {
			continue
		}
		files, err := filepath.Glob("../../" + m.ByRoom + "/*_test.go")
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(files, func(file string) bool {
			b, err := os.ReadFile(file)
			return err == nil && strings.Contains(string(b), "\nfunc "+m.By+"(")
		})
		if !found {
			t.Errorf("%s: %s: %s has no %s", m.Gate, m.Name, m.ByRoom, m.By)
		}
	}
}

func all(t *testing.T) []mutate.Mutant {
	t.Helper()
	mutants, err := mutate.All()
	if err != nil {
		t.Fatal(err)
	}
	return mutants
}

const good = `# Why.
gate: the door

mutant: it stands open
tests: door host
suites: offline e2e
@@ door/door.go
 	if key == nil {
-		return false
+		return true
@@ door/lock.go
-	turn()

# Another.
mutant: it has no lock
tests: door
suites: none: no case has a key
@@ door/lock.go
+	skip()
 	turn()
`

func TestMutantsAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	got, err := mutate.Parse(good)
	want := []mutate.Mutant{
		{
			Gate: "the door", Name: "it stands open", Tests: []string{"door", "host"}, Suites: []string{"eval/offline", "eval/e2e"},
			Changes: []mutate.Change{
				{File: "door/door.go", Old: "\tif key == nil {\n\t\treturn false\n", New: "\tif key == nil {\n\t\treturn true\n"},
				{File: "door/lock.go", Old: "\tturn()\n"},
			},
		},
		{
			Gate: "the door", Name: "it has no lock", Tests: []string{"door"}, Apart: "no case has a key",
			Changes: []mutate.Change{{File: "door/lock.go", Old: "\tturn()\n", New: "\tskip()\n\tturn()\n"}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestAMutantThatLacksSomethingIsRefused(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string][2]string{
		"no gate":           {"gate: the door\n", ""},
		"two gates":         {"\nmutant: it stands", "gate: the window\nmutant: it stands"},
		"no name":           {"mutant: it has no lock", "mutant: "},
		"no tests":          {"tests: door host\n", ""},
		"no suites":         {"suites: offline e2e\n", ""},
		"suites and none":   {"suites: offline e2e\n", "suites: offline e2e\nsuites: none: why\n"},
		"an unknown line":   {"tests: door host", "test: door host"},
		"another room's":    {"tests: door host", "tests: door host\nby: wall.TestItStands"},
		"a room, no test":   {"tests: door host", "tests: door host\nby: door"},
		"no mutant":         {"mutant: it stands open\n", ""},
		"no change":         {"@@ door/lock.go\n+	skip()\n 	turn()\n", ""},
		"the same again":    {"-		return false\n+		return true", " 		return false"},
		"nothing to find":   {"-	turn()\n", "+	turn()\n"},
		"a stray line":      {"-	turn()\n", "	turn()\n"},
		"a place elsewhere": {"@@ door/door.go", "@@ ../door.go"},
	} {
		text := strings.Replace(good, edit[0], edit[1], 1)
		if text == good {
			t.Fatalf("%s: nothing was edited", name)
		}
		if got, err := mutate.Parse(text); err == nil || got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAChangeNeedsItsLinesExactlyOnce(t *testing.T) {
	t.Parallel()
	m := mutate.Mutant{Changes: []mutate.Change{{File: "a.go", Old: "\treturn no\n", New: "\treturn yes\n"}}}
	for source, want := range map[string]string{
		"func f() {\n\treturn no\n}\n":       "func f() {\n\treturn yes\n}\n",
		"\treturn no\n":                      "\treturn yes\n",
		"func f() {\n\t\treturn no\n}\n":     "", // within a line
		"func f() {\n\treturn none\n}\n":     "",
		"\treturn no\n\treturn no\n":         "",
		"\treturn no\n}\n\n\treturn no\n}\n": "",
		"":                                   "",
	} {
		files, err := m.Files(fstest.MapFS{"a.go": {Data: []byte(source)}})
		if files["a.go"] != want || (err == nil) != (want != "") {
			t.Errorf("%q became %q, %v", source, files["a.go"], err)
		}
	}
	if _, err := m.Files(fstest.MapFS{}); err == nil {
		t.Error("a file that is gone was changed")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add("gate: g\nmutant: m\ntests: t\nsuites: s\n@@ f\n-a\n+b\n")
	f.Fuzz(func(t *testing.T, text string) {
		mutants, err := mutate.Parse(text)
		if err != nil && mutants != nil || err == nil && len(mutants) == 0 {
			t.Fatalf("%+v with %v", mutants, err)
		}
		for _, m := range mutants {
			if m.Gate == "" || m.Name == "" || len(m.Changes) == 0 || len(m.Tests) == 0 || (len(m.Suites) == 0) != (m.Apart != "") {
				t.Fatalf("%+v", m)
			}
		}
	})
}
