package config_test

import (
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestServersOfAProgramAreThoseOfAFile(t *testing.T) {
	t.Parallel()
	given, err := config.NewServers("/srv", map[string]config.Spec{
		"kb":    {URL: "https://kb.example/mcp", Headers: map[string]string{"Authorization": "Bearer ${TOKEN}"}},
		"files": {Command: "serve", Args: []string{"--root", "data"}, Env: map[string]string{"TOKEN": "${TOKEN}"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	file, err := config.ParseServers("/srv/mcp.json", []byte(`{"mcpServers":{
		"kb":{"type":"http","url":"https://kb.example/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}},
		"files":{"command":"serve","args":["--root","data"],"env":{"TOKEN":"${TOKEN}"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"files", "kb"} {
		at, text := given.Place(name)
		if want, _ := file.Place(name); at != want || text == nil {
			t.Errorf("%s is elsewhere: %s", name, text)
		}
	}
	vault := func(name string) (string, bool) { return "s3cret", name == "TOKEN" }
	servers, err := given.Resolve(vault, nil, []string{"kb"})
	if err != nil || servers[0].Headers["Authorization"] != "Bearer s3cret" {
		t.Errorf("%+v, %v", servers, err)
	}
}

func TestServersOfAProgramAreRefusedWhole(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		dir  string
		spec config.Spec
	}{
		"a relative directory": {"srv", config.Spec{URL: "https://kb.example/mcp"}},
		"no directory":         {"", config.Spec{URL: "https://kb.example/mcp"}},
		"neither":              {"/srv", config.Spec{}},
		"both":                 {"/srv", config.Spec{URL: "https://kb.example/mcp", Command: "serve"}},
	} {
		s, err := config.NewServers(c.dir, map[string]config.Spec{"kb": c.spec, "good": {Command: "serve"}})
		if verdict.CodeOf(err) != verdict.ConfigInvalid || len(s.Names()) > 0 {
			t.Errorf("%s: %v, %v", name, s.Names(), err)
		}
	}
}
