// Package model asks language models: OpenAI-compatible endpoints, Anthropic and Ollama.
// It uses langchaingo, which no other package imports.
//
// A [Client] vouches for the exchange: one request for each completion, to the one
// configured address and no other; the key in that request's header and nowhere else; the
// reply bounded in size and time, and exactly one strict JSON document. It does not vouch
// for anything that the model says: constrained output is requested and never trusted,
// text is passed on byte for byte, and the parser of the plan or the summary decides.
//
// langchaingo writes the request and reads the reply. This package adds to the request
// what langchaingo drops. It reads from the raw bytes of the reply what langchaingo
// hides: a refusal, and why the text ended. If langchaingo fails or panics, the
// completion fails. Version 0.1.14 panics on a null in a list of choices, and on a
// function call that is announced and missing.
//
// The planner and the model-backed writer use it; config/setup makes it.
package model

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/valid"
	"github.com/onestep-run/onestep/planner"
)

// Config describes a model and how to ask it. No setting is read from the environment.
type Config struct {
	Provider  string        `validate:"oneof=openai anthropic ollama"` // openai is any endpoint with its format
	BaseURL   string        // the root of the API, such as https://api.openai.com/v1; "" is the provider's own
	Model     string        `validate:"required"` // as the endpoint names it
	APIKey    Key           // "" sends none
	FindKey   FindKey       // replaces APIKey, and is called when the model is first asked; optional
	Timeout   time.Duration // of one completion, connection included; 0 means a minute
	MaxReply  int           // limit of the reply's body in bytes; 0 means 1 MiB
	MaxTokens int           // limit of the model's output; 0 means 2048
	Seed      int           // if the provider has one; 0 means 1
	Constrain Constraint    `validate:"omitempty,oneof=schema object none"` // how to ask for JSON; "" means Schema
	Sampling  Sampling      `validate:"omitempty,oneof=fixed endpoint"`     // "" means Fixed
	Origins   Origins       // for messages; optional
	Around    Around        // wraps the network, for tests; optional
}

// Around wraps the network; see internal/testing/cassette. key reports whether a text shows a
// part of the API key, or the whole of it.
type Around func(network http.RoundTripper, key func(text []byte) (part, whole bool)) http.RoundTripper

// Constraint is the kind of output that an endpoint is asked to enforce. The answer is
// parsed equally strictly for all of them.
type Constraint string

// The constraints. Endpoints without JSON Schema answer 400 to the first.
const (
	Schema  Constraint = "schema" // a JSON Schema
	Object  Constraint = "object" // any single JSON object, if the provider supports it
	Nothing Constraint = "none"
)

// Sampling says which side chooses temperature and seed.
type Sampling string

// The samplings. Models that reason answer 400 to the first.
const (
	Fixed    Sampling = "fixed"    // temperature 0, and a fixed seed if the provider has one
	Endpoint Sampling = "endpoint" // the endpoint: neither is sent
)

// Client asks one model. It is safe for concurrent use, and keeps no connection.
type Client struct {
	cfg      Config // without its key
	dialect  dialect
	endpoint string
	key      secret
	out      http.RoundTripper
	looks    chan struct{} // a semaphore for looking up the key
	found    *Client       // the client with its key; guarded by looks
}

var _ planner.Chat = (*Client)(nil)

// Named splits "provider/model" of --model. The model's own name may contain slashes.
func Named(name string) (provider, model string, ok bool) {
	provider, model, ok = strings.Cut(name, "/")
	if _, known := dialects[provider]; !ok || !known || model == "" {
		return "", "", false
	}
	return provider, model, true
}

