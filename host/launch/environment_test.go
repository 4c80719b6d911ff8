package launch

import (
	"slices"
	"testing"
)

// The lookup knows every name of the parent's environment, and records the requested
// names.
func TestThreeVariablesOfTheParentAreLookedUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		configured map[string]string
		want       []string
	}{
		{nil, []string{"HOME=parent", "LANG=parent", "PATH=parent"}},
		{map[string]string{"LANG": "", "A": "b=c"}, []string{"A=b=c", "HOME=parent", "LANG=", "PATH=parent"}},
	} {
		var asked []string
		got := environment(c.configured, func(name string) (string, bool) {
			asked = append(asked, name)
			return "parent", true
		})
		slices.Sort(asked)
		if !slices.Equal(got, c.want) || !slices.Equal(asked, []string{"HOME", "LANG", "PATH"}) {
			t.Errorf("%v: the server sees %v, and %v was looked up", c.configured, got, asked)
		}
	}
	if got := environment(nil, func(string) (string, bool) { return "", false }); got == nil || len(got) > 0 {
		t.Errorf("of nothing comes %#v, which os/exec takes for everything", got)
	}
}
