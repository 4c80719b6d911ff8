package mutate

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/onestep-run/onestep/eval"
)

// Report is the saved result of all mutants.
type Report struct {
	SchemaVersion int       `json:"schema_version"`
	Mutants       int       `json:"mutants"`
	ByTests       int       `json:"caught_by_tests"`
	BySuites      int       `json:"caught_by_evaluation"`
	Apart         int       `json:"not_reachable_by_evaluation"`
	Holes         []string  `json:"holes"` // what was not caught, or could not be determined
	Findings      []Finding `json:"findings"`
}

// NewReport counts.
func NewReport(findings []Finding) Report {
	r := Report{SchemaVersion: eval.SchemaVersion, Mutants: len(findings), Holes: []string{}, Findings: findings}
	for _, f := range findings {
		if f.Test != nil {
			r.ByTests++
		}
		if f.Suite != nil {
			r.BySuites++
		}
		if f.Apart != "" {
			r.Apart++
		}
		if hole := f.Hole(); hole != "" {
			r.Holes = append(r.Holes, fmt.Sprintf("%s: %s: %s", f.Gate, f.Mutant, hole))
		}
	}
	return r
}

// Save writes the report into a folder as mutate.json.
func (r Report) Save(dir string) (path string, err error) {
	if err := eval.MakeDir(dir); err != nil {
		return "", err
	}
	return eval.Save(dir, "mutate.json", r)
}

// Table writes one line for each mutant, and the holes below.
func (r Report) Table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "gate\tmutant\tcaught by a test\tcaught by an evaluation\tseconds")
	for _, f := range r.Findings {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%.1f\n", f.Gate, f.Mutant, f.Test, f.evaluation(), f.Seconds)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d mutants: %d caught by tests, %d by an evaluation, %d out of an evaluation's reach, %d holes\n%s",
		r.Mutants, r.ByTests, r.BySuites, r.Apart, len(r.Holes), strings.Join(append(r.Holes, ""), "\n"))
	return err
}

// evaluation returns the suite that caught the mutant, and the first case that the
// suite names.
func (f Finding) evaluation() string {
	switch {
	case f.Apart != "":
		return "tests only: " + f.Apart
	case f.Suite == nil:
		return "-"
	}
	first, _, _ := strings.Cut(f.Suite.Says, ",")
	return f.Suite.Package + ": " + first
}

// String names the test.
func (c *Catch) String() string {
	switch {
	case c == nil:
		return "-"
	case c.Test == "":
		return c.Package + " (" + c.Says + ")"
	}
	return c.Package + "." + c.Test
}
