package verdict_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
)

func TestWhatIsNearIsNamedAndNothingElse(t *testing.T) {
	t.Parallel()
	names := []string{"list", "show", "verify", "export", "list"}
	for typed, want := range map[string]string{
		"lst": "; did you mean list?", "LIST": "; did you mean list?", "verfiy": "; did you mean verify?", "exports": "; did you mean export?",
		"shwo": "; did you mean show?", "lsit": "; did you mean list?", "verifyy": "; did you mean verify?", "shwoo": "",
		"zzzz": "", "": "", "li": "", strings.Repeat("x", 1<<20): "",
	} {
		if got := verdict.Near(typed, names); got != want {
			t.Errorf("%.20q: %q, want %q", typed, got, want)
		}
	}
	tools := []string{"read_text_file", "read_media_file", "fetch_policy_entry", "get_ticket"}
	for typed, want := range map[string]string{
		"raed_text_file": "; did you mean read_text_file?", "read_file": "; did you mean read_media_file or read_text_file?", "get-ticket": "; did you mean get_ticket?",
		"fetch_policy": "; did you mean fetch_policy_entry?", "delete_policy_entry": "", "close_ticket": "", "write_file": "", "_": "",
	} {
		if got := verdict.Near(typed, tools); got != want {
			t.Errorf("%.20q: %q, want %q", typed, got, want)
		}
	}
	if got := verdict.Near("bat", []string{"cat", "hat", "rat", "mat"}); got != "; did you mean cat or hat or mat?" {
		t.Error(got)
	}
}
