package heap

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

func TestTheHeapBeginsInLargePages(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil {
		t.Skip("this system has no large pages")
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	at, inside := uint64(uintptr(unsafe.Pointer(probe))), false
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			inside = from <= at && at < to
		}
		if flags, is := strings.CutPrefix(line, "VmFlags:"); is && inside {
			if !strings.Contains(flags, " hg") {
				t.Errorf("the heap's first memory has the flags%s", flags)
			}
			return
		}
	}
	t.Error("the heap has no first memory")
}
