package proxy

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/schema"
)

const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "Mcp-Protocol-Version"
)

// SessionAge is how long a session lasts after its last request.
const SessionAge = time.Hour

// Session is the session of a client with a handshake. It has the SHA-256 of the id, and no
// reader of it can take part in the session.
type Session struct {
	ID              [sha256.Size]byte
	Token           string // whose it is, as [HTTP.Token] says
	Conversation    string // that every call of the session is a part of
	Client, Version string // as the client says
	Expires         time.Time
}

// ErrNoSession says that there is no such session: it ended, expired, or never was.
var ErrNoSession = errors.New("no such session")

// ErrSessions says that a token has as many sessions as it may have.
var ErrSessions = errors.New("too many sessions")

// Sessions keeps sessions. Several processes may share one.
type Sessions interface {
	// Begin keeps a new session. It fails with [ErrSessions] if the token has too many.
	Begin(ctx context.Context, s Session) error
	// Find returns a session of the token and lets it expire at another time. It fails with
	// [ErrNoSession] for a session of another token, too.
	Find(ctx context.Context, id [sha256.Size]byte, token string, expires time.Time) (Session, error)
	// End ends a session of the token, if there is one.
	End(ctx context.Context, id [sha256.Size]byte, token string) error
}

// HTTP is what [Handler] needs.
type HTTP struct {
	// Options are for all clients, without Conversation: each session has its own, and a
	// client without a session has none.
	Options
	// Token identifies the bearer of a request, who is authorized. A session belongs to it.
	Token    func(*http.Request) string
	Sessions Sessions
	// Hosts are those that a request may name, without a port; nil allows loopback only. So
	// no page reaches the server under a name of its own (DNS rebinding).
	Hosts []string
	// Origins are those of pages that may send requests, such as https://a.example.
	// Pages at the address of the request itself may in any case.
	Origins []string
}

// Handler serves clients over streamable HTTP, of every version of the protocol since
// 2025-03-26. It serves until ctx ends. A request is answered by any process that shares
// the sessions; only a cancellation must reach the process that has the request. No stream
// is resumed.
//
// The call of a client with a session goes on when its connection ends, and the next call
// that is the same gets its result. A client of 2026-07-28 has no session. Its call ends with
// its connection, and is a conversation of its own: no grant is offered for it, and no
// approval is kept.
func Handler(ctx context.Context, o HTTP) http.Handler {
	h := &handler{HTTP: o, open: map[string]map[string]running{}}
	o.Conversation = ""
	h.upstream = newUpstream(ctx, o.Options)
	h.upstream.carried, h.upstream.agreed = h.carried, func(string) {}
	h.upstream.levels = func(string) {} // else one client would set it for all
	h.sdk = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return h.upstream.server }, &mcp.StreamableHTTPOptions{
		Stateless: true, MaxRequestBodyBytes: maxLine, PropagateRequestCancellation: true, DisableLocalhostProtection: true, // foreign checks
	})
	go h.upstream.watch(make(chan struct{}))
	return h
}

type handler struct {
	HTTP
	upstream *upstream
	sdk      http.Handler

	mu   sync.Mutex
	open map[string]map[string]running // by session and id
}

// visit is one request over HTTP, which is its own caller.
type visit struct {
	*request

	agreed  reader          // the version of the session; "" is that of a client without one
	client  context.Context //nolint:containedctx // ends when the client's connection does
	stream  context.Context //nolint:containedctx // by which the SDK finds the stream of the request
	session *mcp.ServerSession
	started atomic.Bool
}

type visitKey struct{}

func (v *visit) reader() reader { return v.agreed }

func (v *visit) left() bool { return v.cancelled.Load() || v.client.Err() != nil }

// notify sends a notification on the stream of the request. What cannot be sent is left out.
func (v *visit) notify(method string, params []byte) {
	switch method {
	case noteProgress:
		p := new(mcp.ProgressNotificationParams)
		if schema.DecodeOpen(params, p, lineLimits) == nil {
			_ = v.session.NotifyProgress(v.stream, p)
		}
	case noteLog:
		p := new(mcp.LoggingMessageParams) //nolint:staticcheck // clients use it for twelve months yet
		if schema.DecodeOpen(params, p, lineLimits) == nil {
			_ = v.session.Log(v.stream, p) //nolint:staticcheck // the same
		}
	}
}

