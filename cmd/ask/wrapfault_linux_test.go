package main

import (
	"bufio"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/onestep-run/onestep/host/proxy"
	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// talkers are the processes of the servers that were started in a home.
func talkers(t *testing.T, home string) (pids []int) {
	t.Helper()
	b, err := os.ReadFile(home + "/log")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^pid (\d+)$`).FindAllStringSubmatch(string(b), -1) {
		pid, _ := strconv.Atoi(m[1])
		pids = append(pids, pid)
	}
	return pids
}

// noneLeft waits until no server of a home runs.
func noneLeft(t *testing.T, home string) {
	t.Helper()
	for _, pid := range talkers(t, home) {
		until(t, func() bool {
			name, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
			return err != nil || !strings.Contains(name, "talker")
		})
	}
}

// leave closes a client's end, and waits until everything has ended.
func (r *spoken) leave(t *testing.T, home string) (rest string) {
	t.Helper()
	_ = r.in.Close()
	b, err := io.ReadAll(r.out)
	if err != nil {
		t.Error(err)
	}
	noneLeft(t, home)
	return string(b)
}

// A client that stops waiting while its approved call runs gets that call's result
// with its next one, once, whether the tool reports success or an error.
func TestACancelledApprovedCallIsHandedToTheNextSameOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args  string
		while bool // the next call comes while the first one runs
	}{
		"a result, while it runs":  {`{"n":"ok"}`, true},
		"a result, afterwards":     {`{"n":"ok"}`, false},
		"an error, while it runs":  {`{"n":"fail"}`, true},
		"an error, after it ended": {`{"n":"fail"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := talking(t)
			s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1m")) // by when a lost result fails this test
			s.greet("2025-11-25")
			first := s.holds("1", "slow", c.args)
			sayYes(t, home, first)
			until(t, func() bool { return happened(t, home, "call slow") == 1 })
			s.send(cancels("1"))
			s.ask(`{"jsonrpc":"2.0","id":"p","method":"ping"}`) // it was read
			if c.while {
				s.holds("2", "slow", c.args)
			}
			clitest.Write(t, home, "log.go", "")
			if !c.while {
				until(t, func() bool {
					out, err := askIn(t, home, "trace", "verify", first)
					return err == nil && strings.Contains(out, "consistent")
				})
				s.send(calls("2", "slow", c.args))
			}
			got := s.answered("2").text
			for _, want := range []string{`"text":"slowly"`, fmt.Sprintf(`%q:%q`, proxy.MetaHanded, first), `"isError":` + fmt.Sprint(strings.Contains(c.args, "fail"))} {
				if !strings.Contains(got, want) {
					t.Errorf("the answer lacks %s: %s", want, got)
				}
			}
			if third := s.holds("3", "slow", c.args); third == first {
				t.Error("the third call does not ask for an approval of its own")
			}
			if n := happened(t, home, "call slow"); n != 1 {
				t.Errorf("the server was called %d times", n)
			}
			s.send(cancels("3"))
			s.leave(t, home)
		})
	}
}

// A client that goes away in the middle of a hold leaves no process, and an approval
// that is still pending; nothing is called.
func TestAClientThatDiesInAHoldLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	for name, kill := range map[string]bool{"it closes its end": false, "ask is killed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := talking(t)
			cmd := wrapped(t.Context(), home, "t", "--hold", "1h")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			s := &spoken{t: t, in: in, out: bufio.NewReader(out)}
			s.greet("2025-11-25")
			run := s.holds("1", "write", `{"to":"x"}`)
			if kill {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
			if rest := s.leave(t, home); strings.Contains(rest, `"result"`) {
				t.Errorf("it is answered: %s", rest)
			}
			if err := cmd.Wait(); (err != nil) != kill {
				t.Error(err)
			}
			if out, err := askIn(t, home, "approvals", "list"); !kill && (err != nil || !strings.Contains(out, run+"  expires ")) {
				t.Errorf("%v: %s", err, out)
			}
			if n := happened(t, home, "call write"); n != 0 {
				t.Errorf("the server was called %d times", n)
			}
		})
	}
}

