// Command page gets a page of one site.
package main

import (
	"encoding/json"
	"io"
	web "net/http"
	"os"
)

const (
	name  = "page"
	tools = `[
  {
    "name": "get_page",
    "description": "Gets a page.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "path": {
          "type": "string",
          "description": "its path"
        }
      },
      "required": [
        "path"
      ]
    }
  }
]`
)

func call(_ string, args map[string]string) (string, error) {
	response, err := web.Get(os.Getenv("SITE") + args["path"])
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	b, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
	return string(b), err
}

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string            `json:"name"`
		Arguments map[string]string `json:"arguments"`
	} `json:"params"`
}

func answer(r request) any {
	switch r.Method {
	case "initialize":
		return map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]string{"name": name, "version": "1"}}
	case "tools/list":
		return map[string]any{"tools": json.RawMessage(tools)}
	case "tools/call":
		text, err := call(r.Params.Name, r.Params.Arguments)
		if err != nil {
			text = err.Error()
		}
		return map[string]any{"content": []any{map[string]string{"type": "text", "text": text}}, "isError": err != nil}
	}
	return nil
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var r request
		if in.Decode(&r) != nil {
			return
		}
		if r.ID == nil {
			continue
		}
		reply := map[string]any{"jsonrpc": "2.0", "id": r.ID}
		if reply["result"] = answer(r); reply["result"] == nil {
			delete(reply, "result")
			reply["error"] = map[string]any{"code": -32601, "message": "no such method"}
		}
		_ = out.Encode(reply)
	}
}