// New makes a client, and asks nothing yet.
func New(cfg Config) (*Client, error) {
	if wrong := valid.Struct(cfg); wrong != "" {
		return nil, unconfigured("the model's configuration: %s", wrong)
	}
	d := dialects[cfg.Provider]
	if !cfg.APIKey.Sendable() {
		return nil, unconfigured("the key of %s contains characters that no key has: check for line ends and quotes around it", cmp.Or(cfg.Origins.Key, "the configuration"))
	}
	endpoint, err := address(cmp.Or(cfg.BaseURL, d.home), d.path)
	if err != nil {
		if cfg.Origins.Address != "" { // names the setting, not the address
			err.Reason += " (" + cfg.Origins.Address + ")"
		}
		return nil, err
	}
	keyless := cfg.APIKey == "" && cfg.FindKey == nil
	if keyless && d.needsKey && cfg.BaseURL == "" {
		return nil, unconfigured("%s needs a key", d.home).WithHint(cfg.Origins.aboutKey(endpoint, false))
	}
	key := hide(cfg.APIKey)
	cfg.APIKey = ""
	cfg.Timeout = cmp.Or(cfg.Timeout, time.Minute)
	cfg.MaxReply = cmp.Or(cfg.MaxReply, 1<<20)
	cfg.MaxTokens = cmp.Or(cfg.MaxTokens, 2048)
	cfg.Seed = cmp.Or(cfg.Seed, 1)
	cfg.Constrain = cmp.Or(cfg.Constrain, Schema)
	cfg.Sampling = cmp.Or(cfg.Sampling, Fixed)
	network := http.RoundTripper(transport())
	if cfg.Around != nil {
		network = cfg.Around(network, key.in)
	}
	return &Client{cfg: cfg, dialect: d, endpoint: endpoint, key: key, out: network, looks: make(chan struct{}, 1)}, nil
}

// address is the one URL that a client talks to. It refuses parts that could carry a
// secret into a log, and parts that would make the URL ambiguous. The refusal does not
// repeat them.
func address(base, path string) (string, *verdict.Fault) {
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return "", unconfigured("the base URL cannot be read")
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", strings.HasSuffix(u.Host, ":"):
		return "", unconfigured("the base URL does not begin with http:// or https:// and a host")
	case u.User != nil, u.RawQuery != "", u.ForceQuery, u.Fragment != "":
		return "", unconfigured("the base URL contains a password, a query or a fragment; a key belongs in the key's own setting")
	}
	return u.JoinPath(path).String(), nil
}

func unconfigured(format string, args ...any) *verdict.Fault {
	return verdict.Fail(verdict.ModelUnconfigured, nil, format, args...)
}

// Complete asks once. A reply that was read is returned for the record even with a fault.
func (c *Client) Complete(ctx context.Context, r planner.Request) (planner.Reply, error) {
	c, err := c.keyed(ctx)
	if err != nil {
		return planner.Reply{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	x := &exchange{Client: c, request: r}
	failed := c.converse(ctx, x, r)
	if x.fault != nil {
		return planner.Reply{}, x.fault
	}
	if x.raw == nil {
		return planner.Reply{}, x.fail(verdict.Internal, nil, "the client library sent no request: %s", brief(failed))
	}
	text, usage, fault := x.receive()
	reply := planner.Reply{Text: text, Raw: x.raw, Usage: usage}
	switch {
	case fault != nil:
		return reply, fault
	case failed != nil:
		return reply, x.fail(verdict.ModelReply, nil, "the client library cannot read the reply: %s", brief(failed))
	}
	return reply, nil
}

// converse makes langchaingo write the request and read the reply.
func (c *Client) converse(ctx context.Context, x *exchange, r planner.Request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %v", p)
		}
	}()
	library, err := c.dialect.library(strings.TrimSuffix(c.endpoint, c.dialect.path), c.cfg.Model, &http.Client{
		Transport:     x,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Jar:           nil, // nothing is remembered from one completion to the next
		Timeout:       0,   // the context ends it
	})
	if err != nil {
		return err
	}
	// Its answer lacks the values that docs/models.md lists, so the wire is read instead.
	_, err = library.GenerateContent(ctx, []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeSystem, r.System),
		llms.TextParts(llms.ChatMessageTypeHuman, r.Data),
	}, llms.WithTemperature(0), llms.WithSeed(c.cfg.Seed), llms.WithMaxTokens(c.cfg.MaxTokens))
	return err
}

// brief returns an error's text for a reason. It may be untrusted.
func brief(err error) string {
	if err == nil {
		return "no reason given"
	}
	return escape.Line(err.Error(), maxExcerpt)
}
