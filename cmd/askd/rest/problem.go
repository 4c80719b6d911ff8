package rest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Kind is a kind of problem.
type Kind struct {
	Code   string // stable, because clients depend on it
	Status int    // 400 to 599
	Title  string // one clause, the same for every problem of the kind
	Next   string // what the caller can do
}

// The kinds that every service has. An operation may bring its own.
var (
	BadRequest   = Kind{"api.request", http.StatusBadRequest, "the request is malformed", "compare it with the OpenAPI document"}
	Unauthorized = Kind{
		"api.token", http.StatusUnauthorized, "the request has no valid token", "send a valid token as Authorization: Bearer TOKEN",
	}
	MissingScope = Kind{
		"api.scope", http.StatusForbidden, "the token lacks the scope of the operation", "use a token with the scope, or ask an administrator for one",
	}
	NoAgents = Kind{"api.agent", http.StatusForbidden, "the operation is not for agents", "a member calls it, with a token of their own"}
	Foreign  = Kind{
		"api.foreign", http.StatusForbidden, "the request is for another host, or from a page of another site",
		"send it to an address that the service is configured for",
	}
	NoPath             = Kind{"api.path", http.StatusNotFound, "the path leads to no operation", "the OpenAPI document lists the paths"}
	NotFound           = Kind{"api.not_found", http.StatusNotFound, "the thing does not exist", "list what exists"}
	MethodNotAllowed   = Kind{"api.method", http.StatusMethodNotAllowed, "the path has no such method", "use a method of the Allow header"}
	Conflict           = Kind{"api.conflict", http.StatusConflict, "the request does not fit the state of the thing", "read the thing, and decide again"}
	PreconditionFailed = Kind{
		"api.revision", http.StatusPreconditionFailed, "the thing has another revision", "read the thing, and repeat the change on its new revision",
	}
	TooLarge  = Kind{"api.size", http.StatusRequestEntityTooLarge, "the body is too large", "send less"}
	MediaType = Kind{"api.media", http.StatusUnsupportedMediaType, "the body is not JSON", "send it with Content-Type: application/json, not encoded"}
	TooMany   = Kind{"api.rate", http.StatusTooManyRequests, "the caller sent too many requests", "wait as Retry-After says"}
	Busy      = Kind{"api.busy", http.StatusServiceUnavailable, "the service is busy", "wait as Retry-After says"}

	internal = Kind{
		string(verdict.Internal), http.StatusInternalServerError, "the service failed", "report it with the time; the service's log has the reason",
	}
)

// defaultRetry is the wait of a problem that names none.
const defaultRetry = 5 * time.Second

// Problem is a problem document. As an error it is the answer of an operation.
type Problem struct {
	Type   string `json:"type" jsonschema:"the page of the code, or about:blank"`
	Title  string `json:"title" jsonschema:"the kind of problem, in one clause"`
	Status int    `json:"status" jsonschema:"the HTTP status"`
	Code   string `json:"code" jsonschema:"the kind of problem, for programs"`
	Why    string `json:"why" jsonschema:"the reason of this problem"`
	Next   string `json:"next" jsonschema:"what the caller can do"`

	retry time.Duration
	scope string
	allow []string
}

// New returns a problem of the kind. The reason is shown to the caller.
func (k Kind) New(format string, args ...any) *Problem {
	return &Problem{Title: k.Title, Status: k.Status, Code: k.Code, Next: k.Next, Why: fmt.Sprintf(format, args...)}
}

func (p *Problem) Error() string { return p.Code + ": " + p.Why }

// WithNext sets what the caller can do, and returns the problem.
func (p *Problem) WithNext(next string) *Problem {
	p.Next = next
	return p
}

// WithRetry sets the Retry-After of a problem of status 429 or 503, and returns the
// problem.
func (p *Problem) WithRetry(wait time.Duration) *Problem {
	p.retry = wait
	return p
}

// statuses are the statuses of verdicts, by code or by family. The others depend on the
// exit code.
var statuses = map[string]int{
	"usage": 400, "input": 422, "plan": 422, "schema": 422, "manifest": 422, "config.invalid": 422, "config.variable": 422,
	"server.unknown": 404, "catalog.absent": 404, "approval.unknown": 404, "trace.missing": 404,
	"org.token": 401, "org.unknown": 404, "org.conflict": 409, "org.moved": 412, "org.invalid": 422,
	"rule.rate": 429, "run.busy": 503, "state.locked": 503, "trace.busy": 503,
	"server.timeout": 504, "login.timeout": 504, "model.timeout": 504,
}

// exits are the statuses of verdicts by exit code. Any other is 500, so that no verdict is
// a success.
var exits = map[int]int{3: 403, 4: 409, 5: 502, 6: 502, 7: 502, 8: 422, 9: 409, 10: 409, 124: 504}

// statusOf returns the HTTP status of a verdict's code.
func statusOf(code verdict.Code) int {
	family, _, _ := strings.Cut(string(code), ".")
	return cmp.Or(statuses[string(code)], statuses[family], exits[code.Entry().Exit], http.StatusInternalServerError)
}

// problemOf returns the problem that answers an error. Of an unexpected error it shows
// nothing, and expected is false.
func problemOf(err error) (p *Problem, expected bool) {
	if errors.As(err, &p) && p.Status >= 400 && p.Status < 600 {
		said := *p // another request may be answered with the same one
		return &said, true
	}
	d, f := verdict.First(err)
	if d == nil && f != nil {
		d = &verdict.Denial{Code: f.Code, Reason: f.Reason, Hint: f.Hint}
	}
	if d == nil || d.Code.Entry().Code == verdict.Internal {
		return internal.New("the operation failed unexpectedly"), false
	}
	k := Kind{string(d.Code), statusOf(d.Code), d.Code.Entry().Meaning, d.Advice()}
	return k.New("%s", d.Reason), true
}

// fail answers a request with a problem.
func (h *handler) fail(w http.ResponseWriter, err error) {
	p, expected := problemOf(err)
	if !expected {
		h.Errors(err)
	}
	head := w.Header()
	head.Set("Content-Type", "application/problem+json")
	switch p.Status {
	case http.StatusUnauthorized:
		head.Set("WWW-Authenticate", "Bearer")
	case http.StatusMethodNotAllowed:
		head.Set("Allow", strings.Join(p.allow, ", "))
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		wait := cmp.Or(p.retry, defaultRetry)
		head.Set("Retry-After", strconv.Itoa(max(1, int(wait.Round(time.Second)/time.Second))))
	}
	if p.scope != "" {
		head.Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", scope=%q`, p.scope))
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(h.document(p))
}

// document returns the problem as JSON.
func (h *handler) document(p *Problem) []byte {
	p.Type = "about:blank"
	if h.Docs != "" {
		p.Type = h.Docs + "#" + p.Code
	}
	p.Why, p.Next = strings.ToValidUTF8(p.Why, "\ufffd"), strings.ToValidUTF8(p.Next, "\ufffd")
	text, _ := json.Marshal(p) // of strings that are valid, and a number
	return text
}
