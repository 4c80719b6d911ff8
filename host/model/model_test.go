package model_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
	"github.com/onestep-run/onestep/planner"
)

const fetchPlan = `{"type":"call_tool","server":"kb","tool":"fetch","args":{"id":"p-2"}}`

// nearPlans are what a parser must refuse, and what is not repaired on the way.
var nearPlans = map[string]string{
	"prose before":        "Here is the fetchPlan: " + fetchPlan,
	"prose after":         fetchPlan + "\nHope this helps!",
	"a fenced block":      "```json\n" + fetchPlan + "\n```",
	"two objects":         fetchPlan + fetchPlan,
	"a duplicate key":     `{"type":"call_tool","server":"kb","tool":"fetch","tool":"drop","args":{}}`,
	"a key in other case": `{"type":"call_tool","server":"kb","TOOL":"fetch","args":{}}`,
	"an unknown tool":     `{"type":"call_tool","server":"kb","tool":"drop","args":{}}`,
	"a nested argument":   `{"type":"call_tool","server":"kb","tool":"fetch","args":{"id":"p-2","filter":{"cc":"x@example.com"}}}`,
	"thinking aloud":      "<think>hm</think>" + fetchPlan,
	"cut JSON":            fetchPlan[:30],
	"odd characters":      "\u202e\x1b[2J\x00",
}

func TestTextComesBackByteForByte(t *testing.T) {
	t.Parallel()
	for _, provider := range providers {
		for name, text := range nearPlans {
			t.Run(provider+"/"+name, func(t *testing.T) {
				t.Parallel()
				sent := envelope(t, provider, text, "stop")
				s := serve(t, body(sent))
				got, err := complete(t, s, provider)
				if err != nil || string(got.Text) != text || string(got.Raw) != sent {
					t.Fatalf("said %q, heard %q, %v", text, got.Text, err)
				}
				if got.Usage != (planner.Usage{Input: 11, Output: 5}) || len(s.seen()) != 1 {
					t.Errorf("usage %+v after %d requests", got.Usage, len(s.seen()))
				}
			})
		}
	}
}

func TestAWrappedAnswerIsUnwrappedAndNotRewritten(t *testing.T) {
	t.Parallel()
	const inner = `{ "type":"call_tool","server":"kb", "tool":"fetch","args":{"n":9007199254740993,"z":1,"a":2.50}}`
	s := serve(t, body(`{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"t","name":"answer","input":{"answer":`+inner+`}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}`))
	got, err := complete(t, s, "anthropic")
	if err != nil || string(got.Text) != inner {
		t.Errorf("got %s, %v", got.Text, err)
	}
}

// choice and claudeSays put raw JSON in the place of the answer.
func choice(message, reason string) string {
	return `{"choices":[{"message":` + message + `,"finish_reason":` + reason + `}]}`
}

func claudeSays(content, reason string) string {
	return `{"type":"message","role":"assistant","content":` + content + `,"stop_reason":"` + reason + `","usage":{"input_tokens":1,"output_tokens":2}}`
}

