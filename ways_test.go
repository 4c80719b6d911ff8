package onestep_test

import (
	"bufio"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

var updateWays = flag.Bool("ways", false, "write the ways of docs/internals/architecture.md, from real runs")

// way is a run whose functions docs/internals/architecture.md lists: the test that makes the run and
// its package, the function where the run enters, how many functions it may pass at most,
// and the packages whose functions are counted. Gates are named in the text.
type way struct {
	test, of, enters string
	most             int
	rooms            []string
}

var (
	hostRooms = []string{"host", "host/inbox", "host/proxy"}
	ways      = map[string]way{
		"question": {"TestTheWayOfAQuestion", "host", "(*host.Host).Ask", 80, hostRooms},
		"call":     {"TestTheWayOfAWrappedCall", "host", "(*proxy.upstream).call", 125, hostRooms},
		"review": {
			"TestTheWayOfAReview", "cmd/ask", "(*ask.app).reviewServers", 225,
			[]string{"cmd/ask", "config/desk/review", "config/desk/servers", "host/trust", "host/store"},
		},
	}
)

// madeBefore reads the settings of a host: when it is made, and when they have changed.
const madeBefore = "(*host.Host).read"

var wayRegion = regexp.MustCompile("(?s)(<!-- made by `go test \\. -run TestWays -ways`: ([^\n]*) -->\n).*?(<!-- end -->\n)")

// The page lists the functions that a real question, a real wrapped call and a real review
// pass, in the order of the code.
func TestWays(t *testing.T) {
	t.Parallel()
	const file = "docs/internals/architecture.md"
	old := page(t, file)
	read := map[string]calls{}
	made := 0
	now := wayRegion.ReplaceAllStringFunc(old, func(was string) string {
		part := wayRegion.FindStringSubmatch(was)
		way, known := ways[part[2]]
		if !known {
			t.Fatalf("no way %q", part[2])
		}
		made++
		if way.of == "cmd/ask" && runtime.GOOS != "linux" { // its terminal is Linux's
			return was
		}
		c, is := read[way.rooms[0]]
		if !is {
			c = readCalls(t, way.rooms)
			read[way.rooms[0]] = c
		}
		tree := c.walk(way.enters, c.passed(t, way))
		if n := strings.Count(tree, "\n"); n > way.most || n < 20 {
			t.Errorf("a %s passes %d functions, want 20 to %d", part[2], n, way.most)
		}
		return part[1] + fmt.Sprintf("%d functions.\n\n```text\n%s```\n", strings.Count(tree, "\n"), tree) + part[3]
	})
	if made != len(ways) {
		t.Errorf("%s has %d of %d ways", file, made, len(ways))
	}
	if now == old {
		return
	}
	if !*updateWays {
		t.Errorf("%s lists other functions than a run passes: go test . -run TestWays -ways", file)
	} else if err := os.WriteFile(file, []byte(now), 0o600); err != nil {
		t.Error(err)
	}
}

// calls are the functions of the rooms, and which functions each refers to.
type calls struct {
	files *token.FileSet
	decls map[string]*ast.FuncDecl
	to    map[string][]string // in the order of the text
}

// readCalls type-checks the rooms.
func readCalls(t *testing.T, rooms []string) calls {
	t.Helper()
	export := map[string]string{}
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, room := range rooms {
		args = append(args, "./"+room)
	}
	list, err := exec.CommandContext(t.Context(), "go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		export[name] = file
	}
	c := calls{files: token.NewFileSet(), decls: map[string]*ast.FuncDecl{}, to: map[string][]string{}}
	imports := importer.ForCompiler(c.files, "gc", func(name string) (io.ReadCloser, error) { return os.Open(export[name]) })
	for _, room := range rooms {
		c.read(t, room, imports)
	}
	return c
}

func (c calls) read(t *testing.T, room string, imports types.Importer) {
	t.Helper()
	var files []*ast.File
	for _, s := range sources(t) {
		if built, err := build.Default.MatchFile(filepath.FromSlash(s.room), s.name); s.room != room || err != nil || !built {
			continue
		}
		f, err := parser.ParseFile(c.files, filepath.Join(filepath.FromSlash(room), s.name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{Importer: imports}).Check(module+"/"+room, c.files, files, info); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for _, d := range f.Decls {
			fn, is := d.(*ast.FuncDecl)
			if !is {
				continue
			}
			name := shortName(info.Defs[fn.Name].(*types.Func))
			c.decls[name] = fn
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				id, is := n.(*ast.Ident)
				if !is {
					return true
				}
				if to, is := info.Uses[id].(*types.Func); is && to.Pkg() != nil {
					c.to[name] = append(c.to[name], shortName(to))
				}
				return true
			})
		}
	}
}

// parts are the interfaces that the rooms have for each other, and what they are given.
var parts = strings.NewReplacer("(host.World)", "(host.live)", "(proxy.Host)", "(*host.Host)", "(review.Person)", "(*ask.reviewer)", "(trust.Store)", "(*store.Store)")

var folders = regexp.MustCompile(`[^(*]*/`)

// shortName is such as "(*host.run).steps".
func shortName(f *types.Func) string {
	return parts.Replace(folders.ReplaceAllString(f.FullName(), ""))
}

// passed are the functions that a test passes, as the compiler's coverage counts them.
func (c calls) passed(t *testing.T, w way) map[string]bool {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "cover")
	rooms := "./" + strings.Join(w.rooms, ",./")
	out, err := exec.CommandContext(t.Context(), "go", "test", "./"+w.of, "-run", "^"+w.test+"$", "-coverprofile", profile, "-coverpkg", rooms).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := map[string]bool{} // "file:line" of blocks that were run
	for s := bufio.NewScanner(f); s.Scan(); {
		var line int
		name, block, _ := strings.Cut(s.Text(), ".go:")
		if _, err := fmt.Sscanf(block, "%d.", &line); err == nil && !strings.HasSuffix(block, " 0") {
			lines[fmt.Sprintf("%s.go:%d", strings.TrimPrefix(name, module+"/"), line)] = true
		}
	}
	passed := map[string]bool{}
	for name, fn := range c.decls {
		at := c.files.Position(fn.Body.Lbrace)
		passed[name] = lines[fmt.Sprintf("%s:%d", filepath.ToSlash(at.Filename), at.Line)]
	}
	return passed
}

// walk is the functions that are passed from one on, each once, where it is first named.
func (c calls) walk(enters string, passed map[string]bool) string {
	var tree strings.Builder
	seen := map[string]bool{}
	var visit func(name string, depth int)
	visit = func(name string, depth int) {
		if seen[name] || !passed[name] || name == madeBefore {
			return
		}
		seen[name] = true
		fmt.Fprintf(&tree, "%-56s %s\n", strings.Repeat("  ", depth)+name, path.Base(c.files.Position(c.decls[name].Pos()).Filename))
		for _, to := range c.to[name] {
			visit(to, depth+1)
		}
	}
	visit(enters, 0)
	return tree.String()
}
