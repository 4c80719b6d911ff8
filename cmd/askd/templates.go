package main

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/template"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/host/org"
)

// serverTemplate is a server that lacks some values of a user.
type serverTemplate struct {
	Name      string           `json:"name"`
	Meaning   string           `json:"meaning"`
	Inputs    []template.Input `json:"inputs"`
	Transport string           `json:"transport_type"`
	Endpoint  endpoint         `json:"endpoint_config" jsonschema:"it names inputs as ${NAME}"`
}

// imports is a client's file of servers.
type imports struct {
	Document jsontext.Value `json:"document" jsonschema:"an mcp.json"`
}

// imported is what became of each server of a file.
type imported struct {
	Servers []importedServer `json:"mcp_servers"`
}

type importedServer struct {
	Name  string   `json:"name"`
	Added bool     `json:"added"`
	Needs []string `json:"needs,omitempty" jsonschema:"secrets that the file only names: PUT the server with their values"`
	Error *problem `json:"error,omitempty"`
}

func (s *service) templates() []rest.Operation {
	return []rest.Operation{
		rest.Do(reads("GET /api/templates", "listTemplates", "List templates of servers"), func(context.Context, *rest.Request, none) (out struct {
			Templates []serverTemplate `json:"templates"`
		}, err error,
		) {
			for _, t := range template.All() {
				c := t.Server
				out.Templates = append(out.Templates, serverTemplate{
					t.Name, t.Meaning, some(t.Inputs), transport(c.URL == ""),
					endpoint{Command: c.Command, Args: slices.Concat(c.Args, t.Arguments), Env: c.Env, Dir: c.Dir, URL: c.URL, Headers: c.Headers, Manifest: c.Manifest, Scopes: c.Scopes},
				})
			}
			return out, nil
		}),
		rest.Do(changes("POST /api/agents/{agent}/import", "importServers", "Add the servers of a client's file to an agent", 0), s.imports),
	}
}

// imports adds each server of a file that can be added.
func (s *service) imports(ctx context.Context, r *rest.Request, in imports) (imported, error) {
	agent := r.PathValue("agent")
	if _, err := s.org.Agent(ctx, agent); err != nil {
		return imported{}, err
	}
	file, err := config.ParseServers("/mcp.json", in.Document)
	if err != nil {
		return imported{}, rest.BadRequest.New("the document cannot be read: %s", escape.Line(err.Error(), 300))
	}
	out := imported{Servers: []importedServer{}}
	for _, n := range file.Notes() {
		if n.Out {
			out.Servers = append(out.Servers, importedServer{Name: n.Server, Error: &problem{Code: rest.BadRequest.Code, Why: escape.Line(n.Text, 300)}})
		}
	}
	for _, name := range file.Names() {
		spec, _, _ := file.Spec(name)
		is := importedServer{Name: name}
		c := org.Change{Server: name, Enabled: true, Auth: org.Auth{Type: org.NoAuth}}
		if c.Spec, c.Values, c.Names, err = org.Split(org.Named(spec)); err == nil {
			_, u, refused := s.org.AddServer(ctx, by(r), agent, c)
			err, is.Added = refused, refused == nil
			for _, secret := range c.Names {
				if is.Added && !slices.Contains(u.Has, secret) {
					is.Needs = append(is.Needs, secret)
				}
			}
		}
		is.Error = problemOf(err)
		out.Servers = append(out.Servers, is)
	}
	return out, nil
}