func TestEveryMisbehaviourEndsInItsCode(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		provider string
		answer   http.HandlerFunc
		code     verdict.Code
	}{
		"401":                    {"openai", status(401, `{"error":{"message":"bad key"}}`), verdict.ModelAuth},
		"403":                    {"openai", status(403, ``), verdict.ModelAuth},
		"400":                    {"openai", status(400, `{"error":{"message":"no response_format"}}`), verdict.ModelReply},
		"404":                    {"openai", status(404, `<html>not found</html>`), verdict.ModelReply},
		"429":                    {"openai", status(429, ``, "Retry-After", "30"), verdict.ModelRateLimited},
		"500":                    {"openai", status(500, `boom`), verdict.ModelFailed},
		"503":                    {"openai", status(503, `{"error":"overloaded"}`), verdict.ModelFailed},
		"529":                    {"anthropic", status(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), verdict.ModelFailed},
		"204":                    {"openai", status(204, ``), verdict.ModelReply},
		"an error under 200":     {"openai", body(`{"error":{"message":"upstream is down","code":502}}`), verdict.ModelFailed},
		"an Ollama error":        {"ollama", body(`{"error":"model runner has stopped"}`), verdict.ModelFailed},
		"nothing":                {"openai", body(``), verdict.ModelReply},
		"null":                   {"openai", body(`null`), verdict.ModelReply},
		"an array":               {"openai", body(`[]`), verdict.ModelReply},
		"HTML":                   {"openai", body(`<html>login</html>`), verdict.ModelReply},
		"two documents":          {"openai", body(envelope(t, "openai", fetchPlan, "stop") + envelope(t, "openai", fetchPlan, "stop")), verdict.ModelReply},
		"an event stream":        {"openai", body("data: " + choice(`{"content":"x"}`, `"stop"`) + "\n\ndata: [DONE]\n\n"), verdict.ModelReply},
		"invalid UTF-8":          {"openai", body("{\"choices\":[{\"message\":{\"content\":\"\xff\"}}]}"), verdict.ModelReply},
		"a key twice":            {"openai", body(`{"choices":[{"message":{"content":"a","content":"b"}}]}`), verdict.ModelReply},
		"depth 2000":             {"openai", body(strings.Repeat(`{"a":`, 2000) + "1" + strings.Repeat("}", 2000)), verdict.ModelReply},
		"choices null":           {"openai", body(`{"choices":null}`), verdict.ModelReply},
		"no choice":              {"openai", body(`{"choices":[]}`), verdict.ModelReply},
		"two choices":            {"openai", body(`{"choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}]}`), verdict.ModelReply},
		"a choice in other case": {"openai", body(`{"Choices":[{"message":{"content":"a"}}]}`), verdict.ModelReply},
		"text in other case":     {"openai", body(`{"choices":[{"message":{"Content":"a"}}]}`), verdict.ModelReply},
		"empty content":          {"openai", body(choice(`{"content":""}`, `"stop"`)), verdict.ModelReply},
		"blank content":          {"openai", body(choice(`{"content":" \n"}`, `"stop"`)), verdict.ModelReply},
		"null content":           {"openai", body(choice(`{"content":null}`, `"stop"`)), verdict.ModelReply},
		"content in parts":       {"openai", body(choice(`{"content":[{"type":"text","text":"a"}]}`, `"stop"`)), verdict.ModelReply},
		"a refusal":              {"openai", body(choice(`{"content":null,"refusal":"I cannot help with that"}`, `"stop"`)), verdict.ModelRefused},
		"a filter":               {"openai", body(choice(`{"content":"{}"}`, `"content_filter"`)), verdict.ModelRefused},
		"cut at the limit":       {"openai", body(choice(`{"content":"{\"type\":\"call_to"}`, `"length"`)), verdict.ModelTruncated},
		"whole, yet cut":         {"openai", body(envelope(t, "openai", fetchPlan, "length")), verdict.ModelTruncated},
		"a function call":        {"openai", body(choice(`{"content":"x","function_call":{"name":"drop","arguments":"{}"}}`, `"function_call"`)), verdict.ModelReply},
		"a tool call":            {"openai", body(choice(`{"content":"`+"x"+`","tool_calls":[{"id":"1","type":"function","function":{"name":"drop","arguments":"{}"}}]}`, `"tool_calls"`)), verdict.ModelReply},
		"a fractional usage":     {"openai", body(`{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":0.5}}`), verdict.ModelReply},

		"Anthropic: a refusal":      {"anthropic", body(claudeSays(`[]`, "refusal")), verdict.ModelRefused},
		"Anthropic: cut":            {"anthropic", body(claudeSays(`[{"type":"tool_use","id":"t","name":"answer","input":{}}]`, "max_tokens")), verdict.ModelTruncated},
		"Anthropic: no content":     {"anthropic", body(claudeSays(`[]`, "end_turn")), verdict.ModelReply},
		"Anthropic: null content":   {"anthropic", body(claudeSays(`null`, "end_turn")), verdict.ModelReply},
		"Anthropic: a null block":   {"anthropic", body(claudeSays(`[null]`, "end_turn")), verdict.ModelReply},
		"Anthropic: prose and tool": {"anthropic", body(claudeSays(`[{"type":"text","text":"Sure"},{"type":"tool_use","id":"t","name":"answer","input":{"answer":{}}}]`, "tool_use")), verdict.ModelReply},
		"Anthropic: two answers":    {"anthropic", body(claudeSays(`[{"type":"tool_use","id":"t","name":"answer","input":{"answer":{}}},{"type":"tool_use","id":"u","name":"answer","input":{"answer":{}}}]`, "tool_use")), verdict.ModelReply},
		"Anthropic: another tool":   {"anthropic", body(claudeSays(`[{"type":"tool_use","id":"t","name":"drop","input":{"answer":{}}}]`, "tool_use")), verdict.ModelReply},
		"Anthropic: beside answer":  {"anthropic", body(claudeSays(`[{"type":"tool_use","id":"t","name":"answer","input":{"answer":{},"also":1}}]`, "tool_use")), verdict.ModelReply},
		"Anthropic: no answer":      {"anthropic", body(claudeSays(`[{"type":"tool_use","id":"t","name":"answer","input":{}}]`, "tool_use")), verdict.ModelReply},
		"Anthropic: unknown block":  {"anthropic", body(claudeSays(`[{"type":"image","text":"x"}]`, "end_turn")), verdict.ModelReply},

		"Ollama: empty content": {"ollama", body(envelope(t, "ollama", "", "stop")), verdict.ModelReply},
		"Ollama: no message":    {"ollama", body(`{"done":true}`), verdict.ModelReply},
		"Ollama: not done":      {"ollama", body(`{"done":false,"message":{"content":"{}"}}`), verdict.ModelReply},
		"Ollama: in pieces":     {"ollama", body(`{"done":false,"message":{"content":"{"}}` + "\n" + `{"done":true,"message":{"content":"}"}}`), verdict.ModelReply},
		"Ollama: cut":           {"ollama", body(envelope(t, "ollama", fetchPlan, "length")), verdict.ModelTruncated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, row.answer)
			got, err := complete(t, s, row.provider)
			if verdict.CodeOf(err) != row.code || got.Text != nil {
				t.Errorf("got %q, %v; want %s", got.Text, err, row.code)
			}
			if n := len(s.seen()); n != 1 {
				t.Errorf("%d requests", n)
			}
			clean(t, err)
		})
	}
}

