package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// command is `ask` with a home of its own.
func command(t *testing.T, args ...string) (cmd *exec.Cmd, home string) {
	t.Helper()
	return clitest.Command(t, "ask", args...)
}

func TestStdinIsNotReadUnlessAskedFor(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString("unread"); err != nil { // and left open: a read to its end would wait
		t.Fatal(err)
	}
	cmd, _ := command(t, "--demo", "Get ticket INC0010001")
	cmd.Stdin = r
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := io.ReadAll(r); err != nil || string(left) != "unread" {
		t.Errorf("%q is left of stdin, %v", left, err)
	}
}

func TestAHugeQuestionIsRefused(t *testing.T) {
	t.Parallel()
	cmd, _ := command(t, "--demo", strings.Repeat("what is this? ", 9000))
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 3 || !strings.Contains(string(out), "input.too_long") || len(out) > 2000 {
		t.Errorf("%v: %.300s", err, out)
	}
}

// TestTheDemoIsServedOverHTTP asks the served demo, from an mcp.json with a url.
func TestTheDemoIsServedOverHTTP(t *testing.T) {
	t.Parallel()
	serve, _ := command(t, "demo", "serve", "--http", "127.0.0.1:0")
	stderr, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := serve.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		if err := serve.Wait(); err != nil {
			t.Errorf("an interrupted demo server: %v", err)
		}
	})
	lines := bufio.NewScanner(stderr)
	servers := ""
	for range 3 {
		if !lines.Scan() {
			t.Fatal("three addresses were expected", lines.Err())
		}
		address := lines.Text()
		servers += fmt.Sprintf(`,%q:{"url":%q}`, address[strings.LastIndex(address, "/")+1:], address)
	}
	cmd, home := command(t, "--json", "-q", "Get ticket INC0010001")
	clitest.Write(t, home, "mcp.json", `{"mcpServers":{`+servers[1:]+`}}`)
	clitest.Write(t, home, "allowlist.json", `{"mcp-servicenow":{"read":["get_ticket"]}}`)
	clitest.Trust(t, home)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"type": "tool_result"`) {
		t.Errorf("%v: %s", err, out)
	}
	cmd, _ = command(t, "demo", "serve", "--http", "0.0.0.0:0")
	if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 2 {
		t.Errorf("an address that is not loopback: %s", out)
	}
}

// TestAModelPlansOnlyWhenItIsChosen: a model in the environment chooses
// nothing, and a chosen one is asked once.
func TestAModelPlansOnlyWhenItIsChosen(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("Authorization") != "Bearer sk-secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"1","object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"{\"type\":\"call_tool\",\"server\":\"mcp-servicenow\",\"tool\":\"get_ticket\",\"args\":{\"ticket_id\":\"INC0010002\"}}"}}],"usage":{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120}}`)
	}))
	t.Cleanup(model.Close)
	for _, c := range []struct {
		key, flag, config string
		exit, ask         int
		want              string
	}{
		{"sk-secret", "", "", 0, 0, `"id": "INC0010001"`},
		{"sk-secret", "--model=openai/test", "", 0, 1, `"id": "INC0010002"`},
		{"sk-wrong", "--model=openai/test", "", 7, 1, "model.auth"},
		{"sk-secret", "--model=nobody/test", "", 2, 0, "model.unconfigured"},
		{"sk-secret", "--model=openai/test", `model_marks = "suggest"`, 8, 1, `"suggestions": [`},
	} {
		asked.Store(0)
		args := []string{"--demo", "--json", "Get ticket INC0010001"}
		if c.flag != "" {
			args = append(args, c.flag)
		}
		cmd, home := command(t, args...)
		clitest.Write(t, home, "config.toml", c.config)
		cmd.Env = append(cmd.Env, "LLM_BASE_URL="+model.URL, "LLM_MODEL=test", "LLM_API_KEY="+c.key)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != c.exit || int(asked.Load()) != c.ask || !strings.Contains(string(out), c.want) {
			t.Errorf("%q %s: exit %d, the model was asked %d times: %s", c.flag, c.config, cmd.ProcessState.ExitCode(), asked.Load(), out)
		}
		err := filepath.WalkDir(filepath.Join(home, "traces"), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			if strings.Contains(string(b)+string(out), c.key) {
				t.Errorf("the key is in %s or in the output", path)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
}

// TestTheModelWritesTheSummaryWhereTheConfigurationSaysSo: it is locked like any summary.
func TestTheModelWritesTheSummaryWhereTheConfigurationSaysSo(t *testing.T) {
	t.Parallel()
	const plan = `{"type":"call_tool","server":"mcp-policy-kb","tool":"fetch_policy_entry","args":{"policy_id":"policy-002"}}`
	quoted := `"Never share customer data with vendors without a signed agreement."`
	for _, c := range []struct {
		claim, want string
		exit        int
	}{
		{quoted, `"type": "tool_result_with_summary"`, 0},
		{`"Share customer data with vendors."`, "summary.evidence", 9},
	} {
		answers := []string{plan, `{"type":"summary","bullets":[{"evidence":` + quoted + `,"claim":` + c.claim + `}],"risks":[],"recommendations":[]}`}
		var asked atomic.Int32
		model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			content, err := json.Marshal(answers[min(asked.Add(1), 2)-1])
			if err != nil {
				t.Error(err)
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}]}`, content)
		}))
		cmd, home := command(t, "--demo", "--json", "--model", "openai/test", "Summarize policy-002")
		cmd.Env = append(cmd.Env, "LLM_BASE_URL="+model.URL)
		clitest.Write(t, home, "config.toml", "writer = \"model\"\n")
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != c.exit || asked.Load() != 2 || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: exit %d, asked %d times: %s", c.claim, cmd.ProcessState.ExitCode(), asked.Load(), out)
		}
		model.Close()
		cmd, home = command(t, "--demo", "Summarize policy-002")
		clitest.Write(t, home, "config.toml", "writer = \"model\"\n")
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "model.unconfigured") {
			t.Errorf("a writer without a model: %s", out)
		}
	}
}
