package config

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A process that saw no key, and comes second, leaves the first one's.
func TestAKeyIsNotMadeOverAnother(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), keyFile)
	var first []byte
	for range 2 {
		if err := makeKey(path); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b
		} else if !bytes.Equal(b, first) {
			t.Error("the second key took the place of the first")
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".identity-*")); err != nil || len(left) > 0 {
		t.Errorf("%q are left, %v", left, err)
	}
}
