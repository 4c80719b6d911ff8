package org

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Role is what a member may do.
type Role string

// The roles. Each may do what the ones before may.
const (
	Viewer   Role = "viewer"
	Approver Role = "approver"
	Admin    Role = "admin"
)

// The scopes of tokens.
const (
	Calls   = "mcp"     // calls tools: an agent's, and no other
	Reads   = "read"    // reads everything but secrets
	Decides = "approve" // answers calls that wait
	Changes = "admin"   // changes everything
)

// Scopes are the scopes that a token of a member with this role may have.
func (r Role) Scopes() []string {
	switch r {
	case Viewer:
		return []string{Reads}
	case Approver:
		return []string{Reads, Decides}
	case Admin:
		return []string{Reads, Decides, Changes}
	}
	return nil
}

// Member is a person.
type Member struct {
	Name    string    `json:"name"`
	Role    Role      `json:"role"`
	Enabled bool      `json:"enabled"`
	Created time.Time `json:"created_at"`
}

// Token is what a program or a person identifies itself by. The text is shown once, and is not
// kept.
type Token struct {
	ID      string    `json:"id"` // the beginning of its digest
	Digest  string    `json:"digest"`
	Name    string    `json:"name"`
	Agent   string    `json:"agent,omitempty"` // whose it is: an agent's, or a member's
	Member  string    `json:"member,omitempty"`
	Scopes  []string  `json:"scopes"`
	Created time.Time `json:"created_at"`
	Expires time.Time `json:"expires_at,omitzero"`
	Revoked time.Time `json:"revoked_at,omitzero"`
}

// tokenPrefix is the beginning of every token, by which scanners find a token that leaked.
const tokenPrefix = "askd_"

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// CreateMember adds a member.
func (o *Org) CreateMember(ctx context.Context, by By, m Member) (Member, error) {
	switch {
	case !wellNamed(m.Name):
		return Member{}, badName("member", m.Name)
	case m.Role.Scopes() == nil:
		return Member{}, verdict.Deny(verdict.OrgInvalid, "the role %.40q is none of viewer, approver and admin", string(m.Role))
	}
	m.Created, m.Enabled = o.now(), true
	err := o.change(ctx, by, func(t *tx) error {
		if _, there, err := get[Member](t, members, m.Name); err != nil || there {
			return exists(err, "member", m.Name)
		}
		if err := put(t, members, m.Name, m); err != nil {
			return err
		}
		return t.event("member_created", "member", m.Name, map[string]string{"role": string(m.Role)})
	})
	return ifDone(m, err)
}

// Members are the members after a name, in order, at most limit of them.
func (o *Org) Members(ctx context.Context, after string, limit int) ([]Member, error) {
	return some[Member](ctx, o, members, "", after, limit)
}

// UpdateMember sets the role of a member, and whether the member may do anything.
func (o *Org) UpdateMember(ctx context.Context, by By, name string, role Role, enabled bool) (m Member, err error) {
	if role.Scopes() == nil {
		return Member{}, verdict.Deny(verdict.OrgInvalid, "the role %.40q is none of viewer, approver and admin", string(role))
	}
	err = o.change(ctx, by, func(t *tx) error {
		var there bool
		if m, there, err = get[Member](t, members, name); err != nil || !there {
			return missing(err, "member", name)
		}
		m.Role, m.Enabled = role, enabled
		if err := put(t, members, name, m); err != nil {
			return err
		}
		if err := t.lastAdmin(); err != nil {
			return err
		}
		return t.event("member_updated", "member", name, map[string]any{"role": role, "enabled": enabled})
	})
	return ifDone(m, err)
}

// lastAdmin fails if no admin is left: no caller could add another.
func (t *tx) lastAdmin() error {
	list, err := all[Member](t, members, "")
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(list, func(m Member) bool { return m.Role == Admin && m.Enabled }) {
		return verdict.Deny(verdict.OrgConflict, "no admin would be left")
	}
	return nil
}

// CreateToken adds a token of an agent or a member, and returns its text.
func (o *Org) CreateToken(ctx context.Context, by By, k Token) (token Token, text string, err error) {
	text = tokenPrefix + rand.Text()
	k.Digest = digestOf(text)
	k.ID, k.Created, k.Expires, k.Revoked = k.Digest[:16], o.now(), k.Expires.UTC(), time.Time{}
	err = o.change(ctx, by, func(t *tx) error {
		if err := t.owned(&k); err != nil {
			return err
		}
		if err := put(t, tokens, k.Digest, k); err != nil {
			return err
		}
		return t.event("token_created", "token", k.ID, map[string]any{"agent": k.Agent, "member": k.Member, "scopes": k.Scopes})
	})
	if err != nil {
		return Token{}, "", err
	}
	return k, text, nil
}

