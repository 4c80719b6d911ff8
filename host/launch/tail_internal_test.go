package launch

import (
	"strings"
	"testing"
)

// TestWhatIsKeptOfStderrIsBounded: a server that prints without end fills no
// memory, however it writes.
func TestWhatIsKeptOfStderrIsBounded(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 1000, 32 << 10, 1 << 20} {
		var kept tail
		line := []byte(strings.Repeat("x", size))
		for written := 0; written < 4*(tailMax+size); written += size {
			_, _ = kept.Write(line) // it never fails
			if len(kept.kept) > tailMax {
				t.Fatalf("after %d bytes in writes of %d it keeps %d", written, size, len(kept.kept))
			}
		}
		if most := 2*(tailMax+size) + 64<<10; cap(kept.kept) > most {
			t.Errorf("after writes of %d it holds %d bytes, more than %d", size, cap(kept.kept), most)
		}
	}
}
