package model

import (
	"errors"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/planner"
)

// claude is Anthropic's messages format.
var claude = dialect{
	home: "https://api.anthropic.com/v1", path: "/messages", needsKey: true,
	root: "the root of the API, such as https://api.anthropic.com/v1", models: "GET /models under the base URL lists what the endpoint has",
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
	shape: shapeClaude,
	hear:  hearClaude,
}

// answerTool is the function whose arguments are the answer: the format's way
// to ask for a JSON Schema. It is no tool of anybody's and nothing runs it.
const answerTool = "answer"

type wrapped struct {
	Type       string `json:"type"`
	Properties struct {
		Answer jsontext.Value `json:"answer"`
	} `json:"properties"`
	Required []string `json:"required"`
	Closed   bool     `json:"additionalProperties"` // always false
}

// shapeClaude wraps the schema, because the format refuses alternatives at the
// top of one. There is no other JSON mode to ask for, and no seed.
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

func hearClaude(x *exchange) (heard, error) {
	var r struct {
		Content []block `json:"content"`
		Reason  string  `json:"stop_reason"`
		Usage   struct {
			In  int `json:"input_tokens"`
			Out int `json:"output_tokens"`
		} `json:"usage"`
	}
	if err := schema.DecodeOpen(x.raw, &r, x.limits()); err != nil {
		return heard{}, err
	}
	h := heard{
		usage:   planner.Usage{Input: r.Usage.In, Output: r.Usage.Out},
		refused: r.Reason == "refusal",
		cut:     r.Reason == "max_tokens" || r.Reason == "model_context_window_exceeded",
	}
	if h.refused || h.cut {
		return h, nil // whatever there is of it, it is not the answer
	}
	if len(r.Content) != 1 {
		return h, errors.New("not exactly one content block")
	}
	var err error
	h.text, err = r.Content[0].said(x.limits())
	return h, err
}

// said is the block's text, or the bytes of the wrapped answer as they stand.
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
