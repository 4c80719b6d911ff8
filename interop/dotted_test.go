//go:build interop

package interop_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestCodexWithDottedKeys: Codex reads a server whose keys name it on each line, and
// what ask writes in their place. The lines below stay settings of Codex.
func TestCodexWithDottedKeys(t *testing.T) {
	t.Parallel()
	i := slices.IndexFunc(mcpClients, func(c mcpClient) bool { return c.name == "codex" })
	codex := mcpClients[i]
	table := "\n[mcp_servers.desk] # the only one\ncommand = \"$DESK\"\nargs = [\"$FOLDER\"]\n"
	dotted := "mcp_servers.desk.command = \"$DESK\"\n# its folder\nmcp_servers.desk.args = [\"$FOLDER\"]\n"
	codex.content = dotted + strings.Replace(codex.content, table, "", 1)
	r := newRoom(t, codex)
	seats <- struct{}{}
	defer func() { <-seats }()

	before := r.configured(t)
	r.ask(t, slices.Concat([]string{"clients", "wrap", "codex", "--yes"}, codex.wrap)...)
	if wrapped := r.configured(t); bytes.Contains(wrapped, []byte("[mcp_servers")) || !bytes.Contains(wrapped, []byte("mcp_servers.desk.args = ['wrap', 'desk']")) {
		t.Errorf("the file is\n%s", wrapped)
	}
	r.review(t, "--read", "find", "--write", "close_ticket")
	s := r.begin(t) // of a model that the lines below name
	if got := s.made(t, "find", object{"id": "INC7"}); !strings.Contains(got, codex.found) {
		t.Errorf("of what is found the model gets %s", got)
	}
	s.waits(t)
	s.end(t)
	r.ask(t, "clients", "unwrap", "codex", "--yes")
	if after := r.configured(t); !bytes.Equal(after, before) {
		t.Errorf("the client's file is now\n%s\nand was\n%s", after, before)
	}
}
