package model

import (
	"cmp"
	"math/big"
	"net/http"
	"strconv"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
)

// dialect is the part that differs between wire formats.
type dialect struct {
	home     string // the provider's own address
	path     string // path of the one resource under the base URL
	needsKey bool   // at home
	root     string // description of a base URL, for hints
	models   string // how to learn a model's name, for hints
	// library makes the client library's model. It gets no key.
	library func(base, model string, client *http.Client) (llms.Model, error)
	// authorize sets the headers for the key.
	authorize func(h http.Header, key string)
	// shape adds to the request what the library drops.
	shape func(x *exchange, b body)
	// receive reads the text of a reply and why it ends.
	receive func(x *exchange) (content, error)
}

var dialects = map[string]dialect{
	"openai":    openAI,
	"anthropic": claude,
	"ollama":    llama,
}

type content struct {
	text    string
	refused bool
	refusal string // the model's words, if any
	cut     bool   // cut off at the output limit
	usage   planner.Usage
}

// noStudioPath is LM Studio's answer, with status 200, to a path that it does not serve.
const noStudioPath = "Unexpected endpoint or method"

// placeholder is for libraries that require a key; it is never sent.
const placeholder = "none"

// receive returns the text of a reply, or why the reply cannot be used.
func (x *exchange) receive() ([]byte, planner.Usage, *verdict.Fault) {
	if words := complaint(x.raw); mentions(words, noStudioPath) {
		return nil, planner.Usage{}, x.advise(x.fail(verdict.ModelReply, nil, "the endpoint has nothing at this path%s", quoted(words)), x.aboutAddress())
	} else if words != "" { // some gateways answer 200 in place of 500
		return nil, planner.Usage{}, x.fail(verdict.ModelFailed, nil, "the endpoint reports an error%s", quoted(words))
	}
	h, err := x.dialect.receive(x)
	h.usage = planner.Usage{Input: max(0, h.usage.Input), Output: max(0, h.usage.Output), Cost: cmp.Or(h.usage.Cost, x.cost)}
	switch {
	case err != nil:
		return nil, h.usage, x.fail(verdict.ModelReply, nil, "the reply has %v", err)
	case h.refused:
		return nil, h.usage, x.fail(verdict.ModelRefused, nil, "the model declined to answer%s", quoted(h.refusal))
	case h.cut:
		return nil, h.usage, x.fail(verdict.ModelTruncated, nil, "the reply was cut at the output limit; %d tokens were allowed", x.cfg.MaxTokens)
	case strings.TrimSpace(h.text) == "":
		return nil, h.usage, x.fail(verdict.ModelReply, nil, "the reply has no text")
	case x.key.repeats(h.text): // the raw reply had it in escapes
		x.raw = nil
		return nil, h.usage, x.fail(verdict.ModelReply, nil, "the reply repeats the API key, and is thrown away")
	}
	return []byte(h.text), h.usage, nil
}

// costHeader is the header with the cost of an exchange, from LiteLLM's proxy.
const costHeader = "X-Litellm-Response-Cost"

// price matches a number as written by JSON, or by Python for a float. A negative number,
// or one longer than any price, does not match.
var price = lex.Pattern(`^([0-9]{1,20})(?:\.([0-9]{1,40}))?(?:[eE]([+-]?[0-9]{1,2}))?$`)

// decimal returns the same number without an exponent, with every digit. It is "" if text
// is not a price. No cost is computed from a list of prices.
func decimal(text string) string {
	m := price().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return ""
	}
	n, read := new(big.Rat).SetString(m[0])
	if !read {
		return ""
	}
	shift := 0
	if m[3] != "" {
		shift, _ = strconv.Atoi(m[3]) // two digits
	}
	return n.FloatString(max(0, len(m[2])-shift))
}
