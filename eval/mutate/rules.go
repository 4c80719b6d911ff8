package mutate

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Rule is a function of a package that can be switched off. It then returns at once:
// its first argument if that has the type of its one result, else zero values.
type Rule struct {
	Name  string // such as "(*filling).says"
	File  string
	Lines int
}

// ruleOff is the environment variable that holds the number of the rule that is
// off, counted from one. Only a build with the overlay of [Switches] reads it.
const ruleOff = "ONESTEP_RULE_OFF"

// Switches rewrites the files of a package so that each rule begins with its switch. It
// adds a file that reads which rule is off.
func Switches(root fs.FS, room string) (files map[string]string, rules []Rule, err error) {
	names, err := fs.Glob(root, path.Join(room, "*.go"))
	if err != nil {
		return nil, nil, err
	}
	files, pkg := map[string]string{}, ""
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, nil, err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, nil, err
		}
		pkg = file.Name.Name
		s := switcher{files: set, source: source, count: len(rules)}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && isRule(f) {
				s.add(f)
			}
		}
		rules = append(rules, s.rules...)
		files[name] = s.text()
	}
	if len(rules) == 0 {
		return nil, nil, fmt.Errorf("%q has no function that can be switched off", room)
	}
	files[path.Join(room, "rule_off.go")] = fmt.Sprintf("package %s\n\nimport (\n\t\"os\"\n\t\"strconv\"\n)\n\nvar ruleOff, _ = strconv.Atoi(os.Getenv(%q))\n", pkg, ruleOff)
	return files, rules, nil
}

// isRule reports whether a function can return early. An error, a pointer or a
// function has no zero value that its callers can go on with.
func isRule(f *ast.FuncDecl) bool {
	if f.Body == nil || f.Name.Name == "init" || f.Type.TypeParams != nil {
		return false
	}
	if f.Type.Results == nil {
		return true
	}
	return !slices.ContainsFunc(f.Type.Results.List, func(r *ast.Field) bool {
		switch t := r.Type.(type) {
		case *ast.StarExpr, *ast.FuncType, *ast.ChanType, *ast.InterfaceType:
			return true
		case *ast.Ident:
			return t.Name == "error"
		}
		return false
	})
}

// A switcher collects the text that is put into one file.
type switcher struct {
	files  *token.FileSet
	source []byte
	count  int // rules of the files before
	rules  []Rule
	edits  []edit
}

// edit puts text at an offset.
type edit struct {
	at   int
	text string
}

func (s *switcher) offset(p token.Pos) int { return s.files.Position(p).Offset }

// add gives a function its switch. Results without names get some, so that a bare
// return gives their zero values, whatever their types are called.
func (s *switcher) add(f *ast.FuncDecl) {
	from, to := s.files.Position(f.Pos()), s.files.Position(f.End())
	s.rules = append(s.rules, Rule{Name: nameOf(f), File: from.Filename, Lines: to.Line - from.Line + 1})
	results := f.Type.Results
	if results != nil && len(results.List[0].Names) == 0 {
		if results.Opening == token.NoPos {
			s.edits = append(s.edits, edit{s.offset(results.Pos()), "("}, edit{s.offset(results.End()), ")"})
		}
		for i, r := range results.List {
			s.edits = append(s.edits, edit{s.offset(r.Pos()), fmt.Sprintf("ruleOff%d ", i)})
		}
	}
	neutral := ""
	if name := sameAsFirst(f.Type); name != "" {
		neutral = " " + name
	}
	s.edits = append(s.edits, edit{s.offset(f.Body.Lbrace) + 1, fmt.Sprintf(" if ruleOff == %d { return%s }; ", s.count+len(s.rules), neutral)})
}

// sameAsFirst is the name of the first parameter if it has the type of the only
// result, or "".
func sameAsFirst(t *ast.FuncType) string {
	if t.Results.NumFields() != 1 || len(t.Params.List) == 0 || len(t.Params.List[0].Names) == 0 {
		return ""
	}
	first := t.Params.List[0]
	if types.ExprString(first.Type) != types.ExprString(t.Results.List[0].Type) {
		return ""
	}
	return strings.TrimPrefix(first.Names[0].Name, "_")
}

func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := types.ExprString(f.Recv.List[0].Type)
	if strings.HasPrefix(receiver, "*") {
		receiver = "(" + receiver + ")"
	}
	return receiver + "." + f.Name.Name
}

// text is the file with the edits.
func (s *switcher) text() string {
	slices.SortStableFunc(s.edits, func(a, b edit) int { return a.at - b.at })
	var b bytes.Buffer
	at := 0
	for _, e := range s.edits {
		b.Write(s.source[at:e.at])
		b.WriteString(e.text)
		at = e.at
	}
	b.Write(s.source[at:])
	return b.String()
}
