package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

const denyEcho = `{"rules":[{"effect":"deny","tools":["t/echo"]}]}`

// replays has every trace of a home replayed, and each verdict come out as it was.
func replays(t *testing.T, home string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(home, "traces", "trace_*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		for _, how := range []string{"verify", "replay"} {
			if out, err := askIn(t, home, "trace", how, path); err != nil {
				t.Errorf("trace %s: %v: %s", how, err, out)
			}
		}
	}
}

// rewritten changes a text of a file in its place.
func rewritten(t *testing.T, path, was, is string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(b), was) {
		t.Fatalf("%s has no %s, %v", path, was, err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(b), was, is, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A wrap that runs decides by the files as they are at each call. What cannot be read
// refuses, and what is put back is used again.
func TestARunningWrapDecidesByTheFilesAsTheyAre(t *testing.T) {
	t.Parallel()
	write := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, home string) { clitest.Write(t, home, name, text) }
	}
	for name, c := range map[string]struct {
		change func(t *testing.T, home string)
		want   string
	}{
		"a deny":                  {write("policy.json", denyEcho), "rule.denied"},
		"a rule that asks":        {write("policy.json", `{"rules":[{"effect":"ask","tools":["t/*"]}]}`), "approval.needed"},
		"a policy that is broken": {write("policy.json", `{"rules":[`), "config.invalid"},
		"a policy that others can write": {func(t *testing.T, home string) {
			clitest.Write(t, home, "policy.json", `{"rules":[]}`)
			mode(t, home+"/policy.json", 0o666)
		}, "config.unreadable"},
		"a policy that is a link": {func(t *testing.T, home string) {
			clitest.Write(t, home, "elsewhere.json", `{"rules":[{"effect":"deny","tools":["a/b"]}]}`)
			symlinked(t, home+"/elsewhere.json", home+"/policy.json")
		}, "config.unreadable"},
		"a policy that is a directory":   {func(t *testing.T, home string) { directory(t, home+"/policy.json") }, "config.unreadable"},
		"a tool taken off the allowlist": {write("allowlist.json", `{"t":{"read":["rich"]}}`), "allow.tool"},
		"no allowlist":                   {func(t *testing.T, home string) { removed(t, home+"/allowlist.json") }, "allow.missing"},
		"an allowlist that is broken":    {write("allowlist.json", `{"t":`), "allow.invalid"},
		"a terminal":                     {write("allowlist.json", `{"t":{"read":[{"name":"echo","approval":"terminal"}]}}`), "approval.needed"},
		"a tool that writes":             {write("allowlist.json", `{"t":{"write":["echo"]}}`), "approval.needed"},
		"an allowlist behind a link": {func(t *testing.T, home string) {
			clitest.Write(t, home, "a.json", `{"t":{"read":["rich"]}}`)
			removed(t, home+"/allowlist.json")
			symlinked(t, home+"/a.json", home+"/allowlist.json")
		}, "allow.tool"},
		"a setting":                  {write("config.toml", "intent = \"strict\"\n"), "approval.needed"},
		"settings that are broken":   {write("config.toml", "intent = \"no such\"\n"), "config.invalid"},
		"a policy that is not there": {write("config.toml", "policy = \"missing.json\"\n"), "config.unreadable"},
		"another policy": {func(t *testing.T, home string) {
			clitest.Write(t, home, "more.json", denyEcho)
			clitest.Write(t, home, "config.toml", "policy = \"more.json\"\n")
		}, "rule.denied"},
		"input rules": {func(t *testing.T, home string) { clitest.Write(t, home, "config.toml", "rules = \"missing.json\"\n") }, "config.unreadable"},
		"another allowlist": {func(t *testing.T, home string) {
			clitest.Write(t, home, "b.json", `{}`)
			clitest.Write(t, home, "config.toml", "allowlist = \"b.json\"\n")
		}, "allow.empty"},
		"a server that is another one": {func(t *testing.T, home string) {
			rewritten(t, home+"/mcp.json", `"command":"talker"`, `"command":"talker","args":["x"]`)
		}, "pin.unapproved"},
		"no server":       {func(t *testing.T, home string) { rewritten(t, home+"/mcp.json", `"t":{`, `"u":{`) }, "server.unknown"},
		"no servers file": {func(t *testing.T, home string) { removed(t, home+"/mcp.json") }, "config.missing"},
		"a manifest that is not there": {func(t *testing.T, home string) {
			rewritten(t, home+"/mcp.json", `"command":"talker"`, `"command":"talker","manifest":"m.json"`)
		}, "config.unreadable"},
		"a state that is somewhere else":  {write("config.toml", "state_file = \"other.db\"\n"), "config.invalid"},
		"traces that are somewhere else":  {write("config.toml", "trace_dir = \"other\"\n"), "config.invalid"},
		"an audit that cannot be written": {write("config.toml", "audit = \"traces\"\naudit_required = true\n"), "audit.unwritable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := talking(t)
			s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1ms"))
			s.greet("2025-11-25")
			if got := s.ask(calls("1", "echo", `{"s":"x"}`)).text; !strings.Contains(got, `{\"s\":\"x\"}`) {
				t.Fatalf("before: %s", got)
			}
			files := map[string][]byte{}
			for _, name := range []string{"mcp.json", "allowlist.json"} {
				b, err := os.ReadFile(filepath.Join(home, name))
				if err != nil {
					t.Fatal(err)
				}
				files[name] = b
			}
			c.change(t, home)
			if got := s.ask(calls("2", "echo", `{"s":"y"}`)).text; !strings.Contains(got, "onestep refused: "+c.want) {
				t.Errorf("%s", got)
			}
			for _, name := range []string{"policy.json", "config.toml", "allowlist.json"} {
				if err := os.RemoveAll(filepath.Join(home, name)); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range files {
				clitest.Write(t, home, name, string(text))
			}
			if got := s.ask(calls("3", "echo", `{"s":"z"}`)).text; !strings.Contains(got, `{\"s\":\"z\"}`) {
				t.Errorf("put back: %s", got)
			}
			if n := happened(t, home, "call echo"); n != 2 {
				t.Errorf("the server was called %d times", n)
			}
			replays(t, home)
		})
	}
}

