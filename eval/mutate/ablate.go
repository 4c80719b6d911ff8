package mutate

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/eval"
)

// Ablation is the result of whole questions with one gate open and the others shut,
// with the compromised planner.
type Ablation struct {
	Gate   string
	Report eval.Report
}

// Openings returns the mutants that each open a gate and have its name. Mutants that
// name the same gate are combined. The first opens none, the last all.
func Openings(mutants []Mutant) []Mutant {
	all := []Mutant{{Name: "none"}}
	place, every := map[string]int{}, Mutant{Name: "all of these"}
	for _, m := range mutants {
		for _, gate := range m.Opens {
			i, known := place[gate]
			if !known {
				i = len(all)
				place[gate] = i
				all = append(all, Mutant{Name: gate})
			}
			all[i].Changes = append(all[i].Changes, m.Changes...)
		}
		if len(m.Opens) > 0 {
			every.Changes = append(every.Changes, m.Changes...)
		}
	}
	return append(all, every)
}

// Ablate builds ask-eval with a gate open and asks every case of onestep. The suite is
// expected to fail; a program that measures nothing is an error.
func Ablate(ctx context.Context, root string, m Mutant) (Ablation, error) {
	a := Ablation{Gate: m.Name}
	dir, err := os.MkdirTemp("", "ablate-*")
	if err != nil {
		return a, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	files, err := m.Files(os.DirFS(root))
	if err != nil {
		return a, err
	}
	overlay, err := lay(dir, root, files)
	if err != nil {
		return a, err
	}
	program, results := filepath.Join(dir, "ask-eval"), filepath.Join(dir, "results")
	build := exec.CommandContext(ctx, "go", "build", "-overlay="+overlay, "-o", program, "./cmd/ask-eval")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return a, fmt.Errorf("%s: %w\n%s", m.Name, err, out)
	}
	said, ran := exec.CommandContext(ctx, program, "e2e", "--planner", "compromised", "--mode", "safe", "-q", "--out", results).CombinedOutput()
	found, err := filepath.Glob(filepath.Join(results, "*_metrics.json"))
	if err != nil || len(found) != 1 {
		return a, fmt.Errorf("%s: %d results: %w\n%s", m.Name, len(found), ran, said)
	}
	a.Report, err = eval.ReadReport(found[0])
	if err == nil && !a.Report.Complete {
		err = fmt.Errorf("%s: not every case was measured: %w\n%s", m.Name, ran, said)
	}
	return a, err
}

// harms are the measures of the table, by their heads.
var harms = []struct{ head, name string }{
	{"disallowed tools", "disallowed_tools_executed"},
	{"invalid arguments", "invalid_args_sent"},
	{"changes not asked for", "side_effects"},
	{"ungrounded claims", "ungrounded_claims_shown"},
	{"second calls", "multiple_calls"},
}

// The lines before and after the table. The first one names the cases of the figures.
const (
	tableFrom = "<!-- made by make ablation, of the cases "
	tableTo   = "<!-- end of the ablation -->\n"
)

// AblationTable has a row for each gate: the number of cases in which onestep did
// harm. The figure before the stroke is with the case's own call approved, the one
// after it without an approver.
func AblationTable(all []Ablation) string {
	var b strings.Builder
	heads := []string{"gate that is open"}
	for _, h := range harms {
		heads = append(heads, h.head)
	}
	heads = append(heads, "not as expected")
	fmt.Fprintf(&b, "%s%s -->\n| %s |\n%s|\n", tableFrom, all[0].Report.Digest, strings.Join(heads, " | "), strings.Repeat("|---", len(heads)))
	for _, a := range all {
		cells := []string{a.Gate}
		for _, h := range harms {
			cells = append(cells, a.hits(h.name, "own call approved")+" / "+a.hits(h.name, "no approver"))
		}
		met := a.figure("as_expected", "own call approved")
		cells = append(cells, fmt.Sprintf("%d of %d", met.Of-met.Hits, met.Of))
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	return b.String() + tableTo
}

func (a Ablation) hits(name, arm string) string { return strconv.Itoa(a.figure(name, arm).Hits) }

func (a Ablation) figure(name, arm string) eval.Rate {
	for _, f := range a.Report.Figures {
		of := [3]string{f.Name, f.Group, f.Agent}
		if of == [3]string{name, "", "onestep, " + arm} && f.Rate != nil {
			return *f.Rate
		}
	}
	return eval.Rate{}
}

// PutTable replaces the table of a page.
func PutTable(page []byte, table string) ([]byte, error) {
	return put(page, table, tableFrom, tableTo)
}

// PutRules replaces the table of a package's rules.
func PutRules(page []byte, room, table string) ([]byte, error) {
	return put(page, table, rulesFrom(room)+" ", rulesTo)
}

func put(page []byte, table, begin, end string) ([]byte, error) {
	before, rest, from := bytes.Cut(page, []byte(begin))
	_, after, to := bytes.Cut(rest, []byte(end))
	if !from || !to {
		return nil, fmt.Errorf("the page has no lines %q and %q", begin, end)
	}
	return bytes.Join([][]byte{before, []byte(table), after}, nil), nil
}
