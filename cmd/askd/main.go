// Command askd is a service for many agents and their MCP servers. Every call of every agent goes
// through the gates of onestep.
//
// It serves a REST API and MCP. The rows are in a SQLite file or in a schema of PostgreSQL. It
// vouches for what host/org, config/org and cmd/askd/rest vouch for, and decides nothing itself.
// docs/service.md describes it.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of PostgreSQL

	orgs "github.com/onestep-run/onestep/config/org"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/store"
)

// version is set by the build.
var version = "devel"

// options are the flags.
type options struct {
	demo      bool
	listen    string
	home      string
	state     string
	keyFile   string
	cert, key string
	plain     bool
	export    string
	networks  networks
	names     list
}

// networks are the private networks that servers may be in.
type networks []netip.Prefix

func (n *networks) String() string { return fmt.Sprint(*n) }

// Set implements [flag.Value].
func (n *networks) Set(text string) error {
	p, err := netip.ParsePrefix(text)
	*n = append(*n, p)
	return err
}

// list is a flag that may be repeated.
type list []string

func (l *list) String() string { return strings.Join(*l, ", ") }

// Set implements [flag.Value].
func (l *list) Set(text string) error { *l = append(*l, text); return nil }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code, err := program(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "askd:", err)
	}
	stop()
	os.Exit(code)
}

const usage = `askd serves the MCP servers of many agents, through the gates of onestep.

Usage: askd [--demo] [--listen HOST:PORT] [--home DIR] [--state ADDRESS] …

`

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("askd", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { say(stderr, "%s", usage); f.PrintDefaults() }
	f.BoolVar(&o.demo, "demo", false, "serve in a new folder, next to the demo's servers, and print a token")
	f.StringVar(&o.listen, "listen", "127.0.0.1:8650", "the `address` to serve at; other machines reach it with a certificate, or with --plain")
	f.StringVar(&o.home, "home", "", "the `folder` of the service (default $HOME/.local/state/askd)")
	f.StringVar(&o.state, "state", "", "the database: a `file`, or postgres://… (default state.db in the folder)")
	f.StringVar(&o.keyFile, "key-file", os.Getenv("ASKD_KEY_FILE"), "the `file` with the key of the secrets (default key in the folder); ASKD_KEY has the key itself")
	f.StringVar(&o.cert, "tls-cert", "", "a certificate `file`")
	f.StringVar(&o.key, "tls-key", "", "the `file` of its key")
	f.BoolVar(&o.plain, "plain", false, "serve other machines without TLS: a proxy in front of it has it")
	f.StringVar(&o.export, "export", "", "write a `folder` for each agent, from which ask answers without the service, and end")
	f.Var(&o.networks, "network", "a private `network` that servers may be in, such as 10.0.0.0/8; may be repeated")
	f.Var(&o.names, "host", "a `name` that requests may have for the service; may be repeated")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("askd takes no arguments, and got %q: see askd --help", f.Arg(0))
	}
	return o, o.check()
}

// check refuses an address that other machines reach in clear text, unless that was said.
func (o options) check() error {
	name, _, err := net.SplitHostPort(o.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", o.listen, err)
	}
	if (o.cert == "") != (o.key == "") {
		return errors.New("--tls-cert and --tls-key belong together")
	}
	ip := net.ParseIP(name)
	loopback := name == "localhost" || ip != nil && ip.IsLoopback()
	if !loopback && o.cert == "" && !o.plain {
		return fmt.Errorf("--listen %s: tokens would be sent in clear text: use --tls-cert and --tls-key, or --plain behind a proxy that has TLS", o.listen)
	}
	return nil
}

// program is the whole program. It ends when ctx does.
func program(ctx context.Context, args []string, env func(string) string, stdout, stderr io.Writer) (code int, err error) {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0, nil
	case err != nil:
		return 2, err
	}
	if err := serve(ctx, o, env, stdout, stderr); err != nil {
		return exit(err), err
	}
	return 0, nil
}

