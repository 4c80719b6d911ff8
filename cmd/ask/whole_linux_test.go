package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// flooded is a home whose one tool answers with a value of so many bytes, and how
// to run `ask` in it.
func flooded(t *testing.T, f flood) func(args ...string) *exec.Cmd {
	t.Helper()
	home := t.TempDir()
	clitest.Write(t, home, "mcp.json", fmt.Sprintf(`{"mcpServers":{"s":{"command":"flood","args":[%q],"env":{"FLOOD":"tools/call %s %d","GORACE":%q}}}}`,
		f.kind, f.of, f.bytes, clitest.AtOnce))
	clitest.Write(t, home, "allowlist.json", `{"s":{"read":["t"]}}`)
	clitest.Trust(t, home)
	return func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "ask", args...)
		cmd.Env = append(os.Environ(), "ASK_HOME="+home)
		return cmd
	}
}

// stdoutOf is what a command writes into a pipe, or into a file.
func stdoutOf(t *testing.T, cmd *exec.Cmd, file bool) []byte {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if !file {
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%q: %v: %.2000s", cmd.Args, err, &stderr)
		}
		return out
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd.Stdout = f
	if err := cmd.Run(); err != nil {
		t.Errorf("%q: %v: %.2000s", cmd.Args, err, &stderr)
	}
	out, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A pipe and a file get all of a result, in every form: what is cut is not JSON
// any more, and no reader of it learns that.
func TestAPipeAndAFileGetTheWholeResult(t *testing.T) {
	t.Parallel()
	const size = 3 << 20
	for kind, file := range map[string]bool{"lines": false, "quotes": true} {
		run := flooded(t, flood{of: kind, bytes: size, kind: "string"})
		want := shapeValue(t, floods[kind], size)
		var typed struct {
			A string `json:"a" yaml:"a"`
		}
		if err := json.Unmarshal(stdoutOf(t, run("call", "s/t"), file), &typed); err != nil || typed.A != want {
			t.Errorf("%s: plain: %d bytes of %d, %v", kind, len(typed.A), len(want), err)
		}
		var document struct {
			Typed struct {
				A string `json:"a" yaml:"a"`
			} `json:"typed" yaml:"typed"`
		}
		if err := json.Unmarshal(stdoutOf(t, run("call", "s/t", "--json"), file), &document); err != nil || document.Typed.A != want {
			t.Errorf("%s: --json: %d bytes of %d, %v", kind, len(document.Typed.A), len(want), err)
		}
		document.Typed.A = ""
		if err := yaml.Unmarshal(stdoutOf(t, run("call", "s/t", "--yaml"), file), &document); err != nil || document.Typed.A != want {
			t.Errorf("%s: --yaml: %d bytes of %d, %v", kind, len(document.Typed.A), len(want), err)
		}
		for flag, expression := range map[string]string{"--jq": ".typed.a", "--template": "{{.typed.a}}\n"} {
			if got := string(stdoutOf(t, run("call", "s/t", flag, expression), file)); got != want+"\n" {
				t.Errorf("%s: %s: %d bytes of %d", kind, flag, len(got), len(want))
			}
		}
	}
}

// The same of a trace: each of its facts and lines.
func TestAPipeAndAFileGetTheWholeTrace(t *testing.T) {
	t.Parallel()
	const size = 3 << 20
	run := flooded(t, flood{of: "text", bytes: size, kind: "string"})
	want := strings.Repeat("x", size)
	if out, err := run("call", "s/t", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %.2000s", err, out)
	}
	for _, flags := range [][]string{nil, {"--raw"}, {"--json"}} {
		for _, file := range []bool{false, true} {
			cmd := run(append([]string{"trace", "show", "latest"}, flags...)...)
			if out := stdoutOf(t, cmd, file); !bytes.Contains(out, []byte(want)) {
				t.Errorf("%q, into a file %v: %d bytes", flags, file, len(out))
			}
		}
	}
}

// shapeValue is the text that a shape of so many bytes is.
func shapeValue(t *testing.T, s shape, size int) string {
	t.Helper()
	var b bytes.Buffer
	s.write(&b, size)
	text, err := jsontext.AppendUnquote(nil, b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Whatever cannot be written is an error, and no answer.
func TestAFullDiskIsNoAnswer(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	run := flooded(t, flood{of: "quotes", bytes: 1 << 20, kind: "string"})
	if out, err := run("call", "s/t", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %.2000s", err, out)
	}
	for _, args := range [][]string{
		{"call", "s/t"},
		{"call", "s/t", "--json"},
		{"call", "s/t", "--yaml"},
		{"call", "s/t", "--jq", ".call"},
		{"call", "s/t", "--template", "{{.call}}"},
		{"trace", "show", "latest"},
		{"trace", "show", "latest", "--raw"},
		{"trace", "list"},
		{"version"},
		{"--help"},
		{"completion", "bash"},
		{"tools"},
	} {
		cmd := run(args...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		_ = cmd.Run() // its code says more
		if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%q: exit %d: %s", args, code, &stderr)
		}
	}
}

// A reader that ends early has not read everything.
func TestAPipeThatIsClosedIsNoAnswer(t *testing.T) {
	t.Parallel()
	run := flooded(t, flood{of: "quotes", bytes: 1 << 20, kind: "string"})
	for _, args := range [][]string{{"call", "s/t"}, {"call", "s/t", "--json"}, {"call", "s/t", "--jq", "."}, {"trace", "show", "latest"}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := run(args...)
		cmd.Stdout = w
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w.Close()
		if _, err := r.Read(make([]byte, 1)); err != nil {
			t.Error(args, err)
		}
		r.Close()
		if err := cmd.Wait(); err == nil {
			t.Errorf("%q ends with 0", args)
		}
	}
}

// A program without an end is stopped. It is the program as it is released: under
// the race detector a busy machine reaches the bound of time first.
func TestAProgramOfAFormWithoutEndIsStopped(t *testing.T) {
	t.Parallel()
	ask := filepath.Join(released(t), "ask")
	for want, args := range map[string][]string{
		"more than 1048576 results": {"version", "--jq", "repeat(1)"},
		"more than 64 MiB":          {"version", "--template", `{{range 1000000000}}{{printf "%100000d" 1}}{{end}}`},
	} {
		cmd := exec.CommandContext(t.Context(), ask, args...)
		cmd.Env = append(os.Environ(), "ASK_HOME="+t.TempDir())
		var stderr strings.Builder
		cmd.Stderr = &stderr // stdout is discarded
		_ = cmd.Run()        // its code is compared
		if code := cmd.ProcessState.ExitCode(); code != 1 {
			t.Errorf("%q: exit %d", args, code)
		}
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%q: %s, want %q", args, stderr.String(), want)
		}
	}
}
