package main

import (
	"strings"
	"testing"
)

// In a review of several servers, a tool whose name another one has is shown first and
// in full, and Enter leaves it out.
func TestATakenNameNeedsAKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ key, shows string }{
		"Enter": {"\n", "b: approved about_b"},
		"y":     {"y\n", "b: approved about_b, search"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := alike(t)
			s := sit(t, home, 120, "--demo=false", "--servers", home+"/mcp.json", "--allowlist", home+"/allowlist.json", "servers", "review", "a", "b")
			for _, step := range []struct{ prompt, key string }{
				{"Confine a to this? [Y/n/?] ", "n\n"},
				{"Confine b to this? [Y/n/?] ", "n\n"},
				{"Approve about_a? [y/r/w/x/a/W/N/?] ", "y\n"},
				{"Approve search? [y/r/w/x/a/W/N/?] ", "y\n"},
				{"another server has a tool of this name\r\nApprove search? [y/r/w/x/a/W/N/?] ", c.key},
				{"Approve about_b? [y/r/w/x/a/W/N/?] ", "y\n"},
			} {
				s.until(t, step.prompt)
				s.types(t, step.key)
			}
			if shown := s.ends(t, 0); !strings.Contains(shown, c.shows+"\r\n") {
				t.Errorf("no %q in %s", c.shows, shown)
			}
		})
	}
}
