package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/login"
	"github.com/onestep-run/onestep/host/session"
)

// document is the client ID metadata document that the suite knows.
const document = "https://conformance-test.local/client-metadata.json"

// maxLogins is how often a user logs in before giving up.
const maxLogins = 3

// user logs in as the suite's user does: the browser goes where it is sent, and
// agrees to everything.
type user struct{}

func (user) Confirm(context.Context, login.Offer) error { return nil }

func (user) Open(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	res, err := new(http.Client).Do(req) // it follows the redirect to this machine
	if err != nil {
		return err
	}
	return res.Body.Close()
}

func (user) Paste(context.Context, string) (string, error) { return "", errors.ErrUnsupported }

func (user) Notice(string) {}

func (user) Enter(context.Context, string, string, time.Time) error { return errors.ErrUnsupported }

// operator holds the registration that the suite gives a client.
type operator struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
}

// loggedIn plays a scenario of authorization. It asks a question; if that needs a login, it
// logs in and asks again, as a user would. No request
// is repeated by the program.
type loggedIn struct {
	logins *login.Logins
	target login.Target
	traces host.Traces
	name   string
}

func newLoggedIn(address, name, dir string, traces host.Traces) (*loggedIn, error) {
	server := session.Server{Name: server, URL: address}
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		var o operator
		if err := schema.DecodeOpen([]byte(text), &o, schema.ResultLimits); err != nil {
			return nil, err
		}
		server.OAuth.ClientID, server.OAuth.ClientSecret = o.ClientID, o.ClientSecret
	}
	switch name {
	case "auth/client-credentials-basic":
		server.OAuth.Grant = login.ClientCredentials
	case "auth/2025-03-26-oauth-metadata-backcompat":
		// The server publishes no document about itself, so its operator has to write
		// the issuer into the entry: here the server's own origin.
		server.OAuth.Issuer, server.OAuth.Own = origin(address), true
	}
	l := &login.Logins{Store: &login.Store{Dir: filepath.Join(dir, "logins")}, Limits: limits, Document: document, Now: time.Now}
	return &loggedIn{l, login.Target{Server: server, Entry: "conformance"}, traces, name}, nil
}

func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// play asks until there is an answer, a refusal that no login mends, or enough.
func (l *loggedIn) play(ctx context.Context, s scenario) (out host.Outcome, err error) {
	for range maxLogins {
		if out, err = l.ask(ctx, s); err != nil || out.Error == nil || !mended(out.Error.Code) {
			return out, err
		}
		if _, err := l.logins.Login(ctx, l.target, login.Request{Scopes: wanted(out.Error.Hint)}, user{}); err != nil {
			out.Error = host.FailureOf(err)
			return out, nil
		}
	}
	return l.ask(ctx, s)
}

func mended(code verdict.Code) bool {
	return code == verdict.ServerAuth || code == verdict.ServerIssuer || code == verdict.OutputRefused
}

func (l *loggedIn) ask(ctx context.Context, s scenario) (host.Outcome, error) {
	source, err := l.logins.Source(l.target)
	if err != nil {
		return host.Outcome{}, err
	}
	server := l.target.Server
	if source != nil {
		server.Credential = source
	}
	pool := session.New([]session.Server{server}, limits)
	out, err := s.play(ctx, pool, l.traces, l.name)
	return out, errors.Join(err, pool.Close())
}

var scopeWord = regexp.MustCompile(`--scope (\S+?)(?:\s|` + "`" + `|$)`)

// wanted are the scopes that the next step of an outcome names.
func wanted(hint string) (scopes []string) {
	for _, m := range scopeWord.FindAllStringSubmatch(hint, -1) {
		scopes = append(scopes, m[1])
	}
	return scopes
}

// runLogin plays a scenario of authorization.
func runLogin(ctx context.Context, url, name, dir string, traces host.Traces) (host.Outcome, error) {
	l, err := newLoggedIn(url, name, dir, traces)
	if err != nil {
		return host.Outcome{}, err
	}
	s := scenario{tool: "test-tool", args: literal(`{}`), ends: loginEnds[name]}
	out, err := l.play(ctx, s)
	if err == nil && ending(out) != s.ends {
		err = fmt.Errorf("scenario %s ended with %q, not with %q: %+v", name, ending(out), s.ends, out.Error)
	}
	return out, err
}

// loginEnds are the codes with which scenarios of authorization have to end, "" for
// an answer.
var loginEnds = map[string]verdict.Code{
	"auth/scope-retry-limit":        verdict.ServerProtocol, // after the third login the suite answers HTTP 410
	"auth/resource-mismatch":        verdict.LoginDiscovery,
	"auth/metadata-issuer-mismatch": verdict.LoginDiscovery,
	"auth/iss-supported-missing":    verdict.LoginState,
	"auth/iss-wrong-issuer":         verdict.LoginState,
	"auth/iss-unexpected":           verdict.LoginState,
	"auth/iss-normalized":           verdict.LoginState,

	// Neither server nor operator names an issuer, and no address is guessed.
	"auth/2025-03-26-oauth-endpoint-fallback": verdict.LoginDiscovery,
}
