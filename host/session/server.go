package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/launch"
)

// Server says how to reach one MCP server: by Command, by URL or by InProcess.
type Server struct {
	Name string

	// A stdio server.
	Command string
	Args    []string
	Env     map[string]string // its variables, besides PATH, HOME and LANG
	Dir     string            // "" is this program's own
	Shown   string            // its command line for display, without secrets; "" shows none
	Unread  string            // the shell syntax in its command, and what to write instead; "" if none
	// Sandbox confines the server, by the kernel: it sees only the variables that its
	// scopes name. nil leaves it the user's rights. Tree is the folder of its installed
	// program, which it may read; "" if only the command names it. Blocked gets each
	// refused attempt, from any goroutine.
	Sandbox *confine.Sandbox
	Own     confine.Own // files of this program that no scope may reach
	Tree    string
	Blocked func(server string, a confine.Attempt)

	// A server on the network. Type "http" or "" is streamable HTTP; "sse" is the
	// HTTP+SSE transport of protocol version 2024-11-05. Every request has the headers.
	// They are sent to the origin of the URL only.
	URL     string
	Headers map[string]string
	Type    string
	// Authorize returns the headers for one subject's requests. They replace the headers
	// with the same name. A connection with such headers carries only requests of the
	// same subject and the same credential.
	Authorize func(subject string) map[string]string
	// Credential provides the token of each request, in an Authorization header, if the
	// user logged in to the server. Connections with different logins are separate.
	Credential Credential
	OAuth      OAuth // the operator's settings for that login, for host/login
	// Stuck is the next step after a login that failed and would fail again. Otherwise it
	// is "".
	Stuck string
	// CAFile names a file of certificates in PEM. For this server their authorities are
	// trusted besides the system's.
	CAFile string
	// Proxy is the http or https URL of the proxy for this server. "" uses no proxy, even
	// if the environment names one. The proxy sees everything sent to an http URL,
	// headers included. For an https URL it sees only the host and port.
	Proxy string
	// Dials refuses an address that a name has resolved to, before it is dialled; nil refuses
	// none. A proxy resolves names itself.
	Dials func(netip.Addr) error

	// Limits of this server, in place of the pool's; zero is the pool's.
	StartTimeout time.Duration // from its start or dialling to the end of its handshake
	CallTimeout  time.Duration // one whole listing; the answer to one call

	// Secrets are further texts that no message may quote, by name, such as the value of
	// a variable in an argument.
	Secrets map[string]string

	// Client is the name that this client gives itself; "" is onestep. A review also asks
	// under another name, to find a server that describes its tools differently then.
	Client string

	// Logs keeps what the server writes to stderr.
	Logs Logs

	// Starting is called before the server starts and shakes hands. over is called when
	// that has ended. nil calls nothing.
	Starting func() (over func())

	// Notice gets the server's progress reports and log messages while the run waits for
	// it. text is one line of the server's words, escaped and bounded. Without Notice the
	// server is not asked for progress. It may be called at any time.
	Notice func(server, text string)

	// Permit is called each time right before the server is started or dialled. Its error
	// prevents that. Without Permit any command is started, as a review needs.
	Permit func(ctx context.Context) error

	// Confine is a compiled policy, in place of Sandbox. Refused gets its attempts as the
	// server made them, unredacted, in place of Blocked.
	Confine *confine.Policy
	Refused func(confine.Attempt)

	// Wrong is why a server cannot be reached as it is configured. It is reported when
	// the server is named, so that other servers still work.
	Wrong error

	// InProcess connects to a server inside this program. The transport is for one
	// connection, which ends with ctx.
	InProcess func(ctx context.Context) (mcp.Transport, error)
}

// OAuth is the part of a servers file about a server's login. With the zero OAuth the
// server's metadata decides everything.
type OAuth struct {
	ClientID     string
	ClientSecret string
	Issuer       string // the authorization server, where the operator names one
	Scopes       []string
	CallbackPort int    // of the redirect to this machine; the system chooses for 0
	PKCE         string // "S256" if the operator states that the issuer supports it without announcing it
	Grant        string // "" is a user's login, "client_credentials" a machine's (RFC 6749, section 4.4)
	// Own reports that these values are from the operator's own file. A project's file
	// may only select from what the server names, and replaces nothing.
	Own bool
}

