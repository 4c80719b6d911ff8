package host_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/planner/lexical"
	"github.com/onestep-run/onestep/trace"
)

// nowhere keeps no trace: what a run takes without its disk. It counts what a
// disk would have got.
type nowhere struct {
	lines, results int // bytes
	objects        map[trace.Hash]int
	syncs          int
}

func (n *nowhere) Create(string) (host.TraceSink, string, error) {
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
	if _, known := n.objects[digest]; !known {
		if n.objects == nil {
			n.objects = map[trace.Hash]int{}
		}
		n.objects[digest] = len(value())
		n.syncs++
	}
	return nil
}

func (n *nowhere) Sync() error {
	n.syncs += 2 // of the file, and of the objects' directory
	return nil
}

func (n *nowhere) Close() error { return nil }

// realTools are the tools of public servers, each server listed copies times.
func realTools(tb testing.TB, copies int) (ls []catalog.Listing, allow catalog.Allowlist) {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(corpus.Path(tb, "tools-list"), "*.json"))
	if err != nil {
		tb.Fatal(err)
	}
	names := map[string][]string{}
	for _, file := range files {
		var doc struct {
			Tools []jsontext.Value `json:"tools"`
		}
		b, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(b, &doc)
		}
		if err != nil {
			tb.Fatal(err)
		}
		for c := range copies {
			l := catalog.Listing{Server: fmt.Sprintf("%s-%d", strings.TrimSuffix(filepath.Base(file), ".json"), c)}
			for _, raw := range doc.Tools {
				if raw = raw.Clone(); raw.Compact() != nil { // as a server sends it
					tb.Fatal(err)
				}
				d := pin.Descriptor{Server: l.Server, Raw: raw}
				f, err := d.Fields()
				if err != nil {
					tb.Fatal(err)
				}
				l.Tools = append(l.Tools, d)
				names[l.Server] = append(names[l.Server], f.Name)
			}
			ls = append(ls, l)
		}
	}
	text, err := json.Marshal(names)
	if err == nil {
		allow, err = catalog.ParseAllowlist(text)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return ls, allow
}

const readFile = `{"type":"call_tool","server":"server-filesystem-0","tool":"read_text_file","args":{"path":"/tmp/notes.txt","head":20}}`

// BenchmarkGates is what the gates take of one question: admit, parse, approve.
func BenchmarkGates(b *testing.B) {
	ls, allow := realTools(b, 1)
	tools := catalog.Admit(ls, allow, catalog.Options{})
	g, rules := gate.New(gate.Options{}), input.BuiltIn()
	for b.Loop() {
		q, err := input.Admit(input.Asked{Words: "Read the first 20 lines of /tmp/notes.txt"}, rules)
		if err != nil {
			b.Fatal(err)
		}
		p, err := plan.Parse([]byte(readFile))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := g.Approve(gate.Asked{Query: q}, tools, p); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCatalogOf200RealTools is what a run takes to admit them all.
func BenchmarkCatalogOf200RealTools(b *testing.B) {
	ls, allow := realTools(b, 1)
	for b.Loop() {
		if n := len(catalog.Admit(ls, allow, catalog.Options{}).Tools()); n != 200 {
			b.Fatalf("%d tools", n)
		}
	}
}

// BenchmarkPipelineOf600RealTools is a whole run without model, tool and disk.
func BenchmarkPipelineOf600RealTools(b *testing.B) {
	ls, allow := realTools(b, 3)
	h, err := host.New(host.Config{
		Policy: host.Policy{Rules: input.BuiltIn(), Allowlist: allow},
		Source: source(func(context.Context, []string) []catalog.Listing { return slices.Clone(ls) }),
		Caller: caller(func(_ context.Context, a gate.Approved, r trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
			return redeem(ls, a, r, yes)
		}),
		Proposer: says(readFile), Writer: writes(""), Traces: &nowhere{},
	})
	if err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		if out := h.Ask(b.Context(), host.Question{Text: "Read the first 20 lines of /tmp/notes.txt"}); out.Exit() != 0 {
			b.Fatalf("%+v", out.Error)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
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

const search = "Search the policy kb for vendor data sharing"

// BenchmarkAskInMemory is a whole run over the SDK's in-memory transport, the
// connection kept; BenchmarkBareCallInMemory is the call alone.
func BenchmarkAskInMemory(b *testing.B) {
	h := newBench(b)
	h.config.Proposer, h.config.Traces = lexical.New(time.Now), &nowhere{}
	benchmarkAsk(b, h.config)
}

func BenchmarkBareCallInMemory(b *testing.B) {
	transport, err := demo.New().Transport(b.Context(), "mcp-policy-kb")
	if err != nil {
		b.Fatal(err)
	}
	benchmarkBare(b, transport)
}

// The same over stdio, to a server that is a process of its own.
func BenchmarkAskStdio(b *testing.B) {
	h := newBench(b)
	pool := session.New([]session.Server{{Name: "mcp-policy-kb", Command: os.Args[0], Env: map[string]string{serveDemo: "1"}}}, session.Limits{})
	b.Cleanup(func() { pool.Close() })
	h.config.Proposer, h.config.Traces = lexical.New(time.Now), &nowhere{}
	h.config.Source, h.config.Caller = pool, pool
	allow, err := catalog.ParseAllowlist([]byte(`{"mcp-policy-kb":{"read":["search_policy_kb","fetch_policy_entry"]}}`))
	if err != nil {
		b.Fatal(err)
	}
	h.config.Policy.Allowlist = allow
	benchmarkAsk(b, h.config)
}

func BenchmarkBareCallStdio(b *testing.B) {
	cmd := serving(b)
	benchmarkBare(b, &mcp.CommandTransport{Command: cmd})
}

func benchmarkAsk(b *testing.B, c host.Config) {
	h, err := host.New(c)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if out := h.Ask(b.Context(), host.Question{Text: search}); out.Exit() != 0 {
			b.Fatalf("%+v", out.Error)
		}
	}
}

func benchmarkBare(b *testing.B, transport mcp.Transport) {
	s, err := mcp.NewClient(&mcp.Implementation{Name: "bare", Version: "1"}, nil).Connect(b.Context(), transport, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for b.Loop() {
		r, err := s.CallTool(b.Context(), &mcp.CallToolParams{Name: "search_policy_kb", Arguments: map[string]any{"query": "vendor data sharing"}})
		if err != nil || r.IsError {
			b.Fatal(err, r)
		}
	}
}
