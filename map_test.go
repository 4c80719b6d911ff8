package onestep_test

import (
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The map is on two more pages: the newcomer's first, and the package's own.
// Nothing on either is false, and no room is missing.
func TestTheMapsSayWhatTheFloorTableSays(t *testing.T) {
	t.Parallel()
	want := readFloors(t, floorTable)
	for _, testsOnly := range []string{".", "eval/corpus", "eval/cases", "host/login/logintest", "cmd/cli/clitest", "cmd/cli/browsertest"} {
		delete(want, testsOnly)
	}
	for file, table := range map[string]string{"README.md": readmeMap(page(t, "README.md")), "doc.go": docMap(page(t, "doc.go"))} {
		got := readFloors(t, table)
		for room, floor := range want {
			if have, named := got[room]; !named || have != floor {
				t.Errorf("%s has %s on floor %d (named: %v); it is on floor %d", file, room, have, named, floor)
			}
		}
		maps.DeleteFunc(got, func(room string, _ int) bool { _, known := want[room]; return known })
		for room := range got {
			t.Errorf("%s names %s, which is no room", file, room)
		}
	}
}

func page(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var (
	readmeRow = regexp.MustCompile(`(?m)^\| (\d+) \| ([^|]+) \|`)
	docRow    = regexp.MustCompile(`(?m)^//\t( ?\d+  .*)$`)
)

// readmeMap is the README's map, written as the floor table is.
func readmeMap(text string) string {
	var table strings.Builder
	for _, m := range readmeRow.FindAllStringSubmatch(text, -1) {
		table.WriteString(m[1] + " " + strings.NewReplacer("`", " ", ",", " ").Replace(m[2]) + "\n")
	}
	return table.String()
}

func docMap(text string) string {
	var table strings.Builder
	for _, m := range docRow.FindAllStringSubmatch(text, -1) {
		table.WriteString(m[1] + "\n")
	}
	return table.String()
}
