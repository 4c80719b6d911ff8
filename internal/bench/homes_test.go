//go:build bench

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// server is the command of a server and the tools that the allowlist names.
type server struct {
	command string
	args    []string
	tools   []string
}

// home is a folder of ask or of base with these servers, all of them approved.
func home(b *testing.B, name string, servers map[string]server) string {
	b.Helper()
	dir := b.TempDir()
	entries, allowed := map[string]any{}, map[string]any{}
	for server, s := range servers {
		entries[server] = map[string]any{"command": s.command, "args": s.args, "env": map[string]string{"NAME": server}}
		allowed[server] = map[string]any{"read": s.tools}
	}
	for file, value := range map[string]any{"mcp.json": map[string]any{"mcpServers": entries}, "allowlist.json": allowed} {
		text, err := json.Marshal(value)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, file), text, 0o600)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	approve(b, name, dir)
	return dir
}

// approvers are test programs of the two trees, by the names of their asks.
var approvers sync.Map

// approve approves the servers of a home, by the code of the program that is to use it.
func approve(b *testing.B, name, home string) {
	b.Helper()
	program, known := approvers.Load(name)
	if !known {
		tree, folder := root, clitest
		if name == "base" {
			tree, _ = baseTree() // its program is there
			folder = baseClitest
		}
		program = filepath.Join(made, "home-"+name+".test")
		if err := command(tree, goCommand(), "test", "-c", "-trimpath", "-tags", "bench", "-o", program.(string), "./"+folder); err != nil {
			b.Fatal(err)
		}
		approvers.Store(name, program)
	}
	cmd := exec.CommandContext(b.Context(), program.(string), "-test.run", "^TestHome$")
	cmd.Env, cmd.Dir = append(os.Environ(), "BENCH_HOME="+home), home
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("the servers of %s are not approved: %v: %s", home, err, out)
	}
}

var (
	verbs = strings.Fields("list search create close archive export assign merge publish rename")
	nouns = strings.Fields("invoice branch customer document shipment meeting release contract sensor playlist vendor backup")
)

// listing is a file with n tools of the size that real ones have at the median. The
// first is get_ticket. It also returns their names.
func listing(b *testing.B, seed, n int) (file string, names []string) {
	b.Helper()
	var tools []any
	for i := range n {
		verb, noun := verbs[(seed+i)%len(verbs)], nouns[(seed+i/len(verbs))%len(nouns)]
		name, argument := fmt.Sprintf("%s_%s_%d_%d", verb, noun, seed, i), "id"
		if i == 0 && seed == 0 {
			name, verb, noun, argument = "get_ticket", "get", "ticket", "number"
		}
		names = append(names, name)
		tools = append(tools, map[string]any{
			"name":        name,
			"description": fmt.Sprintf("Can %s one %s. ", verb, noun) + strings.Repeat("What it is for, in some words. ", 5),
			"inputSchema": map[string]any{
				"type": "object", "required": []string{argument}, "additionalProperties": false,
				"properties": map[string]any{
					argument: map[string]any{"type": "string", "description": "The " + argument + " of the " + noun + ". " + strings.Repeat("What it takes. ", 28)},
					"limit":  map[string]any{"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
				},
			},
		})
	}
	text, err := json.Marshal(tools)
	if err != nil {
		b.Fatal(err)
	}
	file = filepath.Join(b.TempDir(), "tools.json")
	if err := os.WriteFile(file, bytes.TrimSpace(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return file, names
}

// listed is a server that answers at once and lists n tools.
func listed(b *testing.B, seed, n int) server {
	b.Helper()
	file, names := listing(b, seed, n)
	return server{command: fast(b), args: []string{file}, tools: names}
}

// fast is a small server in Go, which answers at once.
func fast(b *testing.B) string { b.Helper(); return built(b, "host/launch/testdata/stdio") }
