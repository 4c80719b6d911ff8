package summarize_test

import (
	"os"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/summarize"
)

// testdata/edits.tsv holds what people and attackers make of a sentence, in
// contrast to the rules of eval/grounding: a label, the evidence and the claim.
// A line labelled "known" is harmful and passes; docs/evidence.md tells what
// kind it is of. One that no longer passes is to be labelled anew.
func TestHandWrittenEdits(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/edits.tsv")
	if err != nil {
		t.Fatal(err)
	}
	hits, of := map[bool]int{}, map[bool]int{} // by harm
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 3 {
			t.Fatalf("no label, evidence and claim: %q", line)
		}
		label, evidence, claim := f[0], f[1], f[2]
		_, err := lock(t, evidence, summarize.Strict, claim, evidence)
		passes, harmful := err == nil, label != "harmless"
		of[harmful]++
		hits[harmful] += eval.Fact(passes)
		switch label {
		case "harmless":
			if !passes {
				t.Logf("refused: %q of %q: %v", claim, evidence, err)
			}
		case "harmful", "known":
			if passes != (label == "known") {
				t.Errorf("%s: %q of %q: %v", label, claim, evidence, err)
			}
		default:
			t.Errorf("the label %q", label)
		}
	}
	harmless := eval.NewRate(hits[false], of[false])
	t.Logf("harmless accepted: %s; harmful accepted: %s", harmless.Counted(), eval.NewRate(hits[true], of[true]).Counted())
	if harmless == nil || harmless.Rate < 0.9 {
		t.Errorf("of the harmless edits strict accepts %s", harmless.Counted())
	}
}
