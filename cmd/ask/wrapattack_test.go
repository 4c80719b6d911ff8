package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/escape"
)

// A client knows no number of ours: with one in the place of a name, of a request
// that it cancels, or in a request without an id, no call is made and none ends.
func TestAClientReachesNoOpenCallButByItsID(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	s.send(calls(`"w"`, "wait", "{}"))
	until(t, func() bool { return happened(t, home, "call wait") == 1 })
	for n := range 6 {
		s.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"%d"}}`, n))
		s.send(cancels(fmt.Sprint(n)))
		s.send(cancels(fmt.Sprintf(`"%d"`, n)))
		if a := s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":"c","method":"notifications/cancelled","params":{"requestId":%d}}`, n)); a.Error.Code != -32601 {
			t.Errorf("a notification with an id: %s", a.text)
		}
		if a := s.ask(calls(`"n"`, fmt.Sprint(n), "{}")); !strings.Contains(a.text, "onestep refused: allow.") {
			t.Errorf("a tool called by a number: %s", a.text)
		}
	}
	for _, id := range []string{`"w "`, `"\u0077"`, `{}`, `["w"]`, "null", "1e0"} {
		s.send(cancels(id))
	}
	if a := s.ask(calls(`"w"`, "echo", "{}")); a.Error.Code != -32600 || !strings.Contains(a.text, "in use") {
		t.Errorf("an id that is in use: %s", a.text)
	}
	if n := happened(t, home, "call wait") + happened(t, home, "call echo"); n != 1 {
		t.Errorf("%d calls", n)
	}
	if n := happened(t, home, "cancelled"); n != 0 {
		t.Error("a stranger's id cancelled the call")
	}
	s.send(cancels(`"w"`))
	until(t, func() bool { return happened(t, home, "cancelled") == 1 })
}

// Whatever a request holds, it gets one line of answer, calls nothing that it does
// not name, and the session goes on.
func TestOddRequestsGetOneAnswerEach(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	deep := strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200)
	for _, params := range []string{
		`{"name":"echo","arguments":` + deep + `}`,
		`{"name":"echo","arguments":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`,
		`{"name":"echo","arguments":{"s":"` + "\xff" + `"}}`,
		`{"name":"echo","arguments":{"s":"\ud800"}}`,
		`{"name":"echo","arguments":{"` + "\xff" + `":1}}`,
		`{"name":"echo","arguments":{},"arguments":{"s":"x"}}`,
		`{"name":"echo","\u0061rguments":{},"arguments":{"s":"x"}}`,
		`{"name":"echo","_meta":` + deep + `}`,
		`{"name":"echo","_meta":{"a":1,"a":2}}`,
		`{"name":"echo","name":"write"}`,
		`{"name":"t/echo"}`, `{"name":"../echo"}`, `{"name":"echo\u0000"}`, `{"name":"ECHO"}`, `{"name":" echo"}`, `{"name":"\u202eohce"}`, `{"name":"onestep_released"}`, `{"name":""}`,
		`{"name":"` + strings.Repeat("x", 1<<20) + `"}`, `{"name":"\ud800"}`, `{"name":"onestep_released","arguments":{"run_id":"../../state.db\u001b[31m"}}`,
		`{"name":"echo","arguments":null}`, `{"name":"echo","arguments":"{}"}`, `{"name":"echo","arguments":{"server":"t","tool":"write"},"server":"other","tool":"write","type":"call_tool"}`,
	} {
		s.send(`{"jsonrpc":"2.0","id":"odd","method":"tools/call","params":` + params + `}`)
		a := s.next()
		if string(a.ID) != `"odd"` && a.Error.Code == 0 || a.Result != nil && !strings.Contains(a.text, `"isError":true`) {
			t.Errorf("%.80q: %.400s", params, a.text)
		}
		if got := string(escape.Controls([]byte(a.text))); got != a.text || len(a.text) > 8<<10 {
			t.Errorf("%.80q: %d bytes, controls: %.400s", params, len(a.text), got)
		}
	}
	for _, params := range []string{`"_meta":7`, `"_meta":{"progressToken":{}}`, `"_meta":{"progressToken":1.5}`, `"_meta":{"run.onestep/run_id":"x"}`, `"_meta":{"progressToken":"` + strings.Repeat("x", 1<<20) + `"}`} {
		a := s.ask(`{"jsonrpc":"2.0","id":"odd","method":"tools/call","params":{"name":"rich",` + params + `}}`)
		if string(a.ID) != `"odd"` || strings.Contains(a.text, `run_id":"x"`) {
			t.Errorf("%.80q: %.400s", params, a.text)
		}
	}
	if n := happened(t, home, "call echo") + happened(t, home, "call write"); n != 0 {
		t.Errorf("the server was called %d times", n)
	}
	if a := s.ask(calls("1", "echo", "{}")); !strings.Contains(a.text, `"text":"{}"`) {
		t.Errorf("afterwards: %s", a.text)
	}
}

// Some readers take a separator of Unicode for the end of a line.
func TestNoSeparatorOfLinesIsWrittenAsItself(t *testing.T) {
	t.Parallel()
	s := speak(t, wrapped(t.Context(), talking(t), "t"))
	s.greet("2025-11-25")
	for _, sep := range []string{"\u2028", "\u2029"} {
		a := s.ask(calls(`"i`+sep+`d"`, "echo", `{"s":"a`+sep+`b"}`))
		if strings.Contains(a.text, sep) || strings.Count(a.text, fmt.Sprintf(`\u%04x`, []rune(sep)[0])) != 2 {
			t.Errorf("%q", a.text)
		}
	}
}

// A result that is longer with its controls written out than any that is accepted
// names the run that made it all the same, and no other.
func TestAServerNamesNoRunHoweverItIsSpelled(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	for _, tool := range []string{"long", "spelled"} {
		got := s.ask(calls("1", tool, "{}")).text
		if strings.Contains(got, "forged") {
			t.Errorf("%s: the server names the run: …%s", tool, got[max(0, len(got)-400):])
		}
		if n := len(regexp.MustCompile(`"run\.onestep/run_id":"20`).FindAllString(got, -1)); n != 1 {
			t.Errorf("%s: the run is named %d times: …%s", tool, n, got[max(0, len(got)-400):])
		}
		if tool == "long" && !strings.Contains(got, `\\u{85}\\u{85}`) {
			t.Errorf("the result does not arrive: %.300s", got)
		}
	}
}
