package model

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// maxExcerpt bounds, in bytes, what a reason quotes of a stranger.
const maxExcerpt = 240

// maxErrorBody is how much of an error's body is read at all.
const maxErrorBody = 16 << 10

// fail makes every fault of an exchange. A reason that shows any of the key, as
// an endpoint's words about a refused key may, gives way to the code's meaning.
func (x *exchange) fail(code verdict.Code, cause error, format string, args ...any) *verdict.Fault {
	f := verdict.Fail(code, cause, format, args...)
	if x.key.shows(f.Reason) {
		f.Reason = code.Entry().Meaning + " (its words show part of the API key, and are left out)"
	}
	return f
}

// refused says what an answer other than 200 means.
func (x *exchange) refused(resp *http.Response) *verdict.Fault {
	code, status := codeOf(resp.StatusCode), fmt.Sprintf("the endpoint answered %d", resp.StatusCode)
	if code == verdict.ModelAuth { // its body is the likeliest to quote the key
		return x.fail(code, nil, "%s", status)
	}
	start, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	f := x.fail(code, nil, "%s%s", status, quoted(complaint(start)))
	if hint := x.hint(resp); !x.key.shows(hint) {
		f.Hint = hint
	}
	return f
}

func codeOf(status int) verdict.Code {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return verdict.ModelAuth
	case status == http.StatusTooManyRequests:
		return verdict.ModelRateLimited
	case status >= 500:
		return verdict.ModelFailed
	}
	return verdict.ModelReply // a redirect, too: it is never followed
}

// hint is what to do where the code's own remedy does not say it.
func (x *exchange) hint(resp *http.Response) string {
	switch status := resp.StatusCode; {
	case status == http.StatusTooManyRequests:
		return retry(resp.Header.Get("Retry-After"))
	case status >= 300 && status < 400:
		return "it redirects, which is never followed; configure the final address"
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return "check LLM_BASE_URL and LLM_MODEL: " + x.endpoint + " is what was asked"
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		if x.cfg.Constrain == Schema {
			return `where the endpoint knows no JSON Schema, set the constraint to "object" or "none"`
		}
	}
	return ""
}

// retry words a Retry-After header: seconds or a date, and strangers' text
// until it is read as one of them.
func retry(after string) string {
	after = strings.TrimSpace(after)
	if n, err := strconv.ParseUint(after, 10, 31); err == nil {
		return fmt.Sprintf("the endpoint asks to wait %v (Retry-After)", time.Duration(n)*time.Second)
	}
	if at, err := http.ParseTime(after); err == nil {
		return "the endpoint asks to wait until " + at.UTC().Format(time.RFC3339) + " (Retry-After)"
	}
	return "" // the code's own: wait, then ask again
}

// complaint is the message of an error body: {"error":{"message":"…"}},
// {"error":"…"} or {"message":"…"}. Anything else, a page of HTML say, is none.
func complaint(body []byte) string {
	var outer struct {
		Error   jsontext.Value `json:"error"`
		Message string         `json:"message"`
	}
	lim := schema.Limits{Bytes: maxErrorBody, Depth: 32, Exponent: 999, Digits: 999}
	if jsontext.Value(body).Kind() != '{' || schema.DecodeOpen(body, &outer, lim) != nil {
		return ""
	}
	var inner struct {
		Message string `json:"message"`
	}
	var plain string
	switch outer.Error.Kind() {
	case '"':
		if schema.DecodeOpen(outer.Error, &plain, lim) == nil {
			return plain
		}
	case '{':
		if schema.DecodeOpen(outer.Error, &inner, lim) == nil {
			return inner.Message
		}
	}
	return outer.Message
}

// quoted appends a stranger's words to a reason: one line, bounded, visible.
func quoted(words string) string {
	if strings.TrimSpace(words) == "" {
		return ""
	}
	return ": it says " + strconv.Quote(guard.Line(words, maxExcerpt))
}