// carried finds the visit of a request that the SDK has read.
func (h *handler) carried(ctx context.Context, req mcp.Request) *request {
	v, _ := ctx.Value(visitKey{}).(*visit)
	if v == nil {
		return nil
	}
	v.stream = ctx
	v.started.Store(true)
	v.session, _ = req.GetSession().(*mcp.ServerSession)
	return v.request
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if why := h.foreign(r); why != "" {
		http.Error(w, why, http.StatusForbidden)
		return
	}
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodDelete:
		h.end(w, r)
	default:
		w.Header().Set("Allow", "POST, DELETE")
		http.Error(w, "no stream is offered: what belongs to a request is sent with its answer", http.StatusMethodNotAllowed)
	}
}

// foreign says why a request may come from a page of another site, or nothing.
func (h *handler) foreign(r *http.Request) string {
	own := "http://" + r.Host
	if r.TLS != nil {
		own = "https://" + r.Host
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != own && !slices.Contains(h.Origins, origin) {
		return fmt.Sprintf("pages of the origin %.128q may not send requests", origin)
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	loopback := host == "localhost" || net.ParseIP(host).IsLoopback()
	if h.Hosts == nil && loopback || slices.Contains(h.Hosts, host) {
		return ""
	}
	return fmt.Sprintf("this is not the server %.128q", r.Host)
}

// end ends a session at the client's wish.
func (h *handler) end(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(headerSession)
	if id == "" {
		http.Error(w, "the request names no session", http.StatusBadRequest)
		return
	}
	if err := h.Sessions.End(r.Context(), sha256.Sum256([]byte(id)), h.Token(r)); err != nil {
		http.Error(w, "sessions are not available: try again later", http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// post reads one message, finds its session, and has it answered.
func (h *handler) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLine))
	if err != nil {
		http.Error(w, fmt.Sprintf("a message has at most %d bytes", maxLine), http.StatusRequestEntityTooLarge)
		return
	}
	v := &visit{}
	asked, _, no := readRequest(bytes.TrimSpace(body), v)
	v.request = asked
	if no == nil && isNumber(asked.id) && len(asked.id) > maxDigits {
		no = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("a number as an id has at most %d digits", maxDigits)}
	}
	status := http.StatusBadRequest
	if no == nil && asked.method != "" {
		status, no = h.admit(w, r, v)
	}
	if no == nil && v.modern && v.method == methodCall {
		status, no = http.StatusBadRequest, h.repeated(r, v)
	}
	switch {
	case no != nil:
		fail(w, status, asked.id, no.Code, no.Message)
	case asked.method == noteCancelled:
		h.stop(r.Header.Get(headerSession), asked.params["requestId"])
		w.WriteHeader(http.StatusAccepted)
	case asked.id == nil: // a notification, or an answer, and we asked nothing
		w.WriteHeader(http.StatusAccepted)
	default:
		h.answer(w, r, v, body)
	}
}

// maxDigits bounds a number as an id, which the SDK reads as floating point.
const maxDigits = 15

func isNumber(v jsontext.Value) bool { return v != nil && v.Kind() == '0' }

// admit finds the session of a request, or begins one. A client of a version without a
// handshake has none.
func (h *handler) admit(w http.ResponseWriter, r *http.Request, v *visit) (status int, no *jsonrpc.Error) {
	named, version := r.Header.Get(headerSession), r.Header.Get(headerVersion)
	refused := func(status int, why string) (int, *jsonrpc.Error) {
		return status, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: why}
	}
	expires := time.Now().Add(SessionAge)
	switch {
	case v.modern || version >= stateless:
		return 0, nil // each call is a conversation of its own
	case v.method == methodInitialize:
		id := rand.Text() + rand.Text()
		err := h.Sessions.Begin(r.Context(), v.begins(id, h.Token(r), expires))
		if errors.Is(err, ErrSessions) {
			return refused(http.StatusTooManyRequests, "this token has too many sessions: end one, or wait until one expires")
		}
		if err != nil {
			return refused(http.StatusServiceUnavailable, "sessions are not available: try again later")
		}
		w.Header().Set(headerSession, id)
		return 0, nil
	case named == "":
		return refused(http.StatusBadRequest, "the request names no session: initialize begins one")
	}
	s, err := h.Sessions.Find(r.Context(), sha256.Sum256([]byte(named)), h.Token(r), expires)
	if errors.Is(err, ErrNoSession) {
		return refused(http.StatusNotFound, "there is no such session: initialize begins one")
	}
	if err != nil {
		return refused(http.StatusServiceUnavailable, "sessions are not available: try again later")
	}
	v.agreed = reader(cmp.Or(version, batching)) // which has no header
	v.conversation, v.request.client, v.version = s.Conversation, s.Client, s.Version
	return 0, nil
}

