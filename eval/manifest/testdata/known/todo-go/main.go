// Command todo keeps a list in a file.
package main

import (
	"encoding/json"
	"os"
	"strings"
)

const (
	name  = "todo"
	tools = `[
  {
    "name": "list",
    "description": "Lists what is to be done.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {},
      "required": []
    }
  },
  {
    "name": "add",
    "description": "Adds a line.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "line": {
          "type": "string",
          "description": "what is to be done"
        }
      },
      "required": [
        "line"
      ]
    }
  }
]`
)

func call(tool string, args map[string]string) (string, error) {
	file := os.Args[1] + "/todo.txt"
	b, err := os.ReadFile(file)
	if err != nil || tool == "list" {
		return strings.TrimSpace(string(b)), err
	}
	b = append(b, args["line"]+"\n"...)
	if err := os.WriteFile(file+".new", b, 0o600); err != nil {
		return "", err
	}
	return "added", os.Rename(file+".new", file)
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
