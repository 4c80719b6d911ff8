package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

func oauthOf(t *testing.T, member string, env ...string) (session.Server, error) {
	t.Helper()
	s, err := config.ParseServers("/srv/mcp.json", []byte(`{"mcpServers":{"kb":{"url":"https://kb.example/mcp",`+member+`}}}`))
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Resolve(environ(env...), nil, []string{"kb"})
	if len(all) != 1 {
		t.Fatalf("%d servers", len(all))
	}
	if err == nil {
		err = all[0].Wrong
	}
	return all[0], err
}

func TestAnEntrySaysWhatItKnowsOfTheLoginInAnyClientsSpelling(t *testing.T) {
	t.Parallel()
	for member, want := range map[string]session.OAuth{
		`"oauth":{"clientId":"c","callbackPort":8080,"scopes":"read write"}`:                                                 {ClientID: "c", CallbackPort: 8080, Scopes: []string{"read", "write"}},
		`"oauth":{"enabled":true,"clientId":"c","clientSecret":"${S}","scopes":["read"],"tokenUrl":"https://x.example"}`:     {ClientID: "c", ClientSecret: "hush", Scopes: []string{"read"}},
		`"oauth":{"clientId":"c","scope":"read"}`:                                                                            {ClientID: "c", Scopes: []string{"read"}},
		`"auth":{"CLIENT_ID":"c","CLIENT_SECRET":"${S}","scopes":["read"]}`:                                                  {ClientID: "c", ClientSecret: "hush", Scopes: []string{"read"}},
		`"oauth":{"issuer":"https://${HOST}","grant":"client_credentials","clientId":"${ID:-ci}","clientSecret":"${env:S}"}`: {ClientID: "ci", ClientSecret: "hush", Issuer: "https://issuer.example", Grant: "client_credentials"},
		`"oauth":false`: {}, `"oauth":true`: {}, `"oauth":{}`: {}, `"auth":"oauth"`: {}, `"auth":{"type":"bearer"}`: {}, `"headers":{}`: {},
	} {
		got, err := oauthOf(t, member, "S", "hush", "HOST", "issuer.example")
		is := got.OAuth
		if err != nil || is.ClientID != want.ClientID || is.ClientSecret != want.ClientSecret || is.Issuer != want.Issuer || is.CallbackPort != want.CallbackPort || is.Grant != want.Grant || !slices.Equal(is.Scopes, want.Scopes) {
			t.Errorf("%s: %+v, %v", member, is, err)
		}
	}
}

func TestAnOAuthMemberWithAMistakeIsLeftOut(t *testing.T) {
	t.Parallel()
	for _, member := range []string{
		`"oauth":"yes"`, `"oauth":[]`, `"oauth":{"clientId":7}`, `"oauth":{"callbackPort":70000}`, `"oauth":{"pkce":"plain"}`, `"oauth":{"pkce":true}`, `"oauth":{"authServerMetadataUrl":7}`, `"oauth":{"callbackPort":-1}`, `"oauth":{"grant":"password"}`, `"oauth":{"scopes":7}`,
		`"oauth":{"clientId":"a","CLIENT_ID":"b"}`, `"oauth":{"scope":"a","scopes":"b"}`,
	} {
		if got, err := oauthOf(t, member); verdict.CodeOf(err) != verdict.ConfigInvalid {
			t.Errorf("%s: %+v, %v", member, got.OAuth, err)
		}
	}
	if _, err := oauthOf(t, `"oauth":{"clientSecret":"${UNSET}"}`); verdict.CodeOf(err) != verdict.ConfigVariable || !strings.Contains(err.Error(), "oauth.clientSecret") {
		t.Error(err)
	}
}

// credential is a login by its identifier alone.
type credential struct {
	session.Credential
	id string
}

func (c credential) ID() string { return c.id }

func TestAnotherLoginIsAnotherEndpointAndARefreshedTokenIsNot(t *testing.T) {
	t.Parallel()
	s, err := config.ParseServers("/srv/mcp.json", []byte(`{"mcpServers":{"kb":{"url":"https://kb.example/mcp"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	of := func(c session.Credential) pin.Identity {
		return s.Identity(pin.Key{1}, session.Server{Name: "kb", URL: "https://kb.example/mcp", Credential: c})
	}
	if !of(credential{id: "me"}).Matches(of(credential{id: "me"})) {
		t.Error("one login is two endpoints")
	}
	if of(credential{id: "me"}).Matches(of(credential{id: "other"})) || of(nil).Matches(of(credential{id: "me"})) {
		t.Error("two logins are one endpoint")
	}
}