func mode(t *testing.T, path string, m os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, m); err != nil {
		t.Fatal(err)
	}
}

func symlinked(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

func directory(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func removed(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// What is written while a call is held is read before the call can leave.
func TestWhatIsWrittenWhileACallIsHeldDecides(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(t *testing.T, home string)
		want   string
	}{
		"a deny": {func(t *testing.T, home string) {
			clitest.Write(t, home, "policy.json", `{"rules":[{"effect":"deny","tools":["t/write"]}]}`)
		}, "rule.denied"},
		"a broken policy":          {func(t *testing.T, home string) { clitest.Write(t, home, "policy.json", `{`) }, "config.invalid"},
		"a tool that is taken off": {func(t *testing.T, home string) { rewritten(t, home+"/allowlist.json", `"write",`, "") }, "allow.tool"},
		"another server": {func(t *testing.T, home string) {
			rewritten(t, home+"/mcp.json", `"command":"talker"`, `"command":"talker","args":["x"]`)
		}, "pin.unapproved"},
		"no servers file": {func(t *testing.T, home string) { removed(t, home+"/mcp.json") }, "config.missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := talking(t)
			s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1h"))
			s.greet("2025-11-25")
			run := s.holds("1", "write", `{"to":"x"}`)
			digest := digestOf(t, home, run)
			c.change(t, home)
			out, _ := askIn(t, home, "approve", run, "--digest", digest)
			if strings.Contains(out, "makes the call") {
				t.Errorf("the approver is shown that the call is made: %s", out)
			}
			if got := s.answered("1").text; !strings.Contains(got, "onestep refused: "+c.want) {
				t.Errorf("%s", got)
			}
			if n := happened(t, home, "call write"); n != 0 {
				t.Errorf("the server was called %d times", n)
			}
			replays(t, home)
		})
	}
}

// digestOf is the digest of the approval that a run waits for.
func digestOf(t *testing.T, home, run string) string {
	t.Helper()
	out, err := askIn(t, home, "approvals", "show", run, "--json")
	var shown struct {
		Approval struct {
			Digest string `json:"approval_digest"`
		} `json:"approval"`
	}
	if err != nil || json.Unmarshal([]byte(out), &shown) != nil || shown.Approval.Digest == "" {
		t.Fatalf("%v: %s", err, out)
	}
	return shown.Approval.Digest
}

// A change that does not deny has the same run ask once more, and says why. The first
// approval makes no call.
func TestAHeldCallIsAskedForAgainUnderOtherRules(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, home string){
		"a rule of another tool": func(t *testing.T, home string) { clitest.Write(t, home, "policy.json", denyEcho) },
		"a tool more":            func(t *testing.T, home string) { rewritten(t, home+"/allowlist.json", `"write",`, `"write","other",`) },
		"a rule that allows": func(t *testing.T, home string) {
			clitest.Write(t, home, "policy.json", `{"rules":[{"effect":"allow","tools":["t/*"]}]}`)
		},
		"a tool that reads": func(t *testing.T, home string) { clitest.Write(t, home, "allowlist.json", `{"t":{"read":["write"]}}`) },
		"a setting":         func(t *testing.T, home string) { clitest.Write(t, home, "config.toml", "max_result = 4096\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := talking(t)
			s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1h"))
			s.greet("2025-11-25")
			run := s.holds("1", "write", `{"to":"x"}`)
			first := digestOf(t, home, run)
			change(t, home)
			if out, err := askIn(t, home, "approve", run, "--digest", first); err == nil || !strings.Contains(out, "asked for once more") {
				t.Errorf("the approver is not shown that the call is asked for again: %v: %s", err, out)
			}
			again := s.asksFor("1")
			second := digestOf(t, home, again)
			if n := happened(t, home, "call write"); n != 0 || second == first {
				t.Errorf("%d calls; the digests are %s and %s", n, first, second)
			}
			if out, _ := askIn(t, home, "approvals", "show", again); !strings.Contains(out, "asked again") {
				t.Errorf("the second time is not shown: %s", out)
			}
			if out, err := askIn(t, home, "approve", again, "--digest", first); err == nil {
				t.Errorf("the first approval is taken: %s", out)
			}
			if out, err := askIn(t, home, "approve", again, "--digest", second); err != nil {
				t.Errorf("%v: %s", err, out)
			}
			if got := s.answered("1").text; !strings.Contains(got, "written") {
				t.Errorf("%s", got)
			}
			if n := happened(t, home, "call write"); n != 1 {
				t.Errorf("the server was called %d times", n)
			}
			replays(t, home)
			clitest.Write(t, home, "deny.json", `{"rules":[{"effect":"deny","tools":["t/*"]}]}`)
			if out, err := askIn(t, home, "trace", "replay", again, "--policy", filepath.Join(home, "deny.json")); err == nil || !strings.Contains(out, "rule.denied") {
				t.Errorf("under another policy: %v: %s", err, out)
			}
		})
	}
}

