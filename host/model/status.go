package model

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// maxExcerpt bounds, in bytes, what a reason quotes of a stranger.
const maxExcerpt = 240

// maxErrorBody is how much of an error's body is read at all.
const maxErrorBody = 16 << 10

var errorLimits = schema.Limits{Bytes: maxErrorBody, Depth: 32, Values: 1_000, Exponent: 999, Digits: 999}

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
	start, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	words := complaint(start)
	switch { // the words about a key are the likeliest to quote it
	case resp.StatusCode == http.StatusForbidden && x.missesModel(start, words):
		return x.advise(x.fail(code, nil, "%s: it does not give this model to the key", status), x.aboutModel())
	case code == verdict.ModelAuth, resp.StatusCode == http.StatusBadRequest && mentions(words, noGeminiKey, noGrokKey):
		return x.advise(x.fail(verdict.ModelAuth, nil, "%s: %s", status, x.whyNot(resp.StatusCode)), x.cfg.Origins.aboutKey(x.endpoint, x.key() != ""))
	}
	return x.advise(x.fail(code, nil, "%s%s", status, quoted(words)), x.aboutStatus(resp, start, words))
}

// whyNot: a 403 may be a firewall's, which never saw the key.
func (x *exchange) whyNot(status int) string {
	switch {
	case x.key() == "":
		return "it wants a key"
	case status == http.StatusForbidden:
		return "it forbids the request: the key may not do this, or nobody may from here"
	}
	return "it does not accept the key"
}

// How Gemini's compatible endpoint and xAI answer 400 to a wrong key.
const (
	noGeminiKey = "API key not valid"
	noGrokKey   = "Incorrect API key provided"
)

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
// {"error":"…"} or {"message":"…"}, and Gemini's array of one of them. Anything
// else, a page of HTML say, is none.
func complaint(body []byte) string {
	var list []jsontext.Value
	if jsontext.Value(body).Kind() == '[' && schema.DecodeOpen(body, &list, errorLimits) == nil && len(list) == 1 {
		body = list[0]
	}
	var outer struct {
		Error   jsontext.Value `json:"error"`
		Message string         `json:"message"`
	}
	if jsontext.Value(body).Kind() != '{' || schema.DecodeOpen(body, &outer, errorLimits) != nil {
		return ""
	}
	var inner struct {
		Message string `json:"message"`
	}
	var plain string
	switch outer.Error.Kind() {
	case '"':
		if schema.DecodeOpen(outer.Error, &plain, errorLimits) == nil {
			return plain
		}
	case '{':
		if schema.DecodeOpen(outer.Error, &inner, errorLimits) == nil {
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
	return ": it says " + strconv.Quote(escape.Line(words, maxExcerpt))
}
