package planning_test

import (
	"fmt"
	"testing"

	"github.com/onestep-run/onestep/eval/planning"
)

// The parting is fixed: another hash or another byte would open what was sealed.
func TestTheSealedPartIsFixed(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{"simple_python_0": false, "er_1": false, "multiple_27": false, "irrelevance_72": false} {
		if got := planning.Sealed(id); got != want {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
	sealed := 0
	for i := range 1000 {
		if planning.Sealed(fmt.Sprint("row_", i)) {
			sealed++
		}
	}
	if sealed < 450 || sealed > 550 {
		t.Errorf("%d of 1000 are sealed", sealed)
	}
}
