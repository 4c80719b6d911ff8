package model

import (
	"errors"
	"net/http"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/ollama"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/planner"
)

// llama is Ollama's own chat format. It needs no key; a hosted one may.
var llama = dialect{
	home: "http://127.0.0.1:11434", path: "/api/chat",
	root: "where `ollama serve` listens, such as 127.0.0.1:11434", models: "`ollama list` shows what is there, `ollama pull` fetches another",
	library: func(base, model string, client *http.Client) (llms.Model, error) {
		return ollama.New(ollama.WithServerURL(base), ollama.WithModel(model), ollama.WithHTTPClient(client))
	},
	authorize: bearer,
	shape:     shapeLlama,
	hear:      hearLlama,
}

func shapeLlama(x *exchange, b body) {
	b["stream"] = false // the library leaves it out, and then the answer comes in pieces
	options := body{
		"num_predict": x.cfg.MaxTokens,
		"num_ctx":     window(len(x.request.System)+len(x.request.Data), x.cfg.MaxTokens),
	}
	if x.cfg.Sampling == Fixed {
		options["temperature"], options["seed"] = 0, x.cfg.Seed
	}
	b["options"] = options
	delete(b, "format") // the library's is a string, "" at that
	switch {
	case x.cfg.Constrain == Schema && x.request.Schema != nil:
		b["format"] = x.request.Schema
	case x.cfg.Constrain != Nothing:
		b["format"] = "json"
	}
}

// window is the context that a prompt needs. Ollama cuts what is longer from
// the front, and says nothing: the instructions would be the first to go.
// A token is taken to be three bytes, which JSON and English stay above.
func window(prompt, answer int) int {
	const step = 2048
	return (prompt/3 + answer + step - 1) / step * step
}

func hearLlama(x *exchange) (heard, error) {
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
		return heard{}, err
	}
	h := heard{text: r.Message.Content, cut: r.Reason == "length", usage: planner.Usage{Input: r.In, Output: r.Out}}
	if !r.Done {
		return h, errors.New("no end: done is not true")
	}
	return h, nil
}
