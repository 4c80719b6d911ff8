// Package org has the rows of an organisation: agents, servers, members, tokens and the audit.
// It also has the secrets of each agent for each server.
//
// It vouches that a change is whole or did not happen, that each change has an event in the
// audit, and that a secret opens only for the agent, the server and the address that it was
// given for. A change of the tools that an agent may call gives the agent another
// revision, and [Unchanged] reads that in the transaction of a call. So a denial, a revoked token or a
// detached server counts in every process from its commit on.
//
// It decides nothing: the gates do. It does not vouch for a server, nor for who a request is
// from. cmd/askd finds that by the token, and config/org makes hosts of the rows.
package org

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/seal"
	"github.com/onestep-run/onestep/host/store"
)

// Org is an organisation. Several processes may share its state.
type Org struct {
	State *store.Store
	Keys  seal.Keys // of the secrets
	Now   func() time.Time
}

// kind is a kind of records. Its names are unique.
type kind string

const (
	agents    kind = "agent"
	servers   kind = "server"
	uses      kind = "use"  // agent/server
	users     kind = "user" // server/agent, with the agent's name
	members   kind = "member"
	tokens    kind = "token"    // its SHA-256
	revisions kind = "revision" // agent
	numbers   kind = "number"   // server
)

// By is who makes a change.
type By struct {
	Member string `json:"member"`
	Token  string `json:"token,omitempty"` // its id
}

// maxName bounds the names that people choose.
const maxName = 64

// wellNamed reports whether a person may give a name. It is a part of paths and of file names, too.
func wellNamed(name string) bool {
	return escape.Name(name) && len(name) <= maxName && !strings.HasPrefix(name, ".")
}

func badName(what, name string) error {
	return verdict.Deny(verdict.OrgInvalid, "the name of the %s, %.80q, begins with a dot, has other characters than A-Z a-z 0-9 _ . -, or more than %d", what, name, maxName)
}

func unknown(what, name string) error {
	return verdict.Deny(verdict.OrgUnknown, "there is no %s %.80q", what, name)
}

var limits = schema.Limits{Bytes: 1 << 20, Depth: 64, Values: 50_000, Exponent: 308, Digits: 64}

// tx is one transaction of an organisation.
type tx struct {
	*store.Tx
	org *Org
	by  By
}

// change runs do in one transaction. It refuses a change without the name of who makes it.
func (o *Org) change(ctx context.Context, by By, do func(*tx) error) error {
	if by.Member == "" {
		return verdict.Fail(verdict.Internal, nil, "a change of the organisation is by no one")
	}
	return o.note(ctx, by, func(t *tx) error {
		if by.Token != "" { // "" is the program itself
			if err := o.Holds(t.Tx, Caller{by.Token, Changes}); err != nil {
				return err
			}
		}
		return do(t)
	})
}

// note is change for what the program itself notes.
func (o *Org) note(ctx context.Context, by By, do func(*tx) error) error {
	return o.State.Change(ctx, func(t *store.Tx) error { return do(&tx{t, o, by}) })
}

// get reads a record of a transaction. It reports false if it does not exist.
func get[T any](t *tx, k kind, name string) (v T, there bool, err error) {
	body, err := t.Record(string(k), name)
	if body == nil || err != nil {
		return v, false, err
	}
	err = schema.Decode(body, &v, limits)
	return v, true, err
}

// one reads a record.
func one[T any](ctx context.Context, o *Org, k kind, name string) (v T, err error) {
	body, err := o.State.Record(ctx, string(k), name)
	switch {
	case err != nil:
		return v, err
	case body == nil:
		return v, unknown(string(k), name)
	}
	err = schema.Decode(body, &v, limits)
	return v, err
}

// some reads records in order of their names.
func some[T any](ctx context.Context, o *Org, k kind, prefix, after string, limit int) ([]T, error) {
	rows, err := o.State.Records(ctx, string(k), prefix, after, limit)
	return decoded[T](rows, err)
}

// all reads the records of a transaction whose names begin with prefix.
func all[T any](t *tx, k kind, prefix string) ([]T, error) {
	rows, err := t.Records(string(k), prefix)
	return decoded[T](rows, err)
}

func decoded[T any](rows []store.Record, err error) ([]T, error) {
	list := make([]T, len(rows))
	for i, r := range rows {
		if err == nil {
			err = schema.Decode(r.Body, &list[i], limits)
		}
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}

// put stores a value that can be read again.
func put[T any](t *tx, k kind, name string, v T) error {
	body, err := encode(v, maxRow)
	if err != nil {
		return unfit(string(k), name, err)
	}
	return t.Put(string(k), name, body)
}

// maxRow bounds a row: lists of rows are read at once.
const maxRow = 256 << 10

// encode is the text of a value, if it can be read again. A row that cannot be read would be in
// the way of every list. The value may have parts from outside, such as a document of rules.
func encode[T any](v T, most int) ([]byte, error) {
	body, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, errors.New("a text is not UTF-8, a document is not JSON, or a time has no date")
	}
	within := limits
	within.Bytes = most
	return body, schema.Decode(body, new(T), within)
}

// unfit repeats no value: it may be a secret.
func unfit(what, name string, err error) error {
	return verdict.Deny(verdict.OrgInvalid, "the %s %.80q cannot be kept: %v", what, name, err)
}

// touch gives an agent another revision: what was read of it before decides no call.
func (t *tx) touch(agent string) error {
	_, err := t.next(revisions, agent)
	return err
}

// next counts the changes of a name, also over a removal: no number comes again.
func (t *tx) next(k kind, name string) (int64, error) {
	body, err := t.Record(string(k), name)
	if err != nil {
		return 0, err
	}
	n, _ := strconv.ParseInt(string(body), 10, 64) // "" is the first
	return n + 1, t.Put(string(k), name, strconv.AppendInt(nil, n+1, 10))
}

// Revision is the revision of an agent's rows: it changes with the tools that the agent may call.
func (o *Org) Revision(ctx context.Context, agent string) (string, error) {
	body, err := o.State.Record(ctx, string(revisions), agent)
	return string(body), err
}

// Unchanged fails in the transaction of a call if an agent has another revision than the call was
// decided by. An agent that never was has no revision, and makes no call.
func Unchanged(agent, revision string) func(*store.Tx) error {
	return func(t *store.Tx) error {
		body, err := t.Record(string(revisions), agent)
		switch {
		case err != nil:
			return err
		case revision != "" && string(body) == revision:
			return nil
		}
		return verdict.Deny(verdict.OrgChanged, "what the agent %s may call was changed while the call was decided on or waited", agent)
	}
}
