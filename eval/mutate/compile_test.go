package mutate_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/eval/mutate"
)

// compile type-checks every package that a mutant changes, with its changes,
// and returns the errors by the mutant's place in the list. It takes seconds
// for all mutants, where building each takes an hour. A package that imports
// the changed one is not checked.
func compile(ctx context.Context, root string, mutants []mutate.Mutant) (map[int]error, error) {
	c, err := newChecker(ctx, root)
	if err != nil {
		return nil, err
	}
	errs := map[int]error{}
	for i, m := range mutants {
		files, err := m.Files(os.DirFS(root))
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", m.Gate, m.Name, err)
		}
		maps.DeleteFunc(files, func(name, _ string) bool { return path.Ext(name) != ".go" }) // such as a table of phrases
		for _, dir := range slices.Compact(slices.Sorted(dirs(files))) {
			if err := c.check(dir, files); err != nil {
				errs[i] = err
			}
		}
	}
	return errs, nil
}

func dirs(files map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range maps.Keys(files) {
			if !yield(path.Dir(name)) {
				return
			}
		}
	}
}

// A checker remembers what does not change from one mutant to the next.
type checker struct {
	root    string
	files   *token.FileSet
	parsed  map[string]*ast.File // the module's own files, by their path from the root
	export  map[string]string    // the compiler's export data, by import path
	sources map[string][]string  // the files of a package of the module, by its folder
	imports types.Importer
}

func newChecker(ctx context.Context, root string) (*checker, error) {
	c := &checker{root: root, files: token.NewFileSet(), parsed: map[string]*ast.File{}, export: map[string]string{}, sources: map[string][]string{}}
	if err := c.list(ctx); err != nil {
		return nil, err
	}
	c.imports = importer.ForCompiler(c.files, "gc", func(name string) (io.ReadCloser, error) { return os.Open(c.export[name]) })
	return c, nil
}

// list asks the go command for the packages; it compiles what is not in its cache.
func (c *checker) list(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-export", "-f", "{{.ImportPath}}\t{{.Export}}\t{{if .Module}}{{if .Module.Main}}{{.Dir}}{{end}}{{end}}\t{{join .GoFiles \",\"}}", "./...")
	cmd.Dir = c.root
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	root, err := filepath.Abs(c.root)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		export, rest, _ := strings.Cut(rest, "\t")
		dir, files, _ := strings.Cut(rest, "\t")
		c.export[name] = export
		if dir == "" { // another module's
			continue
		}
		if dir, err = filepath.Rel(root, dir); err != nil {
			return err
		}
		c.sources[filepath.ToSlash(dir)] = strings.Split(files, ",")
	}
	return nil
}

// check type-checks the package in one folder, with some of its files changed.
func (c *checker) check(dir string, changed map[string]string) error {
	var files []*ast.File
	for _, base := range c.sources[dir] {
		name := path.Join(dir, base)
		file := c.parsed[name]
		if text, ok := changed[name]; ok || file == nil {
			var source any
			if ok {
				source = text
			}
			var err error
			if file, err = parser.ParseFile(c.files, filepath.Join(c.root, name), source, parser.SkipObjectResolution); err != nil {
				return err
			}
			if !ok {
				c.parsed[name] = file
			}
		}
		files = append(files, file)
	}
	_, err := (&types.Config{Importer: c.imports}).Check(dir, c.files, files, nil)
	return err
}
