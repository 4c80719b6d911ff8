package main

import (
	"bufio"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// The way is walked alone, with the coverage of its rooms, by TestWays of the module's
// root: docs/internals/architecture.md lists the functions that it passes. The server is a remote
// one, because what confines a process differs between machines.
func TestTheWayOfAReview(t *testing.T) {
	t.Parallel()
	handler, err := demo.New().Handler("mcp-policy-kb")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	home := t.TempDir()
	clitest.Write(t, home, "mcp.json", `{"mcpServers": {"kb": {"type": "http", "url": "`+server.URL+`"}}}`)
	clitest.Write(t, home, "allowlist.json", `{"kb": {"read": ["search_policy_kb"]}}`)
	master, terminal := openTerminal(t, 120)
	s := &seat{keyboard: master, screen: bufio.NewReader(master)}
	a := &app{App: cli.New("test")}
	a.In, a.Out, a.Err = terminal, cli.NewStream(terminal), cli.NewStream(terminal)
	a.Env = func(name string) (string, bool) {
		value, is := map[string]string{"ASK_HOME": home, "HOME": home, "TERM": "xterm"}[name]
		return value, is
	}
	code := make(chan int, 1)
	go func() {
		defer terminal.Close()
		code <- a.Main([]string{"servers", "review", "kb", "--all-tools"}, a.root)
		a.leave()
	}()
	for _, answer := range []string{"y", "r", "w"} {
		s.until(t, "[y/r/w/x/a/W/N/?] ")
		s.types(t, answer+"\n")
	}
	s.until(t, "writing")
	if got := <-code; got != 0 {
		t.Errorf("exit %d:\n%s", got, &s.shown)
	}
	lists, err := os.ReadFile(filepath.Join(home, "allowlist.json"))
	if err != nil || !strings.Contains(string(lists), `"write"`) {
		t.Errorf("%v, %s, after\n%s", err, lists, &s.shown)
	}
}
