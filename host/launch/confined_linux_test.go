package launch_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/launch"
)

// A server with a policy is confined by it, and one without is not.
func TestAServerWithAPolicyIsHeldToIt(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("known\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-c", `read line < "$0"; echo "got $line, home $HOME, $GIVEN"; read wait`, secret}
	policy, err := confine.Resolve(confine.Manifest{Description: "a shell"}, confine.Scopes{}, confine.Program{Path: "/bin/sh", Args: args})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var blocked []confine.Attempt
	command := launch.Command{Path: "/bin/sh", Args: args, Env: map[string]string{"GIVEN": "variable", "HOME": "/h"}}
	if got := firstLine(t, command); got != "got known, home /h, variable" {
		t.Errorf("without a policy: %s", got)
	}
	command.Confine, command.Blocked = policy, func(a confine.Attempt) {
		mu.Lock()
		defer mu.Unlock()
		blocked = append(blocked, a)
	}
	got := firstLine(t, command)
	home, found := strings.CutPrefix(got, "got , home ")
	home, _, _ = strings.Cut(home, ",")
	if !found || home == "/h" || strings.Contains(got, "variable") {
		t.Errorf("with a policy: %s", got)
	}
	if _, err := os.Stat(home); !os.IsNotExist(err) {
		t.Errorf("its private directory is still there: %v", err)
	}
	actual, err := filepath.EvalSymlinks(secret)
	if err != nil {
		t.Fatal(err)
	}
	seen := false
	for _, a := range blocked {
		seen = seen || a.Resource == actual && a.Action == "read"
	}
	if !seen {
		t.Errorf("blocked was %v", blocked)
	}
}

// firstLine starts a server, reads a line of it, and ends it.
func firstLine(t *testing.T, c launch.Command) string {
	t.Helper()
	p, err := launch.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(p.Stdout).ReadString('\n')
	if e := p.Close(); err != nil || e != nil {
		t.Errorf("%v %v: %s", err, e, p.Tail(1000))
	}
	return strings.TrimSpace(line)
}

// What cannot be confined is not started.
func TestAPolicyThatIsEmptyStartsNothing(t *testing.T) {
	t.Parallel()
	p, err := launch.Start(t.Context(), launch.Command{Path: "/bin/sh", Args: []string{"-c", "echo started"}, Confine: &confine.Policy{}})
	if err == nil {
		t.Error("a server was started without a program in its policy")
		_ = p.Close()
	}
}
