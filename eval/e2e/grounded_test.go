package e2e

import (
	"strings"
	"testing"
)

func TestAClaimIsGroundedInWhatTheServersSaid(t *testing.T) {
	t.Parallel()
	answers := texts([]byte(`{"content":[{"type":"text","text":"{\"n\":1}"}],"structuredContent":{"priority":2,"text":` +
		`"Never share customer data with vendors without a signed agreement. Logs are purged within 72 hours. An order must never be lost; the cart may be."}}`))
	for claim, want := range map[string]bool{
		"":                                 true,
		"Logs are purged within 72 hours.": true,
		"Logs are purged.":                 true,
		"logs are purged within 72 hours":  true,
		"Logs are purged within 72 hours. Logs are purged.":                  true,
		"Never share customer data with vendors without a signed agreement.": true,
		"2":                               true,
		"1":                               true,
		"Logs are purged within 72 days.": false,
		"Logs are purged within 7 hours.": false,
		"Logs are purged within 72 hours of discovery.": false,
		"Hours 72 within purged are logs.":              false,
		"Share customer data with vendors.":             false,
		"Never share customer data with vendors.":       false, // "without" is left out
		"An order must be lost":                         false,
		"Logs are purged. Nobody reads them.":           false,
		"Logs customer data":                            false, // of two sentences
		"3":                                             false,
	} {
		if grounded(claim, answers) != want {
			t.Errorf("%q: %v", claim, !want)
		}
	}
	if grounded("Anything.", nil) {
		t.Error("nothing holds a claim")
	}
	whole := strings.Join(answers, "")
	if !grounded(whole, append(answers, whole)) {
		t.Error("an answer does not hold itself")
	}
}

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
		if got := strings.Join(sentences(text), "|"); strings.TrimRight(got, "|") != strings.TrimRight(want, "|") {
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
