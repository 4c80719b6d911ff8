package manifest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval/permissions"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/learn"
)

// allAnswered is the observation for a server that works.
const allAnswered = "all answered"

// learn watches a known server.
func (k Known) learn(ctx context.Context) (found []confine.Permission, answers string, err error) {
	return watched(ctx, k.Files, func(dir string, fill func(string) string) (o learn.Options, err error) {
		return k.options(ctx, dir, fill)
	})
}

// watched watches a server in a separate directory with some files, and then runs it
// with the permissions that it learned. It returns the learned permissions, and
// whether the reading calls are answered. fill replaces {data}, {web} and {port} with
// values of this machine.
func watched(ctx context.Context, files map[string]string, options func(dir string, fill func(string) string) (learn.Options, error)) (found []confine.Permission, answers string, err error) {
	dir, err := os.MkdirTemp("", "ask-eval-manifest-")
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, "", err
	}
	web, err := serveHello(ctx)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = web.Close() }() // its server may have ended with the measurement
	data := filepath.Join(dir, "data")
	for name, text := range files {
		file := filepath.Join(data, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			return nil, "", err
		}
	}
	port, err := freePort(ctx)
	if err != nil {
		return nil, "", err
	}
	o, err := options(dir, strings.NewReplacer("{data}", data, "{web}", "http://"+web.Addr().String(), "{port}", port).Replace)
	if err != nil {
		return nil, "", err
	}
	o.Effective = []confine.Permission{confine.FilesRead, confine.NetworkClient, confine.Exec}
	o.Policy, o.Traces, o.Approver = host.Policy{Rules: input.BuiltIn()}, forgotten{}, author{}
	r, err := learn.Learn(ctx, o)
	if err != nil {
		return nil, "", err
	}
	o.From, o.Effective = r.Manifest, []confine.Permission{}
	o.Calls = slices.DeleteFunc(o.Calls, func(c learn.Call) bool { return !c.Reading })
	again, err := learn.Learn(ctx, o)
	if err != nil {
		return nil, "", err
	}
	answers = allAnswered
	for _, a := range again.Answers {
		if a.Code != "" {
			answers = fmt.Sprintf("%s: %s", a.Tool, a.Code)
		}
	}
	return r.Manifest.Permissions, answers, nil
}

func (k Known) options(ctx context.Context, dir string, fill func(string) string) (o learn.Options, err error) {
	if o.Program, err = k.program(ctx, filepath.Join(dir, "program")); err != nil {
		return o, err
	}
	for _, arg := range k.Args {
		o.Program.Args = append(o.Program.Args, fill(arg))
	}
	o.Env = map[string]string{}
	for name, value := range k.Env {
		o.Env[name] = fill(value)
	}
	o.Calls, err = calls(k.Calls, fill)
	return o, err
}

// calls returns the calls with their texts filled in.
func calls(of []Call, fill func(string) string) (all []learn.Call, err error) {
	for _, c := range of {
		arguments, err := json.Marshal(c.Arguments, json.Deterministic(true))
		if err != nil {
			return nil, err
		}
		all = append(all, learn.Call{Tool: c.Tool, Arguments: jsontext.Value(fill(string(arguments))), Reading: c.Reading})
	}
	return all, nil
}

// program returns the program to start: Go source is built, and TypeScript loses its
// types.
func (k Known) program(ctx context.Context, dir string) (p confine.Program, err error) {
	source, err := k.Source()
	if err != nil {
		return p, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return p, err
	}
	file := filepath.Join(dir, k.Main)
	if k.language() == "TypeScript" {
		if source, err = permissions.Untyped(source); err != nil {
			return p, err
		}
		file = strings.TrimSuffix(file, ".ts") + ".mjs"
	}
	if err := os.WriteFile(file, source, 0o600); err != nil {
		return p, err
	}
	switch k.language() {
	case "Python":
		return confine.Program{Path: installed("/usr/bin/python3", "python3"), Args: []string{file}}, nil
	case "Go":
		build := exec.CommandContext(ctx, "go", "build", "-tags", "netgo,osusergo", "-o", filepath.Join(dir, "server"), file)
		build.Dir = dir
		if out, err := build.CombinedOutput(); err != nil {
			return p, verdict.Fail(verdict.EvalCases, err, "%s cannot be built: %v: %.300s", k.Name, err, out)
		}
		return confine.Program{Path: filepath.Join(dir, "server")}, nil
	}
	return confine.Program{Path: installed("node"), Args: []string{file}}, nil
}

// installed returns the first of several names with an installed program.
func installed(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return names[0] // its start reports that it is missing
}

// serveHello answers every request.
func serveHello(ctx context.Context) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "hello") // a server that has ended does not disturb the measurement
	})}
	go func() { _ = s.Serve(l) }() // until the listener is closed
	return l, nil
}

// freePort returns a port without a listener.
func freePort(ctx context.Context) (string, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, errors.Join(err, l.Close())
}

// author approves the calls of a known server, which are its author's own.
type author struct{}

func (author) Approve(_ context.Context, r host.Request) (gate.Yes, error) {
	return gate.Yes{Approval: r.Digest, By: "eval", How: gate.AtTerminal}, nil
}

// forgotten keeps no trace, because the rows have the results.
type forgotten struct{}

func (forgotten) Create(context.Context, string) (host.TraceSink, string, error) {
	return &unread{}, "", nil
}

type unread struct{ bytes.Buffer }

func (*unread) Sync() error  { return nil }
func (*unread) Close() error { return nil }
