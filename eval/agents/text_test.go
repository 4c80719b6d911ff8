package agents

import (
	"strings"
	"testing"
)

func TestSentencesEndWhereTheyEnd(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                        "",
		"One":                     "One",
		"One. Two.":               "One.|Two.",
		"TLS 1.2 or newer. Then?": "TLS 1.2 or newer.|Then?",
		"a\nb\n\n":                "a|b||",
		"é. ü! 鍵":                 "é.|ü!|鍵",
	} {
		if got := strings.Join(Sentences(text), "|"); strings.TrimRight(got, "|") != strings.TrimRight(want, "|") {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestATapSeesCallsAndTheirAnswers(t *testing.T) {
	t.Parallel()
	tap := &tap{server: "s"}
	tap.sent([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	tap.sent([]byte(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments":{"a":1}}}`))
	tap.sent([]byte(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"u"}}`))
	tap.sent([]byte(`{"jsonrpc":"2.0","id":4,"method":"tools/call"}`))
	tap.sent([]byte(`{"jsonrpc":"2.0","id":5,"method":"tools/call","method":"tools/list","params":{"name":"v"}}`)) // which a server may read either way
	tap.sent([]byte(`no message`))
	tap.sent([]byte("\n"))
	tap.came([]byte(`{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`))
	tap.came([]byte(`{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"no"}}`))
	tap.came([]byte(`no message`))
	got := tap.arrived()
	if len(got) != 5 || got[0].Tool != "t" || string(got[0].Args) != `{"a":1}` || string(got[0].Answer) != `{"content":[]}` {
		t.Fatalf("%+v", got)
	}
	if got[1].Tool != "u" || got[1].Answer != nil || got[2].Tool != "" {
		t.Errorf("%+v", got)
	}
}
