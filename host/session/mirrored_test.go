package session_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate"
)

// marked lists the one tool of whose arguments some are repeated in headers.
func marked(w http.ResponseWriter, _ *http.Request, m message) bool {
	if m.Method != "tools/list" {
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{
		"text":{"type":"string","x-mcp-header":"Text"},"n":{"type":"integer","x-mcp-header":"Count"},"sure":{"type":"boolean","x-mcp-header":"Method"},
		"plain":{"type":"string"}}}}]}}`, m.ID)
	return true
}

func TestMarkedArgumentsArriveInHeaders(t *testing.T) {
	t.Parallel()
	encoded := func(s string) string { return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?=" }
	for _, mode := range []string{"", "stateless"} {
		for args, want := range map[string]string{
			`{"text":"us west 1","n":-42,"sure":false,"plain":"p"}`: "Count=-42 Method=false Text=us west 1",
			`{"plain":"p"}`:                              "",
			`{"text":""}`:                                "Text=",
			`{"text":" padded "}`:                        "Text=" + encoded(" padded "),
			`{"text":"\tindented"}`:                      "Text=" + encoded("\tindented"),
			`{"text":"Hello, 世界"}`:                       "Text=" + encoded("Hello, 世界"),
			`{"text":"a\r\nAuthorization: none"}`:        "Text=" + encoded("a\r\nAuthorization: none"),
			`{"text":"=?base64?aGk=?="}`:                 "Text=" + encoded("=?base64?aGk=?="),
			`{"text":"=?base64?aGk="}`:                   "Text==?base64?aGk=",
			`{"text":"a\u007f"}`:                         "Text=" + encoded("a\u007f"),
			`{"text":"` + strings.Repeat("a", 99) + `"}`: "Text=" + strings.Repeat("a", 99),
		} {
			s := newSite(t, mode, marked)
			p := pool(t, long, s.server())
			a := approve(t, discover(t, p), "srv", "echo", args)
			if _, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{}); err != nil {
				t.Fatalf("%s: %v", args, err)
			}
			calls := 0
			for _, r := range s.requests() {
				var got []string
				for _, name := range []string{"Count", "Method", "Text"} {
					if v, there := r.Header["Mcp-Param-"+name]; there {
						got = append(got, name+"="+strings.Join(v, ","))
					}
				}
				if len(got) > 0 || r.Header.Get("Mcp-Method") == "tools/call" {
					calls++
					if line := strings.Join(got, " "); line != want {
						t.Errorf("%q: %s: %s, want %s", mode, args, line, want)
					}
				}
				if r.Header.Get("Authorization") != "Bearer "+secret || r.Header.Get("Mcp-Param-Plain") != "" {
					t.Errorf("%s: %v", args, r.Header)
				}
			}
			if calls != 1 && (want != "" || mode == "stateless") {
				t.Errorf("%q: %s: %d requests carry them", mode, args, calls)
			}
		}
	}
}
