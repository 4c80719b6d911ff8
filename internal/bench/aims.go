package main

import (
	"cmp"
	"fmt"
	"strings"
)

// An aim is a figure with a limit. The figure is a ratio, a difference or a quantity.
type aim struct {
	number int // aims that belong together have one number, and are met together
	what   string
	bench  string
	unit   string // of this ask
	kind   kind
	next   string // the unit of the figure next to it
	other  string // the benchmark of next, if it is another
	limit  float64
}

type kind int

const (
	atMost  kind = iota // times next
	atLeast             // times next
	more                // than next, at most
	alone               // at most; next is only shown
)

// aims are what the program is measured by. Times are in nanoseconds, sizes in bytes.
var aims = []aim{
	{1, "one call of a server that answers at once, next to a bare client of the Go SDK", "BenchmarkOneCall/fast", "ask-exit-ms", atMost, "bare-exit-ms", "", 2},
	{1, "the same, processor time", "BenchmarkOneCall/fast", "ask-cpu-ms", atMost, "bare-cpu-ms", "", 0},
	{2, "one call of server-everything (Node), to the answer, next to the same client", "BenchmarkOneCall/everything", "ask-answer-ms", atMost, "bare-answer-ms", "", 1.05},
	{3, "`ask version`, next to a bare program of cobra", "BenchmarkStart/version", "ask-exit-ms", atMost, "cobra-exit-ms", "", 2.5},
	{3, "an error exit, next to the same", "BenchmarkStart/error", "ask-exit-ms", atMost, "cobra-exit-ms", "", 2.5},
	{4, "`ask --demo`, next to `version` of the same", "BenchmarkStart/demo", "ask-exit-ms", atMost, "cobra-exit-ms", "", 8},
	{5, "a wrapped call, 10 tools, next to mcp-context-protector", "BenchmarkWrapped/10", "ask-ms", atMost, "protector-ms", "", 1},
	{5, "a wrapped call, 200 tools", "BenchmarkWrapped/200", "ask-ms", atMost, "protector-ms", "", 1},
	{5, "a wrapped call, 600 tools", "BenchmarkWrapped/600", "ask-ms", atMost, "protector-ms", "", 1.2},
	{6, "a wrapped call, 10 tools, with a writer on the same disk, next to mcpproxy-go", "BenchmarkWrapped/10/busy", "ask-ms", atMost, "mcpproxy-ms", "", 1.2},
	{6, "the same, 200 tools", "BenchmarkWrapped/200/busy", "ask-ms", atMost, "mcpproxy-ms", "", 1.2},
	{6, "the same, 600 tools", "BenchmarkWrapped/600/busy", "ask-ms", atMost, "mcpproxy-ms", "", 1.2},
	{7, "processor time of a wrapped call, 600 tools", "BenchmarkWrapped/600", "ask-cpu-ms", atMost, "base-cpu-ms", "", 0.35},
	{7, "the same, more than with 10 tools", "BenchmarkWrapped/600", "ask-cpu-ms", more, "ask-cpu-ms", "BenchmarkWrapped/10", 0.4e6},
	{8, "the gates of a typical call with 20 rules", "BenchmarkHost/gates", "ask-ns", atMost, "base-ns", "", 0.5},
	{9, "a run over 600 tools at p99, without model, tool and disk", "BenchmarkHost/run", "ask-p99-ns", alone, "base-p99-ns", "", 1e6},
	{10, "answers a second, 200 users of one host", "BenchmarkHost/users", "ask-answers/s", atLeast, "base-answers/s", "", 5},
	{11, "`ask tools` over 200 servers of 50 tools", "BenchmarkMany/tools", "ask-exit-ms", atMost, "base-exit-ms", "", 0.15},
	{11, "a question over the same", "BenchmarkMany/question", "ask-exit-ms", atMost, "base-exit-ms", "", 0.15},
	{12, "`policy try` over 9,375 traces", "BenchmarkTraces/try", "ask-exit-ms", atMost, "base-exit-ms", "", 0.15},
	{12, "`trace list` over the same", "BenchmarkTraces/list", "ask-exit-ms", atMost, "base-exit-ms", "", 0.15},
	{13, "the confined start of server-everything (Node), next to the bare one", "BenchmarkConfined/NodeModules", "start-ms", atMost, "bare-start-ms", "", 1.05},
	{14, "memory of `ask wrap` five seconds after a call, 10 tools", "BenchmarkWrapped/10", "ask-rest-bytes", alone, "base-rest-bytes", "", 28e6},
	{14, "memory of `ask wrap` five seconds after a call, 600 tools", "BenchmarkWrapped/600", "ask-rest-bytes", alone, "base-rest-bytes", "", 40e6},
	{15, "size of `ask`, stripped", "BenchmarkSize", "ask-bytes", alone, "base-bytes", "", 26e6},
}

