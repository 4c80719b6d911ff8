package model

import (
	"bytes"
	"cmp"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Origins say, in messages, where a client's settings come from and what sets
// them, so that whoever reads one knows which of many places to mend. They
// hold no key.
type Origins struct {
	Address string // such as "variable OPENAI_BASE_URL"; "" is the provider's own
	Model   string // such as "flag --model"
	Key     string // such as "file /run/key (LLM_API_KEY_FILE)"; "" where there is none
	NoKey   string // why a keyring, say, gave none

	SetAddress string // such as "OPENAI_BASE_URL"
	SetKey     string // such as "OPENAI_API_KEY or OPENAI_API_KEY_FILE"
}

// advise gives a fault its hint. Our own words may hold a short key by chance;
// a whole one stands in them only where it was set in the wrong place.
func (c *Client) advise(f *verdict.Fault, hint string) *verdict.Fault {
	if hint != "" && !c.key.repeats(hint) {
		f.Hint = escape.Line(hint, 2*maxExcerpt)
	}
	return f
}

// aboutKey is for a key that is refused, or missing.
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

// aboutAddress is for an address where no such API answers.
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

// aboutStatus is what to do where the code's own remedy does not say it. The
// body and the words in it are the endpoint's.
func (x *exchange) aboutStatus(resp *http.Response, body []byte, words string) string {
	switch status := resp.StatusCode; {
	case status == http.StatusTooManyRequests:
		return retry(resp.Header.Get("Retry-After"))
	case status >= 300 && status < 400:
		return "it redirects, which is never followed; " + x.aboutAddress()
	case mentions(words, "context length", "context_length", "context window") || status == http.StatusRequestEntityTooLarge:
		return "the prompt is longer than the endpoint takes; max_prompt, in bytes, bounds it"
	case x.cfg.Sampling == Fixed && unknownModel(status) && mentions(words, "temperature", "seed"):
		return `where the model lets nobody choose these, set sampling to "endpoint"`
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

// isProse reports whether a body is there and is no JSON: what answers so is a
// proxy, or the TLS port of an API that is asked with http://.
func isProse(body []byte) bool {
	kind := jsontext.Value(body).Kind()
	return len(bytes.TrimSpace(body)) > 0 && kind != '{' && kind != '['
}

// unknownModel reports whether endpoints answer so to a model they do not have.
func unknownModel(status int) bool {
	return status == http.StatusNotFound || status == http.StatusBadRequest || status == http.StatusUnprocessableEntity
}

// mentions reports whether text holds one of the names, not as part of a
// longer word. It words hints and decides nothing.
func mentions(text string, names ...string) bool {
	for _, name := range names {
		for rest := text; name != ""; {
			before, after, found := strings.Cut(rest, name)
			if !found {
				break
			}
			if !endsInWord(before) && !startsWithWord(after) {
				return true
			}
			rest = after
		}
	}
	return false
}

func endsInWord(s string) bool { return s != "" && wordByte(s[len(s)-1]) }

func startsWithWord(s string) bool { return s != "" && wordByte(s[0]) }

func wordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}
