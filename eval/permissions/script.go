package permissions

import (
	"context"
	"errors"
	"path"
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
	"github.com/evanw/esbuild/pkg/api"
)

// loaders are the loaders by a file's extension.
var loaders = map[string]api.Loader{
	".js": api.LoaderJS, ".mjs": api.LoaderJS, ".cjs": api.LoaderJS, ".jsx": api.LoaderJSX,
	".ts": api.LoaderTS, ".mts": api.LoaderTS, ".cts": api.LoaderTS, ".tsx": api.LoaderTSX,
}

// scriptUses turns a source into plain CommonJS with esbuild, and reads that. Types
// are gone then, and imports are calls of require.
func scriptUses(_ context.Context, name string, source []byte) ([]named, error) {
	text := string(source)
	if end := path.Ext(name); end == ".mjs" || end == ".mts" {
		text += "\nexport {};" // a module, even without an import
	}
	code, err := plain(text, loaders[path.Ext(name)])
	if err != nil {
		return nil, err
	}
	program, err := parser.ParseFile(&file.FileSet{}, path.Base(name), code, parser.IgnoreRegExpErrors, parser.WithSourceMapLoader(noFile))
	if err != nil {
		return nil, err
	}
	s := &reading{file: program.File, names: map[string]string{}, own: map[string]bool{}}
	for _, statement := range program.Body {
		if f, ok := statement.(*ast.FunctionDeclaration); ok && f.Function.Name != nil {
			s.own[f.Function.Name.Name.String()] = true
		}
	}
	for range 3 { // a name may be bound to a name that is bound later
		walk(reflect.ValueOf(program), s.bind)
	}
	walk(reflect.ValueOf(program), s.note)
	return s.uses, nil
}

// noFile prevents that a source names a file of this machine as its source map.
func noFile(string) ([]byte, error) { return nil, errors.New("no file is read") }

// plain makes CommonJS. It removes an await outside of a function, because CommonJS
// has none; the awaited expression stays.
func plain(source string, loader api.Loader) (string, error) {
	for range 64 {
		r := api.Transform(source, api.TransformOptions{
			Loader: loader, Format: api.FormatCommonJS, Target: api.ES2017, Supported: map[string]bool{"dynamic-import": false}, Sourcemap: api.SourceMapInline, LogLevel: api.LogLevelSilent,
			TsconfigRaw: `{"compilerOptions":{"verbatimModuleSyntax":false}}`,
		})
		if len(r.Errors) == 0 {
			return string(r.Code), nil
		}
		changed := false
		lines := strings.SplitAfter(source, "\n")
		for _, e := range r.Errors {
			at := e.Location
			if !strings.Contains(e.Text, "await") || at == nil {
				continue
			}
			if at.Line < 1 || at.Line > len(lines) {
				continue
			}
			line := lines[at.Line-1]
			if rest, found := strings.CutPrefix(line[min(at.Column, len(line)):], "await"); found {
				lines[at.Line-1] = line[:at.Column] + "     " + rest
				changed = true
			}
		}
		if !changed {
			return "", errors.New(r.Errors[0].Text)
		}
		source = strings.Join(lines, "")
	}
	return "", errors.New("it awaits too much outside of functions")
}

// Untyped turns TypeScript into a JavaScript module that can run.
func Untyped(source []byte) ([]byte, error) {
	r := api.Transform(string(source), api.TransformOptions{Loader: api.LoaderTS, Format: api.FormatESModule, LogLevel: api.LogLevelSilent})
	if len(r.Errors) > 0 {
		return nil, errors.New(r.Errors[0].Text)
	}
	return r.Code, nil
}

// reading is the reading of one file.
type reading struct {
	file  *file.File
	names map[string]string // the origins of the variables' values
	own   map[string]bool   // the file's functions
	uses  []named
}

// globals are the names that every program has without an import.
var globals = map[string]bool{"process": true, "fetch": true, "WebSocket": true, "EventSource": true, "XMLHttpRequest": true, "globalThis": true, "global": true}

// origin returns the origin of a value, or "" if it is not from a module. It leaves
// out parts that name the same thing: default, promises and node:.
func (s *reading) origin(e ast.Expression) string {
	switch e := e.(type) {
	case *ast.Identifier:
		name := e.Name.String()
		if from := s.names[name]; from != "" {
			return from
		}
		if globals[name] && !s.own[name] {
			return name
		}
	case *ast.DotExpression:
		return s.member(e.Left, e.Identifier.Name.String())
	case *ast.BracketExpression:
		if key, ok := e.Member.(*ast.StringLiteral); ok {
			return s.member(e.Left, key.Value.String())
		}
		return s.member(e.Left, "?")
	case *ast.OptionalChain:
		return s.origin(e.Expression)
	case *ast.Optional:
		return s.origin(e.Expression)
	case *ast.AwaitExpression:
		return s.origin(e.Argument)
	case *ast.SequenceExpression:
		return s.origin(e.Sequence[len(e.Sequence)-1])
	case *ast.BinaryExpression: // a || b
		if from := s.origin(e.Left); from != "" {
			return from
		}
		return s.origin(e.Right)
	case *ast.ConditionalExpression:
		if from := s.origin(e.Consequent); from != "" {
			return from
		}
		return s.origin(e.Alternate)
	case *ast.NewExpression:
		return called(s.origin(e.Callee))
	case *ast.CallExpression:
		return s.result(e)
	}
	return ""
}

