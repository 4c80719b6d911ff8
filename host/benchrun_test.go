package host_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/trace"
)

// BenchmarkRun is a whole run without model and tool, by the number of real
// tools in its catalog; its catalog is known from a run before. Once without
// the disk, of which it counts what would be written and waited for, and once
// with it.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{1, 30, 200, 600} {
		ls, allow := someTools(b, n)
		b.Run(fmt.Sprintf("%d_tools/no_disk", n), func(b *testing.B) {
			var sink nowhere
			benchmarkRun(b, ls, allow, &sink)
			sink.perRun(b)
		})
		b.Run(fmt.Sprintf("%d_tools/disk", n), func(b *testing.B) {
			benchmarkRun(b, ls, allow, runs.Dir(b.TempDir()))
		})
	}
}

func benchmarkRun(b *testing.B, ls []catalog.Listing, allow catalog.Allowlist, traces host.Traces) {
	h, err := host.New(host.Config{
		Policy: host.Policy{Rules: input.BuiltIn(), Allowlist: allow},
		Source: source(func(context.Context, []string) []catalog.Listing { return slices.Clone(ls) }),
		Caller: caller(func(_ context.Context, a gate.Approved, r trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
			return redeem(ls, a, r, yes)
		}),
		Proposer: says(readFile), Writer: writes(""), Traces: traces, Servers: identities(ls),
	})
	if err != nil {
		b.Fatal(err)
	}
	ask := func() {
		if out := h.Ask(b.Context(), host.Question{Text: "Read the first 20 lines of /tmp/notes.txt"}); out.Exit() != 0 {
			b.Fatalf("%+v", out.Error)
		}
	}
	ask() // the first run reads and keeps the tools
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		ask()
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
}

// someTools are n real tools, the one of [readFile] among them.
func someTools(b *testing.B, n int) (ls []catalog.Listing, allow catalog.Allowlist) {
	b.Helper()
	all, _ := realTools(b, 3)
	toFront(all, func(l catalog.Listing) bool { return l.Server == "server-filesystem-0" })
	toFront(all[0].Tools, func(d pin.Descriptor) bool { return bytes.Contains(d.Raw, []byte(`"name":"read_text_file"`)) })
	names := map[string][]string{}
	for _, l := range all {
		if l.Tools = l.Tools[:min(n, len(l.Tools))]; len(l.Tools) == 0 {
			break
		}
		n -= len(l.Tools)
		ls = append(ls, l)
		for _, d := range l.Tools {
			f, err := d.Fields()
			if err != nil {
				b.Fatal(err)
			}
			names[l.Server] = append(names[l.Server], f.Name)
		}
	}
	return ls, allowing(b, names)
}

func toFront[T any](s []T, is func(T) bool) {
	i := slices.IndexFunc(s, is)
	one := s[i]
	copy(s[1:], s[:i])
	s[0] = one
}

// identities say how each server is reached, as long as they are in use.
func identities(ls []catalog.Listing) map[string]pin.Identity {
	ids := map[string]pin.Identity{}
	for _, l := range ls {
		key := pin.Key{1}
		ids[l.Server] = pin.Identity{
			Kind: "stdio", Address: "npx", Package: "@modelcontextprotocol/" + l.Server, Version: "1.0.0",
			Entry: key.Digest("entry", l.Server), Endpoint: key.Digest("endpoint", l.Server),
		}
	}
	return ids
}

func redeem(ls []catalog.Listing, a gate.Approved, r trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	for _, l := range ls {
		for _, d := range l.Tools {
			if l.Server == a.Server() && bytes.Contains(d.Raw, []byte(`"name":"`+a.Tool()+`"`)) {
				_, err := a.Redeem(d, r, yes)
				return gate.RawResult{Body: []byte(`{"content":[],"structuredContent":{"content":"text"}}`)}, d, err
			}
		}
	}
	return gate.RawResult{}, pin.Descriptor{}, fmt.Errorf("%s is not listed", a.Tool())
}

// nowhere keeps no trace: what a run takes without its disk. It counts what
// runs.Dir would write and wait for in every run but the first, which
// meets what it has never seen.
type nowhere struct {
	runs, lines, results, syncs int // the middle two in bytes
	objects                     map[trace.Hash]int
	unsure                      bool
}

func (n *nowhere) Create(context.Context, string) (host.TraceSink, string, error) {
	if n.runs++; n.runs <= 2 {
		n.lines, n.results, n.syncs = 0, 0, 0
	}
	n.syncs++ // of the directory
	return n, "", nil
}

func (n *nowhere) Write(b []byte) (int, error) {
	n.lines += len(b)
	if bytes.Contains(b[:min(len(b), 100)], []byte(`"kind":"result"`)) {
		n.results += len(b)
	}
	return len(b), nil
}

func (n *nowhere) Keep(digest trace.Hash, size int, value func() jsontext.Value) error {
	n.unsure = true
	if n.objects[digest] == size {
		return nil
	}
	if n.objects == nil {
		n.objects = map[trace.Hash]int{}
	}
	n.objects[digest] = len(value())
	n.syncs++
	return nil
}

func (n *nowhere) Sync() error {
	if n.syncs++; n.unsure {
		n.unsure = false
		n.syncs++ // of the objects' directory
	}
	return nil
}

func (n *nowhere) Close() error { return nil }

// perRun reports the counts.
func (n *nowhere) perRun(b *testing.B) {
	runs, kept := float64(n.runs-1), 0
	for _, size := range n.objects {
		kept += size
	}
	b.ReportMetric(float64(n.lines-n.results)/runs, "trace-B")
	b.ReportMetric(float64(n.results)/runs, "result-B")
	b.ReportMetric(float64(n.syncs)/runs, "syncs")
	b.ReportMetric(float64(kept), "objects-B") // once, for all runs
}
