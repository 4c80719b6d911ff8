package main

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	orgs "github.com/onestep-run/onestep/config/org"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/org"
)

// service answers requests of the API and of MCP clients.
type service struct {
	org     *org.Org
	hosts   *orgs.Hosts
	version string
	names   []string    // hosts that a request may name; nil allows loopback only
	log     func(error) // of errors that no caller may read
	open    handlers
	began   time.Time
}

// handler serves the API, its document, and MCP.
func (s *service) handler() (http.Handler, error) {
	api := rest.Service{
		Title: "askd", Version: s.version, Operations: s.operations(), Authorize: s.caller, Errors: s.log, Hosts: s.names, Paths: paths,
	}
	h, err := api.Handler()
	if err != nil {
		return nil, err
	}
	document, err := api.OpenAPI()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", h)
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(document) // a client that is gone needs none
	})
	mux.HandleFunc("/mcp", s.mcp)
	mux.HandleFunc("/mcp/{server}", s.mcp)
	return mux, nil
}

// paths describes the values in the paths of operations.
var paths = map[string]string{ //nolint:gosec // names, and no secrets
	"agent": "the name of an agent", "server": "the name of a server", "run": "the id of a run", "member": "the name of a member", "token": "the id of a token",
}

func (s *service) operations() (all []rest.Operation) {
	for _, some := range [][]rest.Operation{s.agents(), s.servers(), s.templates(), s.reviews(), s.approvals(), s.runs(), s.people(), s.audit()} {
		all = append(all, some...)
	}
	return all
}

// caller is who a token belongs to.
func (s *service) caller(ctx context.Context, text string) (rest.Caller, error) {
	k, err := s.org.Bearer(ctx, text)
	if verdict.CodeOf(err) == verdict.OrgToken {
		return rest.Caller{}, rest.Unauthorized.New("the token is unknown, expired or revoked")
	}
	if err != nil {
		return rest.Caller{}, err
	}
	if k.Agent != "" {
		return rest.Caller{Name: k.Agent, Agent: true, Token: k.ID, Scopes: k.Scopes}, nil
	}
	return rest.Caller{Name: k.Member, Token: k.ID, Scopes: k.Scopes}, nil
}

func by(r *rest.Request) org.By { return org.By{Member: r.Caller.Name, Token: r.Caller.Token} }

func operation(route, id, summary, scope string, status int) rest.Operation {
	method, path, _ := strings.Cut(route, " ")
	return rest.Operation{Method: method, Path: path, ID: id, Summary: summary, Scope: scope, Status: status}
}

func reads(route, id, summary string) rest.Operation {
	return operation(route, id, summary, org.Reads, 0)
}

func changes(route, id, summary string, status int) rest.Operation {
	return operation(route, id, summary, org.Changes, status)
}

func matches(o rest.Operation) rest.Operation { o.IfMatch = true; return o }

// page makes a page of rows, of which there may be one more than the limit.
func page[R, T any](rows []R, err error, limit int, of func(R) T, place func(T) string) (rest.Page[T], error) {
	if err != nil {
		return rest.Page[T]{}, err
	}
	all := make([]T, len(rows))
	for i, r := range rows {
		all[i] = of(r)
	}
	return rest.Cut(all, limit, place), nil
}

// ruled reads the rules of an agent: rules that cannot be read would refuse every call.
func ruled(a org.Agent) error {
	if len(a.Rules) == 0 || a.Rules.Kind() == 'n' {
		return nil
	}
	p, err := rule.Parse(rule.File{Name: "rules", Text: a.Rules})
	if err == nil {
		err = p.Check(func(*rule.Rule) bool { return true })
	}
	if err != nil {
		return rest.BadRequest.New("the rules cannot be read: %v", err)
	}
	return nil
}
