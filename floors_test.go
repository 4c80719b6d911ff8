package onestep_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/onestep-run/onestep"

// floorTable has the floor of each package. Imports point strictly
// down. A package that is not here is a finding, and so is a row without a
// package: add or remove rows together with their packages.
const floorTable = `
 0  .  gate/verdict  gate/lex  eval/corpus  eval/cases  internal/testing/logintest  internal/testing/pgtest  host/confine/shim  host/heap  host/reach
 1  gate/schema  gate/secret  gate/escape  gate/approval  gate/speech
 2  gate/scan  gate/grant  host/seal
 3  gate/input  gate/plan  gate/pin  trace  host/confine
 4  gate/catalog  gate/intent  host/launch  host/disk  internal/testing/cassette  host/valid
 5  planner  gate/rule  gate/origin  host/exchange
 6  planner/lexical  gate
 7  host/decision  config/edit  host/talk  summarize  host/session  host/model  host/store  host/artifact  host/internal/recorded  host/inbox
 8  host  config  host/keys  host/demo
 9  config/template  host/org  host/trust  host/audit  host/learn  host/login  host/proxy  host/runs  host/replay  host/scan  eval  eval/naive  eval/watched
10  config/desk/tools  eval/permissions  cmd/cli/show  config/setup  host/account  eval/agents  cmd/askd/rest
11  config/desk  cmd/cli  internal/testing/clitest  internal/testing/browsertest  eval/report  eval/e2e  eval/offline  eval/planning  eval/requests  eval/grounding  eval/injection  eval/pins  eval/scan  eval/lock  eval/origins  eval/manifest  eval/mutate  eval/convert
12  config/desk/runs  config/desk/servers
13  config/desk/clients  config/desk/policy  config/desk/review  config/org
14  cmd/ask  cmd/askd  cmd/ask-eval  cmd/conformance-client  cmd/corpora  cmd/mutate  internal/size  internal/bench
14  docs/recipes/bot  docs/recipes/service
`

// reservedTable holds the rooms that have a floor and no package yet. A room
// moves up to floorTable with its first real content.
const reservedTable = ``

// source is one file that is not a test: tests may import and use what they like.
type source struct {
	room string // the package's folder, with slashes, "." for the root
	name string
	*ast.File
}

func TestImportsPointStrictlyDown(t *testing.T) {
	t.Parallel()
	floors := readFloors(t, floorTable+reservedTable)
	for _, s := range sources(t) {
		for _, finding := range upward(s, floors) {
			t.Error(finding)
		}
	}
}

// There is one reader of English. The packages that ask it cut no words themselves.
func TestOneReaderOfEnglish(t *testing.T) {
	t.Parallel()
	const reader = "gate/speech"
	asks := map[string]bool{"gate/intent": false, "gate/pin": false, "gate/scan": false, "planner/lexical": false}
	for _, s := range sources(t) {
		for _, spec := range s.Imports {
			room, _ := ownRoom(importPath(spec))
			_, user := asks[room]
			switch _, is := asks[s.room]; {
			case is && room == reader:
				asks[s.room] = true
			case s.room == reader && user:
				t.Errorf("%s imports %s, which asks it", reader, room)
			case s.room != reader && strings.HasPrefix(importPath(spec), "github.com/kljensen/snowball"):
				t.Errorf("%s/%s has stems of words of its own: ask speech.Stem", s.room, s.name)
			}
		}
		if _, is := asks[s.room]; is {
			for _, finding := range readsWords(s) {
				t.Error(finding)
			}
		}
	}
	for room, is := range asks {
		if !is {
			t.Errorf("%s does not ask %s", room, reader)
		}
	}
}

func TestAReaderOfWordsIsFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"type lexer struct{ text string }":        1,
		"func stem(word string) string":           1,
		`var longWord = lex.Pattern("[a-z]{3,}")`: 1,
		"type word struct{ stem string }":         0,
		"type token struct{ speech.Word }":        0,
		"var verb = speech.Stem":                  0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := readsWords(source{"gate/pin", "x.go", file}); len(got) != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestEveryPackageStandsOnItsFloor(t *testing.T) {
	t.Parallel()
	packages := map[string]bool{}
	for _, s := range sources(t) {
		packages[s.room] = true
	}
	for _, finding := range misplaced(packages, readFloors(t, floorTable), readFloors(t, reservedTable)) {
		t.Error(finding)
	}
}

func TestNamesStayInTheirRooms(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, finding := range strays(s) {
			t.Error(finding)
		}
	}
}

// readsWords lists the types, functions and variables of a file that have the name of a
// reader of words, or of a part of one.
func readsWords(s source) (found []string) {
	names := strings.Fields("inflect lexer longword splitwords stem tokenize tokenizer wordend")
	for _, n := range namesOf(s) {
		if n.owner == "" && slices.Contains(names, strings.ToLower(n.word)) {
			found = append(found, n.String()+" reads words: ask gate/speech")
		}
	}
	return found
}

// upward lists the imports of own packages that do not point down.
func upward(s source, floors map[string]int) []string {
	var found []string
	for _, spec := range s.Imports {
		to, own := ownRoom(importPath(spec))
		if !own {
			continue
		}
		if _, known := floors[to]; !known {
			found = append(found, fmt.Sprintf("%s/%s imports %s, which has no floor", s.room, s.name, to))
		} else if floors[to] >= floors[s.room] {
			found = append(found, fmt.Sprintf("%s/%s, on floor %d, imports %s, on floor %d", s.room, s.name, floors[s.room], to, floors[to]))
		}
	}
	return found
}

// misplaced holds the packages that are there against those the tables name.
func misplaced(packages map[string]bool, floors, reserved map[string]int) []string {
	var found []string
	for room := range packages {
		if _, known := reserved[room]; known {
			found = append(found, room+" is built: move it from the reserved rooms to the floor table")
		} else if _, known := floors[room]; !known {
			found = append(found, room+" is a package and stands on no floor of the table")
		}
	}
	for room := range floors {
		if !packages[room] {
			found = append(found, room+" has a floor and is no package")
		}
	}
	slices.Sort(found)
	return found
}

func readFloors(tb testing.TB, table string) map[string]int {
	tb.Helper()
	floors, err := parseFloors(table)
	if err != nil {
		tb.Fatal(err)
	}
	return floors
}

// parseFloors reads lines of a floor and the rooms on it.
func parseFloors(table string) (map[string]int, error) {
	floors := map[string]int{}
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		floor, err := strconv.Atoi(fields[0])
		if err != nil {
			return nil, fmt.Errorf("the line %q does not begin with a floor", line)
		}
		for _, room := range fields[1:] {
			if _, twice := floors[room]; twice {
				return nil, fmt.Errorf("%s stands on two floors", room)
			}
			floors[room] = floor
		}
	}
	return floors, nil
}

// sources parses every file of the module that is not a test, whatever its build
// constraints: a constraint must not hide an import.
func sources(tb testing.TB) []source {
	tb.Helper()
	var all []source
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipFolder(file)
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		all = append(all, source{filepath.ToSlash(filepath.Dir(file)), filepath.Base(file), parsed})
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// skipFolder leaves out what the go command leaves out: hidden folders,
// testdata, and other modules.
func skipFolder(dir string) error {
	name := filepath.Base(dir)
	if dir == "." {
		return nil
	}
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "node_modules" || name == "venv" {
		return fs.SkipDir
	}
	if dir == "bin" || dir == "dist" { // what the Makefile builds, perhaps at this moment
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return p
}

// ownRoom is the room of an import path of this module.
func ownRoom(importPath string) (string, bool) {
	if importPath == module {
		return ".", true
	}
	room, own := strings.CutPrefix(importPath, module+"/")
	return path.Clean(room), own
}
