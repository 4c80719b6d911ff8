package proxy_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/proxy"
)

// Clients of older versions refuse a whole list for one output schema that is not of an
// object, and many for a boolean in place of a property's schema.
func TestAClientIsShownWhatItsVersionCanRead(t *testing.T) {
	t.Parallel()
	const listed = `{"name":"strings","inputSchema":{"type":"object"},"outputSchema":{"type":["null","array"],"items":{"type":"string"}}}`
	const open = `{"name":"open","inputSchema":{"type":"object","properties":{"v":true,"w":{"default":{"properties":{"a":true}}}},"additionalProperties":true},"outputSchema":{"type":"object","properties":{"r":true,"s":false}}}`
	const untyped = `{"name":"untyped","inputSchema":{"properties":{"a":{"type":"string"}}}}`
	const none = `{"name":"none"}`
	const opened = `{"name":"open","inputSchema":{"type":"object","properties":{"v":{},"w":{"default":{"properties":{"a":true}}}},"additionalProperties":true},"outputSchema":{"type":"object","properties":{"r":{},"s":{"not":{}}}}}`
	const typed = `{"name":"untyped","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`
	const filled = `{"name":"none","inputSchema":{"type":"object"}}`
	const old = `{"name":"strings","inputSchema":{"type":"object"}}`
	for version, want := range map[string]string{
		"2024-11-05": old, "2025-03-26": old, "2025-06-18": old, "2025-11-25": old, "2026-07-28": listed,
	} {
		body := `{"content":[{"type":"text","text":"a"}],"structuredContent":["a",1.0]}`
		o := &operator{tools: []string{listed, open, untyped, none}, answer: func(context.Context, host.Question) host.Outcome {
			return host.Outcome{RunID: "run1", Result: []byte(body)}
		}}
		w := serve(t, o, proxy.Options{})
		meta := ""
		if version == "2026-07-28" {
			meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
		} else {
			w.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`, version))
			w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		}
		got := w.ask(`{"jsonrpc":"2.0","id":"l","method":"tools/list","params":{` + meta + `}}`).text
		for _, tool := range []string{want, opened, typed, filled} {
			if !strings.Contains(got, tool+",") && !strings.Contains(got, tool+"]") {
				t.Errorf("%s: the list lacks %s: %s", version, tool, got)
			}
		}
		if strings.Contains(got, "onestep_status") != (want == old) {
			t.Errorf("%s: the list is %s", version, got)
		}
		if want != old {
			continue
		}
		if got := w.ask(call("1", "onestep_status", "{}")).text; !strings.Contains(got, "only objects there: strings.") || !strings.Contains(got, "Hidden tools of the server t: 0.") {
			t.Errorf("%s: the status is %s", version, got)
		}
		for result, shown := range map[string]string{
			body: `{"content":[{"type":"text","text":"a"}],"_meta"`,
			`{"content":[],"structuredContent":["a",1.0]}`:          `{"content":[{"type":"text","text":"[\"a\",1.0]"}],"_meta"`,
			`{"structuredContent":"a"}`:                             `{"content":[{"type":"text","text":"\"a\""}],"_meta"`,
			`{"content":[],"structuredContent":null}`:               `{"content":[],"_meta"`,
			`{"content":[],"structuredContent":{"a":[1]}}`:          `{"content":[],"structuredContent":{"a":[1]},"_meta"`,
			`{"content":[],"isError":true,"structuredContent":[1]}`: `{"isError":true,"content":[{"type":"text","text":"[1]"}],"_meta"`,
		} {
			body = result
			if got := w.ask(call("2", "strings", "{}")); !strings.HasPrefix(string(got.Result), shown) {
				t.Errorf("%s: of %s the client gets %s", version, result, got.text)
			}
		}
	}
}

// A client without a handshake gets the structured result unchanged.
func TestANewerClientGetsAnyStructuredResult(t *testing.T) {
	t.Parallel()
	o := &operator{tools: []string{one}, answer: answers([]byte(`{"content":[],"structuredContent":["a"]}`))}
	w := serve(t, o, proxy.Options{})
	got := w.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`)
	if !strings.Contains(got.text, `"structuredContent":["a"]`) {
		t.Errorf("the client gets %s", jsontext.Value(got.text))
	}
}
