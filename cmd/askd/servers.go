package main

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/host/org"
)

// server is an MCP server as an agent uses it. No secret is returned, only its name.
type server struct {
	Name      string     `json:"name"`
	Enabled   bool       `json:"enabled"`
	Transport string     `json:"transport_type" jsonschema:"stdio or http"`
	Endpoint  endpoint   `json:"endpoint_config"`
	Auth      authShown  `json:"auth_config"`
	Start     *start     `json:"start,omitempty" jsonschema:"of a server that is started here"`
	Number    int64      `json:"revision"`
	Created   time.Time  `json:"created_at"`
	Updated   time.Time  `json:"updated_at"`
	Connected *time.Time `json:"last_connected_at"`
}

// Revision is the ETag of a server.
func (s server) Revision() string { return strconv.FormatInt(s.Number, 10) }

// endpoint is where a server is. In an answer each value of env and headers, and each argument that
// is a secret, is the reference that keeps it.
type endpoint struct {
	Command    string            `json:"command,omitempty"`
	Args       []string          `json:"args,omitempty"`
	Env        map[string]string `json:"env,omitempty"`
	Dir        string            `json:"cwd,omitempty"`
	URL        string            `json:"url,omitempty"`
	Headers    map[string]string `json:"headers,omitempty"`
	Manifest   jsontext.Value    `json:"manifest,omitempty" jsonschema:"what a confined server needs"`
	Scopes     jsontext.Value    `json:"scopes,omitempty" jsonschema:"what the operator grants of it"`
	Unconfined string            `json:"unconfined,omitempty" jsonschema:"why a server that is started here is not confined"`
}

// auth is how an agent identifies itself at a server.
type auth struct {
	Type       string  `json:"type" jsonschema:"none, bearer_token or api_key"`
	Token      *string `json:"token,omitempty" jsonschema:"of bearer_token"`
	Key        *string `json:"api_key,omitempty" jsonschema:"of api_key"`
	Header     string  `json:"header,omitempty" jsonschema:"of api_key; X-API-Key if it is left out"`
	Configured *bool   `json:"configured,omitempty" jsonschema:"of an answer; it is not read"`
}

// authShown is the same without the secret.
type authShown struct {
	Type       string `json:"type"`
	Header     string `json:"header,omitempty"`
	Configured bool   `json:"configured" jsonschema:"it has its secret"`
}

// start is the command of a server that is started here.
type start struct {
	Command  string `json:"command"`
	Digest   string `json:"digest" jsonschema:"an approval is for exactly this command"`
	Approved bool   `json:"approved"`
	By       string `json:"approved_by,omitempty"`
}

// serverChange is a server that a caller adds or replaces.
type serverChange struct {
	Transport string   `json:"transport_type"`
	Endpoint  endpoint `json:"endpoint_config"`
	Auth      *auth    `json:"auth_config,omitempty"`
	Enabled   *bool    `json:"enabled,omitempty"`
	ForAll    bool     `json:"for_all,omitempty" jsonschema:"other agents use the server, and it changes for them, too"`
}

type newServer struct {
	Name string `json:"name"`
	serverChange
}

func (s *service) servers() []rest.Operation {
	const all, one = "/api/agents/{agent}/mcp-servers", "/api/agents/{agent}/mcp-servers/{server}"
	return []rest.Operation{
		rest.List(reads("GET "+all, "listServers", "List the servers of an agent"), "mcp_servers", s.listServers),
		rest.Do(changes("POST "+all, "addServer", "Add a server to an agent", 201), func(ctx context.Context, r *rest.Request, in newServer) (server, error) {
			c, err := in.change(in.Name)
			if err != nil {
				return server{}, err
			}
			is, u, err := s.org.AddServer(ctx, by(r), r.PathValue("agent"), c)
			return serverOf(is, u), err
		}),
		rest.Do(reads("GET "+one, "getServer", "Get a server of an agent"), func(ctx context.Context, r *rest.Request, _ none) (server, error) {
			is, u, err := s.server(ctx, r)
			return serverOf(is, u), err
		}),
		rest.Do(matches(changes("PUT "+one, "replaceServer", "Replace a server of an agent", 0)), s.replaceServer),
		rest.Do(changes("DELETE "+one, "removeServer", "Remove a server from an agent", 0), func(ctx context.Context, r *rest.Request, _ none) (none, error) {
			return none{}, s.org.RemoveServer(ctx, by(r), r.PathValue("agent"), r.PathValue("server"))
		}),
		rest.Do(changes("POST "+one+"/start", "approveStart", "Approve the command of a server", 0), func(ctx context.Context, r *rest.Request, in struct {
			Digest string `json:"digest"`
		},
		) (server, error) {
			_, u, err := s.server(ctx, r)
			if err != nil {
				return server{}, err
			}
			is, err := s.org.ApproveStart(ctx, by(r), u.Server, in.Digest)
			return serverOf(is, u), err
		}),
	}
}

