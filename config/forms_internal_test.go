package config

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config/edit"
)

// An alias can contain itself, or ten aliases of ten each. Both bounds are tried with
// texts that are a little over them and have no such alias.
func TestWhatYAMLBecomesIsBounded(t *testing.T) {
	t.Parallel()
	level := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	times := func(n int) string {
		return "a: &a " + strings.Repeat("x", edit.MaxFile/4) + "\nb: [" + strings.TrimSuffix(strings.Repeat("*a,", n), ",") + "]\n"
	}
	for name, c := range map[string]struct {
		text string
		read bool
	}{
		"a few levels":     {level(maxLevels - 2), true},
		"a level more":     {level(maxLevels + 1), false},
		"an alias twice":   {times(2), true},
		"an alias 5 times": {times(5), false},
	} {
		if _, err := fromYAML([]byte(c.text)); (err == nil) != c.read {
			t.Errorf("%s: %v", name, err)
		}
	}
}
