package artifact

import (
	"os"
	"strings"
	"testing"
)

// TestTheListsOfVariablesArePublished: an operator reads there what floats.
func TestTheListsOfVariablesArePublished(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/servers.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(page)), " ")
	for name, list := range map[string]string{"loaders": loaders, "harmless names": harmlessNames, "harmless ends": harmlessEnds, "words of code": codeWords} {
		if !strings.Contains(text, " "+list+" ") {
			t.Errorf("docs/servers.md does not have the list of %s:\n%s", name, list)
		}
	}
	for _, option := range strings.Fields(runners["docker"].values + " " + runners["docker"].flags) {
		if len(option) > 2 && strings.HasPrefix(option, "--") && !strings.Contains(text, "`"+option+"`") && !lists(longForms, option) {
			t.Errorf("docs/servers.md does not name the option %s", option)
		}
	}
}

// longForms are options whose short form is in the documentation.
const longForms = "--interactive --tty --quiet --env --net --publish --user --memory --hostname --label"
