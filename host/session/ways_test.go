package session_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/host/session"
)

// speak is the fake over one stream, one line for each message, until it ends.
func (f *fake) speak(r io.Reader, w io.Writer) {
	_, hush := f.ways()
	var mu sync.Mutex
	send := func(line string) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.WriteString(w, line+"\n")
	}
	switch f.mode {
	case "banner", "banner and exit":
		send("Server listening on stdio! key=" + os.Getenv("FAKE_SECRET"))
	case "number":
		send("42")
	case "20 MiB":
		send(`{"jsonrpc":"` + strings.Repeat("x", 20<<20))
	}
	if f.mode == "banner and exit" {
		f.end(3)
	}
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		go f.receive(line, send)
		if n == deafAfter[f.mode] {
			hush()
			return
		}
	}
}

// deafAfter is how many messages a server reads before it reads no more. The
// first two are the handshake's.
var deafAfter = map[string]int{
	"cursor of 1 MiB, then deaf":          3,
	"cursor of 4 KiB, then deaf":          3,
	"ping with an id of 1 MiB, then deaf": 3,
	"16 pings, then deaf":                 3,
	"pings for ever, and deaf":            3,
	"deaf to the call":                    4, // listed twice by then
	"deaf to the call, once":              4,
	"answers when told, deaf meanwhile":   6, // and called once
}

// play is the fake as a process of its own.
func play(mode string) int {
	f := newFake(mode, os.Getenv("FAKE_LOG"))
	f.quit = func(code int) {
		fmt.Fprintln(os.Stderr, "fatal: the database is gone; key="+os.Getenv("FAKE_SECRET"))
		os.Exit(code)
	}
	switch mode {
	case "exit at start":
		f.end(3)
	case "grandchild", "daemon":
		bear(mode)
	case "outlives":
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP)
		note(os.Getpid())
		time.Sleep(time.Minute)
		return 0
	case "between":
		bear("grandchild")
		return 0
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		note(os.Getpid())
	case "deaf to the call, once":
		if _, err := os.OpenFile(f.log+".deaf", os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			f.mode = "" // the second process
		}
	}
	if deafAfter[mode] > 0 {
		shrink(os.Stdin)
	}
	f.speak(os.Stdin, os.Stdout)
	if mode == "stubborn" {
		time.Sleep(time.Minute)
	}
	return 0
}

// bear starts a process that means to outlive this one, and waits until it runs.
func bear(mode string) {
	cmd := exec.Command(os.Args[0])
	cmd.SysProcAttr = apart
	next := "outlives"
	if mode == "daemon" {
		next = "between"
	}
	cmd.Env = append(os.Environ(), role+"="+next)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		panic(err)
	}
	if mode == "daemon" {
		_ = cmd.Wait()
		return
	}
	_, _ = bufio.NewReader(out).ReadString('\n')
}

// note leaves a process id for the test to look for.
func note(pid int) {
	if err := os.WriteFile(os.Getenv("FAKE_LOG")+".pid", fmt.Appendf(nil, "%d", pid), 0o600); err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, "running")
	if os.Getenv(role) == "outlives" {
		fmt.Println("running")
	}
}

// The four ways to reach it.

func logFile(t testing.TB) string { return filepath.Join(t.TempDir(), "log") }

func stdio(t testing.TB, mode, log string) session.Server {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return session.Server{Name: "srv", Command: self, Env: map[string]string{
		role: mode, "FAKE_LOG": log, "FAKE_SECRET": secret, "GORACE": "atexit_sleep_ms=0",
	}}
}

func piped(mode, log string) session.Server { return inside(newFake(mode, log)) }

func inside(f *fake) session.Server {
	return session.Server{Name: "srv", InProcess: func(ctx context.Context) (mcp.Transport, error) {
		ours, theirs := net.Pipe()
		f.reached(func(int) { _ = theirs.Close() }, func() { <-ctx.Done() })
		context.AfterFunc(ctx, func() { _ = theirs.Close() })
		go f.speak(theirs, theirs)
		return &mcp.IOTransport{Reader: ours, Writer: ours}, nil
	}}
}

// streamable serves the fake over streamable HTTP. It answers with one JSON body if that
// suffices and the mode does not ask for a stream.
func streamable(t testing.TB, mode, log string, stream bool) session.Server {
	f := newFake(mode, log)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, _ := io.ReadAll(r.Body)
		var m message
		_ = json.Unmarshal(body, &m)
		if m.ID == nil || m.Method == "" {
			f.receive(body, nil)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if m.Method == "initialize" {
			w.Header().Set("Mcp-Session-Id", "session-1")
		}
		if !stream {
			w.Header().Set("Content-Type", "application/json")
			var all []string
			f.receive(body, func(s string) { all = append(all, s) })
			if len(all) == 0 {
				<-r.Context().Done()
				return
			}
			_, _ = io.WriteString(w, all[len(all)-1])
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		n := 0
		f.receive(body, func(s string) {
			n++
			fmt.Fprintf(w, "event: message\ndata: %s\n\n", s)
			w.(http.Flusher).Flush()
		})
		if n == 0 || m.Method == "tools/call" {
			<-r.Context().Done() // the stream stays open after the answer too
		}
	}))
	t.Cleanup(s.Close)
	return session.Server{Name: "srv", URL: s.URL + "/mcp"}
}

// legacy serves the fake over HTTP+SSE. endpoint is what the first event says.
func legacy(t testing.TB, mode, log string, endpoint func(base string) string) session.Server {
	f := newFake(mode, log)
	var streams sync.Map // one for each GET, by its number
	var opened atomic.Int32
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	mux.HandleFunc("GET /sse", func(w http.ResponseWriter, r *http.Request) {
		out, n := make(chan string, 2000), strconv.Itoa(int(opened.Add(1)))
		streams.Store(n, out)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: endpoint\ndata: %s?session=%s\n\n", endpoint(s.URL), n)
		w.(http.Flusher).Flush()
		for {
			select {
			case m := <-out:
				fmt.Fprintf(w, "event: message\ndata: %s\n\n", m)
				w.(http.Flusher).Flush()
				if mode == "the first stream ends" && n == "1" && strings.Contains(m, `"tools":[`) {
					told(log)
					return
				}
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("POST /message", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		out, _ := streams.Load(r.URL.Query().Get("session"))
		go f.receive(body, func(m string) { out.(chan string) <- m })
	})
	t.Cleanup(s.Close)
	return session.Server{Name: "srv", URL: s.URL + "/sse", Type: "sse"}
}

// A server waits here until the test lets it go on.
func told(log string) {
	for missing(log+".go") && !missing(filepath.Dir(log)) { // which goes with its test
		time.Sleep(time.Millisecond)
	}
}

func missing(file string) bool {
	_, err := os.Stat(file)
	return err != nil
}

func goOn(t testing.TB, log string) { must(t, os.WriteFile(log+".go", nil, 0o600)) }

func sameOrigin(string) string { return "/message" }

// arrived is how many messages of a method have reached the fake.
func arrived(t testing.TB, log, method string) int {
	t.Helper()
	b, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, method+" ") {
			n++
		}
	}
	return n
}
