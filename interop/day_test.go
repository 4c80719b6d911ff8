//go:build interop

package interop_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// daily is a public server for a day of use. It has the input from which learning
// finds the manifest, and the calls of the client's model. In its texts $WORK is a
// folder.
type daily struct {
	name, command string // with its arguments
	env           []string
	learn         []string
	read, write   toolCall // write has no tool where the server changes nothing
	changed       string   // what the server's folder has of the write, as a file and a part of it
}

type toolCall struct {
	tool string
	args object
}

var dailies = []daily{
	{
		name: "files", command: "mcp-server-filesystem $WORK/data",
		learn: []string{
			"--reading", `list_directory {"path":"$WORK/data"}`, "--reading", `read_text_file {"path":"$WORK/data/note.txt"}`,
			"--call", `write_file {"path":"$WORK/data/new.txt","content":"x"}`,
		},
		read:    toolCall{"read_text_file", object{"path": "$WORK/data/note.txt"}},
		write:   toolCall{"write_file", object{"path": "$WORK/data/new.txt", "content": "after"}},
		changed: "data/new.txt",
	},
	{
		name: "memory", command: "mcp-server-memory", env: []string{"MEMORY_FILE_PATH=$WORK/graph/memory.jsonl"},
		learn: []string{
			"--env", "MEMORY_FILE_PATH=$WORK/graph/memory.jsonl", "--reading", "read_graph",
			"--call", `create_entities {"entities":[{"name":"Bob","entityType":"person","observations":["x"]}]}`,
		},
		read:    toolCall{"read_graph", object{}},
		write:   toolCall{"create_entities", object{"entities": []object{{"name": "Ada", "entityType": "person", "observations": []string{"x"}}}}},
		changed: "graph/memory.jsonl",
	},
	{
		name: "thinking", command: "mcp-server-sequential-thinking",
		learn: []string{"--reading", `sequentialthinking {"thought":"x","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1}`},
		read:  toolCall{"sequentialthinking", object{"thought": "y", "nextThoughtNeeded": false, "thoughtNumber": 1, "totalThoughts": 1}},
	},
	{
		name: "time", command: "mcp-server-time",
		learn: []string{"--reading", `get_current_time {"timezone":"Asia/Tokyo"}`},
		read:  toolCall{"get_current_time", object{"timezone": "Asia/Tokyo"}},
	},
	{
		name: "everything", command: "mcp-server-everything",
		learn: []string{"--reading", `echo {"message":"x"}`},
		read:  toolCall{"echo", object{"message": "hello"}},
	},
}

// TestADayOfUse takes the natural order with five public servers that a client has:
// import, review, confine, wrap, call, approve, unwrap. Each server's calls are
// counted where they arrive, and none arrives that a person did not consent to.
func TestADayOfUse(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	before := d.configured(t)
	d.ask(t, "servers", "import", "opencode", "--no-fetch")
	for _, s := range dailies {
		d.approves(t, s)
		d.confines(t, s)
		d.approves(t, s)
	}
	imported := d.servers(t)
	d.ask(t, "clients", "wrap", "opencode", "--yes")
	if now := d.servers(t); now != imported {
		t.Errorf("the servers file has become\n%s\nand was\n%s", now, imported)
	}

	s := d.begin(t)
	for _, each := range dailies {
		t.Log(each.name)
		d.counts(t, each, 0)
		s.made(t, each.name+"_"+each.read.tool, d.filled(each.read.args))
		d.counts(t, each, 1)
		if each.write.tool == "" {
			continue
		}
		s.call(t, each.name+"_"+each.write.tool, d.filled(each.write.args))
		run := s.pending(t)
		d.counts(t, each, 1)
		d.unchanged(t, each)
		s.approve(t, run)
		got := s.result(t)
		d.counts(t, each, 2)
		if _, err := os.Stat(filepath.Join(d.work, each.changed)); err != nil {
			t.Errorf("%s was approved, and %v: %s", each.write.tool, err, got)
		}
	}
	s.end(t)

	d.ask(t, "clients", "unwrap", "opencode", "--yes")
	if after := d.configured(t); string(after) != string(before) {
		t.Errorf("the client's file is now\n%s\nand was\n%s", after, before)
	}
	d.traced(t)
}

