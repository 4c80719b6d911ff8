package config

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/session"
)

// OAuth is an entry's "oauth" member: what its operator knows of the server's
// login. Most entries need none.
type OAuth struct {
	ClientID     string   `json:"clientId,omitempty"`
	ClientSecret string   `json:"clientSecret,omitempty"`
	Issuer       string   `json:"issuer,omitempty"`
	Scopes       []string `json:"scopes,omitempty"`
	CallbackPort int      `json:"callbackPort,omitempty" validate:"gte=0,lte=65535"`
	Grant        string   `json:"grant,omitempty" validate:"omitempty,oneof=client_credentials"`
}

// oauthSpelled are the names that clients have for the members: opencode, Cursor.
var oauthSpelled = map[string]string{"scope": "scopes", "CLIENT_ID": "clientId", "CLIENT_SECRET": "clientSecret"}

// UnmarshalJSON takes the object; false, as opencode writes that a server has no
// login; and scopes as a list, or as one text.
func (o *OAuth) UnmarshalJSON(b []byte) error {
	if k := jsontext.Value(b).Kind(); k == 'f' || k == 't' {
		return nil
	}
	members, err := schema.Members(b)
	if err != nil {
		return errors.New("oauth is not an object")
	}
	type plain OAuth
	common := map[string]jsontext.Value{}
	for _, m := range members {
		name := m.Name
		if is := oauthSpelled[name]; is != "" {
			name = is
		}
		if name == "scopes" && m.Value.Kind() == '"' {
			text, _ := jsontext.AppendUnquote(nil, m.Value)
			m.Value, _ = json.Marshal(strings.Fields(string(text)))
		}
		if common[name] != nil {
			return errors.New("oauth says " + name + " twice")
		}
		common[name] = m.Value
	}
	text, err := json.Marshal(common)
	if err != nil {
		return err
	}
	return schema.DecodeOpen(text, (*plain)(o), serversLimits)
}

func (o *OAuth) session() session.OAuth {
	if o == nil {
		return session.OAuth{}
	}
	return session.OAuth{
		ClientID: o.ClientID, ClientSecret: o.ClientSecret, Issuer: o.Issuer, Scopes: slices.Clone(o.Scopes), CallbackPort: o.CallbackPort, Grant: o.Grant,
	}
}

// fields are the texts in which a variable can stand.
func (o *OAuth) fields() [][2]string {
	if o == nil {
		return nil
	}
	return [][2]string{{"oauth.clientId", o.ClientID}, {"oauth.clientSecret", o.ClientSecret}, {"oauth.issuer", o.Issuer}}
}

// mapped is a copy with another text for each of them.
func (o *OAuth) mapped(to func(field, text string) string) *OAuth {
	if o == nil {
		return nil
	}
	is := *o
	is.ClientID, is.ClientSecret, is.Issuer = to("oauth.clientId", o.ClientID), to("oauth.clientSecret", o.ClientSecret), to("oauth.issuer", o.Issuer)
	return &is
}