func (s *service) server(ctx context.Context, r *rest.Request) (is org.Server, u org.Use, err error) {
	if u, err = s.org.Use(ctx, r.PathValue("agent"), r.PathValue("server")); err != nil {
		return is, u, err
	}
	is, err = s.org.Server(ctx, u.Server)
	return is, u, err
}

func (s *service) listServers(ctx context.Context, r *rest.Request, _ none) (rest.Page[server], error) {
	name := r.PathValue("agent")
	if _, err := s.org.Agent(ctx, name); err != nil {
		return rest.Page[server]{}, err
	}
	uses, err := s.org.Uses(ctx, name, r.After, r.Limit+1)
	if err != nil {
		return rest.Page[server]{}, err
	}
	all := make([]server, len(uses))
	for i, u := range uses {
		is, err := s.org.Server(ctx, u.Server)
		if err != nil {
			return rest.Page[server]{}, err
		}
		all[i] = serverOf(is, u)
	}
	return rest.Cut(all, r.Limit, func(s server) string { return s.Name }), nil
}

func (s *service) replaceServer(ctx context.Context, r *rest.Request, in serverChange) (server, error) {
	is, _, err := s.server(ctx, r)
	if err != nil {
		return server{}, err
	}
	if err := r.Match(serverOf(is, org.Use{}).Revision()); err != nil {
		return server{}, err
	}
	c, err := in.change(is.Name)
	if err != nil {
		return server{}, err
	}
	is, u, err := s.org.UpdateServer(ctx, by(r), r.PathValue("agent"), is.Number, in.ForAll, c)
	return serverOf(is, u), err
}

// change takes the secrets out of a server that a caller sent.
func (in serverChange) change(name string) (c org.Change, err error) {
	e := in.Endpoint
	if stdio := e.URL == ""; in.Transport != transport(stdio) {
		return c, rest.BadRequest.New("transport_type is %.40q, and endpoint_config is of %s", in.Transport, transport(stdio))
	}
	spec := config.Spec{Command: e.Command, Args: e.Args, Env: e.Env, Dir: e.Dir, URL: e.URL, Headers: e.Headers}
	spec.Manifest, spec.Scopes = e.Manifest, e.Scopes
	c = org.Change{Server: name, Unconfined: e.Unconfined, Enabled: true}
	set(&c.Enabled, in.Enabled)
	if c.Spec, c.Values, c.Names, err = org.Split(spec); err != nil {
		return c, err
	}
	if in.Auth == nil {
		in.Auth = &auth{}
	}
	var secret *string
	if c.Auth, secret, err = in.Auth.auth(); err != nil {
		return c, err
	}
	if c.Auth.Type != org.NoAuth {
		c.Names = append(c.Names, org.AuthSecret)
	}
	if secret != nil {
		c.Values[org.AuthSecret] = *secret
	}
	return c, c.Auth.Check(c.Spec)
}

func transport(stdio bool) string {
	if stdio {
		return "stdio"
	}
	return "http"
}

// auth is the authentication and its secret, nil to keep the secret that it has.
func (a auth) auth() (is org.Auth, secret *string, err error) {
	switch a.Type {
	case "":
		a.Type = org.NoAuth
	case org.OAuth2: // tokens would need a place for each agent and secret
		return is, nil, rest.BadRequest.New("oauth2 is not served yet: use none, bearer_token or api_key")
	}
	is = org.Auth{Type: a.Type, Header: a.Header}
	of := map[string]*string{org.BearerToken: a.Token, org.APIKey: a.Key}
	for kind, text := range of {
		if kind != a.Type && text != nil {
			return is, nil, rest.BadRequest.New("auth_config has the type %.40q and a secret of %s", a.Type, kind)
		}
	}
	return is, of[a.Type], nil
}

func serverOf(s org.Server, u org.Use) server {
	c := s.Spec
	is := server{
		Name: s.Name, Enabled: u.Enabled, Transport: transport(s.Starts()), Number: s.Number, Created: s.Created, Updated: s.Updated,
		Endpoint: endpoint{c.Command, c.Args, c.Env, c.Dir, c.URL, c.Headers, c.Manifest, c.Scopes, s.Unconfined},
		Auth:     authShown{Type: u.Auth.Type, Header: u.Auth.Header, Configured: slices.Contains(u.Has, org.AuthSecret)},
	}
	if s.Starts() {
		is.Start = &start{c.CommandLine(), s.Command(), u.Starts(s), ""}
		if u.Starts(s) {
			is.Start.By = s.Started.By
		}
	}
	if !s.Connected.IsZero() {
		is.Connected = &s.Connected
	}
	return is
}
