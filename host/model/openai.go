package model

import (
	"errors"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/planner"
)

const (
	homeOpenAI = "https://api.openai.com/v1"
	homeGemini = "https://generativelanguage.googleapis.com/"
)

// openAI is the chat completions format, which vLLM, LM Studio, Groq, Gemini's
// compatible endpoint and many others speak too.
var openAI = dialect{
	home: homeOpenAI, path: "/chat/completions", needsKey: true,
	root: "the root of the API, such as http://127.0.0.1:8000/v1", models: "GET /models under the base URL lists what the endpoint has",
	library: func(base, model string, client *http.Client) (llms.Model, error) {
		return openai.New(openai.WithBaseURL(base), openai.WithModel(model), openai.WithHTTPClient(client),
			openai.WithToken(placeholder), openai.WithOrganization("")) // named, or it reads the environment
	},
	authorize: bearer,
	shape:     shapeOpenAI,
	hear:      hearOpenAI,
}

func bearer(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func shapeOpenAI(x *exchange, b body) {
	// For o1 and o3 the library merges the system message into the user's:
	// instructions and data stay apart whatever the model is called.
	b["messages"] = []message{{"system", x.request.System}, {"user", x.request.Data}}
	if tokens, ok := b["max_completion_tokens"]; ok && !strings.HasPrefix(x.endpoint, homeOpenAI+"/") {
		delete(b, "max_completion_tokens") // only OpenAI itself is sure to know the newer name
		b["max_tokens"] = tokens
	}
	if strings.HasPrefix(x.endpoint, homeGemini) {
		delete(b, "seed") // "Cannot find field", it says
	}
	switch {
	case x.cfg.Constrain == Schema && x.request.Schema != nil:
		b["response_format"] = jsonSchema(x.request.Schema)
	case x.cfg.Constrain != Nothing:
		b["response_format"] = map[string]string{"type": "json_object"}
	}
}

// jsonSchema asks for a schema without "strict": that mode allows no open
// object, and a tool's arguments are one.
func jsonSchema(s jsontext.Value) any {
	type named struct {
		Name   string         `json:"name"`
		Strict bool           `json:"strict"`
		Schema jsontext.Value `json:"schema"`
	}
	return struct {
		Type   string `json:"type"`
		Schema named  `json:"json_schema"`
	}{"json_schema", named{"answer", false, s}}
}

func hearOpenAI(x *exchange) (heard, error) {
	var r struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
				Refusal string `json:"refusal"`
			} `json:"message"`
			Reason string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			In   int            `json:"prompt_tokens"`
			Out  int            `json:"completion_tokens"`
			Cost jsontext.Value `json:"cost"` // OpenRouter's
		} `json:"usage"`
	}
	if err := schema.DecodeOpen(x.raw, &r, x.limits()); err != nil {
		return heard{}, err
	}
	h := heard{usage: planner.Usage{Input: r.Usage.In, Output: r.Usage.Out, Cost: decimal(string(r.Usage.Cost))}}
	if len(r.Choices) != 1 {
		return h, errors.New("not exactly one choice")
	}
	c := r.Choices[0]
	h.text, h.refusal = c.Message.Content, c.Message.Refusal
	h.refused = h.refusal != "" || c.Reason == "content_filter"
	h.cut = c.Reason == "length"
	if c.Reason == "tool_calls" || c.Reason == "function_call" {
		return h, errors.New("a call of a function, where none was offered")
	}
	return h, nil
}
