package launch_test

import (
	"slices"
	"testing"

	"github.com/onestep-run/onestep/host/launch"
)

// A hint repeats the names of variables: never a value, and no name
// that could hold one.
func TestOnlyPlainNamesOfVariablesAreReported(t *testing.T) {
	t.Setenv("ODDS_TOKEN", "value-7171")
	t.Setenv("BASH_FUNC_login%%", "() { echo value-7171; }")
	t.Setenv("a sentence with value-7171", "x")
	t.Setenv("7171", "x")
	names := launch.Unpassed(map[string]string{})
	if !slices.Contains(names, "ODDS_TOKEN") {
		t.Errorf("%q", names)
	}
	for _, name := range []string{"BASH_FUNC_login%%", "a sentence with value-7171", "7171", "value-7171"} {
		if slices.Contains(names, name) {
			t.Errorf("%q is reported", name)
		}
	}
}
