package onestep_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What `make test` runs says what was skipped, shows what failed as `go test`
// does, and ends as it does.
func TestSkippedTestsAreCountedAtTheEnd(t *testing.T) {
	t.Parallel()
	const good = `package p
import "testing"
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
			"ok  \tp\t", `skipped: p TestLeft: p_test.go:4: no "corpus" <here>` + "\n", "skipped: p TestParts/left: \n", "3 tests passed, 0 failed, 2 were skipped.\n",
		}, []string{"said by a good one", "=== RUN", "--- SKIP"}},
		"a failure": {`func TestBad(t *testing.T) { t.Parallel(); t.Errorf("got %q", "a\tb\\") }`, false, []string{
			"--- FAIL: TestBad", `got "a\tb\\"`, "FAIL\tp\t", "3 tests passed, 1 failed, 2 were skipped.\n",
		}, []string{"said by a good one"}},
		"a panic": {`func TestBad(t *testing.T) { panic("out of paper") }`, false, []string{"out of paper", "FAIL\tp\t", "1 failed"}, nil},
		"an exit": {`func TestBad(t *testing.T) { println("going"); panic(1) }`, false, []string{"going", "FAIL\tp\t"}, nil},
		"no Go":   {`func TestBad(t *testing.T) { x }`, false, []string{"undefined: x", "FAIL\tp [build failed]", "0 tests passed, 0 failed, 0 were skipped.\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "a path with spaces")
			for _, file := range []string{"tools/test.sh", "tools/test.awk"} {
				copyTo(t, file, filepath.Join(dir, file))
			}
			put(t, filepath.Join(dir, "go.mod"), "module p\n\ngo 1.24\n")
			put(t, filepath.Join(dir, "p_test.go"), good+c.more+"\n")
			cmd := exec.CommandContext(t.Context(), "bash", filepath.Join(dir, "tools", "test.sh"), "-count=1", "./...")
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
