package onestep_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

const dependencyFile = "docs/internals/dependencies.md"

func TestDependenciesAreTheDocumentedOnes(t *testing.T) {
	t.Parallel()
	program, tools := readMod(t, "go.mod"), readMod(t, "tools/go.mod")
	required := program.direct
	for _, command := range tools.tools {
		m := owner(command, tools.all)
		required[m] = tools.all[m]
	}
	documented := map[string]string{}
	for _, d := range readDependencies(t) {
		documented[d.module] = d.version
	}
	for _, m := range slices.Sorted(maps.Keys(required)) {
		if documented[m] != required[m] {
			t.Errorf("%s is required at %s; %s has %q", m, required[m], dependencyFile, documented[m])
		}
	}
	for _, m := range slices.Sorted(maps.Keys(documented)) {
		if required[m] == "" {
			t.Errorf("%s stands in %s and is not required", m, dependencyFile)
		}
	}
}

func TestDependenciesAreImportedWhereTheirPageSays(t *testing.T) {
	t.Parallel()
	direct := readMod(t, "go.mod").direct
	importers := map[string][]string{}
	for _, s := range sources(t) {
		for _, spec := range s.Imports {
			if m := owner(importPath(spec), direct); m != "" && !slices.Contains(importers[m], s.room) {
				importers[m] = append(importers[m], s.room)
			}
		}
	}
	for _, d := range readDependencies(t) {
		if direct[d.module] == "" || d.rooms == "everywhere" {
			continue // a tool, or as common as the standard library
		}
		got := "tests"
		if rooms := importers[d.module]; len(rooms) > 0 {
			slices.Sort(rooms)
			got = strings.Join(rooms, ", ")
		}
		if got != d.rooms {
			t.Errorf("%s is imported by %s; %s says %s", d.module, got, dependencyFile, d.rooms)
		}
	}
}

func TestGoModIsReadAsItStands(t *testing.T) {
	t.Parallel()
	m := parseMod("module m\n\ngo 1.26\n\ntool a.b/c/cmd/d\n\nrequire one.x/y v1.0.0\n\nrequire (\n" +
		"\ta.b/c v1.2.3\n\t// two.x/y v9.9.9\n\ta.b/cd v2.0.0 // indirect\n)\n\nexclude a.b/e v1.0.0\n")
	if want := map[string]string{"one.x/y": "v1.0.0", "a.b/c": "v1.2.3"}; !maps.Equal(m.direct, want) {
		t.Errorf("the direct requirements are read as %v", m.direct)
	}
	if len(m.all) != 3 || !slices.Equal(m.tools, []string{"a.b/c/cmd/d"}) {
		t.Errorf("it is read as %v, with the tools %v", m.all, m.tools)
	}
	for p, want := range map[string]string{"a.b/c": "a.b/c", "a.b/c/x": "a.b/c", "a.b/cd/x": "a.b/cd", "a.b/cde": "", "a.b": ""} {
		if got := owner(p, m.all); got != want {
			t.Errorf("%s belongs to %q", p, got)
		}
	}
}

// mod is what a go.mod requires: module to version.
type mod struct {
	direct, all map[string]string
	tools       []string
}

func readMod(t *testing.T, file string) mod {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := parseMod(string(text))
	if len(m.all) == 0 {
		t.Fatalf("%s requires nothing", file)
	}
	return m
}

func parseMod(text string) mod {
	m := mod{direct: map[string]string{}, all: map[string]string{}}
	block := ""
	for line := range strings.Lines(text) {
		code, comment, _ := strings.Cut(line, "//")
		fields := strings.Fields(code)
		switch {
		case len(fields) == 0:
			continue
		case fields[0] == ")":
			block = ""
			continue
		case len(fields) == 2 && fields[1] == "(":
			block = fields[0]
			continue
		case block != "":
			fields = append([]string{block}, fields...)
		}
		switch {
		case fields[0] == "tool":
			m.tools = append(m.tools, fields[1])
		case fields[0] == "require":
			m.all[fields[1]] = fields[2]
			if strings.TrimSpace(comment) != "indirect" {
				m.direct[fields[1]] = fields[2]
			}
		}
	}
	return m
}

// owner is the module that an import path belongs to, or "".
func owner(importPath string, modules map[string]string) string {
	longest := ""
	for m := range modules {
		if covers(m+"/...", importPath) && len(m) > len(longest) {
			longest = m
		}
	}
	return longest
}

// dependency is one row of the page.
type dependency struct{ module, version, rooms string }

func readDependencies(t *testing.T) []dependency {
	t.Helper()
	text, err := os.ReadFile(dependencyFile)
	if err != nil {
		t.Fatal(err)
	}
	var all []dependency
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(cells) != 4 || strings.TrimSpace(cells[3]) == "" {
			t.Fatalf("%s: the row %q is not module, version, rooms, why", dependencyFile, line)
		}
		all = append(all, dependency{strings.Trim(cells[0], "`"), cells[1], cells[2]})
	}
	return all
}
