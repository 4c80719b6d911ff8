//go:build unix

package disk_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/onestep-run/onestep/host/disk"
)

// A file is trusted by its owner, and by everyone where root owns it.
func TestTrusted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	for _, c := range []struct {
		owner  uint32
		reader int
		ok     bool
	}{{1000, 1000, true}, {0, 1000, true}, {0, 0, true}, {1001, 1000, false}, {1000, 0, false}, {65534, 1000, false}} {
		owner.Uid = c.owner
		err := disk.Trusted(info, c.reader)
		if (err == nil) != c.ok || !c.ok && !strings.Contains(err.Error(), "another user") {
			t.Errorf("a file of %d is read by %d: %v", c.owner, c.reader, err)
		}
	}
}
