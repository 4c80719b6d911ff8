package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// What a server suggests is shown at its review, and changes nothing until the
// operator writes that it is adopted.
func TestSuggestionsAreShownAtAReviewAndInert(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	list := func(resource string) {
		clitest.Write(t, home, "list.json", `[{"name":"move","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"box_id":{"type":"string"}},"required":["a","box_id"]},
		  "_meta":{"run.onestep/resource":"`+resource+`","run.onestep/rules":[{"effect":"allow","tools":["t/move"]}]}}]`)
	}
	list("item:{a}")
	clitest.Write(t, home, "mcp.json", fmt.Sprintf(`{"mcpServers":{"t":{"command":"talker","env":{"TALKER_LIST":%q,"TALKER_LOG":%q,"GORACE":%q}}}}`, home+"/list.json", home+"/log", clitest.AtOnce))
	clitest.Write(t, home, "allowlist.json", `{"t":{"write":["move"]}}`)
	clitest.Write(t, home, "policy.json", `{"rules":[{"effect":"deny","tools":["x/y"]}]}`)
	out, _ := askIn(t, home, "servers", "review", "t")
	for _, want := range []string{"suggests   | resource item:{a}", `"resource": "suggested"`, `suggests   | rule {"effect":"allow","tools":["t/move"]}`, "policy.json"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	clitest.Trust(t, home)
	explains := func(want string) {
		t.Helper()
		out, err := askIn(t, home, "policy", "explain", "t/move", "--json", "--args", `{"a":"1","box_id":"2"}`)
		if !strings.Contains(out, want) || !strings.Contains(out, `"verdict": "ask"`) {
			t.Errorf("%v: no %s in %s", err, want, out)
		}
	}
	explains(`"id": "box:2"`) // by convention
	clitest.Write(t, home, "allowlist.json", `{"t":{"write":[{"name":"move","resource":"suggested"}]}}`)
	explains(`"id": "item:1"`)
	list("item:{box_id}")
	if out, err := askIn(t, home, "call", "t/move", "--live", "--args", `{"a":"1","box_id":"2"}`); err == nil || !strings.Contains(out, "pin.changed") {
		t.Errorf("a changed suggestion: %v: %s", err, out)
	}
	explains(`"id": "item:1"`) // what was approved
}