// owned checks the owner and the scopes of a token. An agent's token has one scope and can have
// no other: a model with a shell must not approve its own calls.
func (t *tx) owned(k *Token) error {
	if (k.Agent == "") == (k.Member == "") {
		return verdict.Deny(verdict.OrgInvalid, "a token is an agent's or a member's")
	}
	if len(k.Name) > maxName {
		return verdict.Deny(verdict.OrgInvalid, "the name of a token has at most %d bytes", maxName)
	}
	allowed := []string{Calls}
	if k.Agent != "" {
		if _, there, err := get[Agent](t, agents, k.Agent); err != nil || !there {
			return missing(err, "agent", k.Agent)
		}
	} else {
		m, there, err := get[Member](t, members, k.Member)
		if err != nil || !there {
			return missing(err, "member", k.Member)
		}
		allowed = m.Role.Scopes()
	}
	if k.Scopes == nil {
		k.Scopes = allowed
	}
	for _, scope := range k.Scopes {
		if !slices.Contains(allowed, scope) {
			return verdict.Deny(verdict.OrgInvalid, "this token cannot have the scope %.40q, only %s", scope, strings.Join(allowed, ", "))
		}
	}
	return nil
}

// Bearer is the token with this text, if it is valid now. The scopes of a member's token are those
// that the member's role still has.
func (o *Org) Bearer(ctx context.Context, text string) (Token, error) {
	refused := verdict.Deny(verdict.OrgToken, "the token is unknown, expired or revoked")
	if !strings.HasPrefix(text, tokenPrefix) {
		return Token{}, refused
	}
	k, err := one[Token](ctx, o, tokens, digestOf(text))
	switch {
	case verdict.CodeOf(err) == verdict.OrgUnknown:
		return Token{}, refused
	case err != nil:
		return Token{}, err
	case k.over(o.now()):
		return Token{}, refused
	}
	allowed := []string{Calls}
	if k.Agent == "" {
		m, err := one[Member](ctx, o, members, k.Member)
		switch {
		case verdict.CodeOf(err) == verdict.OrgUnknown, err == nil && !m.Enabled:
			return Token{}, refused
		case err != nil:
			return Token{}, err
		}
		allowed = m.Role.Scopes()
	}
	k.Scopes = slices.DeleteFunc(k.Scopes, func(s string) bool { return !slices.Contains(allowed, s) })
	return k, nil
}

// over reports whether a token is revoked or expired.
func (k Token) over(now time.Time) bool {
	expired := !k.Expires.IsZero() && !now.Before(k.Expires)
	return expired || !k.Revoked.IsZero()
}

// Tokens are the tokens after an id, in order, at most limit of them.
func (o *Org) Tokens(ctx context.Context, after string, limit int) ([]Token, error) {
	if after != "" {
		after += lastDigit // past the rest of its digest
	}
	return some[Token](ctx, o, tokens, "", after, limit)
}

const lastDigit = "g" // comes after every hexadecimal digit

// RevokeToken ends a token for good. A call that was decided by it and waits is not made.
func (o *Org) RevokeToken(ctx context.Context, by By, id string) error {
	return o.change(ctx, by, func(t *tx) error {
		list, err := all[Token](t, tokens, id)
		if err != nil || len(list) != 1 || list[0].ID != id {
			return missing(err, "token", id)
		}
		return t.revoke(list[0])
	})
}

func (t *tx) revoke(k Token) error {
	if !k.Revoked.IsZero() {
		return nil
	}
	k.Revoked = t.org.now()
	if err := put(t, tokens, k.Digest, k); err != nil {
		return err
	}
	if k.Agent != "" {
		if err := t.touch(k.Agent); err != nil {
			return err
		}
	}
	return t.event("token_revoked", "token", k.ID, nil)
}

func (t *tx) revokeAll(which func(Token) bool) error {
	list, err := all[Token](t, tokens, "")
	if err != nil {
		return err
	}
	for _, k := range list {
		if which(k) {
			if err := t.revoke(k); err != nil {
				return err
			}
		}
	}
	return nil
}
