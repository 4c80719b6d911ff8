//go:build interop

package interop_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// askRoom is a room in which ask, and no client, has the server desk.
func askRoom(t *testing.T) *room {
	t.Helper()
	r := newRoom(t, mcpClient{file: "ask/mcp.json", content: `{"mcpServers": {"desk": {"command": "$DESK", "args": ["$FOLDER"]}}}`})
	r.review(t, "--read", "find", "--read", "missing", "--write", "close_ticket")
	return r
}

// TestFastmcp: the client of another SDK, which takes the newest version of the
// protocol and checks each answer by that version's schema.
func TestFastmcp(t *testing.T) {
	t.Parallel()
	r := askRoom(t)
	cmd := exec.CommandContext(t.Context(), abs(t, "wrap/venv/bin/python"), abs(t, "wrap/client.py"), "ask", "wrap", "desk")
	cmd.Env = []string{"HOME=" + r.home, "ASK_HOME=" + r.home + "/ask", "PATH=" + toolPath(t) + ":/usr/bin:/bin"}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &fastmcp{in: stdin, out: bufio.NewReader(stdout), said: &said}

	began := c.next(t)
	if began.Version != "2026-07-28" {
		t.Errorf("the versions agree on %s", began.Version)
	}
	var names []string
	for _, tool := range began.List.Tools {
		names = append(names, tool.Name)
	}
	if want := []string{"close_ticket", "find", "missing", "onestep_status"}; !slices.Equal(names, want) {
		t.Errorf("the client lists %q, want %q", names, want)
	}
	if got := string(began.List.Tools[1].InputSchema); !strings.Contains(got, `"maximum": 9007199254740993`) {
		t.Errorf("the schema of find is %s", got)
	}

	got := c.call(t, "find", object{"id": "INC7"})
	if len(got.Content) != 3 || string(got.StructuredContent) != `{"number": 9007199254740993}` || got.Meta["example.org/shelf"] != 7.0 || got.Meta["run.onestep/run_id"] == nil {
		t.Errorf("of what is found the client gets %+v", got)
	}
	if got := c.call(t, "missing", object{}); !got.IsError || got.Content[0].Text != "INC9 is not known, did you mean INC7" {
		t.Errorf("of the error the client gets %+v", got)
	}
	if got := c.call(t, "purge", object{}); !got.IsError || !strings.Contains(got.Content[0].Text, "allow.tool") {
		t.Errorf("of a hidden tool the client gets %+v", got)
	}
	r.called(t, 0, "purge {}")

	c.send(t, "close_ticket", object{"id": "INC7"})
	run := r.pending(t)
	if told := c.next(t); !strings.Contains(told.Progress, run) {
		t.Errorf("while the call waits the client hears %q, want the run %s", told.Progress, run)
	}
	r.approve(t, run)
	if got := c.result(t); got.IsError || got.Content[0].Text != "the ticket is closed" {
		t.Errorf("of a call that was approved the client gets %+v", got)
	}
	r.called(t, 1, `close_ticket {"id":"INC7"}`)

	if err := stdin.Close(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, &said)
	}
	r.alone(t)
	r.traced(t)
}

// fastmcp is interop/wrap/client.py as it runs.
type fastmcp struct {
	in   io.Writer
	out  *bufio.Reader
	said *strings.Builder
}

// told is one of its messages.
type told struct {
	Version, Progress string
	List              struct {
		Tools []struct {
			Name        string
			InputSchema json.RawMessage
		}
	}
	Result *toolResult
}

type toolResult struct {
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
	IsError           bool
	Meta              object `json:"_meta"`
}

func (c *fastmcp) next(t *testing.T) (l told) {
	t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, c.said)
	}
	if err := json.Unmarshal([]byte(line), &l); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return l
}

func (c *fastmcp) send(t *testing.T, tool string, args object) {
	t.Helper()
	if _, err := io.WriteString(c.in, inJSON(object{"tool": tool, "arguments": args})+"\n"); err != nil {
		t.Fatal(err)
	}
}

// result is what the call that is under way comes to.
func (c *fastmcp) result(t *testing.T) toolResult {
	t.Helper()
	for {
		if l := c.next(t); l.Result != nil {
			return *l.Result
		}
	}
}

func (c *fastmcp) call(t *testing.T, tool string, args object) toolResult {
	t.Helper()
	c.send(t, tool, args)
	return c.result(t)
}

// TestTheInspectorOfAWrappedServer: its CLI shows the same of the server through ask
// as of the server itself, but what is hidden.
func TestTheInspectorOfAWrappedServer(t *testing.T) {
	t.Parallel()
	r := askRoom(t)
	p := place{path: toolPath(t) + ":" + abs(t, "inspector/node_modules/.bin") + ":/usr/bin:/bin"}
	direct := object{"command": r.fill.Replace("$DESK"), "args": []string{r.desk}}
	wrapped := object{"command": "ask", "args": []string{"wrap", "desk"}, "env": object{"HOME": r.home, "ASK_HOME": r.home + "/ask", "PATH": p.path}}
	write(t, r.home+"/inspector.json", object{"mcpServers": object{"direct": direct, "wrapped": wrapped}})
	inspect := func(server string, args ...string) (said struct{ Result json.RawMessage }) {
		t.Helper()
		out := p.must(t, r.home, slices.Concat([]string{"mcp-inspector", "--cli", "--config", r.home + "/inspector.json", "--server", server, "--quiet", "--format", "json", "--method"}, args)...)
		if err := json.Unmarshal(out, &said); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return said
	}
	var theirs, ours struct{ Tools []json.RawMessage }
	decode(t, inspect("direct", "tools/list").Result, &theirs)
	decode(t, inspect("wrapped", "tools/list").Result, &ours)
	hidden := 0
	for _, tool := range theirs.Tools {
		if !slices.ContainsFunc(ours.Tools, func(o json.RawMessage) bool { return string(o) == string(tool) }) {
			hidden++
		}
	}
	if hidden != 2 || len(ours.Tools) != len(theirs.Tools)-hidden+1 { // mail and purge, and there is onestep_status
		t.Errorf("through ask it lists %s, and without %s", ours.Tools, theirs.Tools)
	}
	var their, our toolResult
	decode(t, inspect("direct", "tools/call", "--tool-name", "find", "--tool-args-json", `{"id":"INC7"}`).Result, &their)
	decode(t, inspect("wrapped", "tools/call", "--tool-name", "find", "--tool-args-json", `{"id":"INC7"}`).Result, &our)
	if our.Meta["run.onestep/verdict"] != "allow" {
		t.Errorf("the result through ask is marked %v", our.Meta)
	}
	our.Meta = their.Meta
	if inJSON(our) != inJSON(their) {
		t.Errorf("through ask the result is %+v, want %+v", our, their)
	}
	r.alone(t)
	r.traced(t)
}

func decode(t *testing.T, raw json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
}
