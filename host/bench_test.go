package host_test

import (
	"fmt"
	"os"
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
)

// realTools are the tools of public servers, each server listed copies times.
func realTools(tb testing.TB, copies int) (ls []catalog.Listing, allow catalog.Allowlist) {
	tb.Helper()
	names := map[string][]string{}
	for _, captured := range corpus.Listings(tb) {
		for c := range copies {
			l := catalog.Listing{Server: fmt.Sprintf("%s-%d", captured.Server, c)}
			for _, tool := range captured.Tools {
				raw := jsontext.Value(tool).Clone()
				if err := raw.Compact(); err != nil { // as a server sends it
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
	return ls, allowing(tb, names)
}

// allowing is the allowlist of these tools, by their servers. It calls all of
// them reading: no person is asked.
func allowing(tb testing.TB, names map[string][]string) catalog.Allowlist {
	tb.Helper()
	reading := map[string]map[string][]string{}
	for server, tools := range names {
		reading[server] = map[string][]string{"read": tools}
	}
	text, err := json.Marshal(reading)
	if err != nil {
		tb.Fatal(err)
	}
	allow, err := catalog.ParseAllowlist(text)
	if err != nil {
		tb.Fatal(err)
	}
	return allow
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
