package agents_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval/agents"
)

func TestARelayKeepsBothWaysAndChangesNeither(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sent, came := filepath.Join(dir, "sent"), filepath.Join(dir, "came")
	const text = "{\"a\":1}\n\x00 no message\n"
	var out bytes.Buffer
	if err := agents.Relay(t.Context(), strings.NewReader(text), &out, io.Discard, sent, came, []string{"cat"}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{sent: text, came: text} {
		if b, err := os.ReadFile(path); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", path, b, err)
		}
	}
	if out.String() != text {
		t.Errorf("%q", out.String())
	}
	if err := agents.Relay(t.Context(), strings.NewReader(""), &out, io.Discard, sent, came, []string{"no-such-command-here"}); err == nil {
		t.Error("a server that cannot be started is none")
	}
}
