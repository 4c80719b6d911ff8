package launch_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/launch"
)

// BenchmarkConfined starts a small server bare and confined in turn, with one call after
// another. It reports the medians, and the cost of confinement. For the server in Go it
// also reports the cost for a connection to a granted address. A server with modules, as
// most in Node are, opens hundreds of files at its start.
func BenchmarkConfined(b *testing.B) {
	dir := b.TempDir()
	build := exec.Command("go", "build", "-o", dir, "./testdata/stdio")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	scripts, err := filepath.Abs("testdata/stdio")
	if err != nil {
		b.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = l.Close() })
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			_ = c.Close()
		}
	}()
	// of the modules that make interop installs
	everything, err := filepath.Abs("../../interop/node_modules/@modelcontextprotocol/server-everything/dist/index.js")
	if err != nil {
		b.Fatal(err)
	}
	for name, command := range map[string][]string{
		"Go": {filepath.Join(dir, "stdio")}, "Python": {"/usr/bin/python3", filepath.Join(scripts, "server.py")}, "Node": {"node", filepath.Join(scripts, "server.mjs")},
		"NodeModules": {"node", everything, "stdio"},
	} {
		b.Run(name, func(b *testing.B) {
			path, err := exec.LookPath(command[0])
			if err != nil {
				b.Skipf("%s is not installed", command[0])
			}
			if _, err := os.Stat(everything); name == "NodeModules" && err != nil {
				b.Skip("server-everything is not installed")
			}
			manifest := confine.Manifest{Description: "a server of a benchmark", Permissions: []confine.Permission{confine.NetworkClient}}
			policy, err := confine.Resolve(manifest, confine.Scopes{AllowedHosts: []string{l.Addr().String()}}, confine.Program{Path: path, Args: command[1:]})
			if err != nil {
				b.Fatal(err)
			}
			closed, err := confine.Resolve(confine.Manifest{Description: "a server of a benchmark"}, confine.Scopes{}, confine.Program{Path: path, Args: command[1:]})
			if err != nil {
				b.Fatal(err)
			}
			ways := [3]launch.Command{{Path: path, Args: command[1:]}, {Path: path, Args: command[1:], Confine: policy}, {Path: path, Args: command[1:], Confine: closed, FilesOnly: true}}
			var starts, calls, connections [3][]time.Duration
			for b.Loop() {
				for way, c := range ways {
					began := time.Now()
					s := startSpoken(b, c)
					starts[way] = append(starts[way], time.Since(began))
					for range 50 {
						began = time.Now()
						s.request(b, `"tools/call","params":{"name":"echo","arguments":{"text":"hello","message":"hello"}}`)
						calls[way] = append(calls[way], time.Since(began))
					}
					if name == "Go" && !c.FilesOnly {
						took := s.request(b, fmt.Sprintf(`"tools/call","params":{"name":"connect","arguments":{"address":%q,"times":100}}`, l.Addr()))
						n, err := strconv.Atoi(took)
						if err != nil {
							b.Fatal(took)
						}
						connections[way] = append(connections[way], time.Duration(n))
					}
					if err := s.Close(); err != nil {
						b.Fatal(err)
					}
				}
			}
			bare, with := middle(starts[0]), middle(starts[1])
			b.ReportMetric(bare*1e3, "bare-start-ms")
			b.ReportMetric(with*1e3, "start-ms")
			b.ReportMetric((with-bare)*1e3, "start-added-ms")
			b.ReportMetric((middle(starts[2])-bare)*1e3, "start-added-files-only-ms")
			b.ReportMetric(middle(calls[0])*1e6, "bare-call-us")
			b.ReportMetric(middle(calls[1])/middle(calls[0]), "call-times-bare")
			if name == "Go" {
				b.ReportMetric((middle(connections[1])-middle(connections[0]))*1e3, "connection-added-ms")
			}
		})
	}
}

// middle is the median in seconds.
func middle(all []time.Duration) float64 {
	slices.Sort(all)
	return all[len(all)/2].Seconds()
}

// spokenTo is a started server that answers requests.
type spokenTo struct {
	*launch.Process
	out *bufio.Reader
}

func startSpoken(tb testing.TB, c launch.Command) *spokenTo {
	tb.Helper()
	p, err := launch.Start(tb.Context(), c)
	if err != nil {
		tb.Fatal(err)
	}
	s := &spokenTo{p, bufio.NewReader(p.Stdout)}
	s.request(tb, `"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	return s
}

// request sends one, and returns the text of its result.
func (s *spokenTo) request(tb testing.TB, method string) string {
	tb.Helper()
	if _, err := s.Stdin.WriteString(`{"jsonrpc":"2.0","id":1,"method":` + method + "}\n"); err != nil {
		tb.Fatal(err)
	}
	line, err := s.out.ReadString('\n')
	if err != nil {
		tb.Fatalf("%q, %v: %s", line, err, s.Tail(1000))
	}
	var a struct {
		Result struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(line), &a); err != nil || !strings.Contains(line, `"result"`) {
		tb.Fatalf("%q, %v", line, err)
	}
	if len(a.Result.Content) == 0 {
		return ""
	}
	return a.Result.Content[0].Text
}
