package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/launch"
)

const (
	// handshakeVersion is the newest version with a handshake. It is asked for
	// first: some servers exit, and others fall silent, when they are asked
	// with server/discover.
	handshakeVersion = "2025-11-25"
	// statelessVersion is the oldest without one.
	statelessVersion = "2026-07-28"
)

// conn is one connection to one server, from its start to its end.
type conn struct {
	server Server
	limits Limits
	known  known // what it was given

	wire    *wire
	session *mcp.ClientSession
	process *launch.Process // of a stdio server
	traced  traced          // which of its refused attempts are on a trace
	stdout  chan struct{}   // closed when all of its stdout has been read
	strays  *strays         // what it printed there that is not a message
	carrier *carrier        // of a server with a URL
	cancel  context.CancelFunc
	closing atomic.Bool
	notes   atomic.Int32 // notifications that were passed on
	calls   atomic.Int32 // that were asked to report their progress
	// progress holds what such a call does with a report, by its token: *watched.
	progress sync.Map
	meeting  *meeting    // the session over HTTP that it is a connection of
	joins    bool        // it did not open it
	number   int64       // its number among those that join, 0 of the first
	key      string      // whose credential it carries; see Server.as
	users    int         // that have it now; guarded by its slot
	retired  bool        // it carries no further question; guarded by its slot
	listed   atomic.Bool // the server has listed its tools on it
	judged   atomic.Pointer[listing]
	told     atomic.Pointer[listing]          // the last one whose names a call handed on
	first    *atomic.Pointer[map[string]bool] // the names that its session listed first

	instructions string      // what the server said at the handshake, for its clients
	info         string      // what it said that it is
	otherVersion bool        // the server refused the version it was asked for
	outdated     atomic.Bool // a newer version replaces the connection
}

