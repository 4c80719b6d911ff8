package manifest

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/permissions"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/learn"
)

// Package is a server from a registry. No author wrote down which permissions it
// needs.
type Package struct {
	Name   string // in its registry
	Source string // below the directory of all installed packages
	Main   string // the program to start: a script of Source, or for Python a program of the environment
	Python string // the environment, below the same directory; "" for a package of npm
	Args   []string
	Env    map[string]string
	Files  map[string]string
	Calls  []Call
}

func npm(name, main string) Package {
	return Package{Name: name, Source: "node_modules/" + name, Main: main}
}

func pypi(name, environment string) Package {
	return Package{Name: name, Source: environment + "/venv/lib/python*/site-packages/" + strings.ReplaceAll(name, "-", "_"), Main: name, Python: environment + "/venv"}
}

// with adds how a server is started and which calls it gets.
func (p Package) with(args []string, env, files map[string]string, calls ...Call) Package {
	p.Args, p.Env, p.Files, p.Calls = args, env, files, calls
	return p
}

func reads(tool string, arguments map[string]any) Call { return Call{tool, arguments, true} }

// Packages are eight servers of npm and four of PyPI, as `make interop` installs
// them.
func Packages() []Package {
	none, data := map[string]any{}, map[string]string{"a.txt": "text"}
	return []Package{
		npm("@modelcontextprotocol/server-filesystem", "dist/index.js").with([]string{"{data}"}, nil, data,
			reads("list_directory", map[string]any{"path": "{data}"}), reads("read_text_file", map[string]any{"path": "{data}/a.txt"}),
			Call{"write_file", map[string]any{"path": "{data}/b.txt", "content": "x"}, false}),
		npm("@modelcontextprotocol/server-memory", "dist/index.js").with(nil, map[string]string{"MEMORY_FILE_PATH": "{data}/m.jsonl"}, map[string]string{"m.jsonl": ""},
			reads("read_graph", none), Call{"create_entities", map[string]any{"entities": []any{map[string]any{"name": "a", "entityType": "b", "observations": []any{"c"}}}}, false}),
		npm("@modelcontextprotocol/server-everything", "dist/index.js").with(nil, nil, nil, reads("echo", map[string]any{"message": "hello"})),
		npm("@modelcontextprotocol/server-sequential-thinking", "dist/index.js"),
		npm("@allpepper/memory-bank-mcp", "dist/main/index.js").with(nil, map[string]string{"MEMORY_BANK_ROOT": "{data}"}, map[string]string{"p/a.md": "text"},
			reads("list_projects", none), reads("memory_bank_read", map[string]any{"projectName": "p", "fileName": "a.md"}),
			Call{"memory_bank_write", map[string]any{"projectName": "p", "fileName": "b.md", "content": "x"}, false}),
		npm("mcp-obsidian", "dist/index.js").with([]string{"{data}"}, nil, map[string]string{"a.md": "text"},
			reads("search_notes", map[string]any{"query": "a"}), reads("read_notes", map[string]any{"paths": []any{"a.md"}})),
		npm("mcp-server-commands", "build/index.js"),
		npm("time-mcp", "dist/index.js").with(nil, nil, nil, reads("current_time", map[string]any{"format": "YYYY-MM-DD", "timezone": "UTC"})),
		pypi("mcp-server-time", "python").with(nil, nil, nil, reads("get_current_time", map[string]any{"timezone": "UTC"})),
		pypi("mcp-server-fetch", "python").with([]string{"--ignore-robots-txt", "--allow-private-ips"}, nil, nil, reads("fetch", map[string]any{"url": "{web}"})),
		pypi("mcp-server-git", "python").with([]string{"--repository", "{data}"}, nil, map[string]string{
			".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n\trepositoryformatversion = 0\n", ".git/objects/keep": "", ".git/refs/heads/keep": "",
		}, reads("git_status", map[string]any{"repo_path": "{data}"})),
		pypi("mcp-server-sqlite", "python1").with([]string{"--db-path", "{data}/d.db"}, nil, map[string]string{"d.db": ""},
			reads("list_tables", none), Call{"create_table", map[string]any{"query": "CREATE TABLE a (b)"}, false}),
	}
}

// The facts of a row of a package.
const (
	attempted   = "attempted_found"
	unattempted = "found_unattempted"
)

