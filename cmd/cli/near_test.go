package cli_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/cmd/cli"
)

func TestWhatIsNearIsNamedAndNothingElse(t *testing.T) {
	t.Parallel()
	names := []string{"list", "show", "verify", "export", "list"}
	for typed, want := range map[string]string{
		"lst": "; did you mean list?", "LIST": "; did you mean list?", "verfiy": "; did you mean verify?", "exports": "; did you mean export?",
		"zzzz": "", "": "", "li": "", strings.Repeat("x", 1<<20): "",
	} {
		if got := cli.Near(typed, names); got != want {
			t.Errorf("%.20q: %q, want %q", typed, got, want)
		}
	}
	if got := cli.Near("bat", []string{"cat", "hat", "rat", "mat"}); got != "; did you mean cat or hat or mat?" {
		t.Error(got)
	}
}
