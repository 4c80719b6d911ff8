//go:build bench

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkWrapped is a client's call of a server that lists so many tools: bare, and
// through each of the programs between them, 30 calls of each in turn. Busy has another
// writer on the same disk.
func BenchmarkWrapped(b *testing.B) {
	for _, n := range []int{10, 200, 600} {
		sessions := between(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) { callInTurn(b, sessions) })
		b.Run(fmt.Sprint(n, "/busy"), func(b *testing.B) {
			defer writing(b)()
			callInTurn(b, sessions)
		})
		for _, s := range sessions {
			s.close()
		}
	}
}

// between are the sessions with a server, by the program between it and the client.
func between(b *testing.B, n int) map[string]*session {
	b.Helper()
	s := listed(b, 0, n)
	bare, err := spoken(b, bareCommand(s))
	if err != nil {
		b.Fatal(err)
	}
	sessions := map[string]*session{"bare": bare}
	for name, program := range asks(b) {
		sessions[name] = wrapped(b, program, home(b, name, map[string]server{"s": s}))
	}
	for name, start := range map[string]func(*testing.B, server) (*session, error){"protector": protector, "mcpproxy": mcpproxy} {
		if peer, err := start(b, s); err == nil {
			sessions[name] = peer
		} else {
			notRun(name, err)
		}
	}
	return sessions
}

// own are the programs that must work. A peer that fails has no figures.
var own = map[string]bool{"ask": true, "base": true, "bare": true}

func callInTurn(b *testing.B, sessions map[string]*session) {
	b.Helper()
	const calls = 30
	series := map[string][]float64{}
	names := slices.Sorted(maps.Keys(sessions))
	for b.Loop() {
		for _, name := range names {
			if sessions[name] == nil {
				continue
			}
			s, took := sessions[name], []float64{}
			before := processor(s.pid)
			for range calls {
				waited, err := s.call()
				if err != nil && own[name] {
					b.Fatalf("%s: %v", name, err)
				}
				if err != nil {
					notRun(name, err)
					delete(sessions, name) // also for the benchmarks that follow
					break
				}
				took = append(took, ms(waited))
			}
			if len(took) < calls {
				continue
			}
			series[name+"-ms"] = append(series[name+"-ms"], median(took))
			series[name+"-cpu-ms"] = append(series[name+"-cpu-ms"], ms(processor(s.pid)-before)/calls)
		}
	}
	for name, s := range sessions {
		series[name+"-resident-bytes"] = []float64{resident(s.pid)}
	}
	time.Sleep(5 * time.Second) // at rest a program may give memory back
	for _, name := range names {
		if sessions[name] == nil {
			maps.DeleteFunc(series, func(unit string, _ []float64) bool { return strings.HasPrefix(unit, name+"-") })
			continue
		}
		series[name+"-rest-bytes"] = []float64{resident(sessions[name].pid)}
	}
	report(b, series)
}

// writing writes to the disk of the temporary folder, and waits for each write, until it
// is stopped.
func writing(b *testing.B) (stop func()) {
	b.Helper()
	f, err := os.Create(filepath.Join(b.TempDir(), "written"))
	if err != nil {
		b.Fatal(err)
	}
	var done atomic.Bool
	ended := make(chan error)
	go func() {
		some := make([]byte, 256<<10)
		for !done.Load() && err == nil {
			if _, err = f.WriteAt(some, 0); err == nil {
				err = f.Sync()
			}
		}
		ended <- err
	}()
	return func() {
		done.Store(true)
		if err := <-ended; err != nil {
			b.Error(err)
		}
		_ = f.Close()
	}
}
