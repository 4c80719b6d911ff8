package logintest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// serveMCP is the protected server.
func (s *Server) serveMCP(w http.ResponseWriter, r *http.Request) {
	if s.enter(w, r) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	const wellKnown = "/.well-known/oauth-protected-resource"
	at := map[string]string{"": "/described", "path": wellKnown + "/mcp", "root": wellKnown}[s.options.At]
	switch r.URL.Path {
	case at:
		s.reply(w, "resource", http.StatusOK, map[string]any{"resource": s.URL(), "authorization_servers": []string{s.Issuer()}, "unknown": true})
	case "/mcp":
		s.protected(w, r)
	default:
		http.NotFound(w, r)
	}
}

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	} `json:"params"`
}

func (s *Server) protected(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		status := http.StatusMethodNotAllowed
		if r.Method == http.MethodDelete {
			status = http.StatusNoContent
		}
		w.WriteHeader(status)
		return
	}
	var q request
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	starts := q.Method == "initialize" || strings.HasPrefix(q.Method, "notifications/")
	open := s.options.Open == "all" || s.options.Open == "initialize" && starts
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	a := s.access[token]
	switch live := a != nil && s.clock().Before(a.expires); {
	case !live && !open:
		s.challenge(w, http.StatusUnauthorized, "")
	case q.Method == "tools/call" && a != nil && !has(a.scope, s.options.Needs[q.Params.Name]):
		s.challenge(w, http.StatusForbidden, s.options.Needs[q.Params.Name])
	default:
		s.answer(w, q)
	}
}

func (s *Server) challenge(w http.ResponseWriter, status int, scope string) {
	parts := []string{`realm="test"`}
	if s.options.At == "" {
		parts = append(parts, fmt.Sprintf("resource_metadata=%q", s.mcp+"/described"))
	}
	if scope != "" {
		parts = append(parts, `error="insufficient_scope"`, fmt.Sprintf("scope=%q", scope))
	} else if len(s.options.Scopes) > 0 {
		parts = append(parts, fmt.Sprintf("scope=%q", strings.Join(s.options.Scopes, " ")))
	}
	w.Header().Set("WWW-Authenticate", "Bearer "+strings.Join(parts, ", "))
	w.WriteHeader(status)
}

// answer answers a request with a login. The server has a tool that repeats its argument,
// and a tool that changes something.
func (s *Server) answer(w http.ResponseWriter, q request) {
	s.counts[q.Method]++
	result := map[string]any{}
	switch q.Method {
	case "initialize":
		result = map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": "protected", "version": "1"}}
	case "tools/list":
		result = map[string]any{"tools": []any{tool("echo", true), tool("change", false)}}
	case "tools/call":
		s.counts[fmt.Sprint(q.Params.Name, " ", q.Params.Arguments["text"])]++
		result = map[string]any{"content": []any{map[string]any{"type": "text", "text": fmt.Sprint(q.Params.Arguments["text"])}}}
	}
	if q.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": q.ID, "result": result})
}

func tool(name string, reads bool) map[string]any {
	return map[string]any{
		"name": name, "description": "Repeats a text.", "annotations": map[string]any{"readOnlyHint": reads},
		"inputSchema": map[string]any{"type": "object", "properties": map[string]any{"text": map[string]any{"type": "string"}}, "required": []string{"text"}},
	}
}
