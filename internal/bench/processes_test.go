//go:build bench

package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A process is a command that is measured from its start to its exit.
type process struct {
	command []string
	home    string
	answer  string // a part of stdout
	code    int
}

// inTurn runs one process of each program in turn, and reports the medians: the time to
// the answer and to the exit, and the processor time of the process and of its children.
func inTurn(b *testing.B, programs map[string]process) {
	b.Helper()
	names := slices.Sorted(maps.Keys(programs))
	series := map[string][]float64{}
	for _, name := range names {
		programs[name].run(b) // not measured: the caches of the disk are filled
	}
	for b.Loop() {
		for _, name := range names {
			for what, ms := range programs[name].run(b) {
				series[name+"-"+what] = append(series[name+"-"+what], ms)
			}
		}
	}
	report(b, series)
}

// report reports the median of each series.
func report(b *testing.B, series map[string][]float64) {
	b.ReportMetric(0, "ns/op") // the sum of all programs says nothing
	for unit, values := range series {
		b.ReportMetric(median(values), unit)
	}
}

func (p process) run(b *testing.B) map[string]float64 {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), p.command[0], p.command[1:]...)
	cmd.Env, cmd.Dir = append(os.Environ(), "ASK_HOME="+p.home), p.home
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	said, answered := []byte{}, time.Duration(0)
	for buf := make([]byte, 64<<10); err == nil; {
		var n int
		n, err = stdout.Read(buf)
		said = append(said, buf[:n]...)
		if answered == 0 && bytes.Contains(said, []byte(p.answer)) {
			answered = time.Since(start)
		}
	}
	_ = cmd.Wait()
	exited := time.Since(start)
	if cmd.ProcessState.ExitCode() != p.code || err != io.EOF || answered == 0 {
		b.Fatalf("%q: %v, %.300q, %s", p.command, cmd.ProcessState, said, &stderr)
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return map[string]float64{"answer-ms": ms(answered), "exit-ms": ms(exited), "cpu-ms": ms(used)}
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// BenchmarkOneCall is one call of a server that is started for it.
func BenchmarkOneCall(b *testing.B) {
	bare := built(b, "internal/bench/testdata/bare")
	b.Run("fast", func(b *testing.B) {
		s := listed(b, 0, 10)
		oneCall(b, s, "get_ticket", `{"number":"INC0010001"}`, "called", map[string]process{
			"bare": {command: []string{bare, "get_ticket", `{"number":"INC0010001"}`, s.command, s.args[0]}},
		})
	})
	b.Run("everything", func(b *testing.B) {
		everything, inspector := module("@modelcontextprotocol/server-everything/dist/index.js"), module("../inspector/node_modules/.bin/mcp-inspector")
		node, err := exec.LookPath("node")
		if err == nil {
			_, err = os.Stat(everything)
		}
		if err != nil {
			notRun("bare", fmt.Errorf("make interop did not install server-everything here: %w", err))
			return
		}
		others := map[string]process{"bare": {command: []string{bare, "echo", `{"message":"hi"}`, node, everything}}}
		if _, err := os.Stat(inspector); err == nil {
			others["inspector"] = process{command: []string{inspector, "--cli", node, everything, "--method", "tools/call", "--tool-name", "echo", "--tool-arg", "message=hi"}}
		} else {
			notRun("inspector", err)
		}
		oneCall(b, server{command: node, args: []string{everything}, tools: []string{"echo"}}, "echo", `{"message":"hi"}`, "Echo: hi", others)
	})
}

// module is a file that make interop installs.
func module(file string) string {
	path, err := filepath.Abs(root + "/interop/node_modules/" + file)
	if err != nil {
		panic(err)
	}
	return path
}

func oneCall(b *testing.B, s server, tool, args, answer string, programs map[string]process) {
	b.Helper()
	for name, program := range asks(b) {
		programs[name] = process{command: []string{program, "call", "s/" + tool, "--args", args}, home: home(b, name, map[string]server{"s": s})}
	}
	for name, p := range programs {
		p.answer = answer
		programs[name] = p
	}
	inTurn(b, programs)
}

// BenchmarkStart is a process that has nothing to do, one with a mistake in its command,
// and the question to the demo, next to a bare program of the command-line library.
func BenchmarkStart(b *testing.B) {
	bare := built(b, "internal/bench/testdata/cobra")
	for what, line := range map[string]struct {
		ask, bare string
		code      int
	}{
		"version": {"version", "version", 0},
		"error":   {"nosuchcommand", "nosuchcommand", 2},
		"demo":    {"--demo -q Summarize\npolicy-002", "version", 0},
	} {
		b.Run(what, func(b *testing.B) {
			programs := map[string]process{"cobra": {command: append([]string{bare}, line.bare), code: line.code}}
			for name, program := range asks(b) {
				words := strings.Fields(line.ask)
				if what == "demo" {
					words = []string{"--demo", "-q", "Summarize policy-002"}
				}
				programs[name] = process{command: append([]string{program}, words...), home: b.TempDir(), code: line.code}
			}
			inTurn(b, programs)
		})
	}
}

// BenchmarkMany is many servers of 50 tools each: the list of all tools, and a question.
func BenchmarkMany(b *testing.B) {
	servers, n := map[string]server{}, 200
	if quick { // a person's approval of each takes a while
		n = 50
	}
	for i := range n {
		servers[fmt.Sprint("s", i)] = listed(b, i, 50)
	}
	both := asks(b)
	homes := map[string]string{}
	for name := range both {
		homes[name] = home(b, name, servers)
	}
	for what, line := range map[string][]string{"tools": {"tools", "--json"}, "question": {"--no-input", "-q", "Get ticket INC0010001"}} {
		b.Run(what, func(b *testing.B) {
			programs := map[string]process{}
			for name, program := range both {
				programs[name] = process{command: append([]string{program}, line...), home: homes[name]}
			}
			inTurn(b, programs)
		})
	}
}

// BenchmarkTraces is what reads all traces, of which QUICK has fewer.
func BenchmarkTraces(b *testing.B) {
	n := 9375
	if quick {
		n = 500
	}
	both := asks(b)
	homes := map[string]string{}
	for name, program := range both {
		homes[name] = home(b, name, map[string]server{"s": listed(b, 0, 10)})
		s := wrapped(b, program, homes[name])
		for range n {
			if _, err := s.call(); err != nil {
				b.Fatal(err)
			}
		}
		s.close()
	}
	for what, line := range map[string][]string{"list": {"trace", "list", "--json"}, "try": {"policy", "try", "deny s/close_*"}} {
		b.Run(what, func(b *testing.B) {
			programs := map[string]process{}
			for name, program := range both {
				programs[name] = process{command: append([]string{program}, line...), home: homes[name]}
			}
			inTurn(b, programs)
			b.ReportMetric(float64(n), "traces")
		})
	}
}

// BenchmarkSize is the size of ask, stripped.
func BenchmarkSize(b *testing.B) {
	for b.Loop() {
	}
	for name, program := range asks(b) {
		f, err := os.Stat(program)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(f.Size()), name+"-bytes")
	}
	b.ReportMetric(0, "ns/op")
}
