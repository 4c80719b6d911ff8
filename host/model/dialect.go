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

// dialect is what differs from one wire format to the next.
type dialect struct {
	home     string // the provider's own address
	path     string // of the one resource, under the base URL
	needsKey bool   // at home
	root     string // what a base URL is, for hints
	models   string // how to learn a model's name, for hints
	// library makes the client library's side. It is given no key.
	library func(base, model string, client *http.Client) (llms.Model, error)
	// authorize sets the headers that the key needs.
	authorize func(h http.Header, key string)
	// shape puts into the request what the library drops.
	shape func(x *exchange, b body)
	// receive reads a reply for what it says and why it ends.
	receive func(x *exchange) (heard, error)
}

var dialects = map[string]dialect{
	"openai":    openAI,
	"anthropic": claude,
	"ollama":    llama,
}

// heard is what a reply says.
type heard struct {
	text    string
	refused bool
	refusal string // the model's words, where it gave any
	cut     bool   // at the output limit
	usage   planner.Usage
}

// noStudioPath is how LM Studio answers 200 to a path that it does not serve.
const noStudioPath = "Unexpected endpoint or method"

// placeholder satisfies libraries that insist on a key; it is never sent.
const placeholder = "none"

// receive turns a reply into its text, or into why it cannot be used.
func (x *exchange) receive() ([]byte, planner.Usage, *verdict.Fault) {
	if words := complaint(x.raw); mentions(words, noStudioPath) {
		return nil, planner.Usage{}, x.advise(x.fail(verdict.ModelReply, nil, "the endpoint has nothing at this path%s", quoted(words)), x.aboutAddress())
	} else if words != "" { // some gateways say 200 and mean 500
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
	case x.key.repeats(h.text): // it stood escaped in the raw reply
		x.raw = nil
		return nil, h.usage, x.fail(verdict.ModelReply, nil, "the reply repeats the API key, and is thrown away")
	}
	return []byte(h.text), h.usage, nil
}

// costHeader is where LiteLLM's proxy reports what an exchange cost.
const costHeader = "X-Litellm-Response-Cost"

// price is a number as JSON, or a float printed by Python, writes one. What is
// negative, or longer than any price, is none.
var price = lex.Pattern(`^([0-9]{1,20})(?:\.([0-9]{1,40}))?(?:[eE]([+-]?[0-9]{1,2}))?$`)

// decimal is the same number without an exponent, every digit kept; "" where
// text is not a price. Nothing here is computed from a list of prices.
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
