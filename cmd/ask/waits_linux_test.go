package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// slowly is a server that starts once a terminal showed that it is waited for: it
// reads from a pipe until then.
const slowly = `{"mcpServers":{"desk":{"command":"sh","args":["-c","[ -e $ASK_HOME/go ] || read line <$ASK_HOME/pipe; exec ask demo serve mcp-servicenow"],"env":{"ASK_HOME":"${ASK_HOME}","PATH":"${PATH}"}}}}`

// Every command that starts a server shows that it waits for that.
func TestEveryStartOfAServerIsShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		exit int
	}{
		{[]string{"servers", "review", "desk", "--no-input"}, 4},
		{[]string{"servers", "refresh", "desk"}, 4},
		{[]string{"servers", "test", "desk"}, 0},
		{[]string{"doctor"}, 10},
		{[]string{"tools", "list", "--live", "--all"}, 4},
		{[]string{"--live", "--no-input", "Get ticket INC0010001"}, 4},
		{[]string{"--live", "--no-input", "call", "desk/get_ticket", "number=INC0010001"}, 4},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			clitest.Write(t, home, "mcp.json", slowly)
			clitest.Write(t, home, "allowlist.json", `{"desk":{"read":["get_ticket"]}}`)
			pipe := filepath.Join(home, "pipe")
			if err := unix.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			feed, err := os.OpenFile(pipe, os.O_RDWR, 0) // both, so that no end waits
			if err != nil {
				t.Fatal(err)
			}
			defer feed.Close()
			s := seated(t, nil, home, 80, c.args...)
			s.until(t, "starting desk (sh …) 1 s")
			clitest.Write(t, home, "go", "")
			if _, err := feed.WriteString("go\n"); err != nil {
				t.Fatal(err)
			}
			s.ends(t, c.exit)
		})
	}
}
