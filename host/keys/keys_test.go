package keys_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/keys"
)

const key = "sk-test-5f2c9a7be1d04468"

// TestMain names a session bus that takes connections and says nothing: the
// library reads the process's own environment. A keyring that answers is met
// by the scripts of cmd/ask.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "keys")
	if err != nil {
		panic(err)
	}
	silent, err := net.Listen("unix", filepath.Join(dir, "bus"))
	if err != nil {
		panic(err)
	}
	if err := os.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(dir, "bus")); err != nil {
		panic(err)
	}
	code := m.Run()
	silent.Close()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

func environ(pairs ...string) func(string) (string, bool) {
	env := map[string]string{"DBUS_SESSION_BUS_ADDRESS": "autolaunch:"} // never: no keyring is asked
	for i := 0; i+1 < len(pairs); i += 2 {
		env[pairs[i]] = pairs[i+1]
	}
	return func(name string) (string, bool) {
		v, set := env[name]
		return v, set
	}
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

var slot = keys.Slot{Variable: "OPENAI_API_KEY"}

func TestAKeyComesFromTheVariableOrItsFile(t *testing.T) {
	t.Parallel()
	for _, text := range []string{key, key + "\n", key + "\r\n", key + "\n\n"} {
		path := write(t, text)
		got, err := slot.Find(t.Context(), environ("OPENAI_API_KEY_FILE", path, "OPENAI_API_KEY", "", "LLM_API_KEY", "other"))
		if err != nil || string(got.Key) != key || got.Origin != "file "+path+" (OPENAI_API_KEY_FILE)" {
			t.Errorf("%q: %v from %q, %v", text, string(got.Key), got.Origin, err)
		}
	}
	got, err := slot.Find(t.Context(), environ("OPENAI_API_KEY", key, "OPENAI_API_KEY_FILE", ""))
	if err != nil || string(got.Key) != key || got.Origin != "variable OPENAI_API_KEY" {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = slot.Find(t.Context(), environ("ANTHROPIC_API_KEY", key, "LLM_API_KEY", key, "OPENAI_API_KEYS", key))
	if err != nil || got.Key != "" || got.Origin != "" || got.Note == "" && !hasBus() {
		t.Errorf("another slot's key was found: %+v, %v", got, err)
	}
}

// hasBus reports whether the machine has a session bus where it is looked for.
func hasBus() bool {
	_, err := os.Stat(fmt.Sprintf("/run/user/%d", os.Getuid()))
	return err == nil
}

func TestAKeyInThePlaceOfItsPathIsNotRepeated(t *testing.T) {
	t.Parallel()
	for _, misplaced := range []string{key, "./" + key, key + "/x", strings.Repeat(key, 20), key + "\x00"} {
		got, err := slot.Find(t.Context(), environ("OPENAI_API_KEY_FILE", misplaced))
		var f *verdict.Fault
		if verdict.CodeOf(err) != verdict.ConfigUnreadable || got.Key != "" || !errors.As(err, &f) {
			t.Fatalf("%q: %v", misplaced, err)
		}
		if text := err.Error() + f.Advice(); strings.Contains(text, key) || !strings.Contains(text, "OPENAI_API_KEY_FILE") || !strings.Contains(text, "is for OPENAI_API_KEY") {
			t.Errorf("%q: %s", misplaced, text)
		}
	}
}

func TestAPipeInAFilesPlaceIsRead(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString(key + "\n"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	got, err := slot.Find(t.Context(), environ("OPENAI_API_KEY_FILE", fmt.Sprintf("/dev/fd/%d", r.Fd())))
	if err != nil || string(got.Key) != key {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTwoKeysForOneEndpointAreAnError(t *testing.T) {
	t.Parallel()
	path := write(t, key)
	got, err := slot.Find(t.Context(), environ("OPENAI_API_KEY", key, "OPENAI_API_KEY_FILE", path))
	if verdict.CodeOf(err) != verdict.ConfigInvalid || got.Key != "" || strings.Contains(err.Error(), key) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestAKeyringThatDoesNotAnswerIsNotWaitedForForEver(t *testing.T) {
	t.Parallel()
	env := environ("DBUS_SESSION_BUS_ADDRESS", os.Getenv("DBUS_SESSION_BUS_ADDRESS"))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	got, err := slot.Find(ctx, env)
	if err != nil || got.Key != "" || !strings.Contains(got.Note, "in time") {
		t.Errorf("%+v, %v", got, err)
	}
	if err := slot.Keep(ctx, env, key); verdict.CodeOf(err) != verdict.ModelUnconfigured || strings.Contains(err.Error(), key) {
		t.Error(err)
	}
	if was, err := slot.Forget(ctx, env); verdict.CodeOf(err) != verdict.ModelUnconfigured || was {
		t.Error(was, err)
	}
}

func TestTheKeyringsNameOfAKeyNamesItsEndpoint(t *testing.T) {
	t.Parallel()
	a := keys.Slot{Variable: "LLM_API_KEY", Address: "http://127.0.0.1:8000/v1"}
	b := keys.Slot{Variable: "LLM_API_KEY", Address: "http://127.0.0.1:8001/v1"}
	if a.Account() == b.Account() || a.Account() == slot.Account() || slot.Account() != "OPENAI_API_KEY" {
		t.Error(a.Account(), b.Account())
	}
}

// FuzzRead checks that a key fits in a header, and is the whole text without line ends at
// its end. Reading the key again returns the key.
func FuzzRead(f *testing.F) {
	for _, s := range []string{key, key + "\n", "", "a b", "\x00", "a\nb"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, wrong := keys.Read(b)
		if (got == "") == (wrong == "") {
			t.Fatalf("%q: key %q, wrong %q", b, string(got), wrong)
		}
		if got == "" {
			return
		}
		if again, _ := keys.Read([]byte(string(got))); again != got || !strings.HasPrefix(string(b), string(got)) || strings.ContainsAny(string(got), " \r\n\x00") {
			t.Fatalf("%q read as %q", b, string(got))
		}
	})
}
