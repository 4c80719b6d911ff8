package confine

import (
	"os/exec"
	"runtime"
	"testing"
)

// A start of the smallest program, from fork to its end.
func BenchmarkStart(b *testing.B) {
	program := interpreter(b, "true")
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command(program).Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("confined", func(b *testing.B) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		p, err := Resolve(everything, Scopes{}, Program{Path: program})
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if status, err := Run(b.Context(), &exec.Cmd{}, p, Options{}); err != nil || status != 0 {
				b.Fatal(status, err)
			}
		}
	})
}
