//go:build unix

package keys_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

func TestAFileThatHoldsNoKeyIsNamedAndNotQuoted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		path string
		code verdict.Code
	}{
		"absent":              {filepath.Join(dir, "none"), verdict.ConfigUnreadable},
		"below a file":        {filepath.Join(write(t, key), "x"), verdict.ConfigUnreadable},
		"a directory":         {dir, verdict.ConfigInvalid},
		"a device":            {"/dev/zero", verdict.ConfigInvalid},
		"a pipe nobody fills": {fifo, verdict.ConfigInvalid},
		"empty":               {write(t, ""), verdict.ConfigInvalid},
		"a line end":          {write(t, "\n"), verdict.ConfigInvalid},
		"two lines":           {write(t, key+"\n"+key+"\n"), verdict.ConfigInvalid},
		"a space before":      {write(t, " "+key), verdict.ConfigInvalid},
		"an assignment":       {write(t, "OPENAI_API_KEY= "+key), verdict.ConfigInvalid},
		"binary":              {write(t, key+"\x00"), verdict.ConfigInvalid},
		"too long":            {write(t, strings.Repeat(key, 1000)), verdict.ConfigInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := slot.Find(t.Context(), environ("OPENAI_API_KEY_FILE", row.path))
			if verdict.CodeOf(err) != row.code || row.code.Entry().Exit != 2 || got.Key != "" {
				t.Fatalf("%v, want %s", err, row.code)
			}
			if text := err.Error(); !strings.Contains(text, "OPENAI_API_KEY_FILE") || !strings.Contains(text, row.path) || strings.Contains(text, key) {
				t.Error(text)
			}
		})
	}
}

func TestAPipeThatStaysOpenIsNotWaitedForForEver(t *testing.T) {
	t.Parallel()
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := os.OpenFile(fifo, os.O_RDWR, 0) // a writer that never writes
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := slot.Find(ctx, environ("OPENAI_API_KEY_FILE", fifo)); verdict.CodeOf(err) != verdict.ConfigUnreadable {
		t.Error(err)
	}
}
