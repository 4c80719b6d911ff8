package onestep_test

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"strings"
)

// rule keeps a package, or some of its names, in or out of rooms. It sees the
// names that a file writes, not types: a room that hands out an alias of a
// foreign type would pass, and is left to the reader.
type rule struct {
	pkg    string // import path; a final "/..." covers the package and all below it
	names  string // patterns of path.Match; "" means the import itself
	rooms  string // folders, "folder/..." for all below too, or single files
	inside bool   // only these rooms may contain it; else these may not
	why    string
}

func only(pkg, names, rooms, why string) rule  { return rule{pkg, names, rooms, true, why} }
func never(pkg, names, rooms, why string) rule { return rule{pkg, names, rooms, false, why} }

const (
	sdk      = "github.com/modelcontextprotocol/go-sdk"
	fastJSON = "github.com/go-json-experiment/json"

	// pure is what must decide the same way every time it is asked.
	pure = "gate/... planner/... summarize/..."

	nowhere = ""

	decoders   = "Unmarshal* NewDecoder Decoder"
	clientSide = "NewClient Client ClientOptions ClientSession ClientSessionOptions ClientCapabilities MultiRoundTripOptions " +
		"CommandTransport SSEClientTransport StreamableClientTransport"
	serverSide = "NewServer Server ServerOptions ServerSession ServerSessionOptions ServerSessionState AddTool " +
		"ToolHandler ToolHandlerFor PromptHandler ResourceHandler StdioTransport NewSSEHandler SSEHandler SSEServerTransport " +
		"NewStreamableHTTPHandler StreamableHTTPHandler StreamableHTTPOptions StreamableServerTransport"
	clock = "Now Since Until Sleep After AfterFunc Tick NewTicker NewTimer Local LoadLocation"
)

var rules = []rule{
	// config/setup hands the demo's transport to the session, and speaks to neither end.
	only(sdk+"/...", "", "host/session host/login host/demo host/proxy eval/naive eval/watched config/setup", "the protocol is spoken at the edges"),
	only(sdk+"/mcp", clientSide, "host/session eval/naive", "calls leave through host/session"),
	only(sdk+"/mcp", serverSide, "host/demo host/proxy eval/watched", "what serves could answer its own questions"),

	only("github.com/tmc/langchaingo/...", "", "host/model", "models are spoken to behind one wall"),
	only("github.com/zalando/go-keyring/...", "", "host/keys", "a key is looked for in one place"),
	only("github.com/go-playground/validator/...", "", "", "it takes 2 ms of every start; tests compare with it"),
	only("github.com/xeipuuv/gojsonschema", "", "gate/schema", "it reads files and network unless it is told not to"),
	only("github.com/santhosh-tekuri/jsonschema/...", "", "", "it takes 5 ms of every start; tests compare with it"),
	only("modernc.org/sqlite/...", "", "host/store", "one room keeps what outlives a run"),
	only("database/sql/...", "", "host/store internal/testing/pgtest", "one room keeps what outlives a run"),
	only("github.com/jackc/pgx/...", "", "cmd/askd internal/testing/pgtest", "the program that wants PostgreSQL brings its driver"),
	only("github.com/spf13/cobra", "", "cmd/...", "only commands have a command line"),

	// The corpora are read for tests alone.
	only("encoding/json", decoders, "gate/schema eval/corpus internal/testing/logintest", "strangers' bytes meet a decoder in gate/schema only"),
	only("encoding/xml", decoders, "gate/schema", "strangers' bytes meet a decoder in gate/schema only"),
	only(fastJSON, decoders, "gate/schema", "strangers' bytes meet a decoder in gate/schema only"),
	// planner/describe.go writes a schema that gate/schema has admitted again; eval/noting.go takes
	// members out of a row that it has read.
	only(fastJSON+"/jsontext", decoders, "gate/schema planner/describe.go eval/noting.go", "strangers' bytes meet a decoder in gate/schema only"),

	never("os/...", "", pure, "the middle is pure"),
	never("io/ioutil", "", pure, "the middle is pure"),
	never("path/filepath", "", pure, "the middle is pure"),
	never("net", "", pure, "the middle is pure"),
	never("net/http/...", "", pure, "the middle is pure"),
	never("log/...", "", pure, "the middle is pure"),
	never("syscall", "", pure, "the middle is pure"),
	never("golang.org/x/sys/...", "", pure, "the middle is pure"),
	never("golang.org/x/term", "", pure, "the middle is pure"),
	never("math/rand/...", "", pure, "the middle is pure"),
	never("crypto/rand", "", pure, "the middle is pure"),
	never("time", clock, pure, "the middle reads no clock; the time is an argument"),
	never(module+"/host/...", "", pure, "the middle knows no edge"),
	never(module+"/config", "", pure, "the middle knows no edge"),

	// The shim is a program of its own, which the init of its package starts.
	only("os", "Exit Stdin Stdout Stderr Args", "cmd/... docs/recipes/... host/confine/shim internal/...", "packages return; commands print and exit"),
	only("os", "Getenv LookupEnv Environ ExpandEnv", "cmd/... docs/recipes/... host/launch eval/corpus eval/mutate internal/...", "packages are given their environment"),
	only("fmt", "Print* Scan*", "cmd/...", "packages return; commands print and exit"),
	only("log", "", nowhere, "packages return; commands print and exit"),

	only("testing/...", "", "eval/corpus internal/testing/clitest internal/testing/logintest internal/testing/browsertest internal/testing/pgtest", "only tests test"),
	only("github.com/getkin/kin-openapi/...", "", nowhere, "only tests test"),
	only("github.com/google/go-cmp/...", "", nowhere, "only tests test"),
	only("github.com/rogpeppe/go-internal/...", "", "internal/testing/clitest", "only tests test"),
	only("go.uber.org/goleak", "", nowhere, "only tests test"),
	only("pgregory.net/rapid", "", "eval/offline", "only tests and generated cases draw at random"),
	only(module+"/gate/input", "Recorded", "host/replay", "a verdict is computed, but where its rules are gone"),
	only(module+"/eval", "", "eval/... cmd/ask-eval", "what runs a question knows no measuring"),
	only(module+"/eval/report", "", "cmd/ask-eval", "what runs a question knows no measuring"),
	only(module+"/eval/corpus", "", nowhere, "only tests read the corpora"),
	only(module+"/eval/mutate", "", "cmd/mutate", "what runs a question knows no measuring"),
	only(module+"/eval/agents", "", "eval/e2e eval/injection cmd/ask-eval/e2e.go", "nothing is built on agents without gates"),
	only(module+"/eval/watched", "", "eval/agents eval/e2e eval/injection", "what runs a question knows no measuring"),
	only(module+"/eval/naive", "", "eval/agents eval/injection/arms.go", "nothing is built on the baseline without gates"),
}

