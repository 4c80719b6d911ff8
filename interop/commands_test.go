//go:build interop

package interop_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// asks runs a question and asserts the exit code: asks CODE ARG…
//
// It asserts of every run that it left one trace, which verifies against the digest
// where one was printed, that it replays to the same verdicts with no server there, and that
// no process of the run is left.
func asks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: asks CODE ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	before := traces(ts)
	err = ts.Exec("ask", args[1:]...)
	var ended *exec.ExitError
	if (err != nil || want != 0) && (!errors.As(err, &ended) || ended.ExitCode() != want) {
		ts.Fatalf("%v, want exit code %d", err, want)
	}
	if left := processes(ts.Getenv("HOME")); left != "" {
		ts.Fatalf("left running: %s", left)
	}
	run := oneMore(ts, before)
	verify := []string{"trace", "verify", run}
	printed := regexp.MustCompile(`(?m)^trace (\S+) (sha256:[0-9a-f]{64})$`).FindStringSubmatch(ts.ReadFile("stderr"))
	if printed == nil {
		printed = regexp.MustCompile(`(?s)"run_id": "([^"]+)".*"trace_digest": "(sha256:[0-9a-f]{64})"`).FindStringSubmatch(ts.ReadFile("stdout"))
	}
	if printed != nil { // a call that reads prints it with --json alone
		if printed[1] != run {
			ts.Fatalf("run %s names the trace of %s", run, printed[1])
		}
		verify = append(verify, "--digest", printed[2])
	}
	confirm(ts, "consistent: ", verify...)
	confirm(ts, "identical: ", "trace", "replay", run)
}

// traces are the names of the traces that are there.
func traces(ts *testscript.TestScript) []string {
	all, err := filepath.Glob(filepath.Join(ts.Getenv("ASK_HOME"), "traces", "trace_*.jsonl"))
	ts.Check(err)
	return all
}

// oneMore is the run whose trace is there now and was not before.
func oneMore(ts *testscript.TestScript, before []string) string {
	now := slices.DeleteFunc(traces(ts), func(name string) bool { return slices.Contains(before, name) })
	if len(now) != 1 {
		ts.Fatalf("%d traces more, want 1", len(now))
	}
	return strings.TrimSuffix(strings.TrimPrefix(filepath.Base(now[0]), "trace_"), ".jsonl")
}

// trusts approves all that a server says: trusts SERVER [FLAG…]. The flags are
// those of the questions that follow.
func trusts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: trusts SERVER [FLAG…]")
	}
	err := ts.Exec("ask", slices.Concat([]string{"servers", "review", "--all-tools", "-q", "--jq", ".reviews[0].digest"}, args)...)
	var ended *exec.ExitError
	if !errors.As(err, &ended) || ended.ExitCode() != 4 {
		ts.Fatalf("review %s: %v, want exit code 4", args[0], err)
	}
	ts.Check(ts.Exec("ask", slices.Concat([]string{"servers", "approve", "--digest", strings.TrimSpace(ts.ReadFile("stdout"))}, args)...))
}

// confirm runs another ask without a server and a network. It does not change the
// script's stdout and stderr.
func confirm(ts *testscript.TestScript, want string, args ...string) {
	cmd := exec.Command(filepath.Join(ts.Getenv("INTEROP"), "../bin/ask"), args...)
	cmd.Env = []string{"ASK_HOME=" + ts.Getenv("ASK_HOME"), "PATH=/nowhere"}
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte(want)) {
		ts.Fatalf("ask %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// processes are the command lines of those that have this home.
func processes(home string) string {
	var found []string
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range environs {
		environ, _ := os.ReadFile(file) // a process that has ended has none
		for _, v := range strings.Split(string(environ), "\x00") {
			if v == "HOME="+home {
				line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
				found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
			}
		}
	}
	return strings.Join(found, "; ")
}

// serve runs a server until the script ends: serve COMMAND ARG…
//
// The server must come up at the free port in PORT; "PORT" in an argument is replaced
// by it.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: serve COMMAND ARG…")
	}
	port := freePort(ts)
	ts.Setenv("PORT", port)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "PORT", port)
	}
	cmd := exec.Command("env", args...)
	cmd.Env = []string{
		"HOME=/nowhere", "PATH=" + ts.Getenv("PATH"), "PORT=" + port,
		"NODE_OPTIONS=--require " + filepath.Join(ts.Getenv("INTEROP"), "loopback.cjs"),
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	ts.Check(cmd.Start())
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	stop := func() { _ = cmd.Process.Kill(); <-ended }
	if err := comesUp(port, ended); err != nil {
		stop()
		ts.Fatalf("%s: %v\n%s", args[0], err, &said)
	}
	ts.Defer(stop)
}

func freePort(ts *testscript.TestScript) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	ts.Check(err)
	return port
}

// comesUp waits until something listens at the port.
func comesUp(port string, ended <-chan struct{}) error {
	every := time.NewTicker(20 * time.Millisecond)
	defer every.Stop()
	limit := time.After(30 * time.Second)
	for {
		select {
		case <-ended:
			return errors.New("the server ended")
		case <-limit:
			return errors.New("the server does not come up")
		case <-every.C:
			if c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", port)); err == nil {
				return c.Close()
			}
		}
	}
}

// tap is between ask and a stdio server and keeps ask's messages: tap FILE COMMAND
// ARG…
func tap() {
	kept, err := os.OpenFile(os.Args[1], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin = io.TeeReader(os.Stdin, kept)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		panic(err)
	}
}
