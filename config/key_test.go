package config_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestTheLocalKeyIsMadeOnceForItsUserAlone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state", "onestep")
	key, err := config.LocalKey(dir)
	if err != nil || key == (pin.Key{}) {
		t.Fatal(key, err)
	}
	if again, err := config.LocalKey(dir); err != nil || again != key {
		t.Errorf("the second reading gives another key, %v", err)
	}
	if other, err := config.LocalKey(t.TempDir()); err != nil || other == key {
		t.Errorf("two machines have one key, %v", err)
	}
	for place, mode := range map[string]os.FileMode{filepath.Join(dir, "identity.key"): 0o600, dir: 0o700} {
		if info, err := os.Stat(place); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v, %v", place, info.Mode(), err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v stays behind, %v", left, err)
	}
}

// TestProcessesThatMakeAKeyAtOnceAgree runs itself as each of the processes.
func TestProcessesThatMakeAKeyAtOnceAgree(t *testing.T) {
	t.Parallel()
	const where = "ONESTEP_TEST_KEY_DIR"
	if dir := os.Getenv(where); dir != "" {
		key, err := config.LocalKey(dir)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("key %x\n", key)
		return
	}
	dir := t.TempDir()
	said := make(chan string)
	const processes = 8
	for range processes {
		go func() {
			cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
			cmd.Env = append(os.Environ(), where+"="+dir)
			out, err := cmd.CombinedOutput()
			key, _, _ := strings.Cut(string(out), "\n")
			if err != nil || !strings.HasPrefix(key, "key ") {
				key = fmt.Sprintf("%v: %s", err, out)
			}
			said <- key
		}()
	}
	want := <-said
	for range processes - 1 {
		if got := <-said; got != want || !strings.HasPrefix(got, "key ") {
			t.Errorf("one process says %q, another %q", want, got)
		}
	}
}

func TestALocalKeyThatCannotBeUsedIsAnErrorThatSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "short": strings.Repeat("k", 31), "long": strings.Repeat("k", 33), "zeros, as after a crash": strings.Repeat("\x00", 32),
	} {
		dir := t.TempDir()
		path := file(t, dir, "identity.key", text)
		key, err := config.LocalKey(dir)
		if verdict.CodeOf(err) != verdict.ConfigInvalid || key != (pin.Key{}) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != text {
			t.Errorf("%s: the file became %q, %v", name, b, err)
		}
	}
	inTheWay := t.TempDir()
	if err := os.Mkdir(filepath.Join(inTheWay, "identity.key"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"a directory in its place": inTheWay, "a file in the directory's": file(t, t.TempDir(), "state", "")} {
		if key, err := config.LocalKey(dir); verdict.CodeOf(err) != verdict.ConfigUnreadable || key != (pin.Key{}) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
