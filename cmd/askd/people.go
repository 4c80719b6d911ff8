package main

import (
	"context"
	"time"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	"github.com/onestep-run/onestep/host/org"
)

type newMember struct {
	Name string   `json:"name"`
	Role org.Role `json:"role" jsonschema:"viewer, approver or admin"`
}

type memberChange struct {
	Role    org.Role `json:"role"`
	Enabled bool     `json:"enabled"`
}

// token is a token without its text.
type token struct {
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Agent   string     `json:"agent,omitempty"`
	Member  string     `json:"member,omitempty"`
	Scopes  []string   `json:"scopes"`
	Created time.Time  `json:"created_at"`
	Expires *time.Time `json:"expires_at"`
	Revoked *time.Time `json:"revoked_at"`
}

type newToken struct {
	Name   string   `json:"name"`
	Agent  string   `json:"agent,omitempty" jsonschema:"whose it is: an agent's, with the scope mcp"`
	Member string   `json:"member,omitempty" jsonschema:"or a member's, with scopes of the member's role"`
	Scopes []string `json:"scopes,omitempty" jsonschema:"all that the owner may have, if they are left out"`
	Days   int      `json:"expires_in_days,omitempty" jsonschema:"0 does not expire"`
}

type madeToken struct {
	token
	Text string `json:"token" jsonschema:"shown once"`
}

func tokenOf(k org.Token) token {
	return token{k.ID, k.Name, k.Agent, k.Member, some(k.Scopes), k.Created, when(k.Expires), when(k.Revoked)}
}

// when is nil for no time.
func when(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func (s *service) people() []rest.Operation {
	return []rest.Operation{
		rest.List(reads("GET /api/members", "listMembers", "List members"), "members", func(ctx context.Context, r *rest.Request, _ none) (rest.Page[org.Member], error) {
			all, err := s.org.Members(ctx, r.After, r.Limit+1)
			return page(all, err, r.Limit, func(m org.Member) org.Member { return m }, func(m org.Member) string { return m.Name })
		}),
		rest.Do(changes("POST /api/members", "createMember", "Create a member", 201), func(ctx context.Context, r *rest.Request, in newMember) (org.Member, error) {
			return s.org.CreateMember(ctx, by(r), org.Member{Name: in.Name, Role: in.Role})
		}),
		rest.Do(changes("PUT /api/members/{member}", "updateMember", "Change a member", 0), func(ctx context.Context, r *rest.Request, in memberChange) (org.Member, error) {
			return s.org.UpdateMember(ctx, by(r), r.PathValue("member"), in.Role, in.Enabled)
		}),
		rest.List(operation("GET /api/tokens", "listTokens", "List tokens", org.Changes, 0), "tokens", func(ctx context.Context, r *rest.Request, _ none) (rest.Page[token], error) {
			all, err := s.org.Tokens(ctx, r.After, r.Limit+1)
			return page(all, err, r.Limit, tokenOf, func(k token) string { return k.ID })
		}),
		rest.Do(changes("POST /api/tokens", "createToken", "Create a token; its text is in this answer only", 201), func(ctx context.Context, r *rest.Request, in newToken) (madeToken, error) {
			k := org.Token{Name: in.Name, Agent: in.Agent, Member: in.Member, Scopes: in.Scopes}
			if in.Days < 0 || in.Days > 3650 {
				return madeToken{}, rest.BadRequest.New("expires_in_days is 0 to 3650")
			}
			if in.Days > 0 {
				k.Expires = s.org.Now().UTC().AddDate(0, 0, in.Days)
			}
			k, text, err := s.org.CreateToken(ctx, by(r), k)
			return madeToken{tokenOf(k), text}, err
		}),
		rest.Do(changes("DELETE /api/tokens/{token}", "revokeToken", "Revoke a token", 0), func(ctx context.Context, r *rest.Request, _ none) (none, error) {
			return none{}, s.org.RevokeToken(ctx, by(r), r.PathValue("token"))
		}),
	}
}