// day is a client's room with the folder that its servers work on.
type day struct {
	*room
	work string
}

func newDay(t *testing.T) *day {
	t.Helper()
	d := &day{work: t.TempDir()}
	tap, err := exec.LookPath("tap")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"data", "graph", "wires"} {
		if err := os.Mkdir(filepath.Join(d.work, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(d.work+"/data/note.txt", []byte("written before"), 0o600); err != nil {
		t.Fatal(err)
	}
	var entries []string
	for _, s := range dailies {
		if err := os.WriteFile(d.wire(s), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		command := strings.Fields(d.fills(s.command))
		environment := object{}
		for _, v := range s.env {
			name, value, _ := strings.Cut(d.fills(v), "=")
			environment[name] = value
		}
		entries = append(entries, fmt.Sprintf(`"%s": {"type": "local", "command": ["%s", "%s", "%s"], "environment": %s}`,
			s.name, tap, d.wire(s), strings.Join(command, `", "`), marshaled(environment)))
	}
	c := mcpClients[slices.IndexFunc(mcpClients, func(c mcpClient) bool { return c.name == "opencode" })]
	desk := `"desk": {"type": "local", "command": ["$DESK", "$FOLDER"], "enabled": true, "timeout": 120000}`
	if !strings.Contains(c.content, desk) {
		t.Fatal("the configuration of opencode has no desk")
	}
	c.content = strings.Replace(c.content, desk, strings.Join(entries, ",\n    "), 1)
	d.room = newRoom(t, c)
	return d
}

// wire is what the server was sent, in the tap before it.
func (d *day) wire(s daily) string { return filepath.Join(d.work, "wires", s.name+".log") }

func (d *day) fills(text string) string { return strings.ReplaceAll(text, "$WORK", d.work) }

func (d *day) filled(args object) any {
	return json.RawMessage(d.fills(marshaled(args)))
}

// counts is how many calls have arrived at the server.
func (d *day) counts(t *testing.T, s daily, want int) {
	t.Helper()
	b, err := os.ReadFile(d.wire(s))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(b), `"tools/call"`); got != want {
		t.Errorf("%d calls have reached %s, want %d", got, s.name, want)
	}
}

func (d *day) unchanged(t *testing.T, s daily) {
	t.Helper()
	if s.changed == "" {
		return
	}
	if _, err := os.Stat(filepath.Join(d.work, s.changed)); err == nil {
		t.Errorf("%s is there before anyone approved it", s.changed)
	}
}

// approves reviews a server and approves what the day needs of it.
func (d *day) approves(t *testing.T, s daily) {
	t.Helper()
	p := place{path: toolPath(t) + ":/usr/bin:/bin"}
	digest, exit := p.run(t, d.home, "ask", "servers", "review", s.name, "--all-tools", "-q", "--jq", ".reviews[0].digest")
	if exit != 4 {
		t.Fatalf("the review of %s ended with exit %d: %s", s.name, exit, digest)
	}
	flags := []string{"servers", "approve", s.name, "--digest", strings.TrimSpace(string(digest)), "--read", s.read.tool}
	if s.write.tool != "" {
		flags = append(flags, "--write", s.write.tool)
	}
	d.ask(t, flags...)
}

// confines has the server's manifest learned, and written into its entry.
func (d *day) confines(t *testing.T, s daily) {
	t.Helper()
	learn := []string{"manifest", "learn", s.name, "--yes", "--grant", "start", "--grant", "write"}
	for _, flag := range s.learn {
		learn = append(learn, d.fills(flag))
	}
	file := filepath.Join(d.work, s.name+".json")
	if err := os.WriteFile(file, []byte(d.ask(t, learn...)), 0o600); err != nil {
		t.Fatal(err)
	}
	d.unchanged(t, s)
	d.ask(t, "manifest", "use", s.name, file)
	if err := os.WriteFile(d.wire(s), nil, 0o600); err != nil { // the calls of learning
		t.Fatal(err)
	}
}

// servers is the servers file of ask.
func (d *day) servers(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(d.home + "/ask/mcp.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func marshaled(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