// PackageSuite finds the permissions of installed packages in each way. It compares
// them with the attempted ones, which are a part of the needed ones.
func PackageSuite(packages []Package, dir string) eval.Suite {
	s := eval.Suite{
		Name: "manifest_packages", Subject: "what finds the permissions of servers from registries", Digest: eval.Digest(packages), Clusters: "server",
		Measures: []eval.Measure{
			{Name: attempted, Title: "attempted, and found", Better: eval.Higher},
			{Name: unattempted, Title: "found, and not attempted by these calls", Better: eval.Neither},
			{Name: works, Title: "reading calls work under what was learned", Better: eval.Higher},
		},
	}
	for _, p := range packages {
		s.IDs = append(s.IDs, p.Name)
	}
	s.Observe = func(ctx context.Context, i int) ([]eval.Row, error) { return packages[i].rows(ctx, dir) }
	return s
}

func (p Package) rows(ctx context.Context, dir string) ([]eval.Row, error) {
	source, program, err := p.installed(dir)
	if err != nil {
		return nil, err
	}
	generated, err := permissions.Read(ctx, os.DirFS(source))
	if err != nil {
		return nil, err
	}
	text, err := allText(os.DirFS(source))
	if err != nil {
		return nil, err
	}
	seen, answers, err := watched(ctx, p.Files, func(_ string, fill func(string) string) (o learn.Options, err error) {
		o.Program = program
		for _, arg := range p.Args {
			o.Program.Args = append(slices.Clone(o.Program.Args), fill(arg))
		}
		o.Env = map[string]string{}
		for name, value := range p.Env {
			o.Env[name] = fill(value)
		}
		o.Calls, err = calls(p.Calls, fill)
		return o, err
	})
	if err != nil {
		return nil, err
	}
	registry := "npm"
	if p.Python != "" {
		registry = "PyPI"
	}
	rows := []eval.Row{{
		ID: p.Name + "/works", Group: registry, Cluster: p.Name, Agent: byLearn, Expected: "every reading call is answered", Observed: answers, Passed: answers == allAnswered,
		Detail: fmt.Sprint(seen), Facts: map[string]int{works: eval.Fact(answers == allAnswered)},
	}}
	for way, found := range map[string][]confine.Permission{byGenerate: generated.Permissions, byRegexp: byPatterns(text)} {
		for _, one := range enforced {
			is, tried := slices.Contains(found, one), slices.Contains(seen, one)
			row := eval.Row{
				ID: p.Name + "/" + strings.TrimPrefix(string(one), "mcp.ac."), Group: registry, Cluster: p.Name, Agent: way,
				Expected: fmt.Sprint("attempted: ", tried), Observed: fmt.Sprint("found: ", is), Passed: is || !tried, Facts: map[string]int{},
			}
			if tried {
				row.Facts[attempted] = eval.Fact(is)
			} else {
				row.Facts[unattempted] = eval.Fact(is)
			}
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b eval.Row) int { return strings.Compare(a.Agent, b.Agent) })
	return rows, nil
}

// installed returns the place of a package's source, and the program that starts it.
func (p Package) installed(dir string) (source string, program confine.Program, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", program, err
	}
	found, _ := filepath.Glob(filepath.Join(dir, p.Source)) // a pattern without a match finds nothing
	if len(found) != 1 {
		return "", program, verdict.Fail(verdict.EvalCases, nil, "%s is not installed below %s: `make interop` installs it", p.Name, dir)
	}
	if p.Python != "" {
		environment := filepath.Join(dir, p.Python)
		return found[0], confine.Program{Path: filepath.Join(environment, "bin", "python3"), Args: []string{filepath.Join(environment, "bin", p.Main)}, Tree: []string{environment}}, nil
	}
	return found[0], confine.Program{Path: installed("node"), Args: []string{filepath.Join(found[0], p.Main)}}, nil
}

// allText returns every source of a package, for the patterns.
func allText(dir fs.FS) (all []byte, err error) {
	ends := map[string]bool{".js": true, ".mjs": true, ".cjs": true, ".ts": true, ".py": true}
	err = fs.WalkDir(dir, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "node_modules" {
			return errSkip(err)
		}
		if !d.Type().IsRegular() || !ends[filepath.Ext(file)] || strings.HasSuffix(file, ".d.ts") {
			return nil
		}
		b, err := fs.ReadFile(dir, file)
		all = append(append(all, b...), '\n')
		return err
	})
	return all, err
}

func errSkip(err error) error {
	if err == nil {
		return fs.SkipDir
	}
	return err
}
