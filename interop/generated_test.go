//go:build interop

package interop_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// generator is a program of interop/generators: a server and a client of one SDK. The
// server has a tool for each construct that the SDK's types can express.
type generator struct {
	sdk     string
	with    string // what else its title says
	command []string
	set     []string // of the constructs, after "serve" and "cases"
}

// generators are the SDKs. The listers are clients that list each server through ask.
func generators(t *testing.T) (all []generator, listers []generator) {
	node, program := abs(t, "node_modules/.bin/node"), abs(t, "../bin/interop/generators")
	typescript := func(file string) []string { return []string{node, abs(t, "generators/"+file)} }
	python := func(venv string) []string {
		return []string{abs(t, venv+"/bin/python"), abs(t, "generators/python.py")}
	}
	zod := ", zod " + pinned(t, "zod", "package.json")
	all = []generator{
		{"TypeScript " + pinned(t, "@modelcontextprotocol/sdk", "package.json"), zod, typescript("typescript1.mjs"), nil},
		{"TypeScript " + pinned(t, "@modelcontextprotocol/server", "package.json"), zod, typescript("typescript2.mjs"), nil},
		{"Python " + pinned(t, "mcp", "python1/requirements.txt"), "", python("python1/venv"), nil},
		{"Python " + pinned(t, "mcp", "python/requirements.txt"), "", python("python/venv"), nil},
		{"Python " + pinned(t, "mcp", "python/requirements.txt"), ", a list as result", python("python/venv"), []string{"apart"}},
		{"fastmcp " + pinned(t, "fastmcp", "wrap/requirements.txt"), "", python("wrap/venv"), nil},
		{"go-sdk v" + pinned(t, "github.com/modelcontextprotocol/go-sdk", "generators/go.mod"), "", []string{program, "go-sdk"}, nil},
		{"mcp-go v" + pinned(t, "github.com/mark3labs/mcp-go", "generators/go.mod"), "", []string{program, "mcp-go"}, nil},
		{"rmcp " + pinned(t, "rmcp", "generators/rust/Cargo.toml"), "", []string{abs(t, "../bin/interop/rust/debug/generator")}, nil},
		{
			"Java " + pinned(t, "<artifactId>mcp</artifactId>", "generators/java/pom.xml"),
			", victools " + pinned(t, "<artifactId>jsonschema-generator</artifactId>", "generators/java/pom.xml"), java(t), nil,
		},
	}
	return all, []generator{all[0], all[1], all[3], all[6]}
}