func (s *reading) member(of ast.Expression, name string) string {
	if _, ok := of.(*ast.ThisExpression); ok {
		return s.names["this."+name]
	}
	switch from := s.origin(of); from {
	case "":
		return ""
	case "globalThis", "global":
		return name
	default:
		return part(from, name)
	}
}

// result returns what a call returns: the required module, the promisified function,
// or else the result of the called function.
func (s *reading) result(c *ast.CallExpression) string {
	first := func() ast.Expression {
		if len(c.ArgumentList) == 0 {
			return nil
		}
		return c.ArgumentList[0]
	}()
	if id, ok := c.Callee.(*ast.Identifier); ok {
		switch id.Name.String() {
		case "require":
			if text, ok := first.(*ast.StringLiteral); ok {
				return module(text.Value.String())
			}
			return ""
		case "__toESM":
			return s.origin(first)
		}
	}
	if dot, ok := c.Callee.(*ast.DotExpression); ok && dot.Identifier.Name == "then" { // import() of a module
		if arrow, ok := first.(*ast.ArrowFunctionLiteral); ok {
			if body, ok := arrow.Body.(*ast.ExpressionBody); ok {
				return s.origin(body.Expression)
			}
		}
	}
	from := s.origin(c.Callee)
	if from == "util.promisify" || strings.HasSuffix(from, ".bind") {
		if from != "util.promisify" {
			return strings.TrimSuffix(from, ".bind")
		}
		return s.origin(first)
	}
	if from == "module.createRequire" {
		return ""
	}
	return called(from)
}

func called(from string) string {
	if from == "" {
		return ""
	}
	return from + "()"
}

// module returns a module's name in the table's form. The program's own files are read
// separately.
func module(name string) string {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") {
		return ""
	}
	name = strings.TrimPrefix(name, "node:")
	if name == "fs/promises" {
		return "fs"
	}
	return name
}

// bind records the origins of the variables in a declaration or an assignment.
func (s *reading) bind(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Binding:
		if n.Initializer != nil {
			s.bound(n.Target, s.origin(n.Initializer))
		}
	case *ast.AssignExpression:
		s.bound(n.Left, s.origin(n.Right))
	}
	return true
}

func (s *reading) bound(target ast.Expression, from string) {
	if from == "" {
		return
	}
	keep := func(name, from string) {
		if s.names[name] == "" {
			s.names[name] = from
		}
	}
	switch t := target.(type) {
	case *ast.Identifier:
		keep(t.Name.String(), from)
	case *ast.DotExpression:
		if _, ok := t.Left.(*ast.ThisExpression); ok {
			keep("this."+t.Identifier.Name.String(), from)
		}
	case *ast.ObjectPattern:
		for _, p := range t.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				keep(p.Name.Name.String(), part(from, p.Name.Name.String()))
			case *ast.PropertyKeyed:
				key, ok := p.Key.(*ast.StringLiteral)
				if !ok {
					continue
				}
				value := p.Value
				if with, ok := value.(*ast.AssignExpression); ok {
					value = with.Left
				}
				s.bound(value, part(from, key.Value.String()))
			}
		}
	}
}

func part(from, name string) string {
	if name == "default" || name == "promises" && from == "fs" {
		return from
	}
	return from + "." + name
}

// note records the used parts of modules: each called function, and every other
// mention of a module's member.
func (s *reading) note(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Binding:
		if _, ok := n.Target.(*ast.Identifier); ok { // a declaration uses nothing
			walk(reflect.ValueOf(n.Initializer), s.note)
			return false
		}
	case *ast.CallExpression:
		if s.use(n.Callee, s.origin(n.Callee), mode(n.ArgumentList)) {
			for _, a := range n.ArgumentList {
				walk(reflect.ValueOf(a), s.note)
			}
			s.inside(n.Callee)
			return false
		}
	case *ast.NewExpression:
		s.use(n.Callee, s.origin(n.Callee), "")
	case *ast.DotExpression, *ast.BracketExpression, *ast.Identifier:
		e, _ := n.(ast.Expression)
		from := s.origin(e)
		if strings.Contains(strings.TrimPrefix(from, "process."), ".") || from == "process.env" || strings.HasPrefix(from, "process.env.") {
			s.use(e, from, "")
		}
	}
	return true
}

// inside notes the parts of a callee: fetch(x) in fetch(x).then.
func (s *reading) inside(callee ast.Expression) {
	switch c := callee.(type) {
	case *ast.DotExpression:
		walk(reflect.ValueOf(c.Left), s.note)
	case *ast.BracketExpression:
		walk(reflect.ValueOf(c.Left), s.note)
	case *ast.SequenceExpression, *ast.CallExpression:
		walk(reflect.ValueOf(c), s.note)
	}
}

func (s *reading) use(at ast.Expression, from, mode string) bool {
	if from == "" {
		return false
	}
	s.uses = append(s.uses, named{Line: s.file.Position(int(at.Idx0()) - s.file.Base()).Line, Name: from, Mode: mode})
	return true
}

// mode returns the second argument of open.
func mode(arguments []ast.Expression) string {
	if len(arguments) < 2 {
		return ""
	}
	switch a := arguments[1].(type) {
	case *ast.StringLiteral:
		return a.Value.String()
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		return ""
	}
	return "?"
}

// walk visits every node below a value, until visit says no.
func walk(v reflect.Value, visit func(ast.Node) bool) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), visit)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if v.Type() == reflect.TypeFor[*file.File]() {
			return
		}
		if n, ok := v.Interface().(ast.Node); ok && !visit(n) {
			return
		}
		walk(v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "DeclarationList" { // those are in the body, too
				walk(v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	}
}