// strays lists the contents of a room that a rule does not permit there.
func strays(s source) []string {
	var found []string
	report := func(r rule, what string) {
		if within(r.rooms, s) != r.inside {
			found = append(found, fmt.Sprintf("%s/%s uses %s: %s", s.room, s.name, what, r.why))
		}
	}
	local := map[string]string{} // the file's name for a package, to its import path
	for _, spec := range s.Imports {
		p := importPath(spec)
		name := localName(spec, p)
		if name == "." {
			found = append(found, fmt.Sprintf("%s/%s imports %s with a dot, which hides where names come from", s.room, s.name, p))
		}
		local[name] = p
		for _, r := range rules {
			if r.names == "" && covers(r.pkg, p) {
				report(r, p)
			}
		}
	}
	ast.Inspect(s.File, func(n ast.Node) bool {
		p, name := foreign(n, local)
		for _, r := range rules {
			if r.names != "" && covers(r.pkg, p) && matches(r.names, name) {
				report(r, p+"."+name)
			}
		}
		return true
	})
	return found
}

// foreign is the package and the name that a node refers to, if it is a
// qualified identifier. The built-in print functions count as fmt's.
func foreign(n ast.Node, local map[string]string) (pkg, name string) {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok {
			return local[x.Name], n.Sel.Name
		}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "print" || f.Name == "println") {
			return "fmt", "Print"
		}
	}
	return "", ""
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// localName is the name by which a file calls a package.
func localName(spec *ast.ImportSpec, importPath string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	base := path.Base(importPath)
	if majorVersion.MatchString(base) {
		return path.Base(path.Dir(importPath))
	}
	return base
}

// within reports whether a file is in one of the rooms.
func within(rooms string, s source) bool {
	for _, room := range strings.Fields(rooms) {
		if covers(room, s.room) || room == path.Join(s.room, s.name) {
			return true
		}
	}
	return false
}

func covers(pattern, p string) bool {
	above, open := strings.CutSuffix(pattern, "/...")
	return p == above || open && strings.HasPrefix(p, above+"/")
}

func matches(patterns, name string) bool {
	for _, pattern := range strings.Fields(patterns) {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			return true
		}
	}
	return false
}
