package proxy_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/host/proxy"
)

// What is not a request is answered, and the session goes on; no call is made of it.
func TestBadInputEndsNothing(t *testing.T) {
	t.Parallel()
	o := &operator{tools: []string{one}, answer: answers(text("done"))}
	w := serve(t, o, proxy.Options{})
	w.greet()
	for _, c := range []struct {
		line, id string
		code     int
	}{
		{"}{", "null", -32700},
		{"\xff", "null", -32700},
		{`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, "null", -32700},
		{`7`, "null", -32600},
		{`{"jsonrpc":"1.0","id":3,"method":"ping"}`, "3", -32600},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "null", -32600},
		{`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 300) + `","method":"ping"}`, "null", -32600},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":[1]}`, "4", -32600},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"one","name":"one"}}`, "4", -32602},
		{`{"jsonrpc":"2.0","id":5,"method":"notifications/cancelled","params":{"requestId":1}}`, "5", -32601},
		{`[{"jsonrpc":"2.0","id":6,"method":"ping"}]`, "null", -32600},
		{strings.Repeat(" ", 16<<20) + "{}", "null", -32600},
	} {
		if got := w.ask(c.line); got.Error.Code != c.code || string(got.ID) != c.id {
			t.Errorf("%.60q: %s", c.line, got.text)
		}
	}
	// Neither of these has an answer, and neither is a call.
	w.send(`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"one"}}`)
	w.send(`{"jsonrpc":"2.0","id":9,"result":{}}`)
	if got := w.ask(`{"jsonrpc":"2.0","id":10,"method":"ping"}`); string(got.ID) != "10" {
		t.Errorf("%s", got.text)
	}
	if len(o.asked) != 0 {
		t.Errorf("%d calls", len(o.asked))
	}
	for _, id := range []string{`"a"`, `-7`, `"\u0062"`} { // an id comes back as it was written
		if got := w.ask(call(id, "one", "{}")); string(got.ID) != id {
			t.Errorf("%s is answered as %s", id, got.ID)
		}
	}
}
