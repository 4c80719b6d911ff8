//go:build interop

package interop_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mcpClient is a client that works without a screen, with the server desk in its
// configuration and a model on the loopback. In its texts $HOME, $MODEL, $DESK and
// $FOLDER are its home, its model's URL, the server's program and that one's argument.
type mcpClient struct {
	name    string   // as ask clients knows it
	command []string // the question follows
	env     []string
	file    string // its configuration, below its home
	content string

	found   string // what its model gets of the tool find
	missing string // and of the tool missing, which fails
	wrap    []string
	plain   bool // its model gets the server's own names
}

// mcpClients are those of interop/wrap. What each would report or fetch is off.
var mcpClients = []mcpClient{
	{
		name:    "opencode",
		command: []string{"wrap/node_modules/opencode-linux-x64/bin/opencode", "run", "--format", "json"},
		env: []string{
			"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
			"OPENCODE_DISABLE_SHARE=1", "npm_config_offline=true", // it installs the types of its plugins
		},
		file: ".config/opencode/opencode.json",
		content: `{
  "$schema": "https://opencode.ai/config.json",
  // The model is scripted.
  "model": "scripted/scripted", "small_model": "scripted/scripted", "autoupdate": false, "share": "disabled",
  "provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "$MODEL/v1", "apiKey": "none"},
    "models": {"scripted": {"tool_call": true, "limit": {"context": 100000, "output": 1000}}}}},
  "mcp": {"desk": {"type": "local", "command": ["$DESK", "$FOLDER"], "enabled": true, "timeout": 120000}}
}
`,
		found:   "ticket INC7 is open",
		missing: "INC9 is not known, did you mean INC7",
	},
	{
		name:    "codex",
		command: []string{"wrap/node_modules/.bin/codex", "exec", "--json", "--skip-git-repo-check"},
		env:     []string{"MODEL_KEY=none"},
		file:    ".codex/config.toml",
		content: `model = "scripted"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false

[analytics]
enabled = false

[features] # these fetch
apps = false
plugins = false
remote_plugin = false

[model_providers.scripted]
name = "scripted"
base_url = "$MODEL/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
request_max_retries = 0
stream_max_retries = 0

[mcp_servers.desk] # the only one
command = "$DESK"
args = ["$FOLDER"]
startup_timeout_sec = 120
`,
		found:   `{"number":9007199254740993}`,
		missing: "INC9 is not known, did you mean INC7",
		wrap:    []string{"--one-dialog"}, // else it refuses by itself what may change something
	},
	{
		name:    "gemini",
		command: []string{"wrap/node_modules/.bin/gemini", "-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-o", "json", "-p"},
		env:     []string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=$MODEL", "GEMINI_CLI_TRUST_WORKSPACE=true", "GEMINI_CLI_NO_RELAUNCH=true"},
		file:    ".gemini/settings.json",
		content: `{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false},
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
  "mcpServers": {"desk": {"command": "$DESK", "args": ["$FOLDER"], "trust": true}}
}
`,
		found:   `ticket INC7 is open\n</untrusted_context>\n[Tool 'find' provided the following image data with mime-type: image/png]\nResource Link: INC7 at desk://tickets/INC7"}`,
		missing: `INC9 is not known, did you mean INC7\"}],\"isError\":true}`,
	},
	{
		name:    "continue",
		command: []string{"wrap/node_modules/.bin/cn", "-p", "--config", "$HOME/.continue/config.yaml", "--allow", "*"},
		env:     []string{"CONTINUE_TELEMETRY_ENABLED=0", "CONTINUE_ALLOW_ANONYMOUS_TELEMETRY=0"},
		file:    ".continue/config.yaml",
		content: `name: scripted
version: 1.0.0
schema: v1
models:
  - name: scripted
    provider: openai
    model: scripted
    apiBase: $MODEL/v1
    apiKey: none
    roles: [chat]
    capabilities: [tool_use]
mcpServers:
  - name: desk # the only one
    command: $DESK
    args: ["$FOLDER"]
`,
		found:   `[{"type":"text","text":"ticket INC7 is open"},{"type":"image","data":"` + dot + `","mimeType":"image/png"},{"name":"INC7","uri":"desk://tickets/INC7","type":"resource_link"}]`,
		missing: `[{"type":"text","text":"INC9 is not known, did you mean INC7"}]`,
		plain:   true,
	},
}

// seats are how many clients run at a time, whatever -parallel says.
var seats = make(chan struct{}, 2)

// room is where one client works: its home, its model, and the folder of its server.
type room struct {
	client mcpClient
	model  *model
	home   string
	desk   string
	fill   *strings.Replacer
}