// java is the generator of the Java SDK, which is compiled for the shortest run.
func java(t *testing.T) []string {
	program, err := exec.LookPath("java")
	if err != nil {
		t.Fatal(err)
	}
	out := abs(t, "../bin/interop/java")
	return []string{program, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", out + "/classes:" + out + "/lib/*", "Generator"}
}

// generated are the constructs of a generator: a call for each, and the reasons for
// those that the SDK does not publish.
type generated struct {
	Cases []struct {
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
	}
	Left map[string]string
}

// listing is the output of a client: the tools of the list or the error, and the results
// of its calls.
type listing struct {
	Tools   []listedTool
	Error   string
	Results map[string]generatedResult
	bare    []listing // of an application that leaves out a tool: what it lists without ask
}

type listedTool struct {
	Name                      string
	InputSchema, OutputSchema json.RawMessage
}

// tool is one of the list, with the zero value for none.
func (l listing) tool(name string) listedTool {
	i := slices.IndexFunc(l.Tools, func(t listedTool) bool { return t.Name == name })
	if i < 0 {
		return listedTool{}
	}
	return l.Tools[i]
}

type generatedResult struct {
	Error             string
	IsError           bool
	Content           json.RawMessage
	StructuredContent json.RawMessage
}

// fails is the reason why the call has no result, or "".
func (r generatedResult) fails() string {
	var content []struct{ Text string }
	switch {
	case r.Error != "":
		return r.Error
	case !r.IsError && r.Content != nil:
		return ""
	case json.Unmarshal(r.Content, &content) == nil && len(content) > 0:
		return content[0].Text
	}
	return "no result"
}

// TestGeneratedConstructs calls each construct of a server with the client of the same
// SDK, without ask and through it. Other clients list it through ask.
func TestGeneratedConstructs(t *testing.T) { //nolint:tparallel // the group waits for its rows
	t.Parallel()
	all, listers := generators(t)
	found, wanted := make([]meeting, len(all)), len(all)
	t.Run("each", func(each *testing.T) {
		for i, g := range all {
			home := t.TempDir() // the applications need it later
			each.Run(g.sdk+g.with, func(t *testing.T) {
				t.Parallel()
				found[i] = g.meet(t, home, listers)
			})
		}
	})
	found = slices.DeleteFunc(found, func(m meeting) bool { return m.title == "" })
	clients := append(titles(listers), applications(t, found)...)
	table := meetingTable(found, clients)
	if len(found) < wanted { // -run chose among them, or one failed
		t.Log(table)
		return
	}
	hold(t, "the constructs", table, "TestGeneratedConstructs")
}

func titles(all []generator) (titles []string) {
	for _, g := range all {
		titles = append(titles, g.sdk)
	}
	return titles
}

// meet makes all calls of one row of the table.
func (g generator) meet(t *testing.T, home string, listers []generator) meeting {
	var made generated
	g.run(t, nil, nil, &made, append([]string{"cases"}, g.set...)...)
	serve := slices.Concat(g.command, []string{"serve"}, g.set)
	direct := g.client(t, nil, inJSON(made.Cases), serve...)
	g.wrap(t, home, made, serve)
	env := []string{"HOME=" + home, "ASK_HOME=" + home + "/ask"}
	through := g.client(t, env, inJSON(made.Cases), "ask", "wrap", "made")
	m := meeting{title: g.sdk + g.with, home: home, serve: serve, made: made, direct: direct, through: through}
	m.judge(t)
	for _, lister := range listers {
		m.lists = append(m.lists, lister.client(t, env, "[]", "ask", "wrap", "made"))
	}
	return m
}

// judge asks jsonschema which arguments and results do not fit the published schemas.
// None of these calls goes through ask.
func (m *meeting) judge(t *testing.T) {
	t.Helper()
	var all []judged
	var of []string
	for _, c := range m.made.Cases {
		tool, result := m.direct.tool(c.Tool), m.direct.Results[c.Tool]
		all = append(all, judged{Schema: string(tool.InputSchema), Values: []string{string(c.Arguments)}})
		of = append(of, c.Tool)
		if tool.OutputSchema != nil && result.StructuredContent != nil {
			all = append(all, judged{Schema: string(tool.OutputSchema), Values: []string{string(result.StructuredContent)}})
			of = append(of, c.Tool)
		}
	}
	m.misfits = map[string]bool{}
	for i, v := range reference(t, []string{abs(t, "python/venv/bin/python"), "schemas.py"}, all) {
		if v.Error != "" || v.Valid[0] {
			continue
		}
		m.misfits[of[i]] = true
		if m.through.Results[of[i]].fails() == "" {
			t.Errorf("%s is called through ask, with %q, which does not fit %s", of[i], all[i].Values, all[i].Schema)
		}
	}
}

// client runs the client of the SDK against a server, with calls to make.
func (g generator) client(t *testing.T, env []string, calls string, server ...string) (said listing) {
	t.Helper()
	g.run(t, env, []byte(calls), &said, append([]string{"client"}, server...)...)
	return said
}

func (g generator) run(t *testing.T, env []string, stdin []byte, into any, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), g.command[0], append(g.command[1:len(g.command):len(g.command)], args...)...)
	cmd.Env = slices.Concat([]string{"HOME=" + t.TempDir(), "PATH=" + toolPath(t) + ":/usr/bin:/bin"}, env)
	cmd.Stdin = bytes.NewReader(stdin)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v: %s", cmd.Args, err, &said)
	}
	decode(t, out, into)
}

// wrap approves the server in a home, with every tool as reading.
func (g generator) wrap(t *testing.T, home string, made generated, serve []string) {
	t.Helper()
	if err := os.MkdirAll(home+"/ask", 0o700); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range made.Cases {
		names = append(names, c.Tool)
	}
	write(t, home+"/ask/mcp.json", object{"mcpServers": object{"made": object{"command": serve[0], "args": serve[1:]}}})
	write(t, home+"/ask/allowlist.json", object{"made": object{"read": names}})
	p := place{path: toolPath(t) + ":/usr/bin:/bin"}
	digest, exit := p.run(t, home, "ask", "servers", "review", "made", "--all-tools", "-q", "--jq", ".reviews[0].digest")
	if exit == 4 {
		p.must(t, home, "ask", "servers", "approve", "made", "--digest", strings.TrimSpace(string(digest)), "-q")
	}
}

// meeting is the outcome of the constructs of one generator.
type meeting struct {
	title           string
	home            string // where ask has its server as made
	serve           []string
	made            generated
	direct, through listing
	misfits         map[string]bool // arguments or result do not fit the published schemas
	lists           []listing       // one for each client that lists through ask
}

// bare reports whether the SDK's own client calls the tool within the published schemas.
func (m meeting) bare(tool string) bool {
	return m.direct.Results[tool].fails() == "" && m.direct.tool(tool).Name != "" && !m.misfits[tool]
}

// loss is the difference that ask makes to a construct, with its reason, or "".
func (m meeting) loss(tool string) (what, reason string) {
	direct, through := m.direct.Results[tool], m.through.Results[tool]
	switch reason := through.fails(); {
	case m.through.tool(tool).Name == "":
		return "not admitted", cmp.Or(m.through.Error, reason)
	case reason != "":
		return "not called", reason
	case !same(direct.Content, through.Content):
		return "not called", "other content: " + string(through.Content)
	case !same(direct.StructuredContent, through.StructuredContent):
		return "not typed", untyped(direct.StructuredContent, through.StructuredContent)
	}
	return "", ""
}

// untyped is why a client gets other structured content through ask.
func untyped(direct, through json.RawMessage) string {
	if _, object := exactly(direct).(map[string]any); through == nil && !object {
		return "a client of 2025-11-25 or older gets the text of a result that is not an object"
	}
	return "structured content: " + string(through)
}

func same(a, b json.RawMessage) bool { return reflect.DeepEqual(exactly(a), exactly(b)) }

// exactly decodes with numbers as they are written.
func exactly(raw json.RawMessage) (v any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// figures count the constructs that the SDK's own client calls within their schemas.
type figures struct{ bare, admitted, called, typable, typed int }

func (m meeting) figures() (f figures) {
	for _, c := range m.made.Cases {
		if !m.bare(c.Tool) {
			continue
		}
		what, _ := m.loss(c.Tool)
		typed := m.direct.Results[c.Tool].StructuredContent != nil
		f.bare++
		f.admitted += one(what != "not admitted")
		f.called += one(what == "" || what == "not typed")
		f.typable += one(typed)
		f.typed += one(typed && what == "")
	}
	return f
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// meetingTable is the table of the documentation. It has a row for each SDK, and then
// rows for the constructs that are lost through ask, or that have no call without it
// either.
func meetingTable(found []meeting, clients []string) string {
	var table strings.Builder
	table.WriteString("| server | constructs | bare | admitted | called | typed |")
	table.WriteString(" " + strings.Join(clients, " | ") + " |\n")
	table.WriteString("|---|---|---|---|---|---|" + strings.Repeat("---|", len(clients)) + "\n")
	var bare, called int
	for _, m := range found {
		f := m.figures()
		bare, called = bare+f.bare, called+f.called
		all := len(m.made.Cases) + len(m.made.Left)
		fmt.Fprintf(&table, "| %s | %d | %d | %d | %d ", m.title, all, f.bare, f.admitted, f.called)
		fmt.Fprintf(&table, "| %d of %d |", f.typed, f.typable)
		for _, l := range m.lists {
			fmt.Fprintf(&table, " %s |", cmp.Or(inCell(l.Error), fmt.Sprint(m.listed(l))))
		}
		table.WriteString("\n")
	}
	share := 100 * float64(called) / float64(bare)
	fmt.Fprintf(&table, "\nOf %d that a bare client calls, `ask` calls %d: %.1f %%.\n\n", bare, called, share)
	table.WriteString("| server | constructs | through `ask` | reason |\n|---|---|---|---|\n")
	for _, m := range found {
		table.WriteString(m.others(clients))
	}
	return table.String()
}

// others are the rows of constructs that are not called, a row for each reason.
func (m meeting) others(clients []string) string {
	var rows []string
	tools := map[string][]string{}
	add := func(tool, what, reason string) {
		row := fmt.Sprintf("%s | %s", what, inCell(reason))
		if tools[row] == nil {
			rows = append(rows, row)
		}
		tools[row] = append(tools[row], "`"+tool+"`")
	}
	for _, c := range m.made.Cases {
		if what, reason := m.loss(c.Tool); what != "" && m.bare(c.Tool) {
			add(c.Tool, what, reason)
		}
		for i, l := range m.lists {
			if m.through.tool(c.Tool).Name != "" && l.Error == "" && l.tool(c.Tool).Name == "" {
				add(c.Tool, l.absence(c.Tool), clients[i]+" does not list it")
			}
		}
	}
	for _, c := range m.made.Cases {
		switch {
		case m.bare(c.Tool):
		case m.direct.Results[c.Tool].fails() != "":
			add(c.Tool, "as bare", "a bare client cannot call it either")
		default:
			add(c.Tool, "not called", "the value does not fit the schema that the SDK makes of the type")
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(m.made.Left)) {
		add(tool, "as bare", "the SDK makes no schema of it")
	}
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.title, strings.Join(tools[row], ", "), row)
	}
	return b.String()
}

// absence compares a client that does not list a tool through ask with the same without.
func (l listing) absence(tool string) string {
	if l.bare == nil || l.bare[0].tool(tool).Name != "" {
		return "not listed"
	}
	return "as bare"
}

// listed is how many of the constructs a client lists.
func (m meeting) listed(l listing) (n int) {
	for _, tool := range l.Tools {
		n += one(m.bare(tool.Name))
	}
	return n
}

// places are positions in the arguments, which differ where the reason is the same.
var places = regexp.MustCompile(`at /\S+: `)

// inCell is a reason on one line of a table, without the place and the advice.
func inCell(reason string) string {
	reason, _, _ = strings.Cut(reason, "\nNext: ")
	reason = strings.TrimPrefix(reason, "onestep refused: ")
	reason = places.ReplaceAllString(reason, "")
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(reason)
}
