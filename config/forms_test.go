package config_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/host/session"
)

// shown is a server in a line: what is started or dialled, and what it is given.
func shown(s session.Server) string {
	all := []string{s.Name}
	if s.Command != "" {
		all = append(append(all, s.Command), s.Args...)
	}
	if s.URL != "" {
		all = append(all, s.URL)
	}
	for _, table := range []map[string]string{s.Env, s.Headers} {
		for _, name := range slices.Sorted(maps.Keys(table)) {
			all = append(all, name+"="+table[name])
		}
	}
	return strings.Join(all, " ")
}

// The files of testdata/clients have the form that each client documents.
func TestAFileOfAnyClientIsReadUnchanged(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("testdata/clients")
	if err != nil {
		t.Fatal(err)
	}
	env := environ("HOME", "/home/ada", "TICKETS_TOKEN", "t1", "USERNAME_OF_TICKETS", "ada", "BUILD_TOKEN", "b1", "TOKEN", "w1", "DOCS_TOKEN", "d1",
		"FIGMA_TOKEN", "f1", "FIGMA_TEAM", "f2", "GITHUB_TOKEN", "g1", "ASK_INPUT_tickets_key", "k1", "ASK_INPUT_region", "us", "ASK_INPUT_k", "k2")
	for file, want := range map[string][]string{
		"claude-desktop.json": {"files npx -y @modelcontextprotocol/server-filesystem /srv/docs LOG_LEVEL=warn"},
		"amazon-q.json":       {"aws uvx awslabs.core-mcp-server@latest FASTMCP_LOG_LEVEL=ERROR"},
		"project/.mcp.json": {
			"notes " + root + "/project/bin/notes --root " + root + "/project",
			"tickets https://tickets.example.invalid/mcp Authorization=Bearer t1",
		},
		"project/.vscode/mcp.json": {
			"here " + root + "/project/bin/here project a/b a/b",
			"tickets npx -y tickets-mcp --region us HOME_DIR=/home/ada KEY=k1 USER_NAME=ada",
			"web https://web.example.invalid/mcp",
			"server asks (line 16) is left out: args[0] names the input login, which the file does not describe as a promptString or a pickString",
			"server dotenv (line 17) is left out: envFile is not read: write its variables under env",
		},
		"vscode-settings.json": {"search search-mcp KEY=k2"},
		"project/.cursor/mcp.json": {
			"build python " + root + "/project/tools/build_mcp.py TOKEN=b1",
			"remote https://build.example.invalid/sse X-Key=$BUILD_TOKEN",
			"server remote (line 4): headers.X-Key holds $BUILD_TOKEN, which is sent unchanged: only ${NAME} is replaced",
		},
		"windsurf.json": {"remote https://mcp.example.invalid/mcp Authorization=Bearer w1"},
		"gemini.json": {
			"python python3 -m server",
			"remote https://mcp.example.invalid/mcp",
			"server both (line 5) is left out: httpUrl and url say the same thing",
		},
		"zed.json": {
			"before before-mcp --stdio A=b",
			"now now-mcp --utc",
			"remote https://zed.example.invalid/mcp Authorization=Bearer x",
			"server extension (line 7) is left out: it is part of another client",
		},
		"codex.toml": {
			"docs npx -y docs-mcp --level=2 DOCS_TOKEN=d1 LEVEL=debug",
			"figma https://figma.example.invalid/mcp Authorization=Bearer f1 X-Region=us-east-1 X-Team=f2",
			`server empty (line 23) is left out: it needs a command (type "stdio") or else a url (type "http" or "sse")`,
		},
		"project/.continue/mcpServers/tools.yaml": {
			"Browser-search npx @playwright/mcp@latest",
			"local " + root + "/project/bin/local",
			"tickets https://tickets.example.invalid/mcp X-Region=eu",
			"server secret (line 15) is left out: env.KEY has a ${ that is neither ${NAME} nor ${NAME:-default}",
		},
		"goose.yaml": {
			"github npx -y @modelcontextprotocol/server-github DEBUG=true GITHUB_TOKEN=g1 PORT=8080",
			"remote https://goose.example.invalid/mcp",
			"server developer (line 4) is left out: it is part of another client",
		},
	} {
		s, err := config.LoadServers(filepath.Join(root, file))
		if err != nil {
			t.Error(err)
			continue
		}
		servers, err := s.Resolve(env, nil, s.Names())
		if err != nil {
			t.Error(err)
		}
		var got []string
		for _, server := range servers {
			if !strings.HasPrefix(server.Command, root) {
				server.Command = strings.TrimPrefix(filepath.Base(server.Command), ".") // as PATH has it, or has it not
			}
			got = append(got, shown(server))
		}
		for _, n := range s.Notes() {
			got = append(got, n.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s gives\n%s\nwant\n%s", file, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if n := countFiles(t, root); n != 12 {
		t.Errorf("%d files, and the table has 12", n)
	}
}

func countFiles(t *testing.T, root string) (n int) {
	t.Helper()
	err := filepath.WalkDir(root, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