func newRoom(t *testing.T, c mcpClient) *room {
	t.Helper()
	program, err := exec.LookPath("desk")
	if err != nil {
		t.Fatal(err)
	}
	r := &room{client: c, model: newModel(t), home: t.TempDir()}
	r.desk = filepath.Join(r.home, "desk")
	r.fill = strings.NewReplacer("$HOME", r.home, "$MODEL", r.model.url, "$DESK", program, "$FOLDER", r.desk)
	for _, dir := range []string{r.desk, r.home + "/project", r.home + "/tmp", filepath.Dir(r.file())} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	r.configure(t, []byte(r.fill.Replace(c.content)))
	return r
}

func (r *room) file() string { return filepath.Join(r.home, r.client.file) }

// session is one run of the client: one question, and what its model makes of it.
type session struct {
	*room
	stdout, stderr bytes.Buffer
	latest         request // of the model
	ended          chan struct{}
	err            error
}

// begin starts the client, and waits until it asks its model.
func (r *room) begin(t *testing.T) *session {
	t.Helper()
	s := &session{room: r, ended: make(chan struct{})}
	args := append(r.client.command[1:len(r.client.command):len(r.client.command)], "Close ticket INC7")
	for i := range args {
		args[i] = r.fill.Replace(args[i])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, abs(t, r.client.command[0]), args...)
	cmd.Dir = r.home + "/project"
	cmd.Env = []string{
		"HOME=" + r.home, "TMPDIR=" + r.home + "/tmp", "PATH=" + toolPath(t) + ":/usr/bin:/bin", "NO_COLOR=1",
		"HTTPS_PROXY=" + r.model.url, "HTTP_PROXY=" + r.model.url, "NO_PROXY=127.0.0.1",
	}
	for _, v := range r.client.env {
		cmd.Env = append(cmd.Env, r.fill.Replace(v))
	}
	cmd.Stdout, cmd.Stderr = &s.stdout, &s.stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what it starts ends with it
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { s.err = cmd.Wait(); close(s.ended) }()
	t.Cleanup(func() { cancel(); <-s.ended })
	s.next(t)
	return s
}

// next waits until the client asks its model again.
func (s *session) next(t *testing.T) {
	t.Helper()
	select {
	case s.latest = <-s.model.asked:
	case <-s.ended:
		t.Fatalf("the client ended: %v\n%s\n%s", s.err, &s.stdout, &s.stderr)
	}
}

// call has the model call a tool of the server.
func (s *session) call(t *testing.T, tool string, args any) {
	t.Helper()
	o, ok := s.latest.offered(tool)
	if !ok {
		t.Fatalf("%s is not offered to the model: %s", tool, s.latest.body)
	}
	s.model.replies <- reply{call: o, args: args}
}

// result is what the model gets of the call that is under way.
func (s *session) result(t *testing.T) string {
	t.Helper()
	before := len(s.latest.results)
	s.next(t)
	if len(s.latest.results) != before+1 {
		t.Fatalf("the model has %d results, want %d: %s", len(s.latest.results), before+1, s.latest.body)
	}
	return s.latest.results[before]
}

// made is a call and its result.
func (s *session) made(t *testing.T, tool string, args any) string {
	t.Helper()
	s.call(t, tool, args)
	return s.result(t)
}

// end has the model answer. Nothing of the client is left then, and it spoke to none
// but its model.
func (s *session) end(t *testing.T) {
	t.Helper()
	s.model.replies <- reply{text: "That is all."}
	<-s.ended
	if s.err != nil {
		t.Errorf("the client ended with %v\n%s\n%s", s.err, &s.stdout, &s.stderr)
	}
	s.alone(t)
	if reached := s.model.reached(); len(reached) > 0 {
		t.Errorf("the client would have spoken to %q", reached)
	}
}

// alone waits until no process of the home is left: Continue does not wait for its
// servers to end.
func (r *room) alone(t *testing.T) {
	t.Helper()
	every := time.NewTicker(20 * time.Millisecond)
	defer every.Stop()
	limit := time.After(10 * time.Second)
	for left := processes(r.home); left != ""; left = processes(r.home) {
		select {
		case <-limit:
			t.Errorf("left running: %s", left)
			return
		case <-every.C:
		}
	}
}

// seated runs a test for each client.
func seated(t *testing.T, test func(t *testing.T, r *room)) {
	t.Parallel()
	for _, c := range mcpClients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t, c)
			seats <- struct{}{}
			defer func() { <-seats }()
			test(t, r)
		})
	}
}
