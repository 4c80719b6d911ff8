package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

const stating = `{"mcpServers":{"kb":{"url":"https://kb.example/mcp","oauth":{"clientId":"c","issuer":"https://issuer.example","pkce":"S256"}}}}`

// What a file states of a login is the operator's word in the operator's own file alone.
func TestAStatementOfALoginIsOfTheOperatorsOwnFile(t *testing.T) {
	t.Parallel()
	s, err := config.ParseServers("/srv/mcp.json", []byte(stating))
	if err != nil {
		t.Fatal(err)
	}
	for own, s := range map[bool]config.Servers{false: s, true: s.Own()} {
		all, err := s.Resolve(nil, nil, []string{"kb"})
		if err != nil || all[0].OAuth.Own != own || all[0].OAuth.Issuer == "" || all[0].OAuth.PKCE != "S256" {
			t.Errorf("own %v: %+v, %v", own, all[0].OAuth, err)
		}
		spec, _ := s.Copied("kb")
		if is := *spec.OAuth; is.ClientID != "c" || (is.Issuer != "") != own || (is.PKCE != "") != own {
			t.Errorf("own %v: copied as %+v", own, is)
		}
		if said := s.Unstated("kb"); slices.Equal(said, []string{"oauth.issuer", "oauth.pkce"}) == own {
			t.Errorf("own %v: left out %q", own, said)
		}
	}
	programs, err := config.NewServers("/srv", map[string]config.Spec{"kb": {URL: "https://kb.example/mcp", OAuth: &config.OAuth{Issuer: "https://issuer.example"}}})
	if err != nil {
		t.Fatal(err)
	}
	if all, err := programs.Resolve(nil, nil, []string{"kb"}); err != nil || !all[0].OAuth.Own {
		t.Errorf("a program's own servers: %+v, %v", all, err)
	}
}

func TestWhichServersFileIsTheOperatorsOwn(t *testing.T) {
	t.Parallel()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	env := environ("HOME", "/home/me")
	for _, row := range []struct {
		path string
		kind config.Kind
		own  bool
	}{
		{"/home/me/.config/onestep/mcp.json", config.FromDefault, true},
		{filepath.Join(dir, "mcp.json"), config.FromDefault, true}, // the configuration directory is the working directory
		{"/etc/servers.json", config.FromFile, true},
		{"/etc/servers.json", config.FromFlag, true},
		{"/home/me/.cursor/mcp.json", config.FromVariable, true},
		{"/home/me/.claude.json", config.FromFile, true},
		{filepath.Join(dir, "servers.json"), config.FromFlag, false},
		{filepath.Join(dir, "below", "servers.json"), config.FromVariable, false},
		{"/home/me/code/project/.mcp.json", config.FromFile, false},
		{"/home/me/code/project/.cursor/mcp.json", config.FromFlag, false},
		{"/home/me/code/project/.vscode/mcp.json", config.FromDefault, false},
		{"/home/me/code/project/opencode.json", config.FromVariable, false},
	} {
		file := config.Value[string]{V: row.path, Origin: config.Origin{Kind: row.kind, Name: "servers"}}
		if got := config.OwnFile(file, env); got != row.own {
			t.Errorf("%s (%v): %v", row.path, row.kind, got)
		}
	}
}

func TestTheAddressOfAnIssuersDocumentNamesTheIssuer(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://as.example/.well-known/oauth-authorization-server":     "https://as.example",
		"https://as.example/.well-known/oauth-authorization-server/t/1": "https://as.example/t/1",
		"https://as.example/.well-known/openid-configuration":           "https://as.example",
		"https://as.example/.well-known/openid-configuration/t":         "https://as.example/t",
		"https://as.example:8443/t/.well-known/openid-configuration":    "https://as.example:8443/t",
		"https://as.example/t/.well-known/oauth-authorization-server":   "https://as.example/t",
		"https://as.example/":                                               "",
		"https://as.example/metadata.json":                                  "",
		"https://as.example/.well-known/openid-configurations":              "",
		"https://as.example/.well-known/openid-configuration?t=1":           "",
		"https://as.example/.well-known/openid-configuration#x":             "",
		"https://a:b@as.example/.well-known/openid-configuration":           "",
		"/.well-known/openid-configuration":                                 "",
		"https://as.example/x/.well-known/oauth-authorization-server/t/../": "",
	} {
		got, err := oauthOf(t, `"oauth":{"authServerMetadataUrl":"`+address+`"}`)
		if got.OAuth.Issuer != want || (want == "") != (verdict.CodeOf(err) == verdict.ConfigInvalid) {
			t.Errorf("%s: %q, %v", address, got.OAuth.Issuer, err)
		}
		if err != nil && !strings.Contains(err.Error(), "authServerMetadataUrl is ") {
			t.Errorf("%s: the reason is left out: %v", address, err)
		}
	}
	for oauth, want := range map[string]string{
		`"oauth":{"authServerMetadataUrl":7}`:  "authServerMetadataUrl is not a text at /oauth",
		`"oauth":[]`:                           "oauth is not an object",
		`"oauth":{"scope":"a","scopes":["a"]}`: "scope and scopes say the same thing",
		`"oauth":{"clientId":7}`:               "at /oauth/clientId",
	} {
		if _, err := oauthOf(t, oauth); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", oauth, err)
		}
	}
	if _, err := oauthOf(t, `"oauth":{"issuer":"https://as.example","authServerMetadataUrl":"https://as.example/.well-known/openid-configuration"}`); verdict.CodeOf(err) != verdict.ConfigInvalid {
		t.Errorf("the issuer is said twice: %v", err)
	}
}
