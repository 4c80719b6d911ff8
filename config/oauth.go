package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/session"
)

// OAuth is an entry's "oauth" member: what the operator states about the server's login. Most
// entries need none.
type OAuth struct {
	ClientID     string   `json:"clientId,omitempty"`
	ClientSecret string   `json:"clientSecret,omitempty"`
	Issuer       string   `json:"issuer,omitempty"`
	PKCE         string   `json:"pkce,omitempty" validate:"omitempty,oneof=S256"`
	Scopes       []string `json:"scopes,omitempty"`
	CallbackPort int      `json:"callbackPort,omitempty" validate:"gte=0,lte=65535"`
	Grant        string   `json:"grant,omitempty" validate:"omitempty,oneof=client_credentials"`
}

// oauthSpelled maps opencode's and Cursor's spellings to the names of members.
var oauthSpelled = map[string]string{"scope": "scopes", "CLIENT_ID": "clientId", "CLIENT_SECRET": "clientSecret"}

// metadataURL is Claude Code's member for the address of the issuer's metadata document.
const metadataURL = "authServerMetadataUrl"

// issuerOf is the issuer for the well-known address of its metadata document (RFC 8414,
// section 3; OpenID Connect Discovery, section 4).
func issuerOf(address string) (string, error) {
	u, err := url.Parse(address)
	notOne := unfit(metadataURL + " is not the address of a document")
	switch {
	case err != nil, strings.ContainsAny(address, "?#"):
		return "", notOne
	case u.Host == "", u.User != nil:
		return "", notOne
	}
	const oauth, openID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	path := u.EscapedPath()
	for _, wellKnown := range []string{oauth, openID} {
		if rest, is := strings.CutPrefix(path, wellKnown); is && (rest == "" || rest[0] == '/') {
			return u.Scheme + "://" + u.Host + rest, nil
		}
		if rest, is := strings.CutSuffix(path, wellKnown); is {
			return u.Scheme + "://" + u.Host + rest, nil
		}
	}
	return "", unfit(metadataURL + " is at no well-known address (RFC 8414, section 3): write the issuer as \"issuer\" instead")
}

// unfit is an error with a reason that the reader of the whole entry repeats.
func unfit(why string) error { return &schema.Error{Fault: schema.Misfit, Detail: why} }

// respelled gives a member the name and the form that onestep uses.
func respelled(m schema.Member) (schema.Member, error) {
	if is := oauthSpelled[m.Name]; is != "" {
		m.Name = is
	}
	switch text := m.Value.Kind() == '"'; {
	case m.Name == metadataURL && !text:
		return m, unfit(metadataURL + " is not a text")
	case m.Name != metadataURL && m.Name != "scopes", !text:
		return m, nil
	}
	text, err := jsontext.AppendUnquote(nil, m.Value)
	if err != nil {
		return m, err
	}
	if m.Name == "scopes" {
		m.Value, err = json.Marshal(strings.Fields(string(text)))
		return m, err
	}
	issuer, err := issuerOf(string(text))
	if err != nil {
		return m, err
	}
	m.Name = "issuer"
	m.Value, err = json.Marshal(issuer)
	return m, err
}

// UnmarshalJSON accepts an object, or opencode's false for a server without a login. Scopes
// may be a list or one text.
func (o *OAuth) UnmarshalJSON(b []byte) error {
	if k := jsontext.Value(b).Kind(); k == 'f' || k == 't' {
		return nil
	}
	members, err := schema.Members(b)
	if err != nil {
		return unfit("oauth is not an object")
	}
	type plain OAuth
	common, was := map[string]jsontext.Value{}, map[string]string{}
	for _, written := range members {
		m, err := respelled(written)
		if err != nil {
			return err
		}
		if before, twice := was[m.Name]; twice {
			return unfit(fmt.Sprintf("in oauth, %s and %s say the same thing: keep one", escape.Line(before, 64), escape.Line(written.Name, 64)))
		}
		common[m.Name], was[m.Name] = m.Value, written.Name
	}
	text, err := json.Marshal(common)
	if err != nil {
		return err
	}
	return schema.DecodeOpen(text, (*plain)(o), serversLimits)
}

// session is the configuration of a login. own reports that the entry is in the operator's
// own file.
func (o *OAuth) session(own bool) session.OAuth {
	if o == nil {
		return session.OAuth{}
	}
	return session.OAuth{
		PKCE: o.PKCE, Own: own,
		ClientID: o.ClientID, ClientSecret: o.ClientSecret, Issuer: o.Issuer, Scopes: slices.Clone(o.Scopes), CallbackPort: o.CallbackPort, Grant: o.Grant,
	}
}

// mapped is a copy with each text replaced that may contain a variable.
func (o *OAuth) mapped(to func(field, text string) string) *OAuth {
	if o == nil {
		return nil
	}
	is := *o
	is.ClientID, is.ClientSecret, is.Issuer = to("oauth.clientId", o.ClientID), to("oauth.clientSecret", o.ClientSecret), to("oauth.issuer", o.Issuer)
	return &is
}
