package host_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/internal/recorded"
)

// forged is as near as a program outside of host comes to a recording: it cannot name
// the seal, and has the compiler infer it.
func forged[A, B any](func(A, B) (*host.Host, error)) (seal B) { return seal }

// A program outside of host cannot make a recorded world, which would overrule a scanner
// or invent a grant.
func TestAProgramMakesNoRecordedWorld(t *testing.T) {
	t.Parallel()
	c := newBench(t).config
	seal := forged(host.Recorded)
	for i := range reflect.TypeOf(seal).NumField() {
		if f := reflect.ValueOf(&seal).Elem().Field(i); f.CanSet() {
			t.Errorf("the field %s can be set", reflect.TypeOf(seal).Field(i).Name)
		}
	}
	if reflect.TypeOf(&seal).NumMethod() != 1 { // Open
		t.Error("the seal has a method that makes one")
	}
	for name, s := range map[string]recorded.Sealed[host.Recording]{"the zero value": seal, "nothing, sealed": recorded.Seal[host.Recording](nil)} {
		if h, err := host.Recorded(c, s); err == nil || h != nil {
			t.Errorf("%s makes a host", name)
		}
	}
}

// The go command refuses the package of the seal to a program outside of host.
func TestTheSealCannotBeImported(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	main, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	for room, refused := range map[string]bool{"cmd/forger": true, "config/forger": true, "host/forger": false} {
		text := "package forger\n\nimport _ \"github.com/onestep-run/onestep/host/internal/recorded\"\n"
		files, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, room, "main.go"): main}})
		if err != nil {
			t.Fatal(err)
		}
		for name, b := range map[string][]byte{main: []byte(text), overlay: files} {
			if err := os.WriteFile(name, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), "go", "list", "-overlay", overlay, "./"+room)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if is := err != nil && strings.Contains(string(out), "use of internal package"); is != refused {
			t.Errorf("%s: refused %v, want %v: %s", room, is, refused, out)
		}
	}
}
