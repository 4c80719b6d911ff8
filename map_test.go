package onestep_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The package's page has the floor table as well. Nothing on it is false, and no
// room is missing.
func TestTheMapSaysWhatTheFloorTableSays(t *testing.T) {
	t.Parallel()
	want := readFloors(t, floorTable)
	for _, testsOnly := range []string{".", "eval/corpus", "eval/cases", "internal/testing/logintest", "internal/testing/clitest", "internal/testing/browsertest", "internal/testing/cassette", "internal/testing/pgtest", "internal/size", "internal/bench"} {
		delete(want, testsOnly)
	}
	got := readFloors(t, docMap(page(t, "doc.go")))
	for room, floor := range want {
		if have, named := got[room]; !named || have != floor {
			t.Errorf("doc.go has %s on floor %d (named: %v); it is on floor %d", room, have, named, floor)
		}
	}
	maps.DeleteFunc(got, func(room string, _ int) bool { _, known := want[room]; return known })
	for room := range got {
		t.Errorf("doc.go names %s, which is not a package", room)
	}
}

var folderRow = regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| \\S")

// The README's map is the folders of the top level that hold packages, tests and
// measuring aside.
func TestTheReadmeNamesEveryFolder(t *testing.T) {
	t.Parallel()
	folders := map[string]bool{}
	for room := range readFloors(t, floorTable) {
		if folder, _, _ := strings.Cut(room, "/"); folder != "." && folder != "internal" {
			folders[folder] = true
		}
	}
	var named []string
	for _, row := range folderRow.FindAllStringSubmatch(page(t, "README.md"), -1) {
		named = append(named, row[1])
	}
	slices.Sort(named)
	if want := slices.Sorted(maps.Keys(folders)); !slices.Equal(named, want) {
		t.Errorf("the README names the folders %q, want %q", named, want)
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

var docRow = regexp.MustCompile(`(?m)^//\t( ?\d+  .*)$`)

func docMap(text string) string {
	var table strings.Builder
	for _, m := range docRow.FindAllStringSubmatch(text, -1) {
		table.WriteString(m[1] + "\n")
	}
	return table.String()
}
