package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/host/proxy"
	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// wrapped is `ask wrap` as a process, with the arguments after it.
func wrapped(ctx context.Context, home string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "ask", append([]string{"wrap"}, args...)...)
	cmd.Env = append(os.Environ(), "ASK_HOME="+home)
	return cmd
}

// client connects the SDK's client to it.
func client(t *testing.T, cmd *exec.Cmd, o *mcp.ClientOptions, version string) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	s, err := c.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// spoken speaks to `ask wrap` in lines.
type spoken struct {
	t       testing.TB
	in      io.WriteCloser
	out     *bufio.Reader
	changes int // notifications of a changed list that came where an answer was waited for
}

func speak(t testing.TB, cmd *exec.Cmd) *spoken {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil && !t.Failed() {
			t.Errorf("%v: %s", err, &stderr)
		}
	})
	return &spoken{t: t, in: in, out: bufio.NewReader(out)}
}

func (r *spoken) send(line string) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, line+"\n"); err != nil {
		r.t.Fatal(err)
	}
}

// answer is what the next line says.
type answer struct {
	text   string
	Method string         `json:"method"`
	ID     jsontext.Value `json:"id"`
	Result jsontext.Value `json:"result"`
	Error  struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (r *spoken) next() (a answer) {
	r.t.Helper()
	line, err := r.out.ReadString('\n')
	if err != nil {
		r.t.Fatalf("%q, %v", line, err)
	}
	if err := json.Unmarshal([]byte(line), &a); err != nil && line[0] != '[' {
		r.t.Fatalf("%q: %v", line, err)
	}
	a.text = strings.TrimSpace(line)
	return a
}

// ask sends a request and gives its answer. A changed list may be reported at any time.
func (r *spoken) ask(line string) answer {
	r.t.Helper()
	r.send(line)
	for {
		a := r.next()
		if a.Method != "notifications/tools/list_changed" {
			return a
		}
		r.changes++
	}
}

// untilChanged waits for the report of a changed list, which may have come.
func (r *spoken) untilChanged() {
	r.t.Helper()
	for r.changes == 0 {
		if r.next().Method == "notifications/tools/list_changed" {
			r.changes++
		}
	}
	r.changes = 0
}

// untilListed lists until the list is as it is to be, each time after a change.
func (r *spoken) untilListed(is func(list string) bool) {
	r.t.Helper()
	for !is(r.ask(list).text) {
		r.untilChanged()
	}
}

// holds sends a call that waits for a person, and gives the run to approve.
func (r *spoken) holds(id, tool, args string) (run string) {
	r.t.Helper()
	r.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":%s}}}`, id, tool, args, id))
	for {
		a := r.next()
		if got := regexp.MustCompile(`"progressToken":([^,]+),.*ask approve ([^"]+)"`).FindStringSubmatch(a.text); got != nil && got[1] == id {
			return got[2]
		}
		if string(a.ID) == id {
			r.t.Fatalf("it does not wait: %s", a.text)
		}
	}
}

// answered is the answer to a request, after whatever comes before it.
func (r *spoken) answered(id string) answer {
	r.t.Helper()
	for {
		if a := r.next(); string(a.ID) == id {
			return a
		}
	}
}

func cancels(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
}

const (
	hello = `{"jsonrpc":"2.0","id":"hi","method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	ready = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func (r *spoken) greet(version string) answer {
	r.t.Helper()
	a := r.ask(strings.Replace(hello, "VERSION", version, 1))
	r.send(ready)
	return a
}

func TestAClientOfEitherEraListsAndCalls(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := client(t, wrapped(t.Context(), t.TempDir(), "mcp-policy-kb", "--demo"), nil, version)
			list, err := s.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range list.Tools {
				names = append(names, tool.Name)
			}
			if got := strings.Join(names, " "); got != "fetch_policy_entry search_policy_kb onestep_status" {
				t.Errorf("the client is shown %s", got)
			}
			got, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "fetch_policy_entry", Arguments: map[string]any{"policy_id": "policy-001"}})
			if err != nil {
				t.Fatal(err)
			}
			if text, is := got.Content[0].(*mcp.TextContent); !is || got.IsError || !strings.Contains(text.Text, "Privacy Office") {
				t.Errorf("%+v", got)
			}
			if got.Meta[proxy.MetaRun] == nil || got.Meta[proxy.MetaTrace] == nil || got.Meta[proxy.MetaVerdict] != "allow" {
				t.Errorf("the result names its run by %v", got.Meta)
			}
			if got.StructuredContent == nil {
				t.Error("the structure is lost")
			}
		})
	}
}

// calls is a request for a tool.
func calls(id, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

const list = `{"jsonrpc":"2.0","id":"l","method":"tools/list"}`

func TestAListIsTheBytesThatWereApproved(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	if said := s.greet("2025-06-18").text; !strings.Contains(said, `"instructions":"Hidden by onestep: 4 of this server's tools; onestep_status says which and why.\nWords of the server."`) {
		t.Errorf("the instructions are %s", said)
	}
	got := s.ask(list).text
	for _, want := range []string{
		`{"name":"echo", "inputSchema":{"type":"object","properties":{"n":{"type":"integer","maximum":9007199254740993},"s":{"type":"string"}},"x-odd":1}, "x-own":{"z":1,"a":12345678901234567890}}`,
		`{"inputSchema":{"type":"object"},"name":"rich","annotations":{"readOnlyHint":true}}`,
		`"name":"onestep_status","title":"Hidden tools"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the list lacks %s: %s", want, got)
		}
	}
	for _, hidden := range []string{"execution", `"task"`, `"esc"`, "unlisted", "The server's own", "ttlMs", "resultType"} {
		if strings.Contains(got, hidden) {
			t.Errorf("the list shows %s: %s", hidden, got)
		}
	}
	status := s.ask(calls("1", "onestep_status", "{}")).text
	for _, want := range []string{"esc: catalog.control", "task: catalog.task", "onestep_status: catalog.name", "unlisted: allow.tool", "ask servers review t"} {
		if !strings.Contains(status, want) {
			t.Errorf("the status lacks %s: %s", want, status)
		}
	}
	if n := happened(t, home, "started"); n != 0 {
		t.Errorf("the server was started %d times before any call", n)
	}
	if got := s.ask(calls("2", "esc", "{}")).text; !strings.Contains(got, "catalog.control") {
		t.Errorf("a hidden tool was called: %s", got)
	}
	if n := happened(t, home, "call esc"); n != 0 {
		t.Error("the hidden tool was reached")
	}
	if runs := traces(t, home); runs != 1 {
		t.Errorf("%d traces of one refused call", runs)
	}
}

