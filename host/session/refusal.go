package session

import (
	"bytes"
	"cmp"
	"errors"
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
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// refusal is a refusal in place of an answer: a JSON-RPC error, an HTTP status of 400 or
// above, or both. It keeps the server's words unchanged.
type refusal struct {
	rpc    *jsonrpc.Error
	status int  // 0 if the JSON-RPC error came without an HTTP error status
	within bool // the request named a session
	words  string
	login  []oauthex.Challenge
	wait   string // Retry-After
}

func (r *refusal) Error() string { return fmt.Sprintf("the server refuses (HTTP %d)", r.status) }

const (
	maxRefusal  = 64 << 10 // bytes read from a refusal's body
	maxSaid     = 4 << 10  // bytes read from its text
	refusalTime = 2 * time.Second
)

// refusalOf reads the answer to the end. It waits only briefly for a server that does not
// send the whole of it, because the status is known.
func refusalOf(res *http.Response, cancel func(), lim schema.Limits) (r *refusal, body []byte) {
	late := time.AfterFunc(refusalTime, cancel)
	defer late.Stop()
	body, _ = io.ReadAll(io.LimitReader(res.Body, maxRefusal)) // a part is enough
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

// rpcError decodes a body as a JSON-RPC error, as strictly as any message, or returns nil.
func rpcError(body []byte, lim schema.Limits) *jsonrpc.Error {
	if m, err := check(body, lim); err == nil && m["error"] != nil {
		var e jsonrpc.Error
		if schema.DecodeOpen(m["error"], &e, lim) == nil {
			return &e
		}
	}
	return nil
}

// complaint is the text of a body. It is the whole body, or the members that usually
// contain it in problem details (RFC 9457), OAuth (RFC 6749) and common practice. An HTML
// page has no text.
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

// member is the text of an object's member, or the message of an object in it.
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

// code is the code of a refusal before a call has left.
func (r *refusal) code() verdict.Code {
	switch {
	case r.locked():
		return verdict.ServerAuth
	case r.busy():
		return verdict.ServerUnreachable
	}
	return verdict.ServerProtocol
}

// afterCall is the code of a refusal as the answer to the call.
func (r *refusal) afterCall() verdict.Code {
	if r.rpc != nil && !r.locked() && !r.busy() {
		return verdict.OutputRPCError
	}
	return verdict.OutputRefused
}

// isAnswer reports whether the refusal is the server's answer to the call. That is a
// JSON-RPC error, unless it refuses an unknown session.
func (r *refusal) isAnswer() bool {
	return r.afterCall() == verdict.OutputRPCError && !(r.within && r.status == http.StatusNotFound)
}

// forgotten reports whether err is a server's refusal of a session that it does not know.
// The specification requires HTTP 404; servers often send 400.
func forgotten(err error) bool {
	r, is := errors.AsType[*refusal](err)
	return is && r.within && slices.Contains([]int{http.StatusNotFound, http.StatusBadRequest}, r.status)
}

func (r *refusal) locked() bool {
	return r.status == http.StatusUnauthorized || r.status == http.StatusForbidden
}

// byGateway reports whether a gateway sends this status when the server's answer did not
// reach it. It says nothing about the call.
func (r *refusal) byGateway() bool {
	return r.status == http.StatusBadGateway || r.status == http.StatusServiceUnavailable || r.status == http.StatusGatewayTimeout
}

// busy includes a proxy's refusal: a later request may reach another proxy.
func (r *refusal) busy() bool {
	return r.status == http.StatusTooManyRequests || r.status == http.StatusProxyAuthRequired || r.status >= 500
}

// ofVersion reports whether the refusal may be about the version of the protocol. Such a
// refusal is a JSON-RPC error, or HTTP 400 as the specification requires.
func (r *refusal) ofVersion() bool {
	return r.status == http.StatusBadRequest || r.rpc != nil && r.code() == verdict.ServerProtocol
}

// refused is the fault of a refusal. It states the request, the status, the server's
// words, and what the server asks for instead.
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
	f := c.fault(code, r, "it %s", strings.TrimSpace(how+" "+c.line(words, maxQuote))+c.takes(r.login)+r.waiting("; it asks to wait "))
	f.Hint = cmp.Or(c.remedy(r, code), f.Hint)
	return f
}

// forgotten reports whether the server does not know the session of the request.
func (r *refusal) forgotten() bool { return r.within && r.status == http.StatusNotFound }

// remedy is what the operator can do about a refusal by HTTP, if there is special advice.
func (c *conn) remedy(r *refusal, code verdict.Code) string {
	after := code == verdict.OutputRefused || code == verdict.OutputRPCError
	wait := r.waiting("wait ")
	switch {
	case r.forgotten() && !after:
		return fmt.Sprintf("the server does not know the session that it opened itself: where several instances serve the url of server %s, have each session stay with its instance", c.server.Name)
	case r.locked() && c.carrier.headers.Get(headerLogin) == "":
		return c.aboutLogin(r)
	case r.status == http.StatusUnauthorized:
		return fmt.Sprintf("the server does not take the credentials in the headers of server %s: check that they are whole, and not expired", c.server.Name)
	case r.status == http.StatusForbidden:
		return fmt.Sprintf("the credentials in the headers of server %s may not do this; use others, or have them given the right", c.server.Name)
	case r.status == http.StatusProxyAuthRequired:
		return c.aboutProxy()
	case r.busy() && wait != "":
		return wait + ", then ask again"
	case r.busy():
		return "ask again later; the server's own log says more"
	}
	return ""
}

// waiting is the time in Retry-After, in seconds or as a date, after the given words.
func (r *refusal) waiting(words string) string {
	if n, err := strconv.ParseUint(r.wait, 10, 31); err == nil {
		return words + (time.Duration(n) * time.Second).String()
	}
	if at, err := http.ParseTime(r.wait); err == nil {
		return words + "until " + at.UTC().Format(time.RFC3339)
	}
	return ""
}

// line is a server's words for one line, without its secrets.
func (c *conn) line(s string, max int) string {
	return escape.Line(strings.TrimSpace(c.secrets().Quote(s, maxSaid)), max)
}

const (
	maxHeader     = 2 << 10 // bytes read from one value
	maxChallenges = 4
	maxParam      = 200 // bytes shown from one parameter
	maxLogin      = 700 // bytes shown from all
)

// telling are the parameters that are shown. They name the login (RFC 9110, RFC 6750),
// where to get it (RFC 9728), and what is wrong with the login that was sent.
var telling = []string{"realm", "resource_metadata", "scope", "error", "error_description"}

// challenges reads the values of WWW-Authenticate (RFC 9110, section 11.6.1). They are
// shown to the user; no code here logs in. The bounds come first, because the library's
// time grows with the square of a value's length.
func challenges(headers []string) []oauthex.Challenge {
	var all []oauthex.Challenge
	for _, header := range headers[:min(len(headers), maxChallenges)] {
		header = header[:min(len(header), maxHeader)]
		lower := strings.ToLower(header)
		for _, c := range challengesOf(header, maxChallenges) {
			// In the server's spelling: otherwise a secret in it would not be recognized.
			if i := strings.Index(lower, c.Scheme); i >= 0 && len(lower) == len(header) {
				c.Scheme = header[i : i+len(c.Scheme)]
			}
			all = append(all, c)
		}
	}
	return all[:min(len(all), maxChallenges)]
}

// challengesOf drops the parts that the library does not accept, from the end. Such a
// part is a parameter without a value, or a token68 after a scheme.
func challengesOf(header string, tries int) []oauthex.Challenge {
	all, err := oauthex.ParseWWWAuthenticate([]string{header})
	if err == nil {
		return all
	}
	end := max(strings.LastIndexByte(header, ','), 0)
	if tries--; end > 0 && tries > 0 {
		all = challengesOf(header[:end], tries)
	}
	last := strings.Fields(strings.TrimLeft(header[end:], ", \t"))
	if len(last) > 0 && !strings.Contains(last[0], "=") {
		all = append(all, oauthex.Challenge{Scheme: last[0]})
	}
	return all
}

// takes says what login a server wants, or "" if the server does not say.
func (c *conn) takes(all []oauthex.Challenge) string {
	var said []string
	for _, one := range all {
		var params []string
		for _, name := range telling {
			if value := one.Params[name]; value != "" {
				params = append(params, name+" "+c.line(value, maxParam))
			}
		}
		text := escape.Line(one.Scheme, maxParam) // not a secret, though the value of a header may begin with it
		if len(params) > 0 {
			text += " (" + strings.Join(params, ", ") + ")"
		}
		said = append(said, text)
	}
	if len(said) == 0 {
		return ""
	}
	return "; it takes " + escape.Line(strings.Join(said, " or "), maxLogin) + " for a login"
}
