package main

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	orgs "github.com/onestep-run/onestep/config/org"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/trust"
)

// test is the result of a connection to a server.
type test struct {
	Success bool       `json:"success"`
	Tools   []toolSeen `json:"tools"`
	Count   int        `json:"tool_count"`
	Error   *problem   `json:"error,omitempty"`
}

type toolSeen struct {
	Name        string `json:"name"`
	Description string `json:"description" jsonschema:"the server's own words"`
	State       string `json:"state" jsonschema:"approved, new, changed and so on"`
}

// problem is why a server cannot be used.
type problem struct {
	Code string `json:"code"`
	Why  string `json:"why"`
	Next string `json:"next,omitempty"`
}

func problemOf(err error) *problem {
	f := host.FailureOf(err)
	if f == nil {
		return nil
	}
	return &problem{string(f.Code), f.Message, f.Hint}
}

// tool is a tool as an agent may call it.
type tool struct {
	Name     string `json:"name"`
	Effect   string `json:"effect,omitempty" jsonschema:"read or write, by its approver"`
	Approved bool   `json:"approved"`
	Callable bool   `json:"callable" jsonschema:"it is approved, and the mode of the agent allows it"`
	Held     string `json:"held,omitempty" jsonschema:"why it waits for a review"`
}

// review is what a person decides on.
type review struct {
	Server       string   `json:"server"`
	Digest       string   `json:"digest" jsonschema:"approves everything that waits for a decision, but for the parts with separate approval"`
	Instructions string   `json:"instructions" jsonschema:"the server's own words"`
	Parts        []part   `json:"parts"`
	Listed       []string `json:"listed"`
}

type part struct {
	Tool        string           `json:"tool"`
	State       trust.State      `json:"state"`
	Digest      string           `json:"digest,omitempty" jsonschema:"of this part alone; it has none if it needs no decision"`
	Alone       bool             `json:"separate" jsonschema:"it needs its own digest"`
	Why         string           `json:"why,omitempty"`
	Descriptor  jsontext.Value   `json:"descriptor,omitempty" jsonschema:"as the server lists it: a stranger's words"`
	Differences []pin.Difference `json:"differences,omitempty"`
}

// decision is what a person decides.
type decision struct {
	Digests  []string          `json:"digests" jsonschema:"of the review, or of parts"`
	Effects  map[string]string `json:"effects,omitempty" jsonschema:"read or write, by tool; a tool without one writes"`
	Rejected []string          `json:"rejected,omitempty" jsonschema:"tools that must not be called"`
}

type decided struct {
	Approved []string `json:"approved"`
	Removed  []string `json:"removed"`
	Rejected []string `json:"rejected"`
}

func (s *service) reviews() []rest.Operation {
	const one = "/api/agents/{agent}/mcp-servers/{server}"
	return []rest.Operation{
		rest.Do(changes("POST "+one+"/test", "testServer", "Connect to a server and list its tools", 0), s.test),
		rest.Do(reads("GET "+one+"/tools", "listTools", "List the known tools of a server"), s.tools),
		rest.Do(changes("POST "+one+"/review", "reviewServer", "Connect to a server and review its tools", 0), func(ctx context.Context, r *rest.Request, _ none) (review, error) {
			is, err := s.hosts.Look(ctx, r.PathValue("agent"), r.PathValue("server"))
			if err != nil {
				return review{}, err
			}
			return reviewOf(is), nil
		}),
		rest.Do(changes("POST "+one+"/approve", "approveTools", "Decide on a review", 0), func(ctx context.Context, r *rest.Request, in decision) (decided, error) {
			d, err := s.hosts.Decide(ctx, by(r), r.PathValue("agent"), r.PathValue("server"), orgs.Decision{Digests: in.Digests, Effects: in.Effects, Rejected: in.Rejected})
			return decided{some(d.Approved), some(d.Removed), some(d.Rejected)}, err
		}),
	}
}

// some is a list that is never null.
func some[T any](list []T) []T { return slices.Concat([]T{}, list) }

// test answers also for a server that cannot be reached: that is its result.
func (s *service) test(ctx context.Context, r *rest.Request, _ none) (test, error) {
	if _, _, err := s.server(ctx, r); err != nil {
		return test{}, err
	}
	is, err := s.hosts.Look(ctx, r.PathValue("agent"), r.PathValue("server"))
	if err != nil {
		return test{Tools: []toolSeen{}, Error: problemOf(err)}, nil
	}
	t := test{Success: true, Tools: []toolSeen{}}
	for _, p := range is.Parts {
		if p.Tool != "" && p.State != trust.Gone {
			t.Tools = append(t.Tools, toolSeen{p.Tool, describe(p), string(p.State)})
		}
	}
	t.Count = len(t.Tools)
	return t, nil
}

// describe is a tool's own description, "" if it cannot be read.
func describe(p trust.Part) string {
	f, err := p.Now.Fields()
	if err != nil {
		return ""
	}
	return f.Description
}

func (s *service) tools(ctx context.Context, r *rest.Request, _ none) (struct {
	Tools []tool `json:"tools"`
}, error,
) {
	out := struct {
		Tools []tool `json:"tools"`
	}{Tools: []tool{}}
	all, err := s.hosts.Tools(ctx, r.PathValue("agent"), r.PathValue("server"))
	for _, t := range all {
		out.Tools = append(out.Tools, tool(t))
	}
	return out, err
}

func reviewOf(r trust.Review) review {
	is := review{Server: r.Name, Digest: r.Digest, Instructions: r.Told, Parts: []part{}, Listed: some(r.Listed)}
	for _, p := range r.Parts {
		is.Parts = append(is.Parts, part{p.Tool, p.State, p.Digest, p.Alone, p.Why, p.Now.Raw, p.Change.Differences})
	}
	return is
}
