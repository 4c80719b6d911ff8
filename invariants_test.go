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
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+|[a-z]+\\.txtar)`").FindAllStringSubmatch(string(page), -1)
	if len(named) < 30 {
		t.Errorf("the page names only %d tests", len(named))
	}
	there := tests(t)
	for _, n := range named {
		if !there[n[1]] {
			t.Errorf("docs/invariants.md names %s, which does not exist", n[1])
		}
	}
	for _, g := range strings.Split("G1 G2 G3 G4 G5 G6 G7 G8 G9", " ") {
		if !strings.Contains(string(page), "## "+g+". ") {
			t.Errorf("docs/invariants.md leaves %s out", g)
		}
	}
}

// tests are the names of all tests, fuzz targets and scripts of the module.
func tests(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(path, ".txtar"):
			names[filepath.Base(path)] = true
		case strings.HasSuffix(path, "_test.go"):
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
					names[f.Name.Name] = true
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
