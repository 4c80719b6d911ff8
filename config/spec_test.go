package config_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
)

func TestASecretInPlainSightIsSeenByItsName(t *testing.T) {
	t.Parallel()
	env := func(name, text string) config.Spec {
		return config.Spec{Command: "x", Env: map[string]string{name: text}}
	}
	header := func(name, text string) config.Spec {
		return config.Spec{URL: "https://h", Headers: map[string]string{name: text}}
	}
	args := func(args ...string) config.Spec { return config.Spec{Command: "x", Args: args} }
	for field, specs := range map[string][]config.Spec{
		"env.GITHUB_TOKEN": {env("GITHUB_TOKEN", "ghp_0000"), env("GITHUB_TOKEN", "${A}ghp_0000")},
		"env.apiKey":       {env("apiKey", "0000-1111")},
		"env.DB_PASSWORD":  {env("DB_PASSWORD", "letmein")},
		"env.DATABASE_URL": {env("DATABASE_URL", "postgres://u:letmein@h/db")},
		"headers.Authorization": {
			header("Authorization", "Bearer abcdef"), header("Authorization", "Basic dTpw"), header("Authorization", "abcdef"),
		},
		"headers.X-Api-Key": {header("X-Api-Key", "abcdef")},
		"url":               {{URL: "https://u:p@h/mcp"}, {URL: "https://h/mcp?api_key=abcdef"}},
		"args[1]":           {args("--token", "abcdef"), args("--header", "Authorization: Bearer abcdef"), args("-y", "postgresql://u:p@h/db")},
		"args[0]":           {args("--api-key=abcdef"), args("--first=ghp_" + strings.Repeat("A1b2", 9))},
	} {
		for _, s := range specs {
			if got := s.Secrets(); len(got) != 1 || got[0] != field {
				t.Errorf("%+v: %v, want %s", s, got, field)
			}
			if got := fmt.Sprint(s.Concealed()); !strings.Contains(got, "[redacted") || regexp.MustCompile(`ghp_|0000-|letmein|abcdef|dTpw|u:p@`).MatchString(got) {
				t.Errorf("%+v is shown as %s", s, got)
			}
		}
	}
	for _, s := range []config.Spec{
		env("GITHUB_TOKEN", "${GITHUB_TOKEN}"), env("TOKEN", "${A:-}"), env("AUTH_MODE", "none"), env("USE_TOKEN", "true"), env("MAX_TOKENS", "16384"),
		env("TOKEN_FILE", "/run/secrets/t"), env("SSH_AUTH_SOCK", "/run/ssh"), env("LOG_LEVEL", "debug"), env("DATABASE_URL", "postgres://u@h/db"),
		env("DATABASE_URL", "postgres://u:${PASSWORD}@h/db"), env("KEYBOARD", "qwerty"), env("AUTHOR_URL", "https://h"),
		header("Authorization", "Bearer ${T}"), header("Accept", "text/html"),
		{URL: "https://h/mcp?q=1"},
		{URL: "https://h/mcp?token=${T}"},
		args("--token", "--verbose"), args("--token=${T}"), args("--header", "Authorization: Bearer ${T}"), args("-y", "pkg@1.2.3"), args("/srv/tokens"),
	} {
		if got := s.Secrets(); got != nil {
			t.Errorf("%+v: %v", s, got)
		}
		if got := s.Concealed(); !reflect.DeepEqual(got.Headers, s.Headers) {
			t.Errorf("%+v is shown as %+v", s, got)
		}
	}
}

func TestWhatOnlyItsOwnFileExplainsIsWrittenOutInACopy(t *testing.T) {
	t.Parallel()
	s, err := config.ParseServers(filepath.FromSlash("/srv/p/.vscode/mcp.json"), []byte(`{"inputs":[{"id":"gh.token","type":"promptString","password":true}],"servers":{
		"a":{"command":"npx","args":["-y","${workspaceFolder}/x","${env:HOME}"],"env":{"T":"${input:gh.token}","E":"${env:E}"}},
		"b":{"command":"./serve"},"c":{"command":"x","cwd":"sub"},"d":{"type":"streamable-http","url":"https://h","headers":{"A":"${A:-b}"}},
		"e":{"command":"python","args":["../s.py"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, there := s.Copied("nobody"); there {
		t.Error("a server that is not there is copied")
	}
	got, _ := s.Copied("a")
	if got.Args[1] != "/srv/p/x" || got.Args[2] != "${env:HOME}" || got.Env["T"] != "${ASK_INPUT_gh_token}" || got.Env["E"] != "${env:E}" || got.Dir != "" {
		t.Errorf("%+v", got)
	}
	got, _ = s.Copied("b")
	if got.Dir != "/srv/p/.vscode" || got.Command != "./serve" {
		t.Errorf("%+v", got)
	}
	got, _ = s.Copied("c")
	if got.Dir != "/srv/p/.vscode/sub" {
		t.Errorf("%+v", got)
	}
	got, _ = s.Copied("d")
	if got.Type != "http" || got.Headers["A"] != "${A:-b}" {
		t.Errorf("%+v", got)
	}
	if got, line, _ := s.Spec("c"); got.Dir != "sub" || line != 3 {
		t.Errorf("%+v, line %d", got, line)
	}
	got, _ = s.Copied("e")
	if got.Dir != "/srv/p/.vscode" {
		t.Errorf("%+v", got)
	}
}
