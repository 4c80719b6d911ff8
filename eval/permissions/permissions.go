// Package permissions reads the source of a server and says which permissions it
// needs, each with file and line.
//
// Parsers read, and nothing of the source is run: esbuild and goja for JavaScript
// and TypeScript, the standard library for Go, and the ast module of an installed
// Python for Python. Each names what is called or read by the module that it comes
// from, whatever the source calls it; a table says which permission that needs.
//
// It vouches for no completeness: what a dependency does is known only where the
// table has the dependency, what an expression computes at run time is not known,
// and a function that no tool reaches counts as one that is. A manifest that is
// made of it has permissions and no scopes, so it grants nothing by itself.
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

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
)

// Use is one place in a source that needs a permission.
type Use struct {
	Permission confine.Permission `json:"permission"`
	File       string             `json:"file"` // below the directory, with slashes
	Line       int                `json:"line"`
	Name       string             `json:"name"` // what is used, by its module: "fs.readFile"
}

// Found is what the source of a server says.
type Found struct {
	Permissions []confine.Permission `json:"permissions"`
	Uses        []Use                `json:"uses"`
	Unread      []string             `json:"unread"` // files that no parser takes, each with why
}

// named is something that a source uses, by the module that it comes from. Mode is
// the text of a file's mode, where one is given.
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

// maxSource bounds one file: more is a bundle, which holds all of its dependencies.
const maxSource = 2 << 20

// Read reads every source below a directory, dependencies and tests left out.
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
		if !known || isTest(d.Name()) || !d.Type().IsRegular() {
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
	f.Uses = slices.CompactFunc(f.Uses, func(a, b Use) bool { // one line needs a permission once
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

// needs are the permissions of the longest row of the table that a name begins
// with, part by part.
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

// byMode is in place of the permissions of a function whose argument says whether
// a file is read or written.
const byMode confine.Permission = "by the mode"

// modes reads the mode of open, or of a stream. One that is not a text may be any.
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

// skipped are directories of dependencies and of what is not the program.
func skipped(name string) bool {
	switch name {
	case "node_modules", "vendor", "testdata", "test", "tests", "__tests__", "__pycache__", "venv", "site-packages", "examples", "docs":
		return true
	}
	return strings.HasPrefix(name, ".")
}

func isTest(name string) bool {
	return strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".d.ts") || strings.HasSuffix(name, ".d.mts") ||
		strings.Contains(name, ".test.") || strings.Contains(name, ".spec.") || strings.HasPrefix(name, "test_") || name == "conftest.py" ||
		strings.HasSuffix(name, ".min.js") || strings.Contains(name, ".config.")
}