// dial connects to a server in a version of the protocol. Only one that refuses the
// handshake is asked again, without one.
func dial(ctx context.Context, s Server, limits Limits, printed *strays, m *meeting, version string) (*conn, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Starting != nil {
		defer s.Starting()()
	}
	c := newConn(s, limits, printed)
	c.join(m)
	err := c.begin(ctx, version)
	if err != nil && c.otherVersion {
		c = newConn(s, limits, printed)
		err = c.begin(ctx, statelessVersion)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

func newConn(s Server, limits Limits, printed *strays) *conn {
	limits = s.over(limits)
	c := &conn{server: s, limits: limits, strays: printed, first: new(atomic.Pointer[map[string]bool])}
	c.known.learn(s.secrets(), s.keys())
	c.wire = &wire{patience: limits.CallTimeout, limits: schema.Limits{
		Bytes:    limits.MaxMessage,
		Depth:    schema.DescriptorLimits.Depth + 3, // result, tools, tool
		Values:   500_000,                           // of 5000 real tools, each of which has 98 on average
		Exponent: schema.DescriptorLimits.Exponent,
		Digits:   schema.DescriptorLimits.Digits,
	}}
	c.wire.note = c.note
	c.wire.life, c.cancel = context.WithCancel(context.Background())
	return c
}

// begin opens it where that is permitted.
func (c *conn) begin(ctx context.Context, version string) error {
	if c.server.Permit != nil {
		if err := c.server.Permit(ctx); err != nil {
			return err
		}
	}
	return c.open(ctx, version)
}

// open connects and shakes hands, within the limit of the server's kind. On an
// error everything has ended.
func (c *conn) open(ctx context.Context, version string) error {
	limit := overtime{c.limits.ConnectTimeout, "connect_timeout", settingStart}
	if c.server.Kind() == typeStdio {
		limit = overtime{c.limits.StartTimeout, settingStart, settingStart}
	}
	ctx, done := within(ctx, limit)
	defer done()
	err := c.connect(ctx, version)
	if err == nil {
		return nil
	}
	fault := c.explain(ctx, "the handshake", verdict.ServerStart, err)
	if left := c.close(); left != nil {
		fault.Reason += "; " + left.Error()
	}
	return fault
}

func (c *conn) connect(ctx context.Context, version string) (err error) {
	if c.wire.transport, err = c.transport(); err != nil { //nolint:contextcheck // a log is written whole whatever ends the start
		return err
	}
	// A transport may not heed the context; the end of its life it heeds.
	unwatch := context.AfterFunc(ctx, c.cancel)
	defer unwatch()
	client := mcp.NewClient(identity(c.server.Client), &mcp.ClientOptions{
		Logger:         slog.New(slog.DiscardHandler),              // nothing here prints
		Capabilities:   &mcp.ClientCapabilities{},                  // no roots, no sampling, no elicitation
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}, // one call, one request
		KeepAlive:      0,                                          // a run is short
	})
	c.session, err = client.Connect(ctx, c.wire, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		trouble, r := c.wire.trouble.Load(), c.wire.refusal.Load()
		c.otherVersion = version == handshakeVersion && (r != nil && r.ofVersion() || trouble != nil && errors.Is(trouble, errVersion))
		if r != nil && (trouble == nil || errors.Is(trouble, r)) { // else the request after it went wrong, too
			return r
		}
		return err
	}
	said := c.session.InitializeResult()
	c.wire.protocol.Store(said.ProtocolVersion)
	if is := said.ServerInfo; is != nil {
		c.info = strings.TrimSpace(is.Name + " " + is.Version)
		if is.Title != "" && is.Title != is.Name {
			c.info += " (" + is.Title + ")"
		}
	}
	if c.instructions = said.Instructions; c.keys().Holds([]byte(c.instructions)) || c.keys().Holds([]byte(c.info)) {
		return c.fault(verdict.ServerProtocol, nil, "its description of itself contains a key that it was given")
	}
	return ctx.Err()
}

func (c *conn) transport() (mcp.Transport, error) {
	switch c.server.Kind() {
	case inProcess:
		c.wire.cut = func() { _ = c.wire.inner.Close() }
		return c.server.InProcess(c.wire.life)
	case typeStdio:
		return c.start()
	}
	t, carrier, err := remote(c.server, c.wire)
	if c.carrier = carrier; carrier != nil {
		carrier.token, carrier.shared = c.token, c.joins
	}
	return t, err
}

func (c *conn) start() (mcp.Transport, error) {
	s := c.server
	policy, err := s.Policy()
	if err != nil {
		return nil, c.unconfined(err)
	}
	p, err := launch.Start(c.wire.life, launch.Command{
		Path: s.Command, Args: s.Args, Env: s.Env, Dir: s.Dir, Grace: c.limits.CloseGrace, Secrets: s.secrets(),
		Confine: policy, FilesOnly: s.Sandbox.Confines() && s.Sandbox.FilesOnly, Blocked: c.blocked,
		Log: s.Logs.open(s.Name, s.secrets()),
	})
	if policy != nil && ofSandbox(err) {
		return nil, c.unconfined(err)
	}
	if err != nil {
		if s.Unread != "" { // its last part alone would be named
			return nil, c.wire.fail(verdict.ServerStart, err, "its command could not be started: %s", s.Shown)
		}
		s.Logs.add(s.Name, s.secrets(), fmt.Sprintf("its command could not be started: %v\n", err))
		return nil, c.wire.fail(verdict.ServerStart, err, "its command could not be started: %v", err)
	}
	c.process = p
	c.wire.cut = func() { _ = p.Stdin.SetWriteDeadline(time.Unix(1, 0)) }
	f := newFrames(p.Stdout, c.wire, byLine)
	c.stdout = make(chan struct{})
	f.strays, f.end = c.strays, c.stdout
	// The frames are bounded below the SDK, where the reason is not lost.
	return &mcp.IOTransport{Reader: f, Writer: p.Stdin, MaxLineLength: -1}, nil
}

// leaveTime is how long taking leave of a remote server may take at least: it
// is one request.
const leaveTime = 500 * time.Millisecond

// close ends the connection and all that belongs to it, and waits. A server is
// asked to end before it is made to.
func (c *conn) close() error {
	c.closing.Store(true)
	var err error
	if c.process != nil {
		err = c.process.Close()
	}
	if c.session != nil {
		// Over HTTP this takes leave of the server, which may not answer.
		t := time.AfterFunc(max(c.limits.CloseGrace, leaveTime), func() { c.cancel(); _ = c.wire.Close() })
		_ = c.session.Close() // what failed to be said no longer matters
		t.Stop()
	}
	c.cancel()
	c.closeIdle()
	if err != nil {
		return fmt.Errorf("server %s: %w", c.server.Name, err)
	}
	return nil
}

// closeIdle makes the next HTTP request open a connection of its own. A kept one
// may be dead since the last request, and net/http could then not tell whether
// the next one left on it.
func (c *conn) closeIdle() {
	if c.carrier != nil {
		c.carrier.base.CloseIdleConnections()
	}
}

func (c *conn) broken() bool {
	if c.wire.trouble.Load() != nil || c.wire.over.Load() || c.wire.life.Err() != nil || c.outdated.Load() {
		return true
	}
	return c.process != nil && c.process.Status() != ""
}

func identity(name string) *mcp.Implementation {
	version := "dev"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "(devel)" && info.Main.Version != "" {
		version = info.Main.Version
	}
	return &mcp.Implementation{Name: cmp.Or(name, "onestep"), Version: version}
}
