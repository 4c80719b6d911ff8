package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
)

// names are the top-level exported names of packages, and which of them a file
// of another package mentions. Methods and fields are not counted.
type names struct {
	exported map[string][]string        // by import path
	used     map[string]map[string]bool // by import path
}

// countNames reads the exported names of some packages, and which of them the
// files of all packages use. Tests are not among the files.
func countNames(module string, of, in []pkg) (names, error) {
	n := names{map[string][]string{}, map[string]map[string]bool{}}
	for _, p := range of {
		for _, file := range p.files {
			f, err := parse(file)
			if err != nil {
				return names{}, err
			}
			n.exported[p.path] = append(n.exported[p.path], declared(f)...)
		}
	}
	for _, p := range in {
		for _, file := range p.files {
			f, err := parse(file)
			if err != nil {
				return names{}, err
			}
			n.mention(module, f)
		}
	}
	return n, nil
}

func parse(file string) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
}

// declared are the exported names that a file declares at its top level.
func declared(f *ast.File) (list []string) {
	add := func(names ...*ast.Ident) {
		for _, n := range names {
			if n.IsExported() {
				list = append(list, n.Name)
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					add(s.Names...)
				}
			}
		}
	}
	return list
}

// mention records what a file uses of other packages of the module.
func (n names) mention(module string, f *ast.File) {
	imported := map[string]string{} // the file's name for a package, to its path
	for _, s := range f.Imports {
		p := strings.Trim(s.Path.Value, `"`)
		if !strings.HasPrefix(p, module+"/") {
			continue
		}
		name := path.Base(p)
		if s.Name != nil {
			name = s.Name.Name
		}
		imported[name] = p
	}
	ast.Inspect(f, func(node ast.Node) bool {
		s, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && imported[x.Name] != "" {
			p := imported[x.Name]
			if n.used[p] == nil {
				n.used[p] = map[string]bool{}
			}
			n.used[p][s.Sel.Name] = true
		}
		return true
	})
}

// alone are the exported names that no other package uses.
func (n names) alone() (list []string) {
	for _, p := range slices.Sorted(maps.Keys(n.exported)) {
		for _, name := range slices.Sorted(slices.Values(n.exported[p])) {
			if !n.used[p][name] {
				list = append(list, p+"."+name)
			}
		}
	}
	return list
}