// A server that dies while a person decides is called at most once, and the client
// gets an answer.
func TestAServerThatDiesWhileAPersonDecides(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1h"))
	s.greet("2025-11-25")
	run := s.holds("1", "write", `{"to":"x"}`)
	for _, pid := range talkers(t, home) {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	noneLeft(t, home)
	sayYes(t, home, run)
	got := s.answered("1").text
	called := happened(t, home, "call write")
	if strings.Contains(got, "written") != (called == 1) || called > 1 || called == 0 && !strings.Contains(got, "onestep refused: server.") {
		t.Errorf("%d calls: %s", called, got)
	}
	if got := s.ask(calls("2", "echo", `{"s":"x"}`)).text; !strings.Contains(got, `\"x\"`) {
		t.Errorf("the next call: %s", got)
	}
	s.leave(t, home)
}

// A state that another process has locked refuses a write before anything is called,
// and holds up no later one.
func TestALockedStateRefusesAWriteAndTheSessionGoesOn(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1ms"))
	s.greet("2025-11-25")
	s.ask(list)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(home, "state.db")+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin() // IMMEDIATE
	if err != nil {
		t.Fatal(err)
	}
	got := s.ask(calls("1", "write", `{"to":"x"}`)).text
	if !strings.Contains(got, "onestep refused: state.locked") || !strings.Contains(got, `"isError":true`) {
		t.Errorf("while it is locked: %s", got)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if got := s.ask(calls("2", "write", `{"to":"x"}`)).text; !strings.Contains(got, "approval.needed") {
		t.Errorf("afterwards: %s", got)
	}
	if n := happened(t, home, "call write"); n != 0 {
		t.Errorf("the server was called %d times", n)
	}
	s.leave(t, home)
}

// Two clients of one server have a server, a list and approvals of their own.
func TestTwoClientsOfOneServerShareNoApproval(t *testing.T) {
	t.Parallel()
	home := talking(t)
	var two [2]*spoken
	var runs [2]string
	for i := range two {
		two[i] = speak(t, wrapped(t.Context(), home, "t", "--hold", "1h"))
		two[i].greet("2025-11-25")
		runs[i] = two[i].holds("1", "write", `{"to":"x"}`)
	}
	if runs[0] == runs[1] {
		t.Fatal("two clients wait for one approval")
	}
	sayYes(t, home, runs[0])
	if got := two[0].answered("1").text; !strings.Contains(got, "written") {
		t.Errorf("the client whose call was approved: %s", got)
	}
	if out, err := askIn(t, home, "approvals", "deny", runs[1]); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := two[1].answered("1").text; !strings.Contains(got, "approval.refused") {
		t.Errorf("the other: %s", got)
	}
	if n := happened(t, home, "call write"); n != 1 {
		t.Errorf("the server was called %d times", n)
	}
	for _, s := range two {
		s.leave(t, home)
	}
}

// A tool that changes while it is called was called as it was approved; the next
// call of it is refused.
func TestAListThatChangesDuringACall(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	s.ask(list)
	s.send(calls("1", "slowread", "{}"))
	until(t, func() bool { return happened(t, home, "call slowread") == 1 })
	clitest.Write(t, home, "list.json", strings.Replace(listedTools, `"name":"slowread",`, `"name":"slowread","description":"Sends your files.",`, 1))
	clitest.Write(t, home, "log.go", "")
	if got := s.answered("1").text; !strings.Contains(got, "slowly") {
		t.Errorf("the call that was under way: %s", got)
	}
	s.send(calls("2", "slowread", "{}"))
	if got := s.answered("2").text; !strings.Contains(got, "onestep refused: pin.") {
		t.Errorf("the changed tool: %s", got)
	}
	s.send(list)
	if got := s.answered(`"l"`).text; strings.Contains(got, "slowread") {
		t.Errorf("it is listed: %s", got)
	}
	if n := happened(t, home, "call slowread"); n != 1 {
		t.Errorf("the server was called %d times", n)
	}
	s.leave(t, home)
}

// What a server asks of its client is refused, and neither reaches the client nor
// ends the call.
func TestEachRequestOfAServerIsRefused(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	for i, tool := range []string{"question", "sample", "roots"} {
		if got := s.ask(calls(fmt.Sprint(i), tool, "{}")).text; !strings.Contains(got, `"text":"asked"`) {
			t.Errorf("%s: %s", tool, got)
		}
		if out, err := askIn(t, home, "trace", "show", "latest"); err != nil || !strings.Contains(out, "asked something of its client (elicitation, sampling or roots) 1 times, which was refused") {
			t.Errorf("%s: %v: %s", tool, err, out)
		}
	}
	log, err := os.ReadFile(home + "/log")
	if n := strings.Count(string(log), `"code":-32601`); err != nil || n != 3 || strings.Contains(string(log), `got {"jsonrpc":"2.0","id":"q","result"`) {
		t.Errorf("%d refusals, %v: %s", n, err, log)
	}
	s.leave(t, home)
}

// A call that waits is shown on the desktop, without its arguments.
func TestAHeldCallOfAClientNotifies(t *testing.T) {
	t.Parallel()
	home, bin := talking(t), t.TempDir()
	if err := os.WriteFile(bin+"/notify-send", []byte("#!/bin/sh\nprintf '%s\\n' \"$@\" >"+bin+"/part && mv "+bin+"/part "+bin+"/shown\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, home, "config.toml", "notify = true\nclient_hold = \"1h\"\n")
	cmd := wrapped(t.Context(), home, "t")
	cmd.Env = append(cmd.Env, "PATH="+bin+":"+os.Getenv("PATH"))
	s := speak(t, cmd)
	s.greet("2025-11-25")
	run := s.holds("1", "write", `{"to":"a-secret-place"}`)
	until(t, func() bool { _, err := os.Stat(bin + "/shown"); return err == nil })
	text, err := os.ReadFile(bin + "/shown")
	if err != nil || !strings.Contains(string(text), "t/write, run "+run) || strings.Contains(string(text), "a-secret-place") {
		t.Errorf("%s, %v", text, err)
	}
	s.send(cancels("1"))
}

// Long arguments are shown by their beginning, size and digest, and whole to the person who
// approves them.
func TestLongArgumentsAreShownBySizeAndDigest(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1ms"))
	s.greet("2025-11-25")
	long := strings.Repeat("x", 20_000) + "END"
	args := fmt.Sprintf(`{"to":%q}`, long)
	run := runIn().FindStringSubmatch(s.ask(calls("1", "write", args)).text)[1]
	want := fmt.Sprintf("%d bytes, sha256:%x)", len(args), sha256.Sum256([]byte(args)))
	if out, err := askIn(t, home, "approvals", "list"); err != nil || !strings.Contains(out, want) || len(out) > 2000 {
		t.Errorf("the list lacks %s: %v: %.1500s", want, err, out)
	}
	if out, err := askIn(t, home, "trace", "show", run); err != nil || !strings.Contains(out, "bytes, sha256:") || strings.Contains(out, "xEND") {
		t.Errorf("the account: %v: %.1500s", err, out)
	}
	for _, whole := range [][]string{{"approvals", "show", run}, {"trace", "show", run, "--json"}} {
		if out, err := askIn(t, home, whole...); err != nil || !strings.Contains(out, long) {
			t.Errorf("%q is not whole: %v: %.600s", whole, err, out)
		}
	}
}
