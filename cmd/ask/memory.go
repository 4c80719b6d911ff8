package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// memoryAim is where the collector begins to work harder; nothing fails there. It is
	// three times the memory of an ordinary run. The limits of the input bound the memory of
	// a run.
	memoryAim = 96 << 20
	// heapGrowth is the garbage below the aim, in percent of the live heap. With it an
	// ordinary run ends before its first collection, at 16 MiB.
	heapGrowth = 400
	// beyondHeap is memory that is not in the heap, or lost between its objects.
	beyondHeap = 8 << 20
)

// boundMemory keeps garbage from doubling the memory of a huge answer, and avoids collecting
// a little garbage. GOMEMLIMIT or GOGC override it.
func boundMemory() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(memoryAim)
		followHeap(memoryAim)
	}
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(heapGrowth)
	}
}

// followHeap moves the limit after each collection, by the heap that is in use. Near a limit
// that the heap in use has reached, the collector would run all the time: ten thousand tools
// took more processor time to collect than to read.
func followHeap(limit int64) {
	runtime.SetFinalizer(&[16]byte{}, func(*[16]byte) {
		inUse := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(inUse)
		is := limit
		if inUse[0].Value.Kind() == metrics.KindUint64 {
			is = aimFor(inUse[0].Value.Uint64())
		}
		if is != limit {
			debug.SetMemoryLimit(is)
		}
		followHeap(is)
	})
}

// aimFor is the limit for a heap in use. It leaves room for an eighth as much garbage.
func aimFor(inUse uint64) int64 {
	return max(memoryAim, int64(inUse+inUse/8)+beyondHeap)
}
