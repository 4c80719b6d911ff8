//go:build bench

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A session is a client of a server that stays connected. One goroutine uses it.
type session struct {
	id    int
	tool  string
	exact func(request string) (answer string, err error) // sends a request and returns its answer
	close func()
	pid   int // of the process between the client and the server
}

const greeting = `"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`

// request sends one request. An answer without a result is an error.
func (s *session) request(method string) (string, error) {
	s.id++
	answer, err := s.exact(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, s.id, method))
	if err == nil && !strings.Contains(answer, `"result"`) {
		err = fmt.Errorf("%.300q is answered with %.300q", method, answer)
	}
	return answer, err
}

// call is one call of the tool. It returns how long the client waited.
func (s *session) call() (time.Duration, error) {
	began := time.Now()
	answer, err := s.request(`"method":"tools/call","params":{"name":"` + s.tool + `","arguments":{"number":"INC0010001"}}`)
	took := time.Since(began)
	if err == nil && !strings.Contains(answer, "called") {
		err = fmt.Errorf("the call is answered with %.300q", answer)
	}
	return took, err
}

// spoken is a session over the stdin and stdout of a process.
func spoken(b *testing.B, cmd *exec.Cmd) (*session, error) {
	b.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	out := bufio.NewReader(stdout)
	s := &session{id: 1000, tool: "get_ticket", pid: cmd.Process.Pid}
	s.close = sync.OnceFunc(func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	})
	b.Cleanup(s.close)
	s.exact = func(request string) (string, error) {
		if _, err := io.WriteString(in, request+"\n"); err != nil {
			return "", fmt.Errorf("%w: %s", err, &stderr)
		}
		id := fmt.Sprintf(`"id":%d`, s.id)
		for {
			line, err := out.ReadString('\n')
			if err != nil {
				return line, fmt.Errorf("%w: %s", err, &stderr)
			}
			if strings.Contains(line, id) && !strings.Contains(line, `"method"`) { // others are notifications
				return line, nil
			}
		}
	}
	if _, err := s.request(greeting); err != nil {
		return nil, err
	}
	_, err = io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return s, err
}

// wrapped is a session with the server s of a home, through `ask wrap`. Its first call has
// started the server.
func wrapped(b *testing.B, program, home string) *session {
	b.Helper()
	cmd := exec.Command(program, "wrap", "s")
	cmd.Env, cmd.Dir = append(os.Environ(), "ASK_HOME="+home), home
	s, err := spoken(b, cmd)
	if err == nil {
		_, err = s.call()
	}
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// overHTTP is a session over streamable HTTP. It waits until the server lists the tool.
func overHTTP(b *testing.B, url, tool string, cmd *exec.Cmd) (*session, error) {
	b.Helper()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s, known := &session{id: 1000, tool: tool, pid: cmd.Process.Pid}, ""
	s.close = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	b.Cleanup(s.close)
	s.exact = func(request string) (string, error) {
		r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url, strings.NewReader(request))
		if err != nil {
			return "", err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if known != "" {
			r.Header.Set("Mcp-Session-Id", known)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return "", err
		}
		defer answer.Body.Close()
		if id := answer.Header.Get("Mcp-Session-Id"); id != "" {
			known = id
		}
		text, err := io.ReadAll(answer.Body)
		return string(text), err
	}
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		known = ""
		if _, err := s.exact(`{"jsonrpc":"2.0","id":1,` + greeting + `}`); err != nil {
			continue
		}
		if answer, _ := s.exact(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`); strings.Contains(answer, `"`+tool+`"`) {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%s does not list %s", url, tool)
}

// processor is how long a process was on a processor, or 0 where that cannot be asked of
// another process.
func processor(pid int) time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(^int32(pid)<<3|2, &t) != nil { // CLOCK_PROCESS_CPUTIME_ID of the process
		return 0
	}
	return time.Duration(t.Nano())
}

// resident is how much of a process is in memory, in bytes; 0 without /proc.
func resident(pid int) float64 {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := strings.Fields(string(b))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(fields[1])
	return float64(pages * os.Getpagesize())
}
