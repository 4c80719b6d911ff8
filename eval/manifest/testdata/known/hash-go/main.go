// Command hash hashes a text. os.ReadFile and http.Get are not called.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
)

const (
	name  = "hash"
	tools = `[
  {
    "name": "hash",
    "description": "The SHA-256 of a text.",
    "inputSchema": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "text": {
          "type": "string",
          "description": "the text"
        }
      },
      "required": [
        "text"
      ]
    }
  }
]`
)

type shelf struct{ books map[string]string }

func (s shelf) ReadFile(name string) string { return s.books[name] }

func (s shelf) Remove(name string) { delete(s.books, name) }

func call(_ string, args map[string]string) (string, error) {
	http := shelf{map[string]string{"exec.Command": args["text"]}}
	text := http.ReadFile("exec.Command")
	http.Remove("exec.Command")
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text))), nil
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
