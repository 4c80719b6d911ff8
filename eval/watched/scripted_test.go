package watched_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/eval/watched"
	client "github.com/onestep-run/onestep/host/session"
)

func scripted() *watched.ScriptedServer {
	return watched.Scripted("lock", []watched.ScriptedTool{
		{Name: "Grant", Description: "Lets a guest in.", InputSchema: jsontext.Value(`{"type":"object","required":["guest"],"properties":{"guest":{"type":"string"},"n":{"maximum":9007199254740993}}}`), Answer: "Granted."},
		{Name: "List", InputSchema: jsontext.Value(`{"type":"object"}`), Answer: "{'guests': []}"},
	})
}

func dial(t *testing.T, s *watched.ScriptedServer, version string) *mcp.ClientSession {
	t.Helper()
	return connect(t, s.Transport, version)
}

func TestAScriptedServerAnswersInEveryVersionAndRefusesNothing(t *testing.T) {
	t.Parallel()
	for _, version := range versions {
		s := scripted()
		cs := dial(t, s, version)
		for _, args := range []string{`{"guest":"amy"}`, `{}`, `{"guest":7,"also":[1]}`} {
			if r := call(t, cs, "Grant", args); r.IsError || text(t, r) != "Granted." {
				t.Errorf("%s %s: %+v", version, args, r)
			}
		}
	}
}

func TestAScriptedServerKeepsEveryCallAsItArrived(t *testing.T) {
	t.Parallel()
	s := scripted()
	cs := dial(t, s, "")
	if n := len(s.Arrived()); n != 0 {
		t.Fatalf("%d calls arrived before any was made", n)
	}
	call(t, cs, "Grant", `{"guest":"amy","n":9007199254740993,"guest":"bob"}`)
	for _, unknown := range []string{"grant", "Revoke", ""} {
		if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: unknown, Arguments: map[string]any{"guest": "eve"}}); err == nil {
			t.Errorf("the tool %q answers", unknown)
		}
	}
	want := []string{
		`lock Grant {"guest":"amy","n":9007199254740993,"guest":"bob"} true`,
		`lock grant {"guest":"eve"} false`, `lock Revoke {"guest":"eve"} false`, `lock  {"guest":"eve"} false`,
	}
	seen := s.Arrived()
	if len(seen) != len(want) {
		t.Fatalf("%d calls are kept, not %d", len(seen), len(want))
	}
	for i, a := range seen {
		if got := fmt.Sprintf("%s %s %s %v", a.Server, a.Tool, a.Args, strings.Contains(string(a.Answer), "Granted.")); got != want[i] {
			t.Errorf("kept %s, not %s", got, want[i])
		}
	}
}

func TestAScriptedServerListsItsToolsAsTheyStand(t *testing.T) {
	t.Parallel()
	s := scripted()
	pool := client.New([]client.Server{{Name: "lock", InProcess: s.Transport}}, client.Limits{})
	t.Cleanup(func() { pool.Close() })
	l := pool.Discover(t.Context(), "", []string{"lock"})[0]
	if l.Err != nil || len(l.Tools) != 2 {
		t.Fatalf("%d tools, %v", len(l.Tools), l.Err)
	}
	fields, err := l.Tools[0].Fields()
	if err != nil || fields.Name != "Grant" || fields.Description != "Lets a guest in." ||
		string(fields.InputSchema) != `{"type":"object","required":["guest"],"properties":{"guest":{"type":"string"},"n":{"maximum":9007199254740993}}}` {
		t.Errorf("%+v, %v", fields, err)
	}
	if n := len(s.Arrived()); n != 0 {
		t.Errorf("a listing counts as %d calls", n)
	}
}

func TestAScriptedServerWithoutToolsIsListed(t *testing.T) {
	t.Parallel()
	tools, err := dial(t, watched.Scripted("bare", nil), "").ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 0 {
		t.Errorf("%+v, %v", tools, err)
	}
}

func TestAScriptedServerServesManyClientsAtATime(t *testing.T) {
	t.Parallel()
	s := scripted()
	var all sync.WaitGroup
	for range 4 {
		cs := dial(t, s, "")
		all.Go(func() {
			for range 5 {
				if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "List"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := len(s.Arrived()); n != 20 {
		t.Errorf("%d calls arrived, not 20", n)
	}
}