// repeated refuses a call whose headers differ from the arguments that they repeat. The
// gates refuse a tool that does not exist.
func (h *handler) repeated(r *http.Request, v *visit) *jsonrpc.Error {
	tool, _ := h.upstream.named(r.Context(), v.request, text(v.params["name"]))
	args := v.params["arguments"]
	if args == nil {
		args = jsontext.Value(`{}`)
	}
	is, err := h.Host.Catalog(r.Context(), h.Subject, tool.Server).Tool(tool.Server, tool.Name)
	if err != nil {
		return nil //nolint:nilerr // the same
	}
	if err := is.Input().Repeated(args, r.Header.Values); err != nil {
		return &jsonrpc.Error{Code: mcp.CodeHeaderMismatch, Message: "a header differs from the call: " + err.Error()}
	}
	return nil
}

// begins is the session that a handshake begins.
func (v *visit) begins(id, token string, expires time.Time) Session {
	info := v.params["clientInfo"]
	v.conversation = rand.Text()
	return Session{
		ID: sha256.Sum256([]byte(id)), Token: token, Conversation: v.conversation, Expires: expires,
		Client: claimed(text(member(info, "name"))), Version: claimed(text(member(info, "version"))),
	}
}

// answer has the SDK answer a request. A call of an older client goes on when its
// connection has ended.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, v *visit, body []byte) {
	v.client = r.Context()
	life := context.WithoutCancel(v.client)
	if v.agreed == "" {
		life = v.client
	}
	var end context.CancelFunc
	v.life, end = context.WithCancel(life)
	session := r.Header.Get(headerSession)
	if !h.opens(session, v, end) {
		end()
		fail(w, http.StatusBadRequest, v.id, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the id is in use, or more than %d requests are open", maxOpen))
		return
	}
	v.done = func() { h.closes(session, v); end() }
	if v.method != methodCall {
		defer v.done()
	}
	again := r.Clone(context.WithValue(v.client, visitKey{}, v)) //nolint:contextcheck // it is the request's
	again.Body = io.NopCloser(bytes.NewReader(body))
	h.sdk.ServeHTTP(w, again)
	if !v.started.Load() {
		v.done() // the SDK refused it
	}
}

// running is a request of a session that is not answered yet, and the end of its call.
type running struct {
	*visit

	end context.CancelFunc
}

// opens notes that a request of a session is under way. Such requests have different ids.
func (h *handler) opens(session string, v *visit, end context.CancelFunc) bool {
	if v.agreed == "" {
		return true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	of := h.open[session]
	if of == nil {
		of = map[string]running{}
		h.open[session] = of
	}
	if _, used := of[string(v.id)]; used || len(of) >= maxOpen {
		return false
	}
	of[string(v.id)] = running{v, end}
	return true
}

func (h *handler) closes(session string, v *visit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	of := h.open[session]
	if of[string(v.id)].visit == v {
		delete(of, string(v.id))
	}
	if len(of) == 0 {
		delete(h.open, session)
	}
}

// stop ends the call of a request of a session, if it is answered here.
func (h *handler) stop(session string, id jsontext.Value) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r, is := h.open[session][string(id)]; is && r.method == methodCall {
		r.cancelled.Store(true)
		r.end()
	}
}

// fail answers with an error of JSON-RPC.
func fail(w http.ResponseWriter, status int, id jsontext.Value, code int64, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(failure(id, code, why))
}