func traces(t *testing.T, home string) int {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(home, "traces", "trace_*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func TestAResultPassesWhole(t *testing.T) {
	t.Parallel()
	s := speak(t, wrapped(t.Context(), talking(t), "t"))
	s.greet("2025-11-25")
	got := string(s.ask(calls("1", "rich", "{}")).Result)
	for _, want := range []string{
		`{"type":"text","text":"one\ntwo \"\u00e9\"","x-own":9007199254740993,"annotations":{"priority":0.10}}`,
		`{"type":"image","data":"not base64!","mimeType":"image/png"}`, `{"type":"text","text":"red \\u{1B}[31m"}`,
		`{"big":9007199254740993,"tiny":1.50,"z":1,"a":{"deep":null}}`, `"x-unknown":[1E2]`, `"_meta":{"their":{"own":12345678901234567890},"run.onestep/run_id":"2`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the result lacks %s: %s", want, got)
		}
	}
	if strings.Contains(got, "forged") {
		t.Errorf("the server names the run: %s", got)
	}
	got = string(s.ask(calls("2", "fail", "{}")).Result)
	if want := `{"content":[{"type":"text","text":"no such row"}],"structuredContent":{"code":404},"isError":true,"_meta":{"k":1,"run.onestep/run_id":"`; !strings.HasPrefix(got, want) {
		t.Errorf("the tool's error became %s", got)
	}
	got = string(s.ask(calls("3", "echo", `{"n":9007199254740993,"s":"é"}`)).Result)
	if !strings.Contains(got, `{\"n\":9007199254740993,\"s\":\"é\"}`) {
		t.Errorf("the arguments became %s", got)
	}
}

