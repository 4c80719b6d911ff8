package host_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/session"
)

// teller is a server that repeats the header it was sent, in answer to a call.
func teller(result string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		answer := map[string]string{
			"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"teller","version":"1"}}`,
			"tools/list": `{"tools":[{"name":"whoami","inputSchema":{"type":"object"}}]}`,
			"tools/call": strings.ReplaceAll(result, "HEADER", r.Header.Get("Authorization")),
		}[m.Method]
		w.Header().Set("Content-Type", "application/json")
		if m.ID == nil || answer == "" {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, answer)
	}
}

// TestAKeyThatAServerTellsIsNotOnTheTrace: neither as it is nor in part, and
// what was done is said.
func TestAKeyThatAServerTellsIsNotOnTheTrace(t *testing.T) {
	t.Parallel()
	const key = "ghp-0123456789abcdef"
	for _, c := range []struct {
		result string
		code   verdict.Code
	}{
		{`{"content":[{"type":"text","text":"you sent HEADER"}]}`, ""},
		{`{"content":[{"type":"text","text":"HEADER is wrong"}],"isError":true}`, verdict.OutputError},
	} {
		s := httptest.NewServer(teller(c.result))
		t.Cleanup(s.Close)
		pool := session.New([]session.Server{{Name: "srv", URL: s.URL, Headers: map[string]string{"Authorization": "Bearer " + key}}}, session.Limits{})
		t.Cleanup(func() { _ = pool.Close() })
		b := newBench(t)
		allow, err := catalog.ParseAllowlist([]byte(`{"srv":{"read":["whoami"]}}`))
		if err != nil {
			t.Fatal(err)
		}
		b.config.Policy.Allowlist, b.config.Source, b.config.Caller = allow, pool, pool
		b.config.Proposer = says(`{"type":"call_tool","server":"srv","tool":"whoami","args":{}}`)
		out := b.put(t, host.Question{Text: "Who am I there?"})
		if got := out.Error; (got == nil) != (c.code == "") || got != nil && got.Code != c.code {
			t.Fatalf("it came to %s: %+v", out.Type, got)
		}
		replayed(t, b)
		shown, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		for what, text := range map[string]string{"trace": b.disk.String(), "outcome": string(shown)} {
			if strings.Contains(text, key[:8]) || !strings.Contains(text, "[redacted]") {
				t.Errorf("the %s: %s", what, text)
			}
		}
		if !strings.Contains(b.disk.String(), `"redacted":true`) || !strings.Contains(out.Note, "[redacted]") {
			t.Errorf("nothing says that the result is not all that the server wrote; the note is %q", out.Note)
		}
	}
}
