//go:build interop

package interop_test

import (
	"slices"
	"strings"
	"testing"
)

// TestGeminiAddsAnArgument: gemini-cli adds a boolean to every tool, and sends it on.
// Behind ask wrap the call leaves without it, as far as the tool does not accept it.
func TestGeminiAddsAnArgument(t *testing.T) {
	t.Parallel()
	i := slices.IndexFunc(mcpClients, func(c mcpClient) bool { return c.name == "gemini" })
	r := newRoom(t, mcpClients[i])
	seats <- struct{}{}
	defer func() { <-seats }()

	s := r.begin(t) // the measure: the server itself
	if o, _ := s.latest.offered("find"); !strings.Contains(string(o.described), "wait_for_previous") {
		t.Errorf("the model is offered %s", o.described)
	}
	sent := object{"id": "INC7", "wait_for_previous": true}
	if got := s.made(t, "find", sent); !strings.Contains(got, r.client.found) {
		t.Errorf("of what is found the model gets %s", got)
	}
	s.called(t, 1, `find {"id":"INC7","wait_for_previous":true}`)
	s.end(t)

	r.ask(t, "clients", "wrap", r.client.name, "--yes")
	r.review(t, "--read", "find", "--read", "missing", "--read", "mail", "--write", "close_ticket")
	s = r.begin(t)
	if got := s.made(t, "find", sent); !strings.Contains(got, r.client.found) {
		t.Errorf("of what is found the model gets %s", got)
	}
	s.called(t, 1, `find {"id":"INC7"}`)
	s.call(t, "close_ticket", object{"id": "INC7", "wait_for_previous": false})
	s.approve(t, s.pending(t))
	if got := s.result(t); !strings.Contains(got, "the ticket is closed") {
		t.Errorf("of a call that was approved the model gets %s", got)
	}
	s.called(t, 1, `close_ticket {"id":"INC7"}`)
	s.end(t)

	shown := r.ask(t, "trace", "list", "--jq", ".traces[].run_id")
	removed := 0
	for run := range strings.FieldsSeq(shown) {
		removed += strings.Count(r.ask(t, "trace", "replay", run, "--jq", ".outcome.removed.argument"), "wait_for_previous")
	}
	if removed != 2 {
		t.Errorf("%d runs say that an argument was removed, want 2: %s", removed, shown)
	}
	r.traced(t)
}