func TestBadInputIsAnsweredAndTheSessionGoesOn(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	for _, c := range []struct {
		line, id string
		code     int
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "1", -32600}, // before initialize
		{calls(`"e"`, "echo", "{}"), `"e"`, -32600},
		{"}{", "null", -32700},
		{`{"jsonrpc":"2.0","id":2`, "null", -32700},
		{"\xff\xfe", "null", -32700},
		{`"text"`, "null", -32600},
		{`{"jsonrpc":"1.0","id":3,"method":"ping"}`, "3", -32600},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "null", -32600},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", -32600},
		{`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, "null", -32700},
		{`{"jsonrpc":"2.0","id":4,"method":"ping","params":[1]}`, "4", -32600},
		{`{"jsonrpc":"2.0","id":5,"method":"no/such"}`, "5", -32600},
		{strings.Repeat(" ", 16<<20) + "{}", "null", -32600},
		{`[{"jsonrpc":"2.0","id":6,"method":"ping"}]`, "null", -32600}, // no version has been agreed on
	} {
		if a := s.ask(c.line); a.Error.Code != c.code || string(a.ID) != c.id {
			t.Errorf("%.60q: %s", c.line, a.text)
		}
	}
	s.greet("2025-11-25")
	for line, code := range map[string]int{
		`{"jsonrpc":"2.0","id":7,"method":"no/such"}`:                            -32601,
		`{"jsonrpc":"2.0","id":7,"method":"resources/list"}`:                     -32601,
		`{"jsonrpc":"2.0","id":7,"method":"prompts/list"}`:                       -32601,
		`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"1"}}`: -32602,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":7}}`:     -32602,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call"}`:                         -32602,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":1,"a":2}}`:  -32602,
		`{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}`: -32022,
	} {
		if a := s.ask(line); a.Error.Code != code {
			t.Errorf("%s: %s", line, a.text)
		}
	}
	if n := traces(t, home); n != 0 {
		t.Errorf("%d traces of a request that is not a call", n)
	}
	for args, want := range map[string]string{
		fmt.Sprintf(`{"s":%q}`, strings.Repeat("x", 1<<20)):  "plan.size",
		fmt.Sprintf(`{"s":%q}`, strings.Repeat("x", 15<<20)): "plan.size",
		`{"s":"a","s":"b"}`: "plan.json",
		`[1]`:               "plan.shape",
		`{"n":"x"}`:         "schema.arguments",
		`{"n":1e999}`:       "plan.number",
	} {
		if got := s.ask(calls("8", "echo", args)).text; !strings.Contains(got, `"isError":true`) || !strings.Contains(got, "onestep refused: "+want) {
			t.Errorf("%.40s: %.300s", args, got)
		}
	}
	if got := s.ask(calls("9", "unlisted", "{}")).text; !strings.Contains(got, "allow.tool") {
		t.Errorf("a tool outside of the allowlist: %s", got)
	}
	long := strings.Repeat("x", 900<<10)
	if got := s.ask(calls("10", "echo", fmt.Sprintf(`{"s":%q}`, long))).text; !strings.Contains(got, long) {
		t.Errorf("arguments within the bound: %.300s", got)
	}
	if n := traces(t, home); n != 8 {
		t.Errorf("%d traces of 8 calls", n)
	}
	if n := happened(t, home, "call echo"); n != 1 {
		t.Errorf("the server was called %d times for one call", n)
	}
	if out, err := askIn(t, home, "trace", "verify", "latest"); err != nil || !strings.Contains(out, "consistent") {
		t.Errorf("the trace of the long call: %v: %s", err, out)
	}
}

func askIn(t *testing.T, home string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "ask", args...)
	cmd.Env = append(os.Environ(), "ASK_HOME="+home)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestBatchesAreAnsweredWhereTheVersionHasThem(t *testing.T) {
	t.Parallel()
	batch := `[{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","method":"notifications/x"},` + calls("2", "echo", "{}") + `]`
	for version, has := range map[string]bool{"2024-11-05": true, "2025-03-26": true, "2025-06-18": false, "2025-11-25": false} {
		s := speak(t, wrapped(t.Context(), talking(t), "t"))
		s.greet(version)
		got := s.ask(batch)
		if !has {
			if got.Error.Code != -32600 {
				t.Errorf("%s answers a batch with %s", version, got.text)
			}
			continue
		}
		var all []answer
		if err := json.Unmarshal([]byte(got.text), &all); err != nil || len(all) != 3 {
			t.Errorf("%s: %v: %s", version, err, got.text)
		}
		if got := s.ask("[]"); got.Error.Code != -32600 {
			t.Errorf("an empty batch: %s", got.text)
		}
	}
}

func TestProgressReachesAClientThatGaveAToken(t *testing.T) {
	t.Parallel()
	s := speak(t, wrapped(t.Context(), talking(t), "t"))
	s.greet("2025-11-25")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report","_meta":{"progressToken":"tok"}}}`)
	for _, want := range []string{`{"progressToken":"tok","progress":1,"total":3}`, `{"progressToken":"tok","progress":2,"total":3,"message":"half"}`, `{"progressToken":"tok","progress":3}`} {
		if got := s.next(); got.Method != "notifications/progress" || !strings.Contains(got.text, want) {
			t.Errorf("%s, want %s", got.text, want)
		}
	}
	if got := s.next(); string(got.ID) != "1" || got.Result == nil {
		t.Errorf("the answer is %s", got.text)
	}
	if got := s.ask(calls("2", "report", "{}")); string(got.ID) != "2" {
		t.Errorf("without a token there is %s", got.text)
	}
}

func TestCancellingEndsTheCallAtTheServer(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	s.send(calls(`"w"`, "wait", "{}"))
	until(t, func() bool { return happened(t, home, "call wait") == 1 })
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}`)
	until(t, func() bool { return happened(t, home, "cancelled") == 1 })
	if got := s.ask(calls("2", "echo", "{}")); string(got.ID) != "2" { // and nothing answers the cancelled one
		t.Errorf("after it came %s", got.text)
	}
	until(t, func() bool {
		out, err := askIn(t, home, "trace", "list", "--type", "failed")
		return err == nil && strings.Contains(out, "t/wait")
	})
}

func TestTheServersOwnRequestsAreRefused(t *testing.T) {
	t.Parallel()
	s := speak(t, wrapped(t.Context(), talking(t), "t"))
	s.greet("2025-11-25")
	if got := s.ask(calls("1", "question", "{}")).text; !strings.Contains(got, "asked") || strings.Contains(got, "Really?") {
		t.Errorf("the elicitation went through: %s", got)
	}
}

func TestAServerThatDiesInACallIsStartedForTheNext(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	if got := s.ask(calls("1", "die", "{}")).text; !strings.Contains(got, "call.outcome_unknown") || !strings.Contains(got, "the tool only reads: ask again") {
		t.Errorf("the death is reported as %s", got)
	}
	if got := s.ask(calls("2", "echo", "{}")).text; !strings.Contains(got, `"text":"{}"`) {
		t.Errorf("the next call: %s", got)
	}
	if dies, starts := happened(t, home, "call die"), happened(t, home, "started"); dies != 1 || starts != 2 {
		t.Errorf("%d calls, %d starts", dies, starts)
	}
}

func TestTenCallsAtOnceAreTenRuns(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	for i := range 10 {
		s.send(calls(fmt.Sprint(i), "echo", fmt.Sprintf(`{"n":%d}`, i)))
	}
	for range 10 {
		if a := s.next(); !strings.Contains(a.text, fmt.Sprintf(`{\"n\":%s}`, a.ID)) {
			t.Errorf("the answer to %s is %s", a.ID, a.text)
		}
	}
	if calls, runs := happened(t, home, "call echo"), traces(t, home); calls != 10 || runs != 10 {
		t.Errorf("%d calls in %d traces", calls, runs)
	}
}

