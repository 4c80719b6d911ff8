package mutate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval/mutate"
)

// ruled is a program with a function of each kind that has a switch, and others that
// have none.
const ruled = `package main

import "fmt"

type text struct{ words []string }

func yes(text text) bool { return true }

func (t *text) both() (n int, ok bool) { return len(t.words), true }

func (t text) pair() (text, []string) { return t, t.words }

func drop(list []string, n int) []string { return list[n:] }

func (t *text) add(w string) {
	t.words = append(t.words, w)
}

func fails() error { return nil }

func points() *text { return nil }

func main() {
	if fails() != nil || points() != nil {
		panic("these have no switch")
	}
	t := text{words: []string{"a", "b"}}
	t.add("c")
	n, ok := t.both()
	_, list := t.pair()
	fmt.Println(yes(t), n, ok, list, drop([]string{"x", "y"}, 1))
}
`

// Each switch makes its own function return at once, and no other one.
func TestARuleIsSwitchedOffAlone(t *testing.T) {
	t.Parallel()
	files, rules, err := mutate.Switches(fstest.MapFS{"p/main.go": {Data: []byte(ruled)}, "p/main_test.go": {Data: []byte("not Go")}}, "p")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files["go.mod"] = "module p\n\ngo 1.24\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "program")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, files["p/main.go"])
	}
	said := []string{
		"true 3 true [a b c] [y]",
		"false 3 true [a b c] [y]", "true 0 false [a b c] [y]", "true 3 true [] [y]", "true 3 true [a b c] [x y]", "true 2 true [a b] [y]",
	}
	var names []string
	for _, r := range rules {
		names = append(names, r.Name)
	}
	want := []string{"yes", "(*text).both", "text.pair", "drop", "(*text).add", "main"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Fatal(diff)
	}
	for off, want := range said {
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Env = append(os.Environ(), "ONESTEP_RULE_OFF="+strconv.Itoa(off))
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("with rule %d off: %q, %v, want %q", off, got, err, want)
		}
	}
}

// The switches fit every package that has suites.
func TestEveryRuleCompilesWithItsSwitch(t *testing.T) {
	t.Parallel()
	c, err := newChecker(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range mutate.Rooms() {
		files, rules, err := mutate.Switches(os.DirFS("../.."), room)
		if err != nil || len(rules) == 0 {
			t.Fatalf("%s: %d rules, %v", room, len(rules), err)
		}
		c.sources[room] = append(c.sources[room], "rule_off.go")
		if err := c.check(room, files); err != nil {
			t.Errorf("%s: %v", room, err)
		}
	}
}

// A rule is called unused only if no row of any suite is answered in another way.
func TestTheTableMarksRulesThatMoveNothing(t *testing.T) {
	t.Parallel()
	rule := mutate.Rule{Name: "f", Lines: 3}
	for _, c := range []struct {
		suites []mutate.SuiteEffect
		want   string
	}{
		{[]mutate.SuiteEffect{{}, {}}, "| `f` | 3 |  |  | **moves nothing** |"},
		{[]mutate.SuiteEffect{{}, {Rows: 2}}, "| `f` | 3 |  | 2 rows | **moves no figure** |"},
		{[]mutate.SuiteEffect{{}, {Rows: 2, Figures: []string{"tool +1"}, Gain: 1}}, "| `f` | 3 |  | 2 rows, tool +1 | **better without** |"},
		{[]mutate.SuiteEffect{{Rows: 1, Figures: []string{"call −2"}, Gain: -2}, {Rows: 1, Gain: 1}}, "| `f` | 3 | 1 rows, call −2 | 1 rows |  |"},
		{[]mutate.SuiteEffect{{}, {Broken: "it ended"}}, "| `f` | 3 |  | fails | needed |"},
	} {
		table := mutate.RulesTable("p", []string{"a", "b"}, []mutate.Effect{{Rule: rule, Suites: c.suites}})
		if !strings.Contains(table, c.want+"\n") {
			t.Errorf("%s\nhas no line %s", table, c.want)
		}
		page, err := mutate.PutRules([]byte("before\n<!-- made by make ablation RULES=p -->\nold\n<!-- end of the rules -->\nafter\n"), "p", table)
		if err != nil || string(page) != "before\n"+table+"after\n" {
			t.Errorf("%q, %v", page, err)
		}
	}
	if _, err := mutate.PutRules([]byte("<!-- made by make ablation RULES=p2 -->\n<!-- end of the rules -->\n"), "p", ""); err == nil {
		t.Error("a table of another package is replaced")
	}
}
