//go:build interop

package interop_test

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestAdviceIsTheSameBehindAWrap gives ask call and ask wrap the same events after a
// call left. They are a session that the server has forgotten, and a result that does
// not fit.
func TestAdviceIsTheSameBehindAWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		server, code, advice string
	}{
		{"forgets", "output.rpc_error", "the call may have run: the allowlist says that the tool only reads: ask again"},
		{"misfits", "output.schema", "the call was made, of a tool that only reads by the allowlist: it can be asked again"},
	} {
		t.Run(c.server, func(t *testing.T) {
			t.Parallel()
			address, err := bufio.NewReader(startServer(t, "node", "meet/forgetful.mjs", c.server)).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			home := t.TempDir()
			if err := os.MkdirAll(home+"/ask", 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, home+"/ask/mcp.json", object{"mcpServers": object{"remote": object{"url": strings.TrimSpace(address)}}})
			write(t, home+"/ask/allowlist.json", object{"remote": object{"read": []string{"tool"}}})
			p := place{path: toolPath(t) + ":/usr/bin:/bin", servers: home + "/ask/mcp.json", allowlist: home + "/ask/allowlist.json"}
			p.approve(t, home, "remote")
			called := p.callAdvice(t, home)
			if called.code != c.code || !strings.Contains(called.next, c.advice) {
				t.Errorf("ask call: %q, next %q; want %s and %q", called.code, called.next, c.code, c.advice)
			}
			if wrapped := p.wrapAdvice(t, home); wrapped != called {
				t.Errorf("ask call:\n%q\nask wrap:\n%q", called, wrapped)
			}
		})
	}
}

// advice is the code of an outcome and what to do next.
type advice struct{ code, next string }

func (p place) callAdvice(t *testing.T, home string) advice {
	t.Helper()
	out, _ := p.run(t, home, "ask", "call", "remote/tool", "--yes", "--json")
	var outcome struct {
		Error struct{ Code, Hint string }
	}
	decode(t, out, &outcome)
	return advice{outcome.Error.Code, outcome.Error.Hint}
}

func (p place) wrapAdvice(t *testing.T, home string) advice {
	t.Helper()
	out := p.must(t, home, "node", abs(t, "meet/client.mjs"), "tool", "ask", "wrap", "remote")
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var result struct {
		Content []struct{ Text string }
	}
	decode(t, []byte(lines[len(lines)-1]), &result)
	refused, next, _ := strings.Cut(result.Content[0].Text, "\nNext: ")
	code, _, _ := strings.Cut(strings.TrimPrefix(refused, "onestep refused: "), ":")
	return advice{code, strings.TrimSuffix(next, ".")}
}
