//go:build bench

package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// inPackage are benchmarks of a package, which run in both trees in turn.
var inPackage = map[string]struct {
	pattern, time string
	units         map[string]string // of the benchmark, and what the unit is called here
}{
	"gates": {"^BenchmarkGatesWithRules$", "100ms", map[string]string{"ns/op": "ns"}},
	"run":   {"^BenchmarkRun$/^600_tools$/^no_disk$", "300ms", map[string]string{"ns/op": "ns", "p99-ns": "p99-ns"}},
	"users": {"^BenchmarkUsers$", "1x", map[string]string{"answers/s": "answers/s"}},
}

// data is ASK_DATA for a program that runs elsewhere: the folder next to this tree by default.
func data(b *testing.B) string {
	b.Helper()
	path, err := filepath.Abs(cmp.Or(os.Getenv("ASK_DATA"), root+"/../shared/data"))
	if err != nil {
		b.Fatal(err)
	}
	return "ASK_DATA=" + path
}

// BenchmarkHost is benchmarks of package host, here and in the earlier commit in turn.
func BenchmarkHost(b *testing.B) {
	trees := map[string]string{"ask": root}
	if base, err := baseTree(); err == nil {
		trees["base"] = base
	} else {
		notRun("base", err)
	}
	programs := map[string]string{}
	for name, tree := range trees {
		programs[name] = filepath.Join(made, "host-"+name+".test")
		if err := command(tree, goCommand(), "test", "-c", "-trimpath", "-o", programs[name], "./host"); err != nil {
			b.Fatal(err)
		}
	}
	for what, bench := range inPackage {
		b.Run(what, func(b *testing.B) {
			series := map[string][]float64{}
			for b.Loop() {
				for name, program := range programs {
					cmd := exec.CommandContext(context.WithoutCancel(b.Context()), program, "-test.run", "^$", "-test.bench", bench.pattern, "-test.benchtime", bench.time)
					cmd.Dir = filepath.Join(trees[name], "host")
					cmd.Env = append(os.Environ(), data(b), "ASK_DATA_REQUIRED=1")
					out, err := cmd.CombinedOutput()
					if err != nil {
						b.Fatalf("%s: %v: %s", name, err, out)
					}
					for unit, called := range bench.units {
						value, err := measured(string(out), unit)
						if err != nil {
							notRun(name, err)
							return
						}
						series[name+"-"+called] = append(series[name+"-"+called], value)
					}
				}
			}
			report(b, series)
		})
	}
}

// measured is the figure of a unit in what a benchmark printed.
func measured(out, unit string) (float64, error) {
	fields := strings.Fields(out)
	for i, field := range fields[min(1, len(fields)):] {
		if field == unit {
			return strconv.ParseFloat(fields[i], 64)
		}
	}
	return 0, fmt.Errorf("the benchmark has no figure in %s: %s", unit, lastLine([]byte(out)))
}
