package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// raw is the output of `go test -bench` for some rows.
const raw = `goos: linux
cpu: a processor
BenchmarkOneCall/fast-2    9    30.00 ask-exit-ms    20.00 bare-exit-ms    40.00 ask-cpu-ms    8.000 bare-cpu-ms
BenchmarkStart/version-2   9    4.000 ask-exit-ms    2.000 cobra-exit-ms
BenchmarkStart/error-2     9    8.000 ask-exit-ms    2.000 cobra-exit-ms
BenchmarkWrapped/10-2      9    1.200 ask-ms    0.1000 bare-ms    1.500 ask-cpu-ms    20000000 ask-rest-bytes    46000000 base-rest-bytes
BenchmarkWrapped/600-2     9    1.400 ask-ms    2.000 ask-cpu-ms    6.000 base-cpu-ms
BenchmarkHost/users-2      9    1500 ask-answers/s    300.0 base-answers/s
BenchmarkHost/run-2        9    999000 ask-p99-ns
BenchmarkParse/1000_rules-2    100    9000000 ns/op    10 B/op
BenchmarkParse/1000_rules-2    100    1000000 ns/op    10 B/op
BenchmarkParse/1000_rules-2    100    2000000 ns/op    10 B/op
BenchmarkOpen-2    100    1000000 ns/op
BenchmarkOpen-2    100    2000000 ns/op
    file_test.go:1: BenchmarkX is a line of a log
not run: protector: MCP_CONTEXT_PROTECTOR does not name a clone of it
PASS
`

func readRaw(t *testing.T) figures {
	t.Helper()
	f, err := parseFigures(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAnAimIsJudgedByItsFigures(t *testing.T) {
	t.Parallel()
	results := readRaw(t).judgeAll(append(aims, parts...))
	for what, want := range map[string][3]string{
		"one call of a server that answers at once, next to a bare client of the Go SDK": {"≤ 2 ×", "1.5 ×", met},
		"the same, processor time":                                       {"-", "5 ×", "-"},
		"`ask version`, next to a bare program of cobra":                 {"≤ 2.5 ×", "2 ×", met},
		"an error exit, next to the same":                                {"≤ 2.5 ×", "4 ×", missed},
		"a wrapped call, 10 tools, next to mcp-context-protector":        {"≤ 1 ×", "", "not run: MCP_CONTEXT_PROTECTOR does not name a clone of it"},
		"processor time of a wrapped call, 600 tools":                    {"≤ 0.35 ×", "0.333 ×", met},
		"the same, more than with 10 tools":                              {"≤ 400 µs", "500 µs", missed},
		"answers a second, 200 users of one host":                        {"≥ 5 ×", "5 ×", met},
		"a run over 600 tools at p99, without model, tool and disk":      {"≤ 1 ms", "999 µs", met},
		"memory of `ask wrap` five seconds after a call, 10 tools":       {"≤ 28.0 MB", "20.0 MB", met},
		"`ask tools` over 200 servers of 50 tools":                       {"≤ 0.15 ×", "", "not measured in this run"},
		"reading 1,000 rules at a start":                                 {"≤ 5 ms", "2 ms", met},
		"opening the state":                                              {"≤ 10 ms", "1.5 ms", met},
		"memory of a run, whatever one server answers (the worst found)": {"≤ 209.7 MB", "", "not measured in this run"},
	} {
		found := false
		for _, r := range results {
			if r.What == what {
				found = true
				if got := [3]string{r.Limit, r.Figure, r.Verdict}; got != want {
					t.Errorf("%s: got %q, want %q", what, got, want)
				}
			}
		}
		if !found {
			t.Errorf("no aim is %q", what)
		}
	}
}

// An aim counts as met only with all of its rows, and no row is without a number.
func TestMetAimsAreCountedByNumber(t *testing.T) {
	t.Parallel()
	p := page{figures: readRaw(t)}
	p.Aims = p.judgeAll(aims)
	if got := p.Numbers(); got != 15 {
		t.Errorf("%d aims", got)
	}
	if got := p.Met(); got != 3 { // one call, p99 and answers a second
		t.Errorf("%d aims are met", got)
	}
}

func TestPagesAreWrittenFromOneRun(t *testing.T) {
	t.Parallel()
	docs := t.TempDir()
	if err := os.Mkdir(filepath.Join(docs, "internals"), 0o700); err != nil {
		t.Fatal(err)
	}
	wrap := filepath.Join(docs, "wrap.md")
	if err := os.WriteFile(wrap, []byte("before\n<!-- made by `make bench` -->\nold $1\n<!-- end -->\nafter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run([]string{"-docs", docs, "machine: a processor"}, strings.NewReader(raw), &out); err != nil {
		t.Fatal(err)
	}
	for file, parts := range map[string][]string{
		"internals/benchmarks.md":         {"- machine: a processor\n", "3 of 15 aims are met", "| 10 | answers a second, 200 users of one host | ≥ 5 × | 5 × | 1500 | 5520155 300 | met |\n"},
		"internals/benchmarks-details.md": {"| `BenchmarkStart/version` | 4 ms | - | - | - | 2 ms | - |\n"},
		"wrap.md":                         {"before\n<!-- made by `make bench` -->\n| tools |", "| 10 | 100 µs | - | - | 1.2 ms | 1.5 ms | - | 20.0 MB |\n", "<!-- end -->\nafter\n"},
	} {
		text, err := os.ReadFile(filepath.Join(docs, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s lacks %q:\n%s", file, part, text)
			}
		}
	}
	if text, err := os.ReadFile(wrap); err != nil || strings.Contains(string(text), "old") {
		t.Errorf("%q, %v", text, err)
	}
	if page, err := os.ReadFile(filepath.Join(docs, "internals/benchmarks.md")); err != nil || out.String() != string(page) {
		t.Errorf("another page is printed than written: %v", err)
	}
}

func TestOutputWithoutABenchmarkIsAnError(t *testing.T) {
	t.Parallel()
	if err := run(nil, strings.NewReader("PASS\n"), &bytes.Buffer{}); err == nil {
		t.Error("a page without figures is written")
	}
	if _, err := replace("no block", "table"); err == nil {
		t.Error("a page without a block is written")
	}
}

// An aim that the page calls met must still be met. The others may be missed.
func TestARunIsHeldToThePage(t *testing.T) {
	t.Parallel()
	before := filepath.Join(t.TempDir(), "benchmarks.md")
	var page bytes.Buffer
	if err := run(nil, strings.NewReader(raw), &page); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(before, page.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		now  string
		says string
	}{
		"the same":               {raw, ""},
		"missed as before":       {strings.Replace(raw, "8.000 ask-exit-ms", "9.000 ask-exit-ms", 1), ""},
		"met and now missed":     {strings.Replace(raw, "4.000 ask-exit-ms", "6.000 ask-exit-ms", 1), "`ask version`, next to a bare program of cobra: 3 ×, and the aim is ≤ 2.5 ×"},
		"met and now not at all": {strings.Replace(raw, "BenchmarkHost/users", "BenchmarkNothing", 1), ""},
	} {
		err := run([]string{"-held", before}, strings.NewReader(c.now), &bytes.Buffer{})
		if (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
