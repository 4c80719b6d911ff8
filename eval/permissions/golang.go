package permissions

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
)

// goUses names the selections from imported packages. If the file declares a package's
// name itself, the name is the file's own.
func goUses(_ context.Context, name string, source []byte) ([]named, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, 0)
	if file == nil {
		return nil, err
	}
	packages := map[string]string{}
	for _, i := range file.Imports {
		from, unquoted := strconv.Unquote(i.Path.Value)
		if unquoted != nil {
			continue
		}
		called := path.Base(from)
		if i.Name != nil {
			called = i.Name.Name
		}
		packages[called] = from
	}
	var uses []named
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of, ok := s.X.(*ast.Ident)
		if !ok || of.Obj != nil { // the resolver only reports the file's own declarations
			return true
		}
		if from, imported := packages[of.Name]; imported {
			uses = append(uses, named{Line: files.Position(s.Pos()).Line, Name: from + "." + s.Sel.Name})
		}
		return true
	})
	return uses, err
}
