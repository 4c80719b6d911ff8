package main

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	orgs "github.com/onestep-run/onestep/config/org"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/host/org"
)

// waiting is a call that waits for a person, whole.
type waiting struct {
	Run       string         `json:"run_id"`
	Digest    string         `json:"digest" jsonschema:"an answer is for exactly this call"`
	Agent     string         `json:"agent,omitempty" jsonschema:"whose servers are called, by itself or for a member: see subject"`
	Subject   string         `json:"subject"`
	Server    string         `json:"server"`
	Tool      string         `json:"tool"`
	Arguments jsontext.Value `json:"arguments" jsonschema:"as they would leave"`
	Origins   []argument     `json:"origins" jsonschema:"where each argument comes from"`
	Effect    string         `json:"effect"`
	Claim     string         `json:"claim" jsonschema:"the server's own description of the tool"`
	Question  string         `json:"question,omitempty"`
	Why       string         `json:"why,omitempty" jsonschema:"why it is asked for again"`
	Created   time.Time      `json:"created_at"`
	Expires   time.Time      `json:"expires_at"`
	Held      bool           `json:"held" jsonschema:"a client waits for the answer"`
	Error     *problem       `json:"error,omitempty" jsonschema:"why it cannot be shown: it cannot be approved either"`
}

type argument struct {
	Pointer string `json:"pointer"`
	Origin  string `json:"origin"`
	Source  string `json:"source,omitempty" jsonschema:"in the conversation of the client, as its hook reports it"`
}

func (s *service) waitingOf(w orgs.Waiting) waiting {
	is := waiting{
		Run: w.Approval.RunID, Digest: w.Approval.Digest, Created: w.Approval.Created, Expires: w.Approval.Expires, Held: w.Approval.Held.After(s.org.Now()),
		Origins: []argument{}, Arguments: jsontext.Value(`null`), Error: problemOf(w.Err),
	}
	if w.Err != nil {
		return is
	}
	of := w.Shown
	is.Agent, is.Subject, is.Server, is.Tool, is.Arguments, is.Effect = w.Agent(), of.Subject, of.Server, of.Tool, of.Args, of.Effect
	is.Claim, is.Question, is.Why = of.Claim, of.Words, of.Why
	for _, l := range of.Intent.Leaves {
		if l.Name {
			continue
		}
		a := argument{Pointer: l.Pointer, Origin: account.Origin(l)}
		if of.Facts != nil {
			a.Source = account.Source(of.Facts.Origins, l.Pointer)
		}
		is.Origins = append(is.Origins, a)
	}
	return is
}

// answer is a member's answer to a call that waits.
type answer struct {
	Digest string `json:"digest" jsonschema:"of the call that was shown"`
}

func (s *service) approvals() []rest.Operation {
	decide := func(yes bool) func(context.Context, *rest.Request, answer) (none, error) {
		return func(ctx context.Context, r *rest.Request, in answer) (none, error) {
			return none{}, s.hosts.Answer(ctx, by(r), r.PathValue("run"), in.Digest, yes)
		}
	}
	return []rest.Operation{
		rest.Do(operation("GET /api/approvals", "listApprovals", "List the calls that wait for a person", org.Reads, 0), func(ctx context.Context, _ *rest.Request, _ none) (out struct {
			Approvals []waiting `json:"approvals"`
		}, err error,
		) {
			all, err := s.hosts.Waits(ctx)
			out.Approvals = []waiting{}
			for _, w := range all {
				out.Approvals = append(out.Approvals, s.waitingOf(w))
			}
			return out, err
		}),
		rest.Do(reads("GET /api/approvals/{run}", "getApproval", "Get a call that waits for a person"), func(ctx context.Context, r *rest.Request, _ none) (waiting, error) {
			w, err := s.hosts.Wait(ctx, r.PathValue("run"))
			return s.waitingOf(w), err
		}),
		rest.Do(operation("POST /api/approvals/{run}/approve", "approveCall", "Approve a call", org.Decides, 0), decide(true)),
		rest.Do(operation("POST /api/approvals/{run}/deny", "denyCall", "Deny a call", org.Decides, 0), decide(false)),
	}
}
