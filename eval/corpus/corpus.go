// Package corpus finds the public corpora that tests and evaluations read.
// They are not part of the project; only tests call it.
package corpus

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Path returns the path of one file or folder of the corpora, in $ASK_DATA or in
// ../shared/data next to the module. If it is absent, the test is skipped, or fails if
// ASK_DATA_REQUIRED is set.
func Path(tb testing.TB, name string) string {
	tb.Helper()
	p, there := find(tb, name)
	if there {
		return p
	}
	if os.Getenv("ASK_DATA_REQUIRED") != "" {
		tb.Fatalf("corpus %s is missing: set ASK_DATA to the folder that holds it", p)
	}
	tb.Skipf("corpus %s is not here; set ASK_DATA to the folder that holds it", p)
	return ""
}

// Schemas returns the folder of the JSON Schema test suite's drafts. That is
// json-schema in the corpora, or else the copy in a module that this one depends on.
// So every clone has the suite.
func Schemas(tb testing.TB) string {
	tb.Helper()
	if p, there := find(tb, "json-schema"); there {
		return p
	}
	const module = "github.com/google/jsonschema-go"
	dir, err := exec.CommandContext(tb.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		tb.Fatalf("%s is not to be found: %v", module, err)
	}
	return filepath.Join(strings.TrimSpace(string(dir)), "jsonschema", "testdata")
}

// Listing is a public server's answer to tools/list.
type Listing struct {
	Server string            `json:"-"`
	Tools  []json.RawMessage `json:"tools"`
}

// Listings returns the listings of the public servers in tools-list, by the server's
// name.
func Listings(tb testing.TB) []Listing {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(Path(tb, "tools-list"), "*.json"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no listing in tools-list: %v", err)
	}
	var all []Listing
	for _, file := range files {
		l := Listing{Server: strings.TrimSuffix(filepath.Base(file), ".json")}
		b, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(b, &l)
		}
		if err != nil {
			tb.Fatalf("%s: %v", file, err)
		}
		all = append(all, l)
	}
	return all
}

func find(tb testing.TB, name string) (path string, there bool) {
	tb.Helper()
	dir := os.Getenv("ASK_DATA")
	if dir == "" {
		dir = filepath.Join(moduleRoot(tb), "..", "shared", "data")
	}
	path = filepath.Join(dir, name)
	_, err := os.Stat(path)
	return path, err == nil
}

func moduleRoot(tb testing.TB) string {
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	tb.Fatalf("no go.mod above the test's folder")
	return ""
}
