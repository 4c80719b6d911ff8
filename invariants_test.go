package onestep_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestInvariantsNameTestsThatExist: a guarantee whose test is gone is a claim.
func TestInvariantsNameTestsThatExist(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/invariants.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+|[a-z]+\\.txtar)`(†?)").FindAllStringSubmatch(string(page), -1)
	if len(named) < 30 {
		t.Errorf("the page names only %d tests", len(named))
	}
	there := tests(t)
	for _, n := range named {
		if corpora, exists := there[n[1]]; !exists {
			t.Errorf("docs/invariants.md names %s, which does not exist", n[1])
		} else if corpora != (n[2] != "") {
			t.Errorf("docs/invariants.md marks %s%s, and that it needs a corpus is %v", n[1], n[2], corpora)
		}
	}
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		if !regexp.MustCompile("`(?:Test|Fuzz)[A-Za-z0-9]+`(?:[^†]|$)").MatchString(section) {
			t.Errorf("nothing that a fresh clone runs shows %.60s", section)
		}
	}
	for _, g := range strings.Split("G1 G2 G3 G4 G5 G6 G7 G8 G9 G10 G11 G12 G13 G14 G15", " ") {
		if !strings.Contains(string(page), "## "+g+". ") {
			t.Errorf("docs/invariants.md leaves %s out", g)
		}
	}
}

// tests are the names of all tests, fuzz targets and scripts of the module, and
// whether each needs a public corpus: without one it is skipped.
func tests(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	rooms := map[string]room{}
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(path, ".txtar"):
			names[filepath.Base(path)] = false
		case strings.HasSuffix(path, "_test.go"):
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			if rooms[filepath.Dir(path)] == nil {
				rooms[filepath.Dir(path)] = room{}
			}
			rooms[filepath.Dir(path)].add(file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rooms {
		for name := range r {
			names[name] = names[name] || r.needsCorpus(name, map[string]bool{})
		}
	}
	return names
}

// room is what each function of a room's tests names.
type room map[string]map[string]bool

func (r room) add(file *ast.File) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		named := map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				named[n.Name] = true
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok {
					named[x.Name+"."+n.Sel.Name] = true
				}
			}
			return true
		})
		r[f.Name.Name] = named
	}
}

func (r room) needsCorpus(name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	for other := range r[name] {
		if other == "corpus.Path" || other == "corpus.Listings" || r.needsCorpus(other, seen) {
			return true
		}
	}
	return false
}
