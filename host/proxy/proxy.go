// Package proxy is the face of one server towards MCP clients, over two pipes or HTTP.
//
// It vouches that the client sees only approved tools, as the bytes that were approved.
// Each call of its is one [host.Question] with its own run and trace, through the same
// gates as any. The client gets a refusal, or the whole accepted result, examined and with
// every control character written out. The package does not vouch for the client, which may
// have other ways around a gate, nor for a model's use of a result.
//
// The SDK's server does the handshake, both eras of the protocol, cancelling and
// subscriptions. Descriptors, arguments and results bypass its types, as in host/session on
// the other side: the types lose members and digits.
//
// cmd/ask calls [Serve]. A service calls [Handler].
package proxy

import (
	"context"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/origin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/trace"
)

// Host answers questions; *host.Host does.
type Host interface {
	Ask(ctx context.Context, q host.Question) host.Outcome
	Catalog(ctx context.Context, subject string, servers ...string) catalog.Catalog
	Undelivered(out host.Outcome)
	Words(server, words string) string
}

// Options of [Serve].
type Options struct {
	Host         Host
	Server       string              // the server that the client reaches, or the name of several
	Servers      []string            // that are reached under one name; nil is Server alone
	Subject      string              // the user, for the trace
	Conversation string              // that every call is a part of
	Labelled     string              // the conversation that shares its labels with the calls; "" is Conversation
	Version      string              // of the program
	Hold         time.Duration       // how long a call waits for an approval from another process
	LongHold     time.Duration       // likewise, if it is longer, of a client that gets progress meanwhile
	Waiting      func(inbox.Holding) // is called when a call begins to wait, and every five seconds; nil calls nothing
	Review       string              // the command that reviews a server; "" is `ask servers review` and its name

	// Ticks are the times to check whether the approved tools have changed; nil never
	// checks.
	Ticks <-chan time.Time
	// Changes returns another text whenever the approved tools may have changed; nil means
	// that they may have at each tick.
	Changes func() string
	// New are the undecided tools that the server lists only since a call; it may be nil.
	New func(ctx context.Context) []string
	// Known are the names of all tools that the server has listed: each is shown, or
	// counted as hidden. It is nil if none are known.
	Known func(ctx context.Context) []string
	// Talks traces the arguments of calls in the client's conversations; nil traces none.
	Talks Talks
	// Quarantine gives results that were withheld and that a person released; nil gives
	// none.
	Quarantine Quarantine
}

// Talks are the conversations of clients, as their hooks report them.
type Talks interface {
	// Session is the conversation of a call, "" if no hook reported the call.
	Session(ids []string, c origin.Call) string
	// Origins are the sources of the arguments of a call in a conversation.
	Origins(session string, c origin.Call) []trace.OriginBody
	// Returned adds the result of a call to its conversation.
	Returned(ctx context.Context, session string, a origin.Answer, result []byte)
}

// Quarantine is the quarantine of one server.
type Quarantine interface {
	// Released are the runs with a released result.
	Released(ctx context.Context) ([]string, error)
	// Take gives a released result, to one caller once, and the labels of its call to
	// the caller's conversation.
	Take(ctx context.Context, run, conversation string) (host.Outcome, error)
}

// upstream serves one client, or all clients of an address.
type upstream struct {
	Options
	server *mcp.Server
	gate   *gate.Gate // without a policy: it only removes the argument that a client adds
	// carried finds what the client sent as a request that the SDK has read.
	carried func(ctx context.Context, req mcp.Request) *request
	agreed  func(version string) // is called when a handshake agreed on a version
	levels  func(level string)   // is called when the client wants another least level
	there   context.Context      //nolint:containedctx // the connection's own: every call ends with it

	shown    atomic.Pointer[shown] // nil before the first look
	withheld atomic.Bool           // a result of this session is in quarantine
	least    atomic.Value          // the least level of a message that the client wants, a string; "" is any
}

// Serve answers the client until it closes its end, or ctx ends. No call is under
// way when it returns. The error is of the client's pipe.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	t := newTransport(ctx, in, out)
	u := newUpstream(t.there, o) //nolint:contextcheck // made of ctx
	u.carried, u.agreed = t.carried, func(version string) { t.version.Store(reader(version)) }
	u.levels = func(level string) { u.least.Store(level) }
	watching := make(chan struct{})
	go u.watch(watching)
	err := u.server.Run(t.life, t) //nolint:contextcheck // made of ctx
	t.leave()
	<-watching
	t.flush()
	t.end()
	if ctx.Err() != nil || t.there.Err() != nil {
		return ctx.Err()
	}
	return err
}

// newUpstream has the SDK's server, without a connection. It serves until there ends.
func newUpstream(there context.Context, o Options) *upstream {
	if o.New == nil {
		o.New = func(context.Context) []string { return nil }
	}
	u := &upstream{Options: o, there: there, gate: gate.New(gate.Options{})}
	u.server = mcp.NewServer(&mcp.Implementation{Name: o.Server, Version: o.Version}, &mcp.ServerOptions{
		Logger: slog.New(slog.DiscardHandler), // nothing here prints
		// Tools, and messages that are logged during a call. SetCacheable is set because
		// the SDK lets a client share one user's list.
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}, Logging: &mcp.LoggingCapabilities{}}, //nolint:staticcheck // clients use it for twelve months yet
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.TTLMs, c.CacheScope = 0, "private" },
		KeepAlive:    0, // the end of the pipe is the end
	})
	u.server.AddReceivingMiddleware(u.receive)
	return u
}

// receive answers the methods of tools itself. The SDK answers the methods that every
// session needs. All others are refused: this server has no resources or prompts.
func (u *upstream) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.ListToolsRequest:
			return u.list(ctx, r)
		case *mcp.CallToolRequest:
			return u.call(ctx, r)
		}
		switch method {
		case methodInitialize, methodDiscover, methodLevel, "ping", "subscriptions/listen",
			"notifications/initialized", noteCancelled, noteProgress, "notifications/roots/list_changed":
		default:
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this server has tools, and no " + method}
		}
		result, err := next(ctx, method, req)
		if p, is := req.GetParams().(*mcp.SetLoggingLevelParams); is && err == nil { //nolint:staticcheck // the same
			u.levels(string(p.Level))
		}
		switch r := result.(type) {
		case *mcp.InitializeResult:
			if err == nil {
				u.agreed(r.ProtocolVersion)
				r.Instructions = u.look(ctx, reader(r.ProtocolVersion)).instructions()
			}
		case *mcp.DiscoverResult:
			if err == nil {
				r.Instructions = u.look(ctx, "").instructions()
			}
		}
		return result, err
	}
}
