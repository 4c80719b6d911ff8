package session_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// printed are what servers print in the middle of a call. Each is sent by itself too.
var printed = []string{
	"info: Azure.Mcp.Core[0]", "      calling now", "", "[12:30:05] done", "[info] {\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{}}", "42", "null", `"text"`,
	"DEBUG {\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"content\":[]}}", "\x1b[32mok\x1b[0m", "\xff\xfe",
}

func (f *fake) call(m message, send func(string), result reply, refuse func(int, string)) {
	text := `{"content":[{"type":"text","text":"done"}]}`
	switch f.mode {
	case "silent call":
		return
	case "answers when told, deaf meanwhile":
		told(f.log)
	case "late call":
		told(f.log)
	case "exit on call":
		f.end(6)
		return
	case "grows on call":
		f.mu.Lock()
		f.tools = `,{"name":"late","inputSchema":{"type":"object"}},{"name":"a/b"}`
		f.mu.Unlock()
		send(changed)
	case "banner on call":
		send("calling now")
	case "prints on call":
		for _, line := range printed {
			send(strings.ReplaceAll(line, "ID", string(m.ID)))
		}
	case "prints for ever on call":
		for range 10_000 {
			send("still calling")
		}
	case "reports on call":
		for _, line := range []string{
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"call-1","progress":3,"total":10,"message":"reading\u001b[2J` + secret + `"}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"call-1","progress":4}}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"kb","data":{"a":"` + strings.Repeat("x", 1000) + `"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"two\nlines"}}`,
			`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b"}}`,
		} {
			send(line)
		}
	case "answers for ever without an id":
		for range 1100 {
			send(`{"jsonrpc":"2.0","result":{}}`)
		}
		return
	case "prints 1 MiB on call":
		send(strings.Repeat("calling ", 1<<17))
	case "tells":
		result, _ := os.ReadFile(f.log + ".result")
		text = strings.ReplaceAll(string(result), "SECRET", os.Getenv("FAKE_SECRET"))
	case "call refused":
		refuse(-32602, "the text is bad: "+os.Getenv("FAKE_SECRET"))
		return
	case "result of 20 MiB":
		text = `{"content":[{"type":"text","text":"` + strings.Repeat("x", 20<<20) + `"}]}`
	case "result not UTF-8":
		text = "{\"content\":[{\"type\":\"text\",\"text\":\"a\xff\"}]}"
	case "result with a key twice":
		text = `{"content":[],"content":[{"type":"text","text":"done"}]}`
	case "result with 1e400":
		text = `{"content":[{"type":"text","text":"done"}],"structuredContent":{"n":1e400}}`
	case "result 100 deep":
		text = `{"content":[],"structuredContent":` + deep(100) + `}`
	case "result 2000 deep":
		text = `{"content":[],"structuredContent":` + deep(2000) + `}`
	case "result with a big integer":
		text = `{"content":[{"type":"text","text":"9007199254740993"}],"structuredContent":{"n":9007199254740993}}`
	case "result is null":
		text = `null`
	case "input required ten times":
		text = `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"your password?","requestedSchema":{"type":"object","properties":{}}}}},"requestState":"s"}`
	case "answers twice":
		result(`%s`, text)
		text = `{"content":[{"type":"text","text":"done, again"}]}`
	case "pings":
		send(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
		text = `{"content":[{"type":"text","text":` + quoted(<-f.replies) + `}]}`
	case "elicits and goes on", "samples and gives up", "asks for roots and falls silent":
		f.ask(result, send)
		return
	case "asks for ever":
		for i := range 1000 {
			send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d","method":"roots/list"}`, i))
		}
		return
	}
	if line, ok := strings.CutPrefix(f.mode, "prints on call: "); ok {
		send(strings.ReplaceAll(line, "ID", string(m.ID)))
	}
	result("%s", text)
}

func (f *fake) ask(result reply, send func(string)) {
	method := map[string]string{
		"elicits and goes on":             `"elicitation/create","params":{"message":"your password?","requestedSchema":{"type":"object","properties":{}}}`,
		"samples and gives up":            `"sampling/createMessage","params":{"messages":[],"maxTokens":1}`,
		"asks for roots and falls silent": `"roots/list"`,
	}[f.mode]
	send(`{"jsonrpc":"2.0","id":"ours","method":` + method + `}`)
	said := quoted(<-f.replies)
	switch f.mode {
	case "elicits and goes on":
		result(`{"content":[{"type":"text","text":%s}]}`, said)
	case "samples and gives up":
		result(`{"content":[{"type":"text","text":%s}],"isError":true}`, said)
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
