package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
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
	// handshakeVersion is the newest version with a handshake. It is requested first:
	// some servers exit, and others fall silent, on a request for server/discover.
	handshakeVersion = "2025-11-25"
	// statelessVersion is the oldest version without a handshake.
	statelessVersion = "2026-07-28"
)

// conn is one connection to one server, from its start to its end.
type conn struct {
	server Server
	limits Limits
	known  known // the values it was given

	wire    *wire
	session *mcp.ClientSession
	process *launch.Process // of a stdio server only
	traced  traced          // the refused attempts that a trace already has
	stdout  chan struct{}   // closed when its whole stdout has been read
	strays  *strays         // stdout lines that are not messages
	carrier *carrier        // of a server with a URL only
	cancel  context.CancelFunc
	closing atomic.Bool
	notes   atomic.Int32 // number of notifications passed on
	calls   atomic.Int32 // number of calls that asked for progress
	// progress maps a call's progress token to its *watched.
	progress sync.Map
	meeting  *meeting    // its session over HTTP
	joins    bool        // another connection opened the session
	number   int64       // its number among the joining connections; 0 for the opener
	key      string      // identifies its credential; see Server.as
	users    int         // current number of users; guarded by its slot
	retired  bool        // not used for further questions; guarded by its slot
	listed   atomic.Bool // the server has listed its tools on it
	judged   atomic.Pointer[listing]
	told     atomic.Pointer[listing]          // the last listing that a call reported the names of
	first    *atomic.Pointer[map[string]bool] // the names in its session's first listing

	instructions string      // the server's instructions in the handshake
	info         string      // the server's name and version as it states them
	otherVersion bool        // the server refused the requested version
	outdated     atomic.Bool // a newer version replaces the connection
}

// dial connects to a server in a version of the protocol. If the server refuses the
// handshake's version, dial tries again without a handshake.
func dial(ctx context.Context, s Server, limits Limits, printed *strays, m *meeting, version string) (*conn, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Starting != nil {
		defer s.Starting()()
	}
	c := newConn(s, limits, printed)
	c.join(m)
	err := c.open(ctx, version)
	if err != nil && c.otherVersion {
		c = newConn(s, limits, printed)
		err = c.open(ctx, statelessVersion)
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

// open connects and shakes hands if Permit allows it, within the limit for the server's
// kind. After an error nothing of the connection is left.
func (c *conn) open(ctx context.Context, version string) error {
	if c.server.Permit != nil {
		if err := c.server.Permit(ctx); err != nil {
			return err
		}
	}
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
	// A transport may ignore ctx. It does heed the end of the connection's life.
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
		other := r != nil && r.ofVersion()
		if trouble != nil {
			other = other || errors.Is(trouble, errVersion)
		}
		c.otherVersion = other && version == handshakeVersion
		if r != nil && (trouble == nil || errors.Is(trouble, r)) { // otherwise a later request failed, too
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
	if policy != nil && slices.Contains(sandboxCodes, verdict.CodeOf(err)) {
		return nil, c.unconfined(err)
	}
	if err != nil {
		if s.Unread != "" { // the error would name only the last part of the command
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
	// frames limits the messages below the SDK, so that the reason is not lost.
	return newLines(f, p.Stdin), nil
}

// leaveTime is the minimum time for ending a session over HTTP, which is one request.
const leaveTime = 500 * time.Millisecond

// close ends the connection and everything that belongs to it, and waits. It asks a
// server to end before it forces it to.
func (c *conn) close() error {
	c.closing.Store(true)
	var err error
	if c.process != nil {
		err = c.process.Close()
	}
	if c.session != nil {
		// Over HTTP this sends a DELETE, which the server may not answer.
		t := time.AfterFunc(max(c.limits.CloseGrace, leaveTime), func() { c.cancel(); _ = c.wire.Close() })
		_ = c.session.Close() // a failure no longer matters
		t.Stop()
	}
	c.cancel()
	c.closeIdle()
	if err != nil {
		return fmt.Errorf("server %s: %w", c.server.Name, err)
	}
	return nil
}

// closeIdle makes the next HTTP request open a new connection. A kept connection may have
// died since the last request, and net/http could not report whether the next request
// left on it.
func (c *conn) closeIdle() {
	if c.carrier != nil {
		c.carrier.base.CloseIdleConnections()
	}
}

func (c *conn) broken() bool {
	switch {
	case c.outdated.Load(), c.wire.over.Load():
		return true
	case c.wire.trouble.Load() != nil, c.wire.life.Err() != nil:
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