// asksFor is the run of a call that begins to wait, after whatever comes before.
func (r *spoken) asksFor(id string) (run string) {
	r.t.Helper()
	for {
		a := r.next()
		if string(a.ID) == id {
			r.t.Fatalf("it does not wait: %s", a.text)
		}
		if _, after, found := strings.Cut(a.text, "ask approve "); found {
			run, _, _ = strings.Cut(after, `"`)
			return run
		}
	}
}

// Between the decision and the call a server may take its time. What is written
// meanwhile decides.
func TestWhatIsWrittenRightBeforeTheCallDecides(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(t *testing.T, home string)
		want   string
		calls  int
	}{
		"nothing":       {func(*testing.T, string) {}, `{\"s\":\"y\"}`, 2},
		"the same text": {func(t *testing.T, home string) { rewritten(t, home+"/allowlist.json", `"echo"`, `"echo"`) }, `{\"s\":\"y\"}`, 2},
		"a rule of another tool": {func(t *testing.T, home string) {
			clitest.Write(t, home, "policy.json", `{"rules":[{"effect":"deny","tools":["t/rich"]}]}`)
		}, `{\"s\":\"y\"}`, 2},
		"a deny": {func(t *testing.T, home string) { clitest.Write(t, home, "policy.json", denyEcho) }, "rule.denied", 1},
		"a rule that asks": {func(t *testing.T, home string) {
			clitest.Write(t, home, "policy.json", `{"rules":[{"effect":"ask","tools":["t/*"]}]}`)
		}, "approval.needed", 1},
		"a broken policy": {func(t *testing.T, home string) { clitest.Write(t, home, "policy.json", `{`) }, "config.invalid", 1},
		"no allowlist":    {func(t *testing.T, home string) { removed(t, home+"/allowlist.json") }, "allow.missing", 1},
		"another server": {func(t *testing.T, home string) {
			rewritten(t, home+"/mcp.json", `"command":"talker"`, `"command":"talker","args":["x"]`)
		}, "pin.unapproved", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := talking(t)
			s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1ms"))
			s.greet("2025-11-25")
			s.ask(calls("1", "echo", `{"s":"x"}`))
			listed := happened(t, home, "listed")
			clitest.Write(t, home, "log.hold", "")
			s.send(calls("2", "echo", `{"s":"y"}`))
			until(t, func() bool { return happened(t, home, "listed") > listed })
			c.change(t, home)
			removed(t, home+"/log.hold")
			if got := s.answered("2").text; !strings.Contains(got, c.want) {
				t.Errorf("%s", got)
			}
			if n := happened(t, home, "call echo"); n != c.calls {
				t.Errorf("the server was called %d times", n)
			}
			replays(t, home)
		})
	}
}
