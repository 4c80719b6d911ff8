package onestep_test

import (
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"
)

// The guards are worth what they refuse: each is fed what it must find, and
// beside it what it must leave alone.

func TestTheFloorTestFindsWhatItShould(t *testing.T) {
	t.Parallel()
	floors := map[string]int{"low": 1, "beside": 1, "high": 2, ".": 0}
	for name, c := range map[string]struct{ room, src, want string }{
		"up":             {"low", `import "` + module + `/high"`, "low/x.go, on floor 1, imports high, on floor 2"},
		"sideways":       {"low", `import "` + module + `/beside"`, "imports beside, on floor 1"},
		"blank":          {"low", `import _ "` + module + `/high"`, "imports high"},
		"renamed":        {"low", `import l "` + module + `/high"`, "imports high"},
		"in a group":     {"low", "import (\n\"fmt\"\n\"" + module + "/high\"\n)", "imports high"},
		"raw string":     {"low", "import `" + module + "/high`", "imports high"},
		"no floor":       {"high", `import "` + module + `/cellar"`, "cellar, which has no floor"},
		"root from root": {".", `import "` + module + `"`, "imports ., on floor 0"},
		"down":           {"high", `import "` + module + `/low"`, ""},
		"the root":       {"low", `import "` + module + `"`, ""},
		"another module": {"low", `import "` + module + `-extra/high"`, ""},
		"in a comment":   {"low", `// import "` + module + `/high"`, ""},
		"in a string":    {"low", `const s = "` + module + `/high"`, ""},
	} {
		holds(t, name, upward(parse(t, c.room+"/x.go", c.src), floors), c.want)
	}
}

func TestTheTableTestFindsWhatItShould(t *testing.T) {
	t.Parallel()
	floors, reserved := map[string]int{"a": 1, "b": 2}, map[string]int{"c": 3}
	for name, c := range map[string]struct {
		packages []string
		want     string
	}{
		"unknown package":   {[]string{"a", "b", "util"}, "util is a package"},
		"below a known one": {[]string{"a", "b", "a/internal"}, "a/internal is a package"},
		"row without one":   {[]string{"a"}, "b has a floor"},
		"reserved, built":   {[]string{"a", "b", "c"}, "c is built"},
		"as the table says": {[]string{"a", "b"}, ""},
	} {
		packages := map[string]bool{}
		for _, p := range c.packages {
			packages[p] = true
		}
		holds(t, name, misplaced(packages, floors, reserved), c.want)
	}
	for _, table := range []string{"1 a\n2 a", "one a", "a 1"} {
		if floors, err := parseFloors(table); err == nil {
			t.Errorf("the table %q was read as %v", table, floors)
		}
	}
}

