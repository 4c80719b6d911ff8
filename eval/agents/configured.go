package agents

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/onestep-run/onestep/host/session"
)

// Configured sets up the operator's own servers, with a tap before each. A stdio
// server starts behind the command relay. The relay's arguments are followed by a
// case's files and the server's own command (see [Relay]). An HTTP server is reached
// through a proxy on loopback. Whether a server's data changed is unknown.
func Configured(servers []session.Server, relay []string) func(context.Context) (*World, error) {
	return func(ctx context.Context) (*World, error) {
		dir, err := os.MkdirTemp("", "ask-eval-")
		if err != nil {
			return nil, err
		}
		w := &World{}
		var ends []func() error
		w.End = func() error {
			var all error
			for _, end := range ends {
				all = errors.Join(all, end())
			}
			return errors.Join(all, os.RemoveAll(dir))
		}
		var taps []func() []Arrival
		for _, s := range servers {
			tapped, arrived, end, err := tapOf(ctx, s, dir, relay)
			if err != nil {
				return nil, errors.Join(err, w.Close())
			}
			w.Servers, taps, ends = append(w.Servers, tapped), append(taps, arrived), append(ends, end)
		}
		w.Arrived = func() []Arrival {
			var all []Arrival
			for _, arrived := range taps {
				all = append(all, arrived()...)
			}
			return all
		}
		return w, nil
	}
}

// tapOf returns a server with a tap before it.
func tapOf(ctx context.Context, s session.Server, dir string, relay []string) (tapped session.Server, arrived func() []Arrival, end func() error, err error) {
	t := &tap{server: s.Name}
	if s.Command == "" {
		end, err = t.before(ctx, &s)
		return s, t.arrived, end, err
	}
	sent, came := filepath.Join(dir, s.Name+".sent"), filepath.Join(dir, s.Name+".came")
	args := append(relay[1:len(relay):len(relay)], sent, came, "--", s.Command)
	s.Command, s.Args = relay[0], append(args, s.Args...)
	return s, func() []Arrival { return relayed(s.Name, sent, came) }, func() error { return nil }, nil
}

// relayed returns the calls of a server behind a relay, or none if the server never
// started.
func relayed(server, sent, came string) []Arrival {
	t := &tap{server: server}
	readLines(sent, t.sent)
	readLines(came, t.came)
	return t.arrived()
}

func readLines(path string, see func([]byte)) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	eachLine(f, see)
}

// Relay runs a stdio server and records its input and output in two files, each byte
// before it is passed on. It ends when the server ends.
func Relay(ctx context.Context, in io.Reader, out, errs io.Writer, sent, came string, command []string) error {
	to, err := os.OpenFile(sent, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer to.Close()
	from, err := os.OpenFile(came, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer from.Close()
	// A signal that ends this process ends the server, too: they are in one group.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), command[0], command[1:]...)
	cmd.Stderr = errs
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	cmd.Stdout = io.MultiWriter(from, out)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(stdin, io.TeeReader(in, to)) // either end may close first
		_ = stdin.Close()
	}()
	return cmd.Wait()
}

// before puts a proxy on loopback before an HTTP server.
func (t *tap) before(ctx context.Context, s *session.Server) (end func() error, err error) {
	target, err := url.Parse(s.URL)
	if err != nil {
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = target.Scheme, target.Host, target.Host
		},
		Transport:      &http.Transport{Proxy: nil, DisableCompression: true, ForceAttemptHTTP2: true},
		ModifyResponse: t.hear,
		FlushInterval:  -1, // an event stream is passed on as it comes
		ErrorHandler:   func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	srv := &http.Server{Handler: t.listen(proxy), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = srv.Serve(l) }()
	here := *target
	here.Scheme, here.Host = "http", l.Addr().String()
	s.URL = here.String()
	return srv.Close, nil
}

// listen reads what an agent posts.
func (t *tap) listen(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxTapped))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		t.sent(body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

func (t *tap) hear(r *http.Response) error {
	stream := strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream")
	r.Body = &heardBody{ReadCloser: r.Body, stream: stream, tap: t}
	return nil
}
