// Package permissions reads the source of a server and reports which permissions it
// needs, each with file and line.
//
// Parsers read the source, and nothing of it is run: esbuild and goja for JavaScript
// and TypeScript, the standard library for Go, and the ast module of an installed
// Python for Python. Each names a called function or a used value by its module,
// whatever name the source gives it. A table maps these names to permissions.
//
// It does not vouch for completeness. It knows a dependency only if the table has it,
// it does not know the values of expressions at run time, and it counts a function
// that no tool reaches. A manifest made of its result has permissions and no scopes,
// so it grants nothing by itself.
//
// `ask-eval generate` and eval/manifest call it.
package permissions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
)

// Use is one place in a source that needs a permission.
type Use struct {
	Permission confine.Permission `json:"permission"`
	File       string             `json:"file"` // below the directory, with slashes
	Line       int                `json:"line"`
	Name       string             `json:"name"` // the used function or value, with its module: "fs.readFile"
}

// Found is the result for the source of a server.
type Found struct {
	Permissions []confine.Permission `json:"permissions"`
	Uses        []Use                `json:"uses"`
	Unread      []string             `json:"unread"` // files that no parser could read, each with the reason
}

// named is a function or value that a source uses, with its module. Mode is the text
// of a file's mode, if the call has one.
type named struct {
	Line int    `json:"line"`
	Name string `json:"name"`
	Mode string `json:"mode"`
}

// parse reads one file of a language.
type parse func(ctx context.Context, name string, source []byte) ([]named, error)

type language struct {
	parse parse
	table map[string][]confine.Permission
}

var (
	script    = language{scriptUses, scriptTable}
	languages = map[string]language{
		".js": script, ".mjs": script, ".cjs": script, ".ts": script, ".mts": script, ".cts": script, ".jsx": script, ".tsx": script,
		".py": {pythonUses, pythonTable}, ".go": {goUses, goTable},
	}
)

// maxSource bounds one file. A larger file is a bundle with all of its dependencies.
const maxSource = 2 << 20

// Read reads every source below a directory, except dependencies and tests.
func Read(ctx context.Context, dir fs.FS) (Found, error) {
	var f Found
	err := fs.WalkDir(dir, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if file != "." && skipped(d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		l, known := languages[path.Ext(file)]
		if !known || notSource().MatchString(d.Name()) || !d.Type().IsRegular() {
			return nil
		}
		if err := f.read(ctx, dir, file, l); err != nil {
			f.Unread = append(f.Unread, fmt.Sprintf("%s: %v", file, err))
		}
		return ctx.Err()
	})
	if err != nil {
		return f, verdict.Fail(verdict.EvalCases, err, "the source cannot be read: %v", err)
	}
	slices.SortStableFunc(f.Uses, func(a, b Use) int {
		return cmp.Or(cmp.Compare(a.Permission, b.Permission), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(strings.Count(a.Name, "()"), strings.Count(b.Name, "()")), cmp.Compare(len(b.Name), len(a.Name)))
	})
	f.Uses = slices.CompactFunc(f.Uses, func(a, b Use) bool { // a line needs a permission only once
		return a.Permission == b.Permission && a.File == b.File && a.Line == b.Line
	})
	for _, u := range f.Uses {
		if !slices.Contains(f.Permissions, u.Permission) {
			f.Permissions = append(f.Permissions, u.Permission)
		}
	}
	return f, nil
}

func (f *Found) read(ctx context.Context, dir fs.FS, file string, l language) error {
	info, err := fs.Stat(dir, file)
	if err != nil {
		return err
	}
	if info.Size() > maxSource {
		return errors.New("it is larger than a source that a person writes")
	}
	source, err := fs.ReadFile(dir, file)
	if err != nil {
		return err
	}
	uses, err := l.parse(ctx, file, source)
	for _, u := range uses {
		for _, p := range l.needs(u) {
			f.Uses = append(f.Uses, Use{p, file, u.Line, u.Name})
		}
	}
	return err
}

// needs returns the permissions in the longest row of the table that begins the name,
// part by part.
func (l language) needs(u named) []confine.Permission {
	for name := u.Name; name != ""; {
		if needs, known := l.table[name]; known {
			if len(needs) == 1 && needs[0] == byMode {
				return modes(u.Mode)
			}
			return needs
		}
		i := strings.LastIndex(name, ".")
		if i < 0 {
			return nil
		}
		name = name[:i]
	}
	return nil
}

// byMode replaces the permissions of a function with an argument that says whether a
// file is read or written.
const byMode confine.Permission = "by the mode"

// modes reads the mode of open, or of a stream. A mode that is not a text may be any
// mode.
func modes(mode string) []confine.Permission {
	switch {
	case mode == "?":
		return both
	case strings.ContainsAny(mode, "+"):
		return both
	case strings.ContainsAny(mode, "wax"):
		return writes
	}
	return reads
}

// skipped reports whether a directory has dependencies, or files that are not part of
// the program.
func skipped(name string) bool {
	switch name {
	case "node_modules", "vendor", "testdata", "test", "tests", "__tests__", "__pycache__", "venv", "site-packages", "examples", "docs":
		return true
	}
	return strings.HasPrefix(name, ".")
}

// notSource are the names of tests, declarations, settings and minified files.
var notSource = lex.Pattern(`_test\.go$|\.d\.m?ts$|\.min\.js$|\.test\.|\.spec\.|\.config\.|^test_|^conftest\.py$`)