// The kinds of server, as Type spells them.
const (
	typeStdio = "stdio"
	typeHTTP  = "http"
	typeSSE   = "sse"
	inProcess = "in-process"
)

// Kind is how the server is reached, or "" if the fields contradict each other.
func (s Server) Kind() string {
	t := strings.ToLower(s.Type)
	if t == "streamable-http" || t == "streamablehttp" { // other clients' spellings
		t = typeHTTP
	}
	typed := func(types ...string) bool { return t == "" || slices.Contains(types, t) }
	switch command, remote, inside := s.Command != "", s.URL != "", s.InProcess != nil; {
	case command && (remote || inside):
		return ""
	case remote && inside:
		return ""
	case command && typed(typeStdio):
		return typeStdio
	case remote && typed(typeHTTP, typeSSE):
		return cmp.Or(t, typeHTTP)
	case inside && typed():
		return inProcess
	}
	return ""
}

// Validate reports whether the server can be used as configured. Its errors are
// config.invalid faults that name the field and never quote a value.
func (s Server) Validate() error {
	if s.Wrong != nil {
		return s.Wrong
	}
	if !escape.Name(s.Name) {
		return verdict.Fail(verdict.ConfigInvalid, nil, "the server name %.128q has characters outside A-Z a-z 0-9 _ . -", s.Name)
	}
	wrong := ""
	switch s.Kind() {
	case typeStdio:
		wrong = s.checkCommand()
	case typeHTTP, typeSSE:
		wrong = s.checkRemote()
	case inProcess:
		if s.Authorize != nil || s.Credential != nil {
			wrong = "headers of a subject and a login are for a server with a url"
		}
	case "":
		wrong = `needs a command (type "stdio") or else a url (type "http" or "sse")`
	}
	if wrong != "" {
		return verdict.Fail(verdict.ConfigInvalid, nil, "server %s: %s", s.Name, wrong)
	}
	return nil
}

func (s Server) checkCommand() string {
	login := s.Authorize != nil || s.Credential != nil
	remote := s.CAFile != "" || s.Proxy != ""
	if login || remote || len(s.Headers) > 0 {
		return "headers, a login, a CA file and a proxy are for a server with a url"
	}
	for name, value := range s.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00") {
			return "env has a variable that cannot be in an environment"
		}
	}
	return ""
}

func (s Server) checkRemote() string {
	command := len(s.Args) > 0 || len(s.Env) > 0
	if command || s.Dir != "" || s.Sandbox != nil {
		return "args, env, cwd and a sandbox are for a server with a command"
	}
	u, err := url.Parse(s.URL)
	switch {
	case err != nil:
		return "url cannot be read"
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return "url is not of the form http://host/path or https://host/path"
	case u.User != nil:
		return "url contains credentials; they belong in headers"
	case u.Scheme == "http" && s.CAFile != "":
		return "a CA file is for a url that begins with https"
	}
	if wrong := checkProxy(s.Proxy); wrong != "" {
		return wrong
	}
	if s.Credential != nil && s.Authorized() {
		return "it has both a login and an Authorization header"
	}
	for name, value := range s.Headers {
		if wrong := checkHeader(name, value); wrong != "" {
			return "headers." + escape.Line(name, 64) + wrong
		}
	}
	return ""
}

// Authorized reports whether a configured header replaces a login.
func (s Server) Authorized() bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(s.Headers)), func(name string) bool { return strings.EqualFold(name, headerLogin) })
}

