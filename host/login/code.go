package login

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// byCode gets the tokens for a code that the user's browser brings (RFC 6749, section
// 4.1, with PKCE, RFC 7636).
func (a *attempt) byCode(ctx context.Context, u User) (tokens, error) {
	verifier, state := random(), random()
	a.http.hide(verifier, state)
	address, err := a.authorizeAddress(verifier, state)
	if err != nil {
		return tokens{}, err
	}
	redirect, err := a.redirect(ctx, u, address, state)
	if err != nil {
		return tokens{}, err
	}
	code, err := a.code(redirect, state)
	if err != nil {
		return tokens{}, err
	}
	a.http.hide(code)
	return a.exchange(ctx, url.Values{
		"grant_type": {grantCode}, "code": {code}, "redirect_uri": {a.listener.address}, "code_verifier": {verifier},
	})
}

// authorizeAddress is the address where the user agrees: RFC 6749, section 4.1.1; RFC
// 7636, section 4.3; RFC 8707, section 2.
func (a *attempt) authorizeAddress(verifier, state string) (string, error) {
	u, err := url.Parse(a.meta.AuthorizationEndpoint)
	if err != nil {
		return "", err
	}
	challenge := sha256.Sum256([]byte(verifier))
	q := u.Query() // RFC 6749, section 3.1: the endpoint's own query is kept
	q.Set("response_type", "code")
	q.Set("client_id", a.client.ID)
	q.Set("redirect_uri", a.listener.address)
	q.Set("state", state)
	q.Set("code_challenge", base64.RawURLEncoding.EncodeToString(challenge[:]))
	q.Set("code_challenge_method", methodS256)
	q.Set("resource", a.resource.Resource)
	if s := scope(a.asked); s != nil {
		q.Set("scope", s[0])
	}
	if slices.Contains(a.asked, offline) {
		q.Set("prompt", "consent") // without it an issuer ignores that scope: OpenID Connect Core 1.0, section 11
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

const (
	waitTime  = 5 * time.Minute // time limit for the user
	maxPastes = 3               // how often the user may paste an address
)

// redirect waits for the answer from the browser here, or for the pasted address.
func (a *attempt) redirect(ctx context.Context, u User, address, state string) (url.Values, error) {
	ctx, cancel := context.WithTimeout(ctx, waitTime)
	defer cancel()
	if a.Way == Paste {
		a.listener.close() //nolint:contextcheck // it is not waited for
		return a.paste(ctx, u, address, state)
	}
	a.listener.serve(state)
	if err := u.Open(ctx, address); err != nil {
		return nil, err
	}
	q, err := a.listener.wait(ctx, func() {
		u.Notice("An answer of another login (another state) arrived from a browser, and was ignored. Still waiting for the answer of this one.")
	})
	return q, a.waited(ctx, err)
}

func (a *attempt) waited(ctx context.Context, err error) error {
	if err == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	ignored := ""
	if n := a.listener.foreign.Load(); n > 0 {
		ignored = fmt.Sprintf("; %d answer(s) of other logins (another state) were ignored", n)
	}
	return failing(verdict.LoginTimeout, err, "`ask servers login "+a.Server.Name+"` begins again",
		"server %s: no answer of the browser within %s%s", a.Server.Name, waitTime, ignored)
}

// paste asks again if the user pastes the address of another page, or of another login.
func (a *attempt) paste(ctx context.Context, u User, address, state string) (q url.Values, wrong error) {
	for range maxPastes {
		text, err := u.Paste(ctx, address)
		if err != nil && wrong == nil {
			wrong = err
		}
		if err != nil {
			return nil, a.waited(ctx, wrong)
		}
		if q, wrong = a.pasted(text, state); wrong == nil {
			return q, nil
		}
		u.Notice(wrong.Error())
	}
	return nil, wrong
}

func (a *attempt) pasted(text, state string) (url.Values, error) {
	u, err := url.Parse(text)
	if err != nil || len(text) > maxRedirect || u.Scheme+"://"+u.Host+u.Path != a.listener.address {
		return nil, a.unanswered("the given text is not the browser's final address, which begins with %s", a.listener.address)
	}
	q, err := url.ParseQuery(u.RawQuery)
	if err == nil && !ofLogin(q, state) {
		return nil, a.unanswered("the given address belongs to another login (state)")
	}
	return q, err
}

// ofLogin reports whether an answer belongs to the login of a state. Any page may send
// the browser to the redirect: such answers end no login (RFC 6749, section 10.12).
func ofLogin(q url.Values, state string) bool {
	return state != "" && len(q["state"]) == 1 && q.Get("state") == state
}

func (a *attempt) unanswered(format string, args ...any) error {
	return failing(verdict.LoginState, nil, "`ask servers login "+a.Server.Name+"` begins again; the code was sent nowhere", "server "+a.Server.Name+": "+format, args...)
}

// code returns the code in the answer. It first checks that the answer is for this login
// and from this issuer. Before that nothing of the answer is shown: RFC 6749, section
// 10.12, and Authorization Response Validation (RFC 9207, section 2.4).
func (a *attempt) code(q url.Values, state string) (string, error) {
	if !ofLogin(q, state) {
		return "", a.unanswered("the browser's answer belongs to another login (state)")
	}
	for _, name := range []string{"iss", "code", "error"} {
		if len(q[name]) > 1 { // RFC 6749, section 3.1
			return "", a.unanswered("the answer of the browser names %s twice", name)
		}
	}
	iss, there := q["iss"]
	foreign := a.meta.IssParameter
	if there {
		foreign = !a.issuedBy(iss[0])
	}
	if foreign {
		return "", a.unanswered("the answer of the browser does not come from %s (iss)", a.issuerShown())
	}
	if q.Get("error") != "" {
		return "", a.denied(fmt.Errorf("%s %s", a.http.words(q.Get("error")), a.http.words(q.Get("error_description"))))
	}
	if code := q.Get("code"); code != "" {
		return code, nil
	}
	return "", a.unanswered("the browser's answer has no code")
}

func (a *attempt) denied(why error) error {
	return failing(verdict.LoginDenied, why, "`ask servers login "+a.Server.Name+"` asks again", "server %s: %s refused the login: %v", a.Server.Name, a.issuerShown(), why)
}

// random returns 256 random bits, as RFC 7636, section 7.1, recommends for a verifier.
func random() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// listener waits on this machine for the browser's one redirect (RFC 8252, section 7.3).
type listener struct {
	net     net.Listener
	port    int
	address string // of the redirect
	got     chan url.Values
	server  *http.Server

	state   string        // of the login under way
	foreign atomic.Int64  // answers of other logins
	strays  chan struct{} // contains an element until such an answer is reported
}

const (
	callback    = "/callback"
	maxRedirect = 16 << 10
)

func listen(ctx context.Context, port int) (*listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	at, _ := l.Addr().(*net.TCPAddr)
	return &listener{net: l, port: at.Port, address: fmt.Sprintf("http://127.0.0.1:%d%s", at.Port, callback), got: make(chan url.Values, 1), strays: make(chan struct{}, 1)}, nil
}

const page = `<!doctype html><meta charset="utf-8"><title>onestep</title><p>onestep has the answer of the authorization server. You can close this page, and read in the terminal whether the login succeeded.`

func (l *listener) serve(state string) {
	l.state = state
	l.server = &http.Server{
		Handler: http.HandlerFunc(l.answer), ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second,
		MaxHeaderBytes: maxRedirect, ErrorLog: nil, DisableGeneralOptionsHandler: true,
	}
	go func() { _ = l.server.Serve(l.net) }() // it ends when it is closed
}

// answer accepts the one redirect of its login, and shows a page that contains nothing of
// it. A request under another host name is refused: it is from a page whose name resolved
// to this machine.
func (l *listener) answer(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || r.URL.Path != callback || r.Host != l.net.Addr().String() {
		http.NotFound(w, r)
		return
	}
	q := r.URL.Query()
	if !ofLogin(q, l.state) {
		l.ignore()
		http.Error(w, "onestep ignored this answer: it belongs to another login", http.StatusBadRequest)
		return
	}
	select {
	case l.got <- q:
	default:
		http.Error(w, "this login has been answered already", http.StatusGone)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'")
	h.Set("Referrer-Policy", "no-referrer") // the address contains the code
	h.Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, page) // the browser may have ended
}

func (l *listener) ignore() {
	l.foreign.Add(1)
	select {
	case l.strays <- struct{}{}:
	default:
	}
}

// wait returns the redirect. It reports only the first answer of another login.
func (l *listener) wait(ctx context.Context, stray func()) (url.Values, error) {
	first := sync.OnceFunc(stray)
	for {
		select {
		case q := <-l.got:
			if l.foreign.Load() > 0 {
				first()
			}
			return q, nil
		case <-l.strays:
			first()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// close lets the page reach the browser, and ends the listener.
func (l *listener) close() {
	if l.server == nil {
		_ = l.net.Close()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = l.server.Shutdown(ctx)
	_ = l.server.Close()
}
