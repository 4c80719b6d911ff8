package onestep_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What `make test` runs says what was skipped, shows what failed as `go test`
// does, and ends as it does.
func TestSkippedTestsAreCountedAtTheEnd(t *testing.T) {
	t.Parallel()
	const good = `package p
import "testing"
import "os"
var _ = os.Exit
func TestGood(t *testing.T) { t.Log("said by a good one"); t.Run("part", func(t *testing.T) {}) }
func TestLeft(t *testing.T) { t.Skip("no \"corpus\" <here>") }
func TestParts(t *testing.T) { t.Run("left", func(t *testing.T) { t.SkipNow() }) }
`
	for name, c := range map[string]struct {
		more   string
		ends   bool // well
		says   []string
		silent []string
	}{
		"skips": {"", true, []string{
			"ok  \tp\t", `skipped: p TestLeft: p_test.go:6: no "corpus" <here>` + "\n", "skipped: p TestParts/left: \n", "3 tests passed, 0 failed, 2 were skipped; 1 packages passed, 0 failed.\n",
		}, []string{"said by a good one", "=== RUN", "--- SKIP"}},
		"a failure": {`func TestBad(t *testing.T) { t.Parallel(); t.Errorf("got %q", "a\tb\\") }`, false, []string{
			"--- FAIL: TestBad", `got "a\tb\\"`, "FAIL\tp\t", "failed: p\n3 tests passed, 1 failed, 2 were skipped; 0 packages passed, 1 failed.\n",
		}, []string{"said by a good one"}},
		"a panic": {`func TestBad(t *testing.T) { panic("out of paper") }`, false, []string{"out of paper", "FAIL\tp\t", " 1 failed, "}, nil},
		"an exit": {`func TestBad(t *testing.T) { println("going"); os.Exit(3) }`, false, []string{
			"going", "FAIL\tp\t", "failed: p\n  ended in TestBad\n3 tests passed, 1 failed, 2 were skipped; 0 packages passed, 1 failed.\n",
		}, nil},
		"a limit of time": {`func TestBad(t *testing.T) { select {} }`, false, []string{
			"panic: test timed out", "FAIL\tp\t", "failed: p\n", "0 packages passed, 1 failed.\n",
		}, nil},
		"no Go": {`func TestBad(t *testing.T) { x }`, false, []string{"undefined: x", "FAIL\tp [build failed]", "failed: p\n0 tests passed, 0 failed, 0 were skipped; 0 packages passed, 1 failed.\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "a path with spaces")
			for _, file := range []string{"tools/test.sh", "tools/test.awk"} {
				copyTo(t, file, filepath.Join(dir, file))
			}
			put(t, filepath.Join(dir, "go.mod"), "module p\n\ngo 1.24\n")
			put(t, filepath.Join(dir, "p_test.go"), good+c.more+"\n")
			args := []string{filepath.Join(dir, "tools", "test.sh"), "-count=1", "./..."}
			if name == "a limit of time" {
				args = slices.Insert(args, 1, "-timeout=1s")
			}
			cmd := exec.CommandContext(t.Context(), "bash", args...)
			cmd.Env = append(os.Environ(), "GOFLAGS=", "RACE=", "GOWORK=off")
			out, err := cmd.CombinedOutput()
			if (err == nil) != c.ends {
				t.Errorf("it ends with %v", err)
			}
			for _, says := range c.says {
				if !strings.Contains(string(out), says) {
					t.Errorf("%q is not in\n%s", says, out)
				}
			}
			for _, silent := range c.silent {
				if strings.Contains(string(out), silent) {
					t.Errorf("%q is in\n%s", silent, out)
				}
			}
		})
	}
}

// The other steps run after a step that fails: a slow package hides nothing.
func TestEveryStepOfCIRunsAndOneFailureFailsIt(t *testing.T) {
	t.Parallel()
	for failing, want := range map[string]string{
		"":     "failed 0: packages tests demo evaluation lint release fuzz interop mutants",
		"demo": "failed 1: packages tests demo evaluation lint release fuzz interop mutants",
	} {
		dir := t.TempDir()
		copyTo(t, ".ci/run", filepath.Join(dir, ".ci/run"))
		bin := filepath.Join(dir, "bin")
		for _, name := range strings.Fields("chromium dbus-run-session gnome-keyring-daemon curl openssl xmllint npm python3 go git apt-get") {
			putProgram(t, filepath.Join(bin, name), "")
		}
		putProgram(t, filepath.Join(bin, "make"), `[ "$1" != "$FAILING" ]`)
		putProgram(t, filepath.Join(dir, "interop/run.sh"), "")
		cmd := exec.CommandContext(t.Context(), "bash", filepath.Join(dir, ".ci/run"))
		cmd.Env = append(os.Environ(), "FAILING="+failing, "PATH="+bin+":"+os.Getenv("PATH"), "ASK_CI=full")
		out, _ := cmd.CombinedOutput() // the exit code is compared below
		got := "failed " + strconv.Itoa(cmd.ProcessState.ExitCode()) + ":"
		for _, step := range regexp.MustCompile(`(?m)^==== (\w+): (?:passed in|FAILED after)`).FindAllStringSubmatch(string(out), -1) {
			got += " " + step[1]
		}
		if got != want {
			t.Errorf("with %q failing: %s, want %s\n%s", failing, got, want, out)
		}
	}
}

func putProgram(t *testing.T, file, script string) {
	t.Helper()
	put(t, file, "#!/bin/sh\n"+script+"\n")
	if err := os.Chmod(file, 0o700); err != nil {
		t.Fatal(err)
	}
}

func copyTo(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	put(t, to, string(b))
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// `make install` puts both programs and the manual pages below PREFIX, and they run.
func TestInstallPutsAllBelowPrefix(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "a path with spaces")
	prefix := filepath.Join(root, "usr")
	install := exec.CommandContext(t.Context(), "make", "-s", "install", "BIN="+filepath.Join(root, "bin"), "PREFIX="+prefix)
	install.Env = append(os.Environ(), "MAKEFLAGS=", "DESTDIR=")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, program := range []string{"ask", "ask-eval"} {
		if info, err := os.Stat(filepath.Join(prefix, "bin", program)); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s: %v, %v", program, info, err)
		}
	}
	shown := exec.CommandContext(t.Context(), filepath.Join(prefix, "bin", "ask"), "--demo", "Summarize policy-002")
	shown.Env = append(os.Environ(), "ASK_HOME="+filepath.Join(root, "home"))
	if out, err := shown.CombinedOutput(); err != nil || !strings.Contains(string(out), "policy-002") {
		t.Errorf("%v\n%s", err, out)
	}
	pages, err := filepath.Glob(filepath.Join(prefix, "share", "man", "man1", "*.1"))
	if err != nil || len(pages) < 90 || !slices.Contains(pages, filepath.Join(prefix, "share", "man", "man1", "ask-servers-logs.1")) {
		t.Errorf("%d manual pages: %v", len(pages), err)
	}
}
