package model

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// maxExcerpt bounds the untrusted text in a reason, in bytes.
const maxExcerpt = 240

// maxErrorBody bounds the bytes read from an error's body.
const maxErrorBody = 16 << 10

var errorLimits = schema.Limits{Bytes: maxErrorBody, Depth: 32, Values: 1_000, Exponent: 999, Digits: 999}

// fail makes every fault of an exchange. A reason that shows any part of the key, as an
// endpoint's words about a refused key may, is replaced by the code's meaning.
func (x *exchange) fail(code verdict.Code, cause error, format string, args ...any) *verdict.Fault {
	f := verdict.Fail(code, cause, format, args...)
	if x.key.shows(f.Reason) {
		f.Reason = code.Entry().Meaning + " (its words show part of the API key, and are left out)"
	}
	return f
}

func (x *exchange) refused(resp *http.Response) *verdict.Fault {
	code, status := codeOf(resp.StatusCode), fmt.Sprintf("the endpoint answered %d", resp.StatusCode)
	start, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	words := complaint(start)
	switch { // words about a key are the most likely to quote it
	case resp.StatusCode == http.StatusForbidden && x.missesModel(start, words):
		return x.advise(x.fail(code, nil, "%s: it does not give this model to the key", status), x.aboutModel())
	case code == verdict.ModelAuth, resp.StatusCode == http.StatusBadRequest && mentions(words, noGeminiKey, noGrokKey):
		return x.advise(x.fail(verdict.ModelAuth, nil, "%s: %s", status, x.whyNot(resp.StatusCode)), x.cfg.Origins.aboutKey(x.endpoint, x.key() != ""))
	}
	return x.advise(x.fail(code, nil, "%s%s", status, quoted(words)), x.aboutStatus(resp, start, words))
}

// whyNot says why a request was refused. A 403 may be from a firewall.
func (x *exchange) whyNot(status int) string {
	switch {
	case x.key() == "":
		return "it requires a key"
	case status == http.StatusForbidden:
		return "it forbids the request: the key may not do this, or no key may from here"
	}
	return "it does not accept the key"
}

// The answers of Gemini's compatible endpoint and of xAI to a wrong key, with status 400.
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
	return verdict.ModelReply // includes redirects, which are never followed
}

// retry describes a Retry-After header, in seconds or as a date, and leaves out other text.
func retry(after string) string {
	after = strings.TrimSpace(after)
	if n, err := strconv.ParseUint(after, 10, 31); err == nil {
		return fmt.Sprintf("the endpoint asks to wait %v (Retry-After)", time.Duration(n)*time.Second)
	}
	if at, err := http.ParseTime(after); err == nil {
		return "the endpoint asks to wait until " + at.UTC().Format(time.RFC3339) + " (Retry-After)"
	}
	return "" // the code's own hint is to wait, then ask again
}

// complaint is the message in an error body: {"error":{"message":"…"}}, {"error":"…"} or
// {"message":"…"}, and Gemini's array of one of them. Any other body, such as a page of
// HTML, has none.
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
	if plain, err := jsontext.AppendUnquote(nil, outer.Error); err == nil {
		return string(plain)
	}
	var inner struct {
		Message string `json:"message"`
	}
	if outer.Error.Kind() == '{' && schema.DecodeOpen(outer.Error, &inner, errorLimits) == nil {
		return inner.Message
	}
	return outer.Message
}

// quoted returns untrusted words for the end of a reason: one line, bounded, visible.
func quoted(words string) string {
	if strings.TrimSpace(words) == "" {
		return ""
	}
	return ": it says " + strconv.Quote(escape.Line(words, maxExcerpt))
}

// Origins describe where a client's settings come from and what sets them, for messages.
// They show the user which of many places to correct. They contain no key.
type Origins struct {
	Address string // such as "variable OPENAI_BASE_URL"; "" is the provider's own
	Model   string // such as "flag --model"
	Key     string // such as "file /run/key (LLM_API_KEY_FILE)"; "" without a key
	NoKey   string // why a source, such as a keyring, gave no key

	SetAddress string // such as "OPENAI_BASE_URL"
	SetKey     string // such as "OPENAI_API_KEY or OPENAI_API_KEY_FILE"
}