// exit is the exit code of an error.
func exit(err error) int {
	if f := host.FailureOf(err); f != nil {
		return f.Code.Entry().Exit
	}
	return 1
}

func serve(ctx context.Context, o options, env func(string) string, stdout, stderr io.Writer) error {
	if o.demo {
		end, err := o.startDemo(ctx, stdout)
		if err != nil {
			return err
		}
		defer end()
	}
	if o.home == "" {
		o.home = filepath.Join(env("HOME"), ".local", "state", "askd")
	}
	home, err := filepath.Abs(o.home)
	if err != nil {
		return err
	}
	keys, text, err := keysOf(o, home, env("ASKD_KEY"))
	if err != nil {
		return err
	}
	if o.state == "" {
		o.state = filepath.Join(home, "state.db")
	}
	state, err := store.OpenAt(ctx, o.state, time.Now)
	if err != nil {
		return err
	}
	defer func() { _ = state.Close() }() // every write is on disk
	state.Sealing(keys)
	is := &org.Org{State: state, Keys: keys, Now: time.Now}
	sum := sha256.Sum256([]byte("identities " + text))
	hosts, err := orgs.New(orgs.Options{Org: is, Home: home, Networks: o.networks, Key: new(pin.Key(sum[:])), Version: version, Bounds: host.Bounds{AtOnce: atOnce}})
	if err != nil {
		return err
	}
	defer func() { _ = hosts.Close() }() // its servers were asked to end
	if o.export != "" {
		n, err := hosts.Export(ctx, o.export)
		if err == nil {
			say(stdout, "%d agents in %s\n", n, o.export)
		}
		return err
	}
	s := &service{org: is, hosts: hosts, version: version, names: o.names, began: time.Now().UTC(), log: func(err error) { say(stderr, "askd: %s\n", escape.Line(err.Error(), maxLogged)) }}
	if err := s.first(ctx, stdout); err != nil {
		return err
	}
	return s.listen(ctx, o, stdout)
}

// atOnce is how many calls of one agent run. Calls that wait for a person are among them.
const atOnce = 256

// maxLogged bounds one error in the log, which may have words of a stranger.
const maxLogged = 1000

// say prints a line. A reader that is gone does not end the service.
func say(to io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(to, format, args...) }

// first creates the first admin, and prints the admin's token once.
func (s *service) first(ctx context.Context, stdout io.Writer) error {
	all, err := s.org.Members(ctx, "", 1)
	if err != nil || len(all) > 0 {
		return err
	}
	self := org.By{Member: "askd"}
	if _, err := s.org.CreateMember(ctx, self, org.Member{Name: "admin", Role: org.Admin}); err != nil {
		return err
	}
	_, text, err := s.org.CreateToken(ctx, self, org.Token{Name: "first", Member: "admin"})
	if err == nil {
		say(stdout, "token of the member admin, shown once: %s\n", text)
	}
	return err
}

// Time limits of a connection. An answer may wait for a person, and has none.
const (
	headTime = 10 * time.Second
	bodyTime = time.Minute
	idleTime = 2 * time.Minute
	endTime  = 10 * time.Second
	sweep    = time.Minute
)

func (s *service) listen(ctx context.Context, o options, stdout io.Writer) error {
	h, err := s.handler()
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: headTime, ReadTimeout: bodyTime, IdleTimeout: idleTime}
	go s.sweep(ctx)
	ended := make(chan error, 1)
	scheme := "http"
	if o.cert != "" {
		scheme = "https"
	}
	go func() {
		if o.cert != "" {
			ended <- server.ServeTLS(listener, o.cert, o.key)
			return
		}
		ended <- server.Serve(listener)
	}()
	say(stdout, "serving at %s://%s\n", scheme, listener.Addr())
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	if err := server.Shutdown(within); err != nil {
		return server.Close() // calls that wait for a person are not made
	}
	return nil
}

func (s *service) sweep(ctx context.Context) {
	tick := time.NewTicker(sweep)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.hosts.Sweep()
		}
	}
}
