//go:build interop

package interop_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// outcome is what ask says of a call.
type outcome struct {
	Typed json.RawMessage
	Raw   string
	Error struct{ Code, Message string }
	exit  int
}

// ask makes the request, and asserts of the run what is asserted of every run.
func (s public) ask(t *testing.T, p place) (o outcome) {
	t.Helper()
	home := t.TempDir()
	p.approve(t, home, s.name())
	out, exit := p.run(t, home, "ask", "call", s.name()+"/"+s.tool, "--json", "--args", p.fill.Replace(s.args), "--servers", p.servers, "--allowlist", p.allowlist)
	if left := processes(home); left != "" {
		t.Errorf("left running: %s", left)
	}
	if err := json.Unmarshal(out, &o); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, does := range []string{"verify", "replay"} {
		p.must(t, home, "ask", "trace", does, "latest")
	}
	o.exit = exit
	return o
}

// approve approves all that a server says.
func (p place) approve(t *testing.T, home, server string) {
	t.Helper()
	flags := []string{server, "--servers", p.servers, "--allowlist", p.allowlist}
	digest, _ := p.run(t, home, append([]string{"ask", "servers", "review", "--all-tools", "-q", "--jq", ".reviews[0].digest"}, flags...)...)
	p.must(t, home, append([]string{"ask", "servers", "approve", "--digest", strings.TrimSpace(string(digest))}, flags...)...)
}

// inspection is what the inspector's CLI says of the same.
type inspection struct {
	Result struct {
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
	}
	said []byte
	exit int
}

func (s public) inspect(t *testing.T, p place) (i inspection) {
	t.Helper()
	i.said, i.exit = p.run(t, t.TempDir(), "mcp-inspector", "--cli", "--config", p.servers, "--server", s.name(),
		"--method", "tools/call", "--tool-name", s.tool, "--tool-args-json", p.fill.Replace(s.args), "--quiet", "--format", "json")
	if err := json.Unmarshal(i.said, &i); err != nil {
		t.Fatalf("%v: %s", err, i.said)
	}
	return i
}

func (i inspection) text() string {
	var texts []string
	for _, c := range i.Result.Content {
		texts = append(texts, c.Text)
	}
	return strings.Join(texts, "\n")
}

// run is a program's stdout and its exit.
func (p place) run(t *testing.T, home string, command ...string) ([]byte, int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "env", command...)
	cmd.Env = []string{"HOME=" + home, "ASK_HOME=" + home + "/ask", "PATH=" + p.path, "NO_COLOR=1"}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatalf("%s: %v", command[0], err)
	}
	if ended != nil {
		t.Logf("%q ended with %v: %s", command, err, &stderr)
	}
	return out, cmd.ProcessState.ExitCode()
}

// must is run for what has to succeed.
func (p place) must(t *testing.T, home string, command ...string) []byte {
	t.Helper()
	out, exit := p.run(t, home, command...)
	if exit != 0 {
		t.Fatalf("%q ended with exit %d: %s", command, exit, out)
	}
	return out
}

func write(t *testing.T, file string, v any) {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	if err == nil {
		err = os.WriteFile(file, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func decoded(t *testing.T, raw json.RawMessage) (v any) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return v
}
