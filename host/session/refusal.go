package session

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// refusal is an answer that is none: a JSON-RPC error, an HTTP status of 400
// and above, or both. It holds the server's words as they came.
type refusal struct {
	rpc    *jsonrpc.Error
	status int // 0 where the JSON-RPC error came as any other answer does
	words  string
	login  []challenge
	wait   string // Retry-After
}

func (r *refusal) Error() string { return fmt.Sprintf("the server refuses (HTTP %d)", r.status) }

const (
	maxRefusal  = 64 << 10 // bytes read of a refusal's body
	maxSaid     = 4 << 10  // bytes looked at of what it says
	refusalTime = 2 * time.Second
)

// refusalOf reads the answer to the end. A server that does not send the whole
// of it is waited for only a little: the status is known.
func refusalOf(res *http.Response, cancel func(), lim schema.Limits) (r *refusal, body []byte) {
	late := time.AfterFunc(refusalTime, cancel)
	defer late.Stop()
	body, _ = io.ReadAll(io.LimitReader(res.Body, maxRefusal)) // what came is all there is
	_ = res.Body.Close()
	r = &refusal{
		status: res.StatusCode,
		login:  challenges(res.Header.Values("Www-Authenticate")),
		wait:   strings.TrimSpace(res.Header.Get("Retry-After")),
	}
	lim.Bytes = maxRefusal
	if r.rpc = rpcError(body, lim); r.rpc == nil {
		media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
		r.words = complaint(media, body, lim)
	}
	return r, body
}

// rpcError is the JSON-RPC error that a body is, by the one reading that every
// message has, or nil.
func rpcError(body []byte, lim schema.Limits) *jsonrpc.Error {
	if m, err := check(body, lim); err == nil && m["error"] != nil {
		var e jsonrpc.Error
		if schema.DecodeOpen(m["error"], &e, lim) == nil {
			return &e
		}
	}
	return nil
}

// complaint is what a body says to whoever reads it: its text, or the members
// in which servers say it, as problem details (RFC 9457), OAuth (RFC 6749) and
// habit have them. A page for a browser says nothing.
func complaint(media string, body []byte, lim schema.Limits) string {
	body = bytes.TrimSpace(body)
	switch {
	case media == "text/html" || bytes.HasPrefix(body, []byte("<")):
		return ""
	case schema.Check(body, lim) != nil:
		return string(body)
	}
	var all []string
	for _, name := range []string{"title", "error", "message", "error_description", "detail"} {
		if words := member(body, name); words != "" && !slices.Contains(all, words) {
			all = append(all, words)
		}
	}
	if len(all) == 0 {
		return string(body)
	}
	return strings.Join(all, ": ")
}

// member is the text of an object's member, or the message of the object that
// the member is.
func member(object jsontext.Value, name string) string {
	if object.Kind() != '{' {
		return ""
	}
	members, _ := schema.Members(object)
	for _, m := range members {
		if m.Name != name {
			continue
		}
		if text, err := jsontext.AppendUnquote(nil, m.Value); err == nil {
			return string(text)
		}
		return member(m.Value, "message")
	}
	return ""
}

// code is what a refusal means before a call has left.
func (r *refusal) code() verdict.Code {
	switch {
	case r.locked():
		return verdict.ServerAuth
	case r.busy():
		return verdict.ServerUnreachable
	}
	return verdict.ServerProtocol
}

// afterCall is what it means as the answer to the call.
func (r *refusal) afterCall() verdict.Code {
	if r.rpc != nil && !r.locked() && !r.busy() {
		return verdict.OutputRPCError
	}
	return verdict.OutputRefused
}

func (r *refusal) locked() bool {
	return r.status == http.StatusUnauthorized || r.status == http.StatusForbidden
}

// busy includes a proxy's refusal: who is asked again later may be another.
func (r *refusal) busy() bool {
	return r.status == http.StatusTooManyRequests || r.status == http.StatusProxyAuthRequired || r.status >= 500
}

// ofVersion reports whether the version of the protocol may be what is refused:
// by a JSON-RPC error, or as the specification has it by HTTP 400.
func (r *refusal) ofVersion() bool {
	return r.status == http.StatusBadRequest || r.rpc != nil && r.code() == verdict.ServerProtocol
}

// refused is the fault of a refusal: what was refused, how, in which words, and
// what the server would have instead.
func (c *conn) refused(r *refusal, code verdict.Code, during string) *verdict.Fault {
	words := r.words
	if r.rpc != nil {
		words = fmt.Sprintf("error %d: %s", r.rpc.Code, r.rpc.Message)
	}
	how := "answered " + during + " with"
	if r.status != 0 {
		how = fmt.Sprintf("refused %s with HTTP %d %s", during, r.status, http.StatusText(r.status))
		if words != "" {
			how += ":"
		}
	}
	f := c.fault(code, r, "it %s", strings.TrimSpace(how+" "+c.line(words, maxQuote))+c.login(r.login)+r.waiting("; it asks to wait "))
	f.Hint = cmp.Or(c.remedy(r, code), f.Hint)
	return f
}

// remedy is what the operator can do about a refusal by HTTP, where that is
// more than can be done about its code.
func (c *conn) remedy(r *refusal, code verdict.Code) string {
	after := code == verdict.OutputRefused
	wait := r.waiting("wait ")
	switch {
	case r.status == http.StatusUnauthorized && !c.carrier.logsIn():
		return fmt.Sprintf(`give it a token: "headers": {"Authorization": "Bearer ${NAME}"} in the entry of server %s, and NAME in the environment`, c.server.Name)
	case r.status == http.StatusUnauthorized:
		return fmt.Sprintf("the server does not take the credentials in the headers of server %s: check that they are whole, and not expired", c.server.Name)
	case r.status == http.StatusForbidden:
		return fmt.Sprintf("the credentials in the headers of server %s may not do this; use others, or have them given the right", c.server.Name)
	case r.status >= 500 && after:
		return "find out at the server whether the call took effect; do not just repeat it"
	case r.status == http.StatusProxyAuthRequired:
		return c.aboutProxy()
	case r.busy() && wait != "":
		return wait + ", then ask again"
	case r.busy():
		return "ask again later; the server's own log says more"
	}
	return ""
}

// waiting is what Retry-After says, after these words: seconds, or a date.
func (r *refusal) waiting(words string) string {
	if n, err := strconv.ParseUint(r.wait, 10, 31); err == nil {
		return words + (time.Duration(n) * time.Second).String()
	}
	if at, err := http.ParseTime(r.wait); err == nil {
		return words + "until " + at.UTC().Format(time.RFC3339)
	}
	return ""
}

// line is a server's words for a place of one line, without its secrets.
func (c *conn) line(s string, max int) string {
	return guard.Line(strings.TrimSpace(c.secrets.Quote(s, maxSaid)), max)
}
