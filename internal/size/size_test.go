package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestANameThatOnlyItsOwnPackageUsesIsFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a := pkg{"m/a", []string{file("a.go", "package a\nconst Alone, Both = 1, 2\ntype Used struct{}\nfunc (Used) Method() {}\nfunc hidden() { _ = Alone }\n")}}
	b := pkg{"m/b", []string{file("b.go", "package b\nimport other \"m/a\"\nimport \"x/a\"\nvar _ other.Used\nvar _ = other.Both\nvar _ = a.Alone\n")}}
	n, err := countNames("m", []pkg{a}, []pkg{a, b})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Alone", "Both", "Used"}, n.exported["m/a"]); diff != "" {
		t.Errorf("exported (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"m/a.Alone"}, n.alone()); diff != "" {
		t.Errorf("alone (-want +got):\n%s", diff)
	}
}

func TestSymbolsAreAddedUpByPackage(t *testing.T) {
	t.Parallel()
	const symbols = `
  1000   10 T net/http.(*Client).Do
  1010   20 T net/http.Get[go.shape.struct { a/b.C }]
  1020    5 D main.table
  1030  900 B main.zero
  1040 5000 D fips.memory
  1050    7 r type:*a/b.C
         1 U dlopen
`
	want := []part{{"net/http", 30}, {"(types and the linker's own)", 7}, {"main", 5}}
	if diff := cmp.Diff(want, parts(strings.NewReader(symbols), 4000), cmp.AllowUnexported(part{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