// as returns the server as one subject reaches it, and the key of the subject's
// connections. The key is "" if all subjects share one credential.
func (s Server) as(subject string) (Server, string) {
	login := ""
	if s.Credential != nil {
		login = s.Credential.ID()
	}
	if s.Authorize == nil {
		return s, login
	}
	headers := map[string]string{}
	for _, from := range []map[string]string{s.Headers, s.Authorize(subject)} {
		for name, value := range from {
			headers[http.CanonicalHeaderKey(name)] = value
		}
	}
	s.Headers = headers
	h := sha256.New()
	fmt.Fprintf(h, "%q%q", subject, login)
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		fmt.Fprintf(h, "%q%q", name, headers[name])
	}
	return s, string(h.Sum(nil))
}

func checkProxy(proxy string) string {
	u, err := url.Parse(proxy)
	switch {
	case proxy == "":
		return ""
	case err != nil:
		return "proxy cannot be read"
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", strings.Trim(u.Path, "/") != "", u.RawQuery != "", u.Fragment != "":
		return "proxy is not of the form http://host:port or https://host:port"
	}
	return ""
}

// reserved headers belong to the protocol or to HTTP itself.
var reserved = []string{
	"Accept", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Expect", "Host", "Last-Event-Id",
	"Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version", "Mcp-Session-Id", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// headerName matches a token of HTTP (RFC 9110, section 5.6.2).
var headerName = lex.Pattern("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

func checkHeader(name, value string) string {
	switch key := http.CanonicalHeaderKey(name); {
	case !headerName().MatchString(name):
		return " is not a header name"
	case key == "Idempotency-Key" || key == "X-Idempotency-Key":
		return " would make net/http repeat a request, which may be a call"
	case slices.Contains(reserved, key) || strings.HasPrefix(key, "Mcp-Param-"):
		return " is set by the protocol"
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return " has a control character"
	}
	return ""
}

// Limits bound one server. Zero means the default. Values that a server makes us send
// back have fixed bounds: 4 KiB for a cursor, 256 bytes for an id, and over HTTP 16 KiB
// for an address or a session's name. An error from a server may have 1 MiB.
type Limits struct {
	StartTimeout   time.Duration // from a stdio server's start, with any install, to the end of its handshake; 60 s
	ConnectTimeout time.Duration // the same for any other server; 30 s
	CallTimeout    time.Duration // one whole listing; the answer to one call; 60 s
	CallLimit      time.Duration // a call with progress reports; 10 min
	CloseGrace     time.Duration // for a stdio server to end by itself once its stdin is closed; 10 ms
	MaxMessage     int           // bytes of one message, and of all pages of one listing; 16 MiB
	MaxPages       int           // pages of one listing; 100
	MaxTools       int           // tools of one server; 5000
}

func (l Limits) withDefaults() Limits {
	return Limits{
		StartTimeout:   positive(l.StartTimeout, 60*time.Second),
		ConnectTimeout: positive(l.ConnectTimeout, 30*time.Second),
		CallTimeout:    positive(l.CallTimeout, 60*time.Second),
		CallLimit:      positive(l.CallLimit, 10*time.Minute),
		CloseGrace:     positive(l.CloseGrace, launch.DefaultGrace),
		MaxMessage:     positive(l.MaxMessage, 16<<20),
		MaxPages:       positive(l.MaxPages, 100),
		MaxTools:       positive(l.MaxTools, 5000),
	}
}

func (s Server) over(l Limits) Limits {
	l.StartTimeout, l.ConnectTimeout = positive(s.StartTimeout, l.StartTimeout), positive(s.StartTimeout, l.ConnectTimeout)
	l.CallTimeout = positive(s.CallTimeout, l.CallTimeout)
	return l
}

// positive is n, or the default if n is not positive.
func positive[N time.Duration | int](n, otherwise N) N {
	if n <= 0 {
		return otherwise
	}
	return n
}

// StartsWith begins the text of [Starting].
const StartsWith = "starting "

// Starting says what a user waits for. It leaves out arguments, which may be secrets.
func Starting(name, command string, args []string) string {
	what := StartsWith + name + " (" + filepath.Base(command)
	if len(args) > 0 {
		what += " …"
	}
	return what + ")"
}
