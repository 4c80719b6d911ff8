package rest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// handler serves a table that was checked.
type handler struct {
	Service

	mux *http.ServeMux
	sop http.CrossOriginProtection
}

// ServeHTTP refuses what is not for the service, and then finds the operation.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close") // else a refusal waits for the body
	}
	if err := h.foreign(r); err != nil {
		h.fail(w, err)
		return
	}
	if err := h.routed(r); err != nil {
		h.fail(w, err)
		return
	}
	h.mux.ServeHTTP(w, r)
}

// foreign refuses a request that a page of another site may have sent. Its rules for hosts
// are those of host/proxy. The check of origins lets any page read, so it is asked as if
// every request changed something.
func (h *handler) foreign(r *http.Request) error {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	loopback := host == "localhost" || net.ParseIP(host).IsLoopback()
	if ours := h.Hosts == nil && loopback || slices.Contains(h.Hosts, host); !ours {
		return Foreign.New("this is not the server %.128q", r.Host)
	}
	changing := *r
	changing.Method = http.MethodPost
	if h.sop.Check(&changing) != nil {
		return Foreign.New("pages of other sites may not send requests")
	}
	return nil
}

var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// routed refuses a request without an operation. The mux itself would answer it in plain
// text, or redirect it.
func (h *handler) routed(r *http.Request) error {
	if !clean(r.URL.EscapedPath()) {
		return NoPath.New("the path is not in its shortest form")
	}
	if _, pattern := h.mux.Handler(r); pattern != "" {
		return nil
	}
	var allow []string
	for _, method := range methods {
		other := *r
		other.Method = method
		if _, pattern := h.mux.Handler(&other); pattern != "" {
			allow = append(allow, method)
		}
	}
	if allow == nil {
		return NoPath.New("no operation has the path")
	}
	no := MethodNotAllowed.New("the path has %s", strings.Join(allow, ", "))
	no.allow = allow
	return no
}

// serve answers the requests of one operation.
func (h *handler) serve(o *row) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := guarded(func() error { return h.answer(w, r, o) })
		gone := errors.Is(err, context.Canceled) && r.Context().Err() != nil
		if err != nil && !gone {
			h.fail(w, err)
		}
	}
}

// answer is the sequence of every request. Its error is the answer; without an error the
// answer was sent.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, o *row) error {
	token, err := bearer(r.Header.Values("Authorization"))
	if err != nil {
		return err
	}
	r.Header.Del("Authorization")
	if _, err := h.permit(r.Context(), token, o); err != nil { // before the body is read
		return err
	}
	w.Header().Del("Connection")
	request, input, err := h.request(w, r, o)
	if err != nil {
		return err
	}
	// The body may have come after the token was revoked.
	if request.Caller, err = h.permit(r.Context(), token, o); err != nil {
		return err
	}
	// A slow operation outlives the time limit of reading its request.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	if o.stream != nil {
		return h.events(w, request, o, input, func() error { //nolint:contextcheck // the request's
			_, err := h.permit(r.Context(), token, o)
			return err
		})
	}
	out, err := o.run(r.Context(), request, input)
	if err != nil {
		return err
	}
	if request.revision != nil && !request.matched {
		return fmt.Errorf("%s did not check If-Match", o.ID)
	}
	return o.send(w, out)
}

// permit finds the caller, who needs the operation's scope.
func (h *handler) permit(ctx context.Context, token string, o *row) (Caller, error) {
	caller, err := h.caller(ctx, token)
	switch {
	case err != nil:
		return Caller{}, err
	case caller.Agent && !o.Agents:
		return Caller{}, NoAgents.New("the token is that of an agent")
	case !slices.Contains(caller.Scopes, o.Scope):
		no := MissingScope.New("the token lacks the scope %s", o.Scope)
		no.scope = o.Scope
		return Caller{}, no
	}
	return caller, nil
}

// caller asks whose the token is. Nothing that goes wrong there may repeat the token.
func (h *handler) caller(ctx context.Context, token string) (c Caller, err error) {
	err = guarded(func() (err error) {
		c, err = h.Authorize(ctx, token)
		return err
	})
	if err != nil && strings.Contains(err.Error(), token) {
		return Caller{}, errors.New(strings.ReplaceAll(err.Error(), token, "[redacted]"))
	}
	return c, err
}

// maxToken bounds a token in bytes.
const maxToken = 4096

// bearer returns the token of an Authorization header (RFC 6750, 2.1). It quotes nothing
// of it.
func bearer(headers []string) (string, error) {
	if len(headers) != 1 {
		return "", Unauthorized.New("the request has %d Authorization headers", len(headers))
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	odd := func(c rune) bool { return c <= ' ' || c > '~' }
	switch token = strings.TrimSpace(token); {
	case !strings.EqualFold(scheme, "Bearer"):
		return "", Unauthorized.New("the Authorization header has another scheme than Bearer")
	case token == "", len(token) > maxToken, strings.ContainsFunc(token, odd):
		return "", Unauthorized.New("the Authorization header has no well-formed token")
	}
	return token, nil
}

// guarded turns a panic into an error, for the service's log.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}

// send answers with the result of an operation.
func (o *row) send(w http.ResponseWriter, out any) error {
	status := o.Status
	if other, is := out.(interface{ HTTPStatus() int }); is {
		if status = other.HTTPStatus(); status != o.Status && !slices.Contains(o.Also, status) {
			return fmt.Errorf("%s does not declare the status %d", o.ID, status)
		}
	}
	if versioned, is := out.(interface{ Revision() string }); is {
		tag := etag(versioned.Revision())
		if strings.ContainsFunc(tag[1:len(tag)-1], unfitTag) || tag == `""` {
			return fmt.Errorf("%s has a revision that is not an ETag", o.ID)
		}
		w.Header().Set("ETag", tag)
	}
	if status == http.StatusNoContent {
		w.WriteHeader(status)
		return nil
	}
	text, err := json.Marshal(out, json.Deterministic(true))
	if err != nil {
		w.Header().Del("ETag")
		return fmt.Errorf("%s: %w", o.ID, err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text)
	return nil
}

func etag(revision string) string { return `"` + revision + `"` }

// unfitTag reports a character that no revision has, so that a comma ends a tag.
func unfitTag(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`",`, c) }

// rows returns the answer of a list.
func rows[T any](plural string, page Page[T]) (jsontext.Value, error) {
	text, err := json.Marshal(page.Rows, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	members := []schema.Member{{Name: plural, Value: text}}
	if page.Next != "" {
		members = append(members, schema.Member{Name: "next", Value: schema.Literal(opaque(page.Next))})
	}
	return schema.Object(members), nil
}

// maxValue bounds a value in a path in bytes.
const maxValue = 200

// plain reports whether a value in a path can be a name.
func plain(value string) bool {
	if len(value) > maxValue || !utf8.ValidString(value) {
		return false
	}
	return !strings.ContainsFunc(value, unicode.IsControl)
}
