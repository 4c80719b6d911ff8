package config_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
)

// What only a shell reads in a command is named, with the entry that works; a plain
// command, also one with a space in its path, has nothing of a shell.
func TestTheSyntaxOfAShellInACommandIsNamed(t *testing.T) {
	t.Parallel()
	env := config.Environ(func(name string) (string, bool) { return "/home/u", name == "HOME" })
	for entry, want := range map[string]string{
		`"command":"x"`: "",
		`"command":"x","args":["a b","~user","$5"]`: "",
		`"command":"/bin/x","args":["--a=~/b"]`:     "",
		`"command":"sh","args":["-c","cd / && x"]`:  "",
		`"command":"${HOME}/bin/x"`:                 "",
		`"command":"npx -y x --flag"`:               `command holds a whole line, and is the name of a program: write "command": "npx", "args": ["-y", "x", "--flag"]`,
		`"command":"npx -y","args":["x"]`:           `write "command": "npx", "args": ["-y", "x"]`,
		`"command":"~/bin/x"`:                       `no shell reads the command: write "command": "/home/u/bin/x", "args": []`,
		`"command":"~/bin/x --flag"`:                `write "command": "/home/u/bin/x", "args": ["--flag"]`,
		`"command":"$HOME/bin/x"`:                   `write "command": "/home/u/bin/x"`,
		`"command":"$TOOLS/x"`:                      `write "command": "${TOOLS}/x"`,
		`"command":"'/opt/a b/x'"`:                  `write "command": "/opt/a b/x"`,
		`"command":"x","args":["$HOME/a","~/b"]`:    `no shell reads the arguments: write "command": "x", "args": ["/home/u/a", "/home/u/b"]`,
		`"command":"x","args":["'a'"]`:              `write "command": "x", "args": ["a"]`,
		`"command":"x","args":["a","|","tee","b"]`:  `write "command": "sh", "args": ["-c", "x a | tee b"]`,
		`"command":"bash","args":["cd / && x"]`:     `a shell reads a line after -c: write "command": "bash", "args": ["-c", "cd / && x"]`,
		`"command":"FOO=1 BAR='a b' python3 x.py"`:  `write "command": "python3", "args": ["x.py"], "env": {"BAR": "a b", "FOO": "1"}`,
		`"command":"TOKEN=hunter-22-hunter x"`:      `write "command": "x", "args": [], "env": {"TOKEN": "[redacted:assigned-secret]"}`,
		`"command":"   "`:                           "",
		`"command":"x '/opt/a b/y' --n"`:            `write "command": "x", "args": ["/opt/a b/y", "--n"]`,
		`"command":"x it's"`:                        `write "command": "x", "args": ["it's"]`,
		`"command":"cd '/a b' && x"`:                `write "command": "sh", "args": ["-c", "cd '/a b' && x"]`,
		`"command":"x --api-key hunter-22-hunter"`:  `"--api-key", "[redacted:assigned-secret]"`,
	} {
		s, err := config.ParseServers("/h/mcp.json", []byte(`{"mcpServers":{"a":{`+entry+`}}}`))
		if err != nil {
			t.Fatal(err)
		}
		all, err := s.Resolve(env, nil, []string{"a"})
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v", entry, err)
		}
		if got := all[0].Unread; !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", entry, got, want)
		}
	}
}
