package model_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/host/model"
)

// priced is an OpenAI-compatible reply whose usage has a cost.
func priced(cost string) string {
	return `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"cost":` + cost + `}}`
}

func TestACostIsKeptAsItIsReported(t *testing.T) {
	t.Parallel()
	const header = "x-litellm-response-cost"
	for name, row := range map[string]struct{ body, header, want string }{
		"OpenRouter's":         {priced("0.00492"), "", "0.00492"},
		"its zeros":            {priced("0.10"), "", "0.10"},
		"an exponent":          {priced("1.5e-05"), "", "0.000015"},
		"a large exponent":     {priced("12E2"), "", "1200"},
		"free":                 {priced("0"), "", "0"},
		"LiteLLM's":            {envelope(t, "openai", "x", "stop"), "2.3999999999999997e-05", "0.000023999999999999997"},
		"both":                 {priced("0.1"), "0.2", "0.1"},
		"neither":              {envelope(t, "openai", "x", "stop"), "", ""},
		"null":                 {priced("null"), "", ""},
		"negative":             {priced("-1"), "", ""},
		"text":                 {priced(`"0.1"`), "", ""},
		"an object":            {priced(`{"usd":1}`), "", ""},
		"words in the header":  {envelope(t, "openai", "x", "stop"), "about 1; rm -rf", ""},
		"Python's None":        {envelope(t, "openai", "x", "stop"), "None", ""},
		"more digits than any": {envelope(t, "openai", "x", "stop"), strings.Repeat("9", 60), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := complete(t, serve(t, status(200, row.body, header, row.header)), "openai")
			if err != nil || got.Usage.Cost != row.want {
				t.Errorf("cost %q, %v; want %q", got.Usage.Cost, err, row.want)
			}
		})
	}
}

func TestACostIsReadWhateverTheProvider(t *testing.T) {
	t.Parallel()
	for _, provider := range providers {
		s := serve(t, status(200, envelope(t, provider, "x", "stop"), "X-Litellm-Response-Cost", "0.25"))
		got, err := client(t, model.Config{Provider: provider, BaseURL: s.URL}).Complete(t.Context(), request)
		if err != nil || got.Usage.Cost != "0.25" || got.Usage.Input != 11 {
			t.Errorf("%s: %+v, %v", provider, got.Usage, err)
		}
	}
}

func TestACountBelowZeroIsNone(t *testing.T) {
	t.Parallel()
	for provider, body := range map[string]string{
		"openai":    `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":-5,"completion_tokens":7}}`,
		"anthropic": `{"type":"message","role":"assistant","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn","usage":{"input_tokens":-9223372036854775808,"output_tokens":7}}`,
		"ollama":    `{"done":true,"message":{"role":"assistant","content":"x"},"prompt_eval_count":-1,"eval_count":7}`,
	} {
		got, err := complete(t, serve(t, status(200, body)), provider)
		if err != nil || got.Usage.Input != 0 || got.Usage.Output != 7 {
			t.Errorf("%s: %+v, %v", provider, got.Usage, err)
		}
	}
}