func TestWhatChangedIsHiddenAndAnApprovalElsewhereShowsIt(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	s.ask(list)
	clitest.Write(t, home, "list.json", strings.Replace(listedTools, `"name":"fail",`, `"name":"fail","description":"Now with words.",`, 1))
	if got := s.ask(calls("1", "fail", "{}")).text; !strings.Contains(got, "onestep refused: pin.") {
		t.Fatalf("the changed tool: %s", got)
	}
	if n := happened(t, home, "call fail"); n != 0 {
		t.Error("the changed tool was called")
	}
	// The refusal is kept, and the list follows.
	s.untilChanged()
	s.untilListed(func(list string) bool { return !strings.Contains(list, `"fail"`) })
	clitest.Trust(t, home) // a person approves it, in another process
	s.untilChanged()
	s.untilListed(func(list string) bool { return strings.Contains(list, "Now with words.") })
	if got := s.ask(calls("2", "fail", "{}")).text; !strings.Contains(got, "no such row") {
		t.Errorf("the approved tool: %s", got)
	}
}

func TestAWithheldResultIsHandedOutOnceAPersonReleasedIt(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	s.ask(list)
	got := s.ask(calls("1", "inject", "{}")).text
	if strings.Contains(got, "word") || !strings.Contains(got, "ask quarantine show ") {
		t.Fatalf("the withheld result: %s", got)
	}
	run := regexp.MustCompile(`run.onestep/run_id":"([^"]+)"`).FindStringSubmatch(got)[1]
	take := calls("2", "onestep_released", fmt.Sprintf(`{"run_id":%q}`, run))
	next := func() string {
		for {
			if a := s.next(); a.Method == "" {
				return a.text
			}
		}
	}
	s.send(take)
	if got := next(); strings.Contains(got, "word") || !strings.Contains(got, "ask quarantine release") {
		t.Errorf("before a release: %s", got)
	}
	if out, err := askIn(t, home, "quarantine", "release", run); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.send(list)
	if got := next(); !strings.Contains(got, "onestep_released") {
		t.Errorf("the tool is not listed: %s", got)
	}
	s.send(take)
	if got := next(); !strings.Contains(got, `fine \\u{202E}word`) {
		t.Errorf("released: %s", got)
	}
	s.send(take)
	if got := next(); strings.Contains(got, "word") {
		t.Errorf("handed out twice: %s", got)
	}
	if n := happened(t, home, "call inject"); n != 1 {
		t.Errorf("the server was called %d times", n)
	}
}