// advise gives a fault its hint. Our own words may contain a short key by chance. They
// contain a whole key only if it was set in the wrong place.
func (c *Client) advise(f *verdict.Fault, hint string) *verdict.Fault {
	if hint != "" && !c.key.repeats(hint) {
		f.Hint = escape.Line(hint, 2*maxExcerpt)
	}
	return f
}

func (o Origins) aboutKey(endpoint string, sent bool) string {
	set := cmp.Or(o.SetKey, "APIKey of the client's configuration")
	if !sent {
		hint := "no key was sent to " + endpoint + "; set one with " + set
		if o.NoKey != "" {
			hint += " (" + o.NoKey + ")"
		}
		return hint
	}
	return "the key sent to " + endpoint + " is from " + cmp.Or(o.Key, "the client's configuration") + "; set the right one with " + set
}

// aboutAddress is the hint for an address where no such API answers.
func (c *Client) aboutAddress() string {
	o := c.cfg.Origins
	from := "the provider's own address"
	if c.cfg.BaseURL != "" {
		from = "from " + cmp.Or(o.Address, "the client's configuration")
	}
	return c.endpoint + " was asked (" + from + "); " + cmp.Or(o.SetAddress, "BaseURL of the client's configuration") +
		" names another: " + c.dialect.root
}

func (c *Client) aboutModel() string {
	return "the model's name is from " + cmp.Or(c.cfg.Origins.Model, "the client's configuration") + "; " + c.dialect.models
}

// aboutStatus is the hint if the code's own remedy is not enough. The body and the words
// in it are the endpoint's.
func (x *exchange) aboutStatus(resp *http.Response, body []byte, words string) string {
	switch status := resp.StatusCode; {
	case status == http.StatusTooManyRequests:
		return retry(resp.Header.Get("Retry-After"))
	case status >= 300 && status < 400:
		return "it redirects, which is never followed; " + x.aboutAddress()
	case mentions(words, "context length", "context_length", "context window") || status == http.StatusRequestEntityTooLarge:
		return "the prompt is longer than the endpoint takes; max_prompt, in bytes, bounds it"
	case x.cfg.Sampling == Fixed && unknownModel(status) && mentions(words, "temperature", "seed"):
		return `where the model does not let these be chosen, set sampling to "endpoint"`
	case x.cfg.Constrain != Nothing && unknownModel(status) && mentions(words, "response_format", "json_schema", "schema", "tool_choice", "format"):
		return constraintHint
	case unknownModel(status) && x.missesModel(body, words):
		return x.aboutModel()
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status == http.StatusBadRequest && isProse(body):
		return x.aboutAddress()
	case unknownModel(status) && x.cfg.Constrain != Nothing:
		return constraintHint
	}
	return ""
}

const constraintHint = `where the endpoint knows no JSON Schema, set constrain to "object" or "none"`

// missesModel reports whether an error's body is about the model's name.
func (x *exchange) missesModel(body []byte, words string) bool {
	return mentions(words, x.cfg.Model) || mentions(string(body), "model_not_found")
}

// isProse reports whether a body is not empty and not JSON. Such an answer is from a
// proxy, or from the TLS port of an API that was asked with http://.
func isProse(body []byte) bool {
	kind := jsontext.Value(body).Kind()
	return len(bytes.TrimSpace(body)) > 0 && kind != '{' && kind != '['
}

// unknownModel reports whether endpoints use this status for an unknown model.
func unknownModel(status int) bool {
	return status == http.StatusNotFound || status == http.StatusBadRequest || status == http.StatusUnprocessableEntity
}

// mentions reports whether text contains one of the names, not as part of a longer word.
// It is for hints, and decides nothing.
func mentions(text string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		whole := `(?:^|\W)` + regexp.QuoteMeta(strings.ToValidUTF8(name, "\ufffd")) + `(?:\W|$)`
		return name != "" && regexp.MustCompile(whole).MatchString(text)
	})
}
