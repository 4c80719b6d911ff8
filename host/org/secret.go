package org

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/seal"
)

// named reports a secret that a spec or an authentication has, and does not name.
func (c Change) named() error {
	for _, o := range []*config.OAuth{c.Spec.OAuth, c.Auth.OAuth} {
		if o != nil && !slices.Contains([]string{"", "${" + AuthSecret + "}"}, o.ClientSecret) {
			return verdict.Deny(verdict.OrgInvalid, "the client secret of the server %.80q is sent in auth_config alone", c.Server)
		}
	}
	return nil
}

// use stores an agent's use of a server with its secrets. They are the new values, and the old
// values of names that still count.
func (t *tx) use(s Server, u Use, c Change) (Use, error) {
	if err := c.named(); err != nil {
		return Use{}, err
	}
	values, err := t.org.open(s, u)
	if err != nil {
		return Use{}, err
	}
	had := u.Auth
	kept := map[string]string{}
	for _, name := range c.Names {
		if v, given := c.Values[name]; given {
			kept[name] = v
		} else if v, has := values[name]; has && sameAuth(had, c.Auth, name) {
			kept[name] = v
		}
	}
	u.Enabled, u.Auth, u.Updated, u.Has, u.Secrets = c.Enabled, c.Auth, t.org.now(), nil, seal.Box{}
	for name := range kept {
		u.Has = append(u.Has, name)
	}
	slices.Sort(u.Has)
	if len(c.Values) > 0 {
		u.Approved = "" // such as another NODE_OPTIONS: it may run another program
	}
	if len(kept) > 0 {
		text, err := encode(kept, maxSecrets)
		if err != nil {
			return Use{}, unfit("secrets for the server", s.Name, err)
		}
		if u.Secrets, err = t.org.seal(s, u, text); err != nil {
			return Use{}, err
		}
	}
	if err := put(t, uses, u.Agent+"/"+u.Server, u); err != nil {
		return Use{}, err
	}
	if err := put(t, users, u.Server+"/"+u.Agent, u.Agent); err != nil {
		return Use{}, err
	}
	return u, t.touch(u.Agent)
}

// maxSecrets bounds the secrets of an agent for a server, as JSON.
const maxSecrets = 128 << 10

// sameAuth reports whether a secret may be kept: that of an authentication is for the same kind
// and the same issuer only.
func sameAuth(was, is Auth, name string) bool {
	if name != AuthSecret {
		return true
	}
	a, noA := json.Marshal(was, json.Deterministic(true))
	b, noB := json.Marshal(is, json.Deterministic(true))
	return noA == nil && noB == nil && bytes.Equal(a, b)
}

// thing binds secrets to an agent, to what is started or dialled, and to the authentication: its
// issuer gets a secret, too.
func thing(s Server, u Use) (seal.Thing, error) {
	auth, err := json.Marshal(u.Auth, json.Deterministic(true))
	to := s.binding()
	if err != nil || to == nil || s.Name != u.Server {
		return seal.Thing{}, unfit("secrets for the server", u.Server, errors.New("its address or its authentication is not a text"))
	}
	return seal.Thing{Kind: "use", Owner: u.Agent, Name: u.Server, Seen: append(append(to, '\n'), auth...)}, nil
}

func (o *Org) seal(s Server, u Use, text []byte) (seal.Box, error) {
	of, err := thing(s, u)
	if err != nil {
		return seal.Box{}, err
	}
	box, err := o.Keys.Seal(of, text)
	if err != nil {
		return seal.Box{}, verdict.Fail(verdict.OrgSecret, err, "the secrets of the agent %s for the server %s cannot be sealed: %v", u.Agent, u.Server, err)
	}
	return box, nil
}

func (o *Org) open(s Server, u Use) (map[string]string, error) {
	if len(u.Has) == 0 {
		return nil, nil //nolint:nilnil // it has no secrets
	}
	of, err := thing(s, u)
	if err != nil {
		return nil, err
	}
	text, err := o.Keys.Open(of, u.Secrets)
	if err != nil {
		return nil, verdict.Fail(verdict.OrgSecret, err, "the secrets of the agent %s for the server %s cannot be opened: %v", u.Agent, u.Server, err)
	}
	var values map[string]string
	err = schema.Decode(text, &values, limits)
	return values, err
}

// Secrets are the secrets of an agent's use of a server, by their names. They are for the
// connection alone.
func (o *Org) Secrets(s Server, u Use) (map[string]string, error) { return o.open(s, u) }
