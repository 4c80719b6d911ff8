package model

import (
	"errors"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/planner"
)

const (
	homeOpenAI = "https://api.openai.com/v1"
	homeGemini = "https://generativelanguage.googleapis.com/"
)

// openAI is the chat completions format. vLLM, LM Studio, Groq, Gemini's compatible
// endpoint and many others use it, too.
var openAI = dialect{
	home: homeOpenAI, path: "/chat/completions", needsKey: true,
	root: "the root of the API, such as http://127.0.0.1:8000/v1", models: "GET /models under the base URL lists the endpoint's models",
	library: func(base, model string, client *http.Client) (llms.Model, error) {
		return openai.New(openai.WithBaseURL(base), openai.WithModel(model), openai.WithHTTPClient(client),
			openai.WithToken(placeholder), openai.WithOrganization("")) // named, or it reads the environment
	},
	authorize: bearer,
	shape:     shapeOpenAI,
	receive:   receiveOpenAI,
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
	// For models named o1 and o3 the library merges the system message into the user's.
	// This keeps instructions and data apart for every model.
	b["messages"] = []message{{"system", x.request.System}, {"user", x.request.Data}}
	if tokens, ok := b["max_completion_tokens"]; ok && !strings.HasPrefix(x.endpoint, homeOpenAI+"/") {
		delete(b, "max_completion_tokens") // only OpenAI itself is certain to know the newer name
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

// jsonSchema requests a schema without "strict": that mode allows no open object, and a
// tool's arguments are an open object.
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

func receiveOpenAI(x *exchange) (content, error) {
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
		return content{}, err
	}
	h := content{usage: planner.Usage{Input: r.Usage.In, Output: r.Usage.Out, Cost: decimal(string(r.Usage.Cost))}}
	if len(r.Choices) != 1 {
		return h, errors.New("not exactly one choice")
	}
	c := r.Choices[0]
	h.text, h.refusal = c.Message.Content, c.Message.Refusal
	h.refused = h.refusal != "" || c.Reason == "content_filter"
	h.cut = c.Reason == "length"
	if c.Reason == "tool_calls" || c.Reason == "function_call" {
		return h, errors.New("a function call, although no function was offered")
	}
	return h, nil
}

// claude is Anthropic's messages format.
var claude = dialect{
	home: "https://api.anthropic.com/v1", path: "/messages", needsKey: true,
	root: "the root of the API, such as https://api.anthropic.com/v1", models: "GET /models under the base URL lists the endpoint's models",
	library: func(base, model string, client *http.Client) (llms.Model, error) {
		return anthropic.New(anthropic.WithBaseURL(base), anthropic.WithModel(model), anthropic.WithHTTPClient(client),
			anthropic.WithToken(placeholder)) // named, or it reads the environment
	},
	authorize: func(h http.Header, key string) {
		h.Set("Anthropic-Version", "2023-06-01")
		if key != "" {
			h.Set("X-Api-Key", key)
		}
	},
	shape:   shapeClaude,
	receive: receiveClaude,
}

// answerTool is the function that takes the answer as its arguments: the format's way to
// request a JSON Schema. It is not a tool of any server, and is never run.
const answerTool = "answer"

type wrapped struct {
	Type       string `json:"type"`
	Properties struct {
		Answer jsontext.Value `json:"answer"`
	} `json:"properties"`
	Required []string `json:"required"`
	Closed   bool     `json:"additionalProperties"` // always false
}

// shapeClaude wraps the schema, because the format refuses alternatives at the top of a
// schema. The format has no other JSON mode, and no seed.
func shapeClaude(x *exchange, b body) {
	if x.cfg.Constrain != Schema || x.request.Schema == nil {
		return
	}
	w := wrapped{Type: "object", Required: []string{"answer"}}
	w.Properties.Answer = x.request.Schema
	b["tools"] = []map[string]any{{"name": answerTool, "description": "Gives the answer.", "input_schema": w}}
	b["tool_choice"] = map[string]any{"type": "tool", "name": answerTool, "disable_parallel_tool_use": true}
}

type block struct {
	Type  string         `json:"type"`
	Text  string         `json:"text"`
	Name  string         `json:"name"`
	Input jsontext.Value `json:"input"`
}

func receiveClaude(x *exchange) (content, error) {
	var r struct {
		Content []block `json:"content"`
		Reason  string  `json:"stop_reason"`
		Usage   struct {
			In  int `json:"input_tokens"`
			Out int `json:"output_tokens"`
		} `json:"usage"`
	}
	if err := schema.DecodeOpen(x.raw, &r, x.limits()); err != nil {
		return content{}, err
	}
	h := content{
		usage:   planner.Usage{Input: r.Usage.In, Output: r.Usage.Out},
		refused: r.Reason == "refusal",
		cut:     r.Reason == "max_tokens" || r.Reason == "model_context_window_exceeded",
	}
	if h.refused || h.cut {
		return h, nil // even a partial text is not the answer
	}
	if len(r.Content) != 1 {
		return h, errors.New("not exactly one content block")
	}
	var err error
	h.text, err = r.Content[0].said(x.limits())
	return h, err
}

// said returns the block's text, or the unchanged bytes of the wrapped answer.
func (b block) said(lim schema.Limits) (string, error) {
	switch {
	case b.Type == "text":
		return b.Text, nil
	case b.Type != "tool_use" || b.Name != answerTool:
		return "", errors.New("a content block that is neither text nor the answer")
	}
	var in struct {
		Answer jsontext.Value `json:"answer"`
	}
	if err := schema.Decode(b.Input, &in, lim); err != nil {
		return "", err
	}
	return string(in.Answer), nil
}

// llama is Ollama's own chat format. It needs no key; a hosted Ollama may.
var llama = dialect{
	home: "http://127.0.0.1:11434", path: "/api/chat",
	root: "where `ollama serve` listens, such as 127.0.0.1:11434", models: "`ollama list` shows the installed models, `ollama pull` fetches another",
	library: func(base, model string, client *http.Client) (llms.Model, error) {
		return ollama.New(ollama.WithServerURL(base), ollama.WithModel(model), ollama.WithHTTPClient(client))
	},
	authorize: bearer,
	shape:     shapeLlama,
	receive:   receiveLlama,
}

func shapeLlama(x *exchange, b body) {
	b["stream"] = false // the library omits it, and then the answer comes in pieces
	options := body{
		"num_predict": x.cfg.MaxTokens,
		"num_ctx":     window(len(x.request.System)+len(x.request.Data), x.cfg.MaxTokens),
	}
	if x.cfg.Sampling == Fixed {
		options["temperature"], options["seed"] = 0, x.cfg.Seed
	}
	b["options"] = options
	delete(b, "format") // the library sends an empty string
	switch {
	case x.cfg.Constrain == Schema && x.request.Schema != nil:
		b["format"] = x.request.Schema
	case x.cfg.Constrain != Nothing:
		b["format"] = "json"
	}
}

// window is the context that a prompt needs. Ollama cuts a longer prompt from the front
// without notice, so the instructions would be cut first. It assumes three bytes a token;
// JSON and English have more.
func window(prompt, answer int) int {
	const step = 2048
	return (prompt/3 + answer + step - 1) / step * step
}

func receiveLlama(x *exchange) (content, error) {
	var r struct {
		Message struct {
			Content string `json:"content"`
		} `json:"message"`
		Done   bool   `json:"done"`
		Reason string `json:"done_reason"`
		In     int    `json:"prompt_eval_count"`
		Out    int    `json:"eval_count"`
	}
	if err := schema.DecodeOpen(x.raw, &r, x.limits()); err != nil {
		return content{}, err
	}
	h := content{text: r.Message.Content, cut: r.Reason == "length", usage: planner.Usage{Input: r.In, Output: r.Out}}
	if !r.Done {
		return h, errors.New("no end: done is not true")
	}
	return h, nil
}
