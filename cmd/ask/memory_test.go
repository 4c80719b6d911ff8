package main

import "testing"

// A small heap keeps the aim. A large one has room for garbage, and for less than itself.
func TestALargeHeapHasRoomForGarbage(t *testing.T) {
	t.Parallel()
	if got := aimFor(20 << 20); got != memoryAim {
		t.Errorf("a heap of 20 MiB has a limit of %d", got)
	}
	for _, inUse := range []uint64{64 << 20, 256 << 20, 4 << 30} {
		got := uint64(aimFor(inUse)) - beyondHeap
		if got < inUse+inUse/16 || got > 2*inUse {
			t.Errorf("a heap of %d has a limit of %d", inUse, got)
		}
	}
}