// parts are limits of parts of the program, each of one benchmark of its package.
var parts = []aim{
	{what: "the intent lock of a typical call", bench: "BenchmarkCompare/Typical", limit: 10e3},
	{what: "the intent lock of the largest call", bench: "BenchmarkCompare/Largest", limit: 20e6},
	{what: "a decision by 20 rules, of which 3 are of the tool", bench: "BenchmarkDecide/20_rules_of_which_3_match", limit: 50e3},
	{what: "a decision by 1,000 rules, of which 10 are of the tool", bench: "BenchmarkDecide/1000_rules_of_which_10_match", limit: 1e6},
	{what: "reading 1,000 rules at a start", bench: "BenchmarkParse/1000_rules", limit: 5e6},
	{what: "what the state knows of a call, with 10,000 grants", bench: "BenchmarkKnown", limit: 1e6},
	{what: "trying a rule on 1,000 calls", bench: "BenchmarkTry", limit: 2e9},
	{what: "seeing that 100 tools are what was approved", bench: "BenchmarkVerify/100_tools_as_approved", limit: 2e6},
	{what: "escaping and scanning 1 MiB of prose", bench: "BenchmarkScan/Prose", limit: 20e6},
	{what: "escaping and scanning 1 MiB of requests and orders", bench: "BenchmarkScan/Attack", limit: 20e6},
	{what: "opening the state", bench: "BenchmarkOpen", limit: 10e6},
	{what: "a trace next to its result, of a run over 600 tools", bench: "BenchmarkRun/600_tools/no_disk", unit: "trace-B", limit: 16 << 10},
	{what: "memory of `ask wrap` after 1,100 calls, as times of that after 100", bench: "BenchmarkWrapMemory", unit: "last/first", limit: 1.1},
	{what: "what confining a server in Go adds to its start", bench: "BenchmarkConfined/Go", unit: "start-added-ms", limit: 6e6},
	{what: "what confining a server in Python adds to its start", bench: "BenchmarkConfined/Python", unit: "start-added-ms", limit: 6e6},
	{what: "what confining a server in Node adds to its start", bench: "BenchmarkConfined/Node", unit: "start-added-ms", limit: 6e6},
	{what: "a call of a confined server in Go, as times of the bare one", bench: "BenchmarkConfined/Go", unit: "call-times-bare", limit: 1.05},
	{what: "a call of a confined server in Python, as times of the bare one", bench: "BenchmarkConfined/Python", unit: "call-times-bare", limit: 1.05},
	{what: "a call of a confined server in Node, as times of the bare one", bench: "BenchmarkConfined/Node", unit: "call-times-bare", limit: 1.05},
	{what: "what confining a server adds to a connection", bench: "BenchmarkConfined/Go", unit: "connection-added-ms", limit: 0.1e6},
	{what: "memory of a run", bench: "BenchmarkMemory", unit: "peak-bytes", limit: 64 << 20},
	{what: "memory of a run, whatever one server answers (the worst found)", bench: "BenchmarkPeak/quotes/tools/list/stdio", unit: "peak-bytes", limit: 200 << 20},
}

// A result is an aim with its figures as text.
type result struct {
	Number                                   int
	What, Limit, Figure, Here, Next, Verdict string
}

const (
	met    = "met"
	missed = "**missed**"
)

// judge compares an aim with the figures.
func (f figures) judge(a aim) result {
	if a.number == 0 { // a part of the program
		a.unit, a.kind = cmp.Or(a.unit, "ns/op"), alone
	}
	r := result{Number: a.number, What: a.what, Limit: a.bound()}
	here, measured := f.of(a.bench, a.unit)
	if !measured {
		r.Verdict = f.missing(a.unit, a.next)
		return r
	}
	r.Here = quantity(a.unit, here)
	other := a.bench
	if a.other != "" {
		other = a.other
	}
	next, compared := f.of(other, a.next)
	if compared {
		r.Next = name(a.next) + " " + quantity(a.next, next)
	} else if a.kind != alone {
		r.Verdict = f.missing(a.next)
		return r
	}
	figure, holds := here, false
	switch a.kind {
	case atMost:
		figure, holds = here/next, here/next <= a.limit
	case atLeast:
		figure, holds = here/next, here/next >= a.limit
	case more:
		figure, holds = here-next, here-next <= a.limit
	case alone:
		holds = here <= a.limit
	}
	r.Figure, r.Verdict = a.figure(figure), missed
	if holds {
		r.Verdict = met
	}
	if a.limit == 0 {
		r.Verdict = "-"
	}
	return r
}

// bound is the limit as text.
func (a aim) bound() string {
	switch {
	case a.limit == 0:
		return "-"
	case a.kind == atLeast:
		return "≥ " + a.figure(a.limit)
	}
	return "≤ " + a.figure(a.limit)
}

func (a aim) figure(value float64) string {
	if a.kind == atMost || a.kind == atLeast {
		return fmt.Sprintf("%.3g ×", value)
	}
	return quantity(a.unit, value)
}

// name is what a series is called on the page.
func name(unit string) string {
	series, _, _ := strings.Cut(unit, "-")
	switch series {
	case "base":
		return "5520155"
	case "protector":
		return "mcp-context-protector"
	case "mcpproxy":
		return "mcpproxy-go"
	}
	return series
}

// quantity is a figure with the unit that a reader wants.
func quantity(unit string, value float64) string {
	switch {
	case strings.HasSuffix(unit, "/s"):
		return fmt.Sprintf("%.0f", value)
	case strings.HasSuffix(unit, "bytes"), strings.HasSuffix(unit, "-B"):
		if value < 1e6 {
			return fmt.Sprintf("%.1f KB", value/1e3)
		}
		return fmt.Sprintf("%.1f MB", value/1e6)
	case !strings.HasSuffix(unit, "-ms") && !strings.HasSuffix(unit, "ns") && unit != "ns/op":
		return fmt.Sprintf("%.4g", value)
	case value < 1e6:
		return fmt.Sprintf("%.3g µs", value/1e3)
	case value < 1e9:
		return fmt.Sprintf("%.3g ms", value/1e6)
	}
	return fmt.Sprintf("%.3g s", value/1e9)
}
