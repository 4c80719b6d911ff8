package offline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/offline"
)

// A generated case that the parser refuses says nothing of the gates behind it.
func TestGeneratedCasesSayWhetherTheyReachPastTheParser(t *testing.T) {
	t.Parallel()
	r, err := whole()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Rows {
		past, generated := row.Facts["past_parser"]
		if generated != strings.HasSuffix(row.Group, "_fuzz") {
			t.Fatalf("%s: %v", row.ID, row.Facts)
		}
		atTheParser := slices.Contains([]string{"plan.json", "plan.shape", "plan.number", "plan.size", "summary.json", "summary.shape"}, row.Observed)
		if generated && past != eval.Fact(!atTheParser) {
			t.Errorf("%s: %d, and %s", row.ID, past, row.Observed)
		}
	}
	for _, f := range r.Figures {
		if f.Name == "past_parser" && f.Group == offline.PlanFuzz && (f.Rate.Of != 500 || f.Rate.Hits < 90 || f.Rate.Hits > 110) {
			t.Errorf("%s", f.Rate.Counted())
		}
	}
}
