package confine

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// The account that all tests are run as a second time, where the first
// is root.
const nobody = 65534

// TestMain is the server, too: the tests start their own program confined, with
// the word "probe" and what it is to try.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "probe" {
		probe(os.Args[2:])
	}
	if len(os.Args) > 1 && os.Args[1] == "walled" {
		walled(os.Args[2:])
	}
	flag.Parse()
	remove, err := buildProber()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if os.Geteuid() == 0 && code == 0 && flag.Lookup("test.list").Value.String() == "" {
		code = asNobody()
	}
	remove()
	os.Exit(code)
}

// racing is set where the race detector is on.
var racing bool

// proberVariable is where the program of the probes is, for the processes that
// these tests start.
const proberVariable = "ONESTEP_TEST_PROBER"

// buildProber builds this test without the race detector, to be the server. The detector
// maps more memory than a limit allows, and waits a second before each exit. The
// supervisor keeps the detector.
func buildProber() (remove func(), err error) {
	remove = func() {}
	if !racing || os.Getenv(proberVariable) != "" {
		return remove, nil
	}
	dir, err := os.MkdirTemp("", "confine-prober-")
	if err != nil {
		return remove, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	program := filepath.Join(dir, "prober")
	build := exec.Command("go", "test", "-c", "-race=false", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	if err = errors.Join(err, os.Chmod(dir, 0o755), os.Setenv(proberVariable, program)); err != nil {
		remove()
		return remove, fmt.Errorf("the program of the probes cannot be built: %w\n%s", err, out)
	}
	return remove, nil
}

// prober is the program that tries what a server might.
func prober() (string, error) {
	if built := os.Getenv(proberVariable); built != "" {
		return built, nil
	}
	return os.Executable()
}

// asNobody runs the same tests as a user without rights.
func asNobody() int {
	dir, err := os.MkdirTemp("", "confine-nobody-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "test")
	if err := errors.Join(os.Chmod(dir, 0o755), copyProgram(program)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var args []string
	for _, name := range []string{"test.timeout", "test.run", "test.v", "test.short", "test.skip"} {
		if f := flag.Lookup(name); f.Value.String() != f.DefValue {
			args = append(args, "-"+name+"="+strings.TrimSuffix(f.Value.String(), "=test2json"))
		}
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "as an ordinary user:", err)
		return 1
	}
	return 0
}

func copyProgram(to string) error {
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		return err
	}
	defer from.Close()
	f, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// server is a program under test.
type server struct {
	scopes  Scopes
	program string // "" for this test's own
	args    []string
	env     []string
	dir     string
	lookup  lookup
	stdin   string
	inherit bool // the environment of the test, to be chosen from
}

// ran is what came of one.
type ran struct {
	out, err string
	code     int
	attempts []string
	report   Report
	raw      []Attempt
}

// everything asks for all that a scope can grant.
var everything = Manifest{Description: "a server of a test", Permissions: []Permission{FilesRead, FilesWrite, FilesDelete, NetworkClient, NetworkServer, EnvRead, Exec}}

func self_(tb testing.TB) string {
	tb.Helper()
	path, err := prober()
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

func (s server) policy(tb testing.TB) *Policy {
	tb.Helper()
	if s.program == "" {
		s.program, s.args = self_(tb), append([]string{"probe"}, s.args...)
	}
	p, err := Resolve(everything, s.scopes, Program{Path: s.program, Args: s.args, Dir: s.dir})
	if err != nil {
		tb.Fatal(err)
	}
	if s.lookup != nil {
		p.lookup = s.lookup
	}
	return p
}

// run starts the server confined and waits for its end.
func (s server) run(tb testing.TB) ran {
	tb.Helper()
	return runPolicy(tb, s.policy(tb), s)
}

func runPolicy(tb testing.TB, p *Policy, s server) ran {
	tb.Helper()
	if err := ThisMachine().holds(p, false); err != nil {
		required(tb, err.Error())
	}
	cmd := &exec.Cmd{Env: s.env, SysProcAttr: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}}
	if s.inherit {
		cmd.Env = append(os.Environ(), s.env...)
	}
	var out, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(s.stdin), &out, &stderr
	runtime.LockOSThread() // the kernel ends the server with the thread that started it
	defer runtime.UnlockOSThread()
	c, err := Start(cmd, p, Options{})
	if err != nil {
		tb.Fatalf("the server was not started: %v\n%s", err, stderr.String())
	}
	_ = cmd.Wait() // the exit status is looked at below
	if err := c.Close(); err != nil {
		tb.Error(err)
	}
	r := ran{out: out.String(), err: stderr.String(), code: cmd.ProcessState.ExitCode(), report: c.Report()}
	r.raw, _ = c.Attempts()
	for _, a := range r.raw {
		r.attempts = append(r.attempts, a.String())
	}
	return r
}

// try runs one probe and returns what it printed.
func try(tb testing.TB, scopes Scopes, args ...string) string {
	tb.Helper()
	r := server{scopes: scopes, args: args}.run(tb)
	if r.err != "" {
		tb.Errorf("%v: stderr has %s", args, r.err)
	}
	return strings.TrimSpace(r.out)
}