func TestTheRoomTestFindsWhatItShould(t *testing.T) {
	t.Parallel()
	imports := func(p, use string) string { return "import \"" + p + "\"\n" + use }
	for name, c := range map[string]struct{ file, src, want string }{
		"client in host":          {"host/x.go", imports(sdk+"/mcp", "var c *mcp.Client"), "calls leave"},
		"any of it in host":       {"host/x.go", imports(sdk+"/mcp", ""), "the edges"},
		"client in a setup":       {"config/setup/x.go", imports(sdk+"/mcp", "var c = mcp.NewClient"), "calls leave"},
		"server in a setup":       {"config/setup/x.go", imports(sdk+"/mcp", "var t mcp.StdioTransport"), "what serves"},
		"transport in a setup":    {"config/setup/x.go", imports(sdk+"/mcp", "var t mcp.Transport"), ""},
		"wire types in a gate":    {"gate/x.go", imports(sdk+"/jsonrpc", ""), "the edges"},
		"server in the client":    {"host/session/x.go", imports(sdk+"/mcp", "var s = mcp.NewServer"), "what serves"},
		"generic AddTool":         {"host/session/x.go", imports(sdk+"/mcp", "var f = mcp.AddTool[int, int]"), "what serves"},
		"server, renamed import":  {"eval/naive/x.go", "import m \"" + sdk + "/mcp\"\nvar s m.Server", "what serves"},
		"client in the demo":      {"host/demo/x.go", imports(sdk+"/mcp", "var t = &mcp.CommandTransport{}"), "calls leave"},
		"client where it belongs": {"host/session/x.go", imports(sdk+"/mcp", "var c = mcp.NewClient"), ""},
		"server where it belongs": {"host/demo/x.go", imports(sdk+"/mcp", "var h *mcp.StreamableHTTPHandler"), ""},
		"types both sides share":  {"host/demo/x.go", imports(sdk+"/mcp", "var r mcp.CallToolResult"), ""},
		"a Client of our own":     {"host/demo/x.go", imports("net/http", "var c http.Client"), ""},

		"model outside its room":     {"planner/x.go", imports("github.com/tmc/langchaingo/llms", ""), "one wall"},
		"model, below its room":      {"host/model/sub/x.go", imports("github.com/tmc/langchaingo/llms", ""), "one wall"},
		"model in its room":          {"host/model/x.go", imports("github.com/tmc/langchaingo/llms/openai", ""), ""},
		"one validator":              {"config/x.go", imports("github.com/xeipuuv/gojsonschema", ""), "reads files"},
		"a validator at home":        {"gate/schema/x.go", imports("github.com/xeipuuv/gojsonschema", ""), ""},
		"the oracle of the tests":    {"gate/schema/x.go", imports("github.com/santhosh-tekuri/jsonschema/v6", ""), "every start"},
		"a module with a like name":  {"config/x.go", imports("github.com/tmc/langchaingoes", ""), ""},
		"a command line in the host": {"host/x.go", imports("github.com/spf13/cobra", ""), "command line"},

		"old decoder":             {"host/x.go", imports("encoding/json", "var f = json.Unmarshal"), "a decoder"},
		"old stream decoder":      {"trace/x.go", imports("encoding/json", "var d = json.NewDecoder(nil)"), "a decoder"},
		"new decoder":             {"planner/x.go", imports(fastJSON, "var f = json.UnmarshalRead"), "a decoder"},
		"token decoder":           {"trace/x.go", imports(fastJSON+"/jsontext", "var d jsontext.Decoder"), "a decoder"},
		"a walk of its own":       {"gate/typed.go", imports(fastJSON+"/jsontext", "var d jsontext.Decoder"), "a decoder"},
		"a copy of admitted":      {"planner/describe.go", imports(fastJSON+"/jsontext", "var d jsontext.Decoder"), ""},
		"its neighbour":           {"planner/prompt.go", imports(fastJSON+"/jsontext", "var d jsontext.Decoder"), "a decoder"},
		"a describe.go elsewhere": {"planner/lexical/describe.go", imports(fastJSON+"/jsontext", "var d jsontext.Decoder"), "a decoder"},
		"marshal":                 {"trace/x.go", imports(fastJSON, "var f = json.Marshal"), ""},
		"decoder in gate/schema":  {"gate/schema/x.go", imports(fastJSON, "var f = json.Unmarshal"), ""},
		"an Unmarshal of TOML":    {"config/x.go", imports("github.com/pelletier/go-toml/v2", "var f = toml.Unmarshal"), ""},
		"a decoder, dot imported": {"trace/x.go", "import . \"encoding/json\"\nvar f = Unmarshal", "with a dot"},

		"files in the middle":       {"gate/input/x.go", imports("os", ""), "middle is pure"},
		"processes in the middle":   {"planner/lexical/x.go", imports("os/exec", ""), "middle is pure"},
		"network in the middle":     {"summarize/x.go", imports("net/http", ""), "middle is pure"},
		"below net/http":            {"summarize/x.go", imports("net/http/httptest", ""), "middle is pure"},
		"randomness in the middle":  {"gate/x.go", imports("math/rand/v2", ""), "middle is pure"},
		"log in the middle":         {"planner/x.go", imports("log/slog", ""), "middle is pure"},
		"clock in the middle":       {"gate/x.go", imports("time", "var t = time.Now()"), "no clock"},
		"clock as a value":          {"gate/x.go", imports("time", "var now = time.Now"), "no clock"},
		"an edge from the middle":   {"planner/x.go", imports(module+"/host/launch", ""), "no edge"},
		"times and durations":       {"gate/x.go", imports("time", "var t time.Time; const d = time.Second"), ""},
		"addresses":                 {"gate/x.go", "import _ \"net/url\"\nimport _ \"net/netip\"", ""},
		"hashes":                    {"gate/x.go", imports("crypto/sha256", ""), ""},
		"a method named Now":        {"gate/x.go", "var t = clock.Now()", ""},
		"clock at the edge":         {"host/x.go", imports("time", "var now = time.Now"), ""},
		"a room with a longer name": {"gateway/x.go", imports("os", ""), ""},

		"exit":              {"host/x.go", imports("os", "func f() { os.Exit(1) }"), "commands print"},
		"stdout":            {"config/x.go", imports("os", "var w = os.Stdout"), "commands print"},
		"print":             {"trace/x.go", imports("fmt", "func f() { fmt.Println() }"), "commands print"},
		"built-in print":    {"host/x.go", "func f() { println(1) }", "commands print"},
		"fatal":             {"host/x.go", imports("log", "func f() { log.Fatal() }"), "commands print"},
		"environment":       {"config/setup/x.go", imports("os", "var f = os.LookupEnv"), "given their environment"},
		"exit of a command": {"cmd/ask/x.go", imports("os", "func main() { os.Exit(1) }"), ""},
		"print to a writer": {"host/x.go", imports("fmt", "func f() { fmt.Fprintln(nil) }"), ""},
		"a file":            {"config/x.go", imports("os", "var f = os.Open"), ""},

		"testing in a package":         {"host/x.go", imports("testing", ""), "only tests test"},
		"corpora in a package":         {"summarize/x.go", imports(module+"/eval/corpus", ""), "only tests read"},
		"measuring in the runtime":     {"host/x.go", imports(module+"/eval", ""), "no measuring"},
		"measuring in a planner":       {"planner/lexical/x.go", imports(module+"/eval", ""), "no measuring"},
		"measuring beside its command": {"cmd/ask/eval.go", imports(module+"/eval", ""), "no measuring"},
		"measuring in its command":     {"cmd/ask-eval/e2e.go", imports(module+"/eval", ""), ""},
		"testing in corpus":            {"eval/corpus/x.go", imports("testing", ""), ""},
	} {
		holds(t, name, strays(parse(t, c.file, c.src)), c.want)
	}
}

// holds wants a finding that holds the text, or none at all.
func holds(t *testing.T, name string, findings []string, want string) {
	t.Helper()
	if want == "" && len(findings) > 0 || want != "" && !strings.Contains(strings.Join(findings, "\n"), want) {
		t.Errorf("%s: the findings are %q, want one with %q", name, findings, want)
	}
}

func parse(t *testing.T, file, src string) source {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, "package p\n"+src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return source{path.Dir(file), path.Base(file), f}
}