func TestAWriteWaitsForAPersonAndIsNotMade(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1ms"))
	s.greet("2025-11-25")
	got := s.ask(calls("1", "write", `{"to":"x"}`)).text
	if !strings.Contains(got, "approval.needed") || !strings.Contains(got, "ask approve ") || strings.Contains(got, "ask again") {
		t.Errorf("%s", got)
	}
	if n := happened(t, home, "call write"); n != 0 {
		t.Errorf("the server was called %d times", n)
	}
	run := regexp.MustCompile("ask approve ([^`]+)`").FindStringSubmatch(got)[1]
	if out, err := askIn(t, home, "approvals", "list"); err != nil || !strings.Contains(out, run) {
		t.Errorf("%v: %s", err, out)
	}
	sayYes(t, home, run)
	if n := happened(t, home, "call write"); n != 0 {
		t.Error("the approver made a client's call")
	}
	if got := s.ask(calls("2", "write", `{"to":"y"}`)).text; strings.Contains(got, "written") {
		t.Errorf("another call used the approval: %s", got)
	}
	if got := s.ask(calls("3", "write", `{"to":"x"}`)).text; !strings.Contains(got, "written") {
		t.Errorf("the next call did not bring the approval along: %s", got)
	}
	if got := s.ask(calls("4", "write", `{"to":"x"}`)).text; strings.Contains(got, "written") {
		t.Errorf("the approval was used twice: %s", got)
	}
	if n := happened(t, home, "call write"); n != 1 {
		t.Errorf("the server was called %d times", n)
	}
}

