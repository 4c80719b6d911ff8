package confine

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// unsupervised runs a probe without a supervisor.
func unsupervised(t *testing.T, scopes Scopes, probe ...string) string {
	t.Helper()
	runtime.LockOSThread() // the kernel ends the server with the thread that started it
	defer runtime.UnlockOSThread()
	var out bytes.Buffer
	cmd := &exec.Cmd{Stdout: &out, Stderr: &out}
	c, err := Start(cmd, server{scopes: scopes, args: probe}.policy(t), Options{FilesOnly: true})
	if err != nil {
		return err.Error()
	}
	if err := errors.Join(cmd.Wait(), c.Close()); err != nil {
		t.Error(err)
	}
	if r := c.Report(); !r.FilesOnly || len(r.Proved) != 6 {
		t.Errorf("the report is %+v", r)
	}
	return strings.TrimSpace(out.String())
}

// Without a supervisor a server has less, and nothing more.
func TestWithoutASupervisorFilesAreAsClosed(t *testing.T) {
	t.Parallel()
	address, connections := counted(t)
	path, dir := outside(t), t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	reads, writes := Scopes{ReadPaths: Paths{dir}}, Scopes{WritePaths: Paths{dir}}
	both := Scopes{WritePaths: Paths{dir}, DeletePaths: Paths{dir}}
	for _, c := range []struct {
		scopes Scopes
		want   string
		probe  []string
	}{
		{Scopes{}, "EACCES", []string{"read", path}},
		{Scopes{}, "EACCES", []string{"write", path}},
		{Scopes{}, "EACCES", []string{"unlink", path}},
		{Scopes{}, "EACCES", []string{"chmod", path}},
		{Scopes{}, "EACCES", []string{"connect", address}},
		{Scopes{}, "EACCES", []string{"udp", address}},
		{Scopes{}, "EACCES", []string{"listenunbound"}},
		{Scopes{}, "EACCES", []string{"fork"}},
		{Scopes{}, "ENOSYS", []string{"clone3"}},
		{Scopes{}, "ok", []string{"thread"}},
		{reads, "ok", []string{"read", file}},
		{reads, "EACCES", []string{"write", file}},
		{reads, "EACCES", []string{"unlink", file}},
		{writes, "ok", []string{"write", file}},
		{writes, "ok", []string{"replace", file}}, // a lock that it made has to go
		{writes, "EACCES", []string{"unlink", path}},
		{both, "ok", []string{"replace", file}},
		{both, "ok", []string{"unlink", file}},
		{both, "EACCES", []string{"unlink", path}},
		{Scopes{AllowedCommands: []string{"true"}}, "ok", []string{"start", "/bin/true"}},
		{Scopes{AllowedCommands: []string{"true"}}, "EACCES", []string{"start", "/bin/echo"}},
	} {
		if len(c.scopes.WritePaths) > 0 && abi() < truncateABI {
			continue // TestAServerThatWritesNeedsTruncation
		}
		expect(t, strings.Join(c.probe, " "), unsupervised(t, c.scopes, c.probe...), c.want)
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections reached the server", n)
	}
	if got := unsupervised(t, Scopes{AllowedHosts: []string{address}}, "temp"); !strings.Contains(got, "with files only nothing decides on a connection") {
		t.Errorf("with a host: %s", got)
	}
}

// Where another sandbox has the listener, a server starts with files only.
func TestAnotherSandboxLeavesFilesOnly(t *testing.T) {
	t.Parallel()
	if got := behind(t, "busy", "files"); got != "EACCES\n<nil>" {
		t.Errorf("behind another sandbox: %s", got)
	}
}