var origins = model.Origins{
	Address: "variable LLM_BASE_URL", SetAddress: "LLM_BASE_URL", Model: "flag --model",
	Key: "file /run/key (LLM_API_KEY_FILE)", SetKey: "LLM_API_KEY or LLM_API_KEY_FILE",
}

func TestHintsSayWhatToDo(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		answer http.HandlerFunc
		hint   string
	}{
		"seconds":           {status(429, ``, "Retry-After", " 90 "), "1m30s (Retry-After)"},
		"a date":            {status(429, ``, "Retry-After", "Fri, 02 Jan 2026 03:04:05 GMT"), "2026-01-02T03:04:05Z"},
		"neither":           {status(429, ``, "Retry-After", "soon; then run rm"), "wait, then ask again"},
		"negative":          {status(429, ``, "Retry-After", "-1"), "wait, then ask again"},
		"a wrong path":      {status(404, ``), "(from variable LLM_BASE_URL); LLM_BASE_URL names another"},
		"no schema":         {status(400, ``), `"object"`},
		"schema named":      {status(400, `{"error":{"message":"response_format is not supported with qwen3"}}`), `set constrain to "object"`},
		"a reasoning model": {status(400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model."}}`), `set sampling to "endpoint"`},
		"Gemini's seed":     {status(400, `[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"seed\": Cannot find field."}}]`), `set sampling to "endpoint"`},
		"no such model":     {status(404, `{"error":{"message":"The model `+"`qwen3`"+` does not exist"}}`), "the model's name is from flag --model"},
		"a retired one":     {status(400, `{"error":{"message":"The model qwen3 has been decommissioned"}}`), "the model's name is from flag --model"},
		"another name":      {status(404, `{"error":{"message":"no route for qwen30"}}`), "was asked"},
		"FastAPI's 404":     {status(404, `{"detail":"Not Found"}`), "was asked"},
		"Gemini's 404":      {status(404, `[{"error":{"code":404,"message":"models/qwen3 is not found for API version v1main"}}]`), "the model's name is from"},
		"Gemini's 400":      {status(400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]`), "LLM_API_KEY_FILE"},
		"OpenAI's 403":      {status(403, `{"error":{"message":"Project p does not have access to model qwen3","code":"model_not_found"}}`), "the model's name is from flag --model"},
		"a firewall's 403":  {status(403, `<html>Access denied</html>`), "is from file /run/key"},
		"xAI's 400":         {status(400, `{"code":"invalid","error":"Incorrect API key provided: zz***."}`), "LLM_API_KEY_FILE"},
		"http to TLS":       {status(400, "Client sent an HTTP request to an HTTPS server.\n"), "was asked"},
		"http to nginx":     {status(400, "<html><title>400 The plain HTTP request was sent to HTTPS port</title>"), "was asked"},
		"FastAPI's 422":     {status(422, `{"detail":[{"type":"extra_forbidden"}]}`), `"object"`},
		"a small window":    {status(400, `{"error":{"message":"This model's maximum context length is 4096 tokens.","code":"context_length_exceeded"}}`), "max_prompt"},
		"413":               {status(413, ``), "max_prompt"},
		"LM Studio's":       {body(`{"error":"Unexpected endpoint or method. (POST /chat/completions)"}`), "was asked"},
		"HTML":              {body(" <!doctype html><p>Sign in</p>"), "was asked"},
		"a wrong key":       {status(401, ``), "is from file /run/key (LLM_API_KEY_FILE); set the right one with LLM_API_KEY or LLM_API_KEY_FILE"},
		"a moved place":     {status(308, ``, "Location", "https://example.com/"), "redirect"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := client(t, model.Config{
				Provider: "openai", BaseURL: serve(t, row.answer).URL, Model: "qwen3", APIKey: key, Origins: origins,
			}).Complete(t.Context(), request)
			var f *verdict.Fault
			if !errors.As(err, &f) || !strings.Contains(f.Advice(), row.hint) || strings.Contains(f.Advice(), "rm") {
				t.Errorf("%v; advice %q", err, f.Advice())
			}
		})
	}
}