// sayYes approves a run's call as a person does who was shown its digest.
func sayYes(t *testing.T, home, run string) {
	t.Helper()
	out, err := askIn(t, home, "approvals", "show", run, "--json")
	digest := regexp.MustCompile(`"approval_digest": *"(sha256:[0-9a-f]+)"`).FindStringSubmatch(out)
	if err != nil || digest == nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, _ = askIn(t, home, "approve", run, "--digest", digest[1])
	if strings.Contains(out, "error") && !strings.Contains(out, "approved") {
		t.Fatal(out)
	}
}

func TestAHeldWriteIsMadeWhenAnotherProcessApprovesIt(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1h"))
	s.greet("2025-11-25")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","arguments":{"to":"x"},"_meta":{"progressToken":9}}}`)
	waits := s.next()
	run := regexp.MustCompile(`"progressToken":9,"progress":1,"message":"A person has to approve this call: ask approve ([^"]+)"`).FindStringSubmatch(waits.text)
	if run == nil {
		t.Fatalf("%s", waits.text)
	}
	sayYes(t, home, run[1])
	for {
		if a := s.next(); a.Method == "" {
			if !strings.Contains(a.text, "written") {
				t.Errorf("%s", a.text)
			}
			break
		}
	}
	if n := happened(t, home, "call write"); n != 1 {
		t.Errorf("the server was called %d times", n)
	}
}

func TestTheEndOfStdinEndsACallAndTheServer(t *testing.T) {
	t.Parallel()
	home := talking(t)
	cmd := wrapped(t.Context(), home, "t")
	s := speak(t, cmd)
	s.greet("2025-11-25")
	s.send(calls("1", "wait", "{}"))
	until(t, func() bool { return happened(t, home, "call wait") == 1 })
	if err := s.in.Close(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(s.out); err != nil || strings.Contains(string(rest), `"id":1,"result"`) {
		t.Errorf("%q, %v", rest, err)
	}
	if out, err := askIn(t, home, "trace", "verify", "latest"); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestAServerIsWrappedWithoutAnEntry(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	clitest.Write(t, home, "list.json", listedTools)
	clitest.Write(t, home, "allowlist.json", `{"other":{"read":["echo"]}}`)
	flags := []string{"--env", "TALKER_LIST=" + home + "/list.json", "--env", "TALKER_LOG=" + home + "/log", "--env", "GORACE=" + clitest.AtOnce, "--name", "other"}
	for _, way := range [][]string{{"--command", `talker 'a b' "c"`}, {"--command-args", "talker", "a b", "c"}} {
		s := speak(t, wrapped(t.Context(), home, slices.Concat(flags, way)...))
		s.greet("2025-11-25")
		if got := s.ask(list).text; way[0] == "--command" && strings.Contains(got, `"echo"`) {
			t.Errorf("it was not approved: %s", got)
		}
		if way[0] == "--command" {
			out, _ := askIn(t, home, slices.Concat([]string{"servers", "review"}, flags, way, []string{"--json"})...)
			digest := regexp.MustCompile(`"digest": *"(sha256:[0-9a-f]+)"`).FindStringSubmatch(out)
			if digest == nil {
				t.Fatalf("the review: %s", out)
			}
			out, err := askIn(t, home, slices.Concat([]string{"servers", "approve"}, flags, way, []string{"--digest", digest[1]})...)
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			s.untilChanged()
		}
		if got := s.ask(calls("1", "echo", "{}")).text; !strings.Contains(got, `"text":"{}"`) {
			t.Errorf("%s: %s", way, got)
		}
	}
	for _, wrong := range [][]string{
		{"--command", "talker"},
		{"--name", "x"},
		{"--name", "x", "--command", "a", "--url", "http://b"},
		{"--name", "x", "--command", `'a`},
		{"t", "--name", "x", "--command", "a"},
		{"--name", "x", "--command", " "},
		{"--name", "a b", "--command", "a"},
		{},
		{"a", "b"},
		{"--name", "x", "--command-args"},
	} {
		if out, err := askIn(t, home, append([]string{"wrap"}, wrong...)...); err == nil || !strings.Contains(out, "usage.") {
			t.Errorf("%q: %v: %s", wrong, err, out)
		}
	}
}
