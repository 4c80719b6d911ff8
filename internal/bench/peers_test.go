//go:build bench

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// What the peers need, at these versions, is installed into bin/bench, once and only
// without QUICK.
const (
	mcpproxyModule  = "github.com/smart-mcp-proxy/mcpproxy-go/cmd/mcpproxy"
	mcpproxyVersion = "v0.60.0"
)

// pinned are the packages of a lock file of uv.
var pinned = regexp.MustCompile(`(?m)^name = "(.+)"\nversion = "(.+)"$`)

func bareCommand(s server) *exec.Cmd { return exec.Command(s.command, s.args...) }

// installed is a file in bin/bench, which install makes if it is not there.
func installed(file string, install func(dir string) error) (path string, err error) {
	dir, err := filepath.Abs(root + "/bin/bench")
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, file)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if quick {
		return "", errors.New("it is not installed, and QUICK installs nothing")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return path, install(dir)
}

// protectorPython is a Python with what mcp-context-protector imports without a guardrail
// provider, at the versions of its lock file.
var protectorPython = sync.OnceValues(func() (string, error) {
	clone := os.Getenv("MCP_CONTEXT_PROTECTOR")
	lock, err := os.ReadFile(clone + "/uv.lock")
	if clone == "" || err != nil {
		return "", errors.New("MCP_CONTEXT_PROTECTOR does not name a clone of it")
	}
	return installed("protector/bin/python", func(dir string) error {
		versions := pinned.ReplaceAllString(strings.Join(pinned.FindAllString(string(lock), -1), "\n"), "$1==$2")
		if err := os.WriteFile(dir+"/protector.txt", []byte(versions+"\n"), 0o600); err != nil {
			return err
		}
		if err := command(dir, "python3", "-m", "venv", "protector.new"); err != nil {
			return err
		}
		if err := command(dir, "protector.new/bin/pip", "install", "-q", "--disable-pip-version-check", "-c", "protector.txt", "mcp", "aiofiles"); err != nil {
			return err
		}
		return os.Rename(dir+"/protector.new", dir+"/protector")
	})
})

// protector is a session through mcp-context-protector, which has approved the server.
func protector(b *testing.B, s server) (*session, error) {
	b.Helper()
	python, err := protectorPython()
	if err != nil {
		return nil, err
	}
	dir := b.TempDir()
	line := strings.Join(append([]string{s.command}, s.args...), " ")
	start := func(more ...string) *exec.Cmd {
		args := append([]string{"-m", "contextprotector", "--server-config-file", dir + "/servers.json", "--quarantine-path", dir + "/quarantine.json", "--command", line}, more...)
		cmd := exec.Command(python, args...)
		cmd.Env = append(os.Environ(), "PYTHONPATH="+os.Getenv("MCP_CONTEXT_PROTECTOR")+"/src", "HOME="+dir)
		return cmd
	}
	review := start("--review-server")
	review.Stdin = strings.NewReader("y\n")
	if out, err := review.CombinedOutput(); err != nil || !strings.Contains(string(out), "trusted and saved") {
		return nil, fmt.Errorf("its review: %w: %s", err, lastLine(out))
	}
	client, err := spoken(b, start())
	if err == nil {
		_, err = client.request(`"method":"tools/list"`)
	}
	if err == nil {
		_, err = client.call()
	}
	return client, err
}

// mcpproxyProgram is mcpproxy-go, from its module or else from a clone.
var mcpproxyProgram = sync.OnceValues(func() (string, error) {
	return installed("mcpproxy", func(dir string) error {
		if clone := os.Getenv("MCPPROXY_GO"); clone != "" {
			return command(clone, goCommand(), "build", "-trimpath", "-o", dir+"/mcpproxy", "./cmd/mcpproxy")
		}
		err := command(dir, "env", "GOBIN="+dir, goCommand(), "install", mcpproxyModule+"@"+mcpproxyVersion)
		if err != nil {
			return fmt.Errorf("its module does not build, and MCPPROXY_GO does not name a clone of it: %w", err)
		}
		return nil
	})
})

// mcpproxy is a session through mcpproxy-go, which trusts the server of its file.
func mcpproxy(b *testing.B, s server) (*session, error) {
	b.Helper()
	program, err := mcpproxyProgram()
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := l.Addr().String()
	_ = l.Close()
	dir := b.TempDir()
	text, err := json.Marshal(map[string]any{
		"listen": address, "data_dir": dir, "enable_socket": false, "routing_mode": "direct",
		"telemetry": map[string]any{"enabled": false}, "update_check": map[string]any{"enabled": false}, "docker_isolation": map[string]any{"enabled": false},
		"mcpServers": []any{map[string]any{"name": "s", "protocol": "stdio", "command": s.command, "args": s.args, "enabled": true, "quarantined": false}},
	})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(dir+"/mcp_config.json", text, 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(program, "serve", "--config", dir+"/mcp_config.json", "--data-dir", dir)
	cmd.Env = append(os.Environ(), "HOME="+dir, "MCPPROXY_DISABLE_AUTO_UPDATE=true", "MCPPROXY_TELEMETRY=false", "HEADLESS=true")
	return overHTTP(b, "http://"+address+"/mcp/all", "s__get_ticket", cmd)
}
