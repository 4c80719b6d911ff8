package org

import (
	"slices"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

// Caller is the token by which a call is made, and the scope that it needs.
type Caller struct{ Token, Scope string }

// Holds fails in a transaction unless a token has a scope now. It must be neither revoked nor
// expired, and its member must be enabled and have the scope by their role. So a request that
// began before does nothing after.
func (o *Org) Holds(t *store.Tx, c Caller) error {
	refused := verdict.Deny(verdict.OrgToken, "the token was revoked, has expired, or has lost the scope")
	if c.Token == "" || c.Scope == "" {
		return refused
	}
	own := &tx{Tx: t, org: o}
	list, err := all[Token](own, tokens, c.Token)
	if err != nil {
		return err
	}
	if len(list) != 1 || list[0].ID != c.Token || list[0].over(o.now()) {
		return refused
	}
	k := list[0]
	allowed := []string{Calls}
	if k.Agent == "" {
		m, there, err := get[Member](own, members, k.Member)
		if err != nil {
			return err
		}
		if !there || !m.Enabled {
			return refused
		}
		allowed = m.Role.Scopes()
	}
	if !slices.Contains(allowed, c.Scope) || !slices.Contains(k.Scopes, c.Scope) {
		return refused
	}
	return nil
}
