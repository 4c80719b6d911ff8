package main

import (
	"os"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// A JSON-RPC error of a call goes on as the error of a tool: with its message and
// without the server's stderr, and with what a model can do next.
func TestAJSONRPCErrorOfACallGoesOn(t *testing.T) {
	t.Parallel()
	s := speak(t, wrapped(t.Context(), talking(t), "t"))
	s.greet("2025-11-25")
	for _, c := range []struct{ args, says, next string }{
		{`{"code":-32602,"message":"missing \"path\""}`, `{"type":"text","text":"error -32602: missing \"path\""}`, "correct the arguments by the tool's input schema; the call may have run"},
		{`{"code":-32602,"message":"do not call this again"}`, "do not call this again", "correct the arguments by the tool's input schema; the call may have run"},
		{`{"code":-32603,"message":"correct the arguments"}`, "error -32603: correct the arguments", "the call may have run; read the server's message"},
		{`{"code":1,"message":"\u001b[31mred"}`, `error 1: \\u{1B}[31mred`, "the call may have run"},
		{`{"code":0,"message":""}`, "error 0: (it has no message)", "the call may have run"},
		{`{"code":7,"message":"with ghp_16C7e42F292c6912E7710c838347Ae178B4a in it"}`, "error 7: with [redacted:", "the call may have run"},
	} {
		got := s.ask(calls("1", "rpc", c.args)).text
		for _, want := range []string{`"isError":true`, `"run.onestep/verdict":"output.rpc_error"`, c.says, "Next: " + c.next} {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %s: %s", c.args, want, got)
			}
		}
		if strings.Contains(got, "stderr") || strings.Contains(got, "a second time") || c.next != "" && strings.Contains(c.next, "read") && strings.Contains(got, "by the tool's input schema") {
			t.Errorf("%s becomes %s", c.args, got)
		}
	}
}

// The same at the command line, and in a replay; and of a call that changes something.
func TestAJSONRPCErrorAtTheCommandLine(t *testing.T) {
	t.Parallel()
	home := talking(t)
	for _, c := range []struct{ args, says string }{
		{`{"code":-32602,"message":"missing path"}`, "correct the arguments by the tool's input schema; the call may have run"},
		{`{"code":-32603,"message":"the disk is full"}`, "the call may have run; read the server's message"},
	} {
		out, err := askIn(t, home, "call", "t/rpc", "--args", c.args)
		if err == nil || err.Error() != "exit status 5" || !strings.Contains(out, c.says) || strings.Contains(out, "words of its stderr") {
			t.Errorf("%v: %s", err, out)
		}
		if out, err := askIn(t, home, "trace", "replay", "latest"); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
	out, _ := askIn(t, home, "call", "t/wrong", "--yes")
	if n := happened(t, home, "call wrong"); n != 1 || !strings.Contains(out, "check at the server whether it took effect") {
		t.Error(out)
	}
}

func contents(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A setting whose value is a word of the protocol hides no failure.
func TestASettingHidesNoFailure(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"Error", "true", "isError", "text", "content"} {
		home := talking(t)
		clitest.Write(t, home, "mcp.json", strings.Replace(contents(t, home+"/mcp.json"), `"env":{`, `"env":{"LOG_LEVEL":"`+value+`",`, 1))
		clitest.Trust(t, home)
		if out, err := askIn(t, home, "call", "t/fail"); err == nil || err.Error() != "exit status 5" || !strings.Contains(out, "no such row") {
			t.Errorf("%s: %v: %s", value, err, out)
		}
		s := speak(t, wrapped(t.Context(), home, "t"))
		s.greet("2025-11-25")
		got := s.ask(calls("1", "fail", "{}")).text
		for _, want := range []string{`"isError":true`, `"run.onestep/verdict":"output.error"`, `{"type":"text","text":"no such row"}`} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s", value, got)
			}
		}
	}
}
