package org

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/seal"
)

// Server is an MCP server. Agents may share it; each has secrets of its own for it.
type Server struct {
	Name       string      `json:"name"`
	Spec       config.Spec `json:"spec"`       // with names in the place of secrets
	Unconfined string      `json:"unconfined"` // why a stdio server is not confined; "" if it is
	Started    Started     `json:"started"`    // who approved its command
	Number     int64       `json:"revision"`
	Created    time.Time   `json:"created_at"`
	Updated    time.Time   `json:"updated_at"`
	Connected  time.Time   `json:"last_connected_at,omitzero"`
}

// Started is an admin's approval of a command that starts on this machine.
type Started struct {
	Command string    `json:"command"` // [Server.Command] at the approval
	By      string    `json:"by"`
	At      time.Time `json:"at"`
}

// Use is an agent's use of a server. It owns the secrets.
type Use struct {
	Agent    string    `json:"agent"`
	Server   string    `json:"server"`
	Enabled  bool      `json:"enabled"`
	Auth     Auth      `json:"auth"`
	Has      []string  `json:"has"` // names of the secrets that it has
	Secrets  seal.Box  `json:"secrets"`
	Approved string    `json:"approved,omitempty"` // the command that was approved with these secrets
	Created  time.Time `json:"created_at"`
	Updated  time.Time `json:"updated_at"`
}

// Auth is how an agent identifies itself at a server, without the secret.
type Auth struct {
	Type   string        `json:"type"`
	Header string        `json:"header,omitempty"` // of an api_key
	OAuth  *config.OAuth `json:"oauth,omitempty"`
}

// Change is a server as an agent is to use it. Values are the secrets by the names that the spec
// has for them; a name without a value keeps the secret that it has.
type Change struct {
	Server     string
	Spec       config.Spec
	Unconfined string
	Enabled    bool
	Auth       Auth
	Values     map[string]string
	Names      []string // of all secrets that the spec and the authentication name
}

// Command is the digest of the command or the address, and of whether it is confined. An approval
// of a command and a secret hold for one.
func (s Server) Command() string {
	sum := sha256.Sum256(s.binding())
	return hex.EncodeToString(sum[:])
}

// binding is what is started or dialled, nil if it cannot be a text.
func (s Server) binding() []byte {
	b, err := json.Marshal(struct {
		Spec       config.Spec `json:"spec"`
		Unconfined string      `json:"unconfined"`
	}{s.Spec, s.Unconfined}, json.Deterministic(true))
	if err != nil {
		return nil
	}
	return b
}

// Starts reports whether the server is a program that starts on this machine.
func (s Server) Starts() bool { return s.Spec.URL == "" || s.Spec.Command != "" }

// Approved reports whether an admin approved exactly the command that would start. A remote server
// needs none.
func (s Server) Approved() bool { return !s.Starts() || s.Started.Command == s.Command() }

// Starts reports whether the server may start for this use. An admin must have approved its
// command since the agent got its values, which may say what the command does.
func (u Use) Starts(s Server) bool {
	if !s.Approved() {
		return false
	}
	return !s.Starts() || len(u.Has) == 0 || u.Approved == s.Command()
}

// Server is a server by its name.
func (o *Org) Server(ctx context.Context, name string) (Server, error) {
	return one[Server](ctx, o, servers, name)
}

// Servers are the servers after a name, in order, at most limit of them.
func (o *Org) Servers(ctx context.Context, after string, limit int) ([]Server, error) {
	return some[Server](ctx, o, servers, "", after, limit)
}

// Use is an agent's use of a server.
func (o *Org) Use(ctx context.Context, agent, server string) (Use, error) {
	u, err := one[Use](ctx, o, uses, agent+"/"+server)
	if verdict.CodeOf(err) == verdict.OrgUnknown {
		err = unknown("server of the agent "+agent, server)
	}
	return u, err
}

// Uses are an agent's uses after a server's name, in order, at most limit of them.
func (o *Org) Uses(ctx context.Context, agent, after string, limit int) ([]Use, error) {
	if after != "" {
		after = agent + "/" + after
	}
	return some[Use](ctx, o, uses, agent+"/", after, limit)
}

// AddServer has an agent use a server. A server of that name is used if it has the same spec, and is
// made if it does not exist.
func (o *Org) AddServer(ctx context.Context, by By, agent string, c Change) (s Server, u Use, err error) {
	if !wellNamed(c.Server) {
		return Server{}, Use{}, badName("server", c.Server)
	}
	err = o.change(ctx, by, func(t *tx) error {
		if _, there, err := get[Agent](t, agents, agent); err != nil || !there {
			return missing(err, "agent", agent)
		}
		if _, there, err := get[Use](t, uses, agent+"/"+c.Server); err != nil || there {
			return exists(err, "server of the agent "+agent, c.Server)
		}
		var there bool
		if s, there, err = get[Server](t, servers, c.Server); err != nil {
			return err
		}
		if there && !same(s, c) {
			return verdict.Deny(verdict.OrgConflict, "another agent has a server %.80q that is started or reached in another way", c.Server)
		}
		if !there {
			s = Server{Name: c.Server, Spec: c.Spec, Unconfined: c.Unconfined, Created: o.now(), Updated: o.now()}
			if err := t.putServer(&s); err != nil {
				return err
			}
		}
		if u, err = t.use(s, Use{Agent: agent, Server: c.Server, Created: o.now()}, c); err != nil {
			return err
		}
		return t.event("server_attached", "mcp_server", c.Server, map[string]string{"agent": agent})
	})
	if err != nil {
		return Server{}, Use{}, err
	}
	return s, u, nil
}

// putServer stores a server with its next revision.
func (t *tx) putServer(s *Server) (err error) {
	if s.Number, err = t.next(numbers, s.Name); err != nil {
		return err
	}
	return put(t, servers, s.Name, *s)
}

func same(s Server, c Change) bool {
	was, is := s.binding(), Server{Spec: c.Spec, Unconfined: c.Unconfined}.binding()
	return was != nil && bytes.Equal(was, is)
}

// UpdateServer changes a server and an agent's use of it. With another spec the approval of the command
// and every agent's secrets for the server are gone, and a server that other agents use changes
// only for all of them.
func (o *Org) UpdateServer(ctx context.Context, by By, agent string, revision int64, forAll bool, c Change) (s Server, u Use, err error) {
	err = o.change(ctx, by, func(t *tx) error {
		var there bool
		if u, there, err = get[Use](t, uses, agent+"/"+c.Server); err != nil || !there {
			return missing(err, "server of the agent "+agent, c.Server)
		}
		if s, there, err = get[Server](t, servers, c.Server); err != nil || !there {
			return missing(err, "server", c.Server)
		}
		if revision != 0 && revision != s.Number {
			return verdict.Deny(verdict.OrgMoved, "the server %s has the revision %d by now, and not %d", c.Server, s.Number, revision)
		}
		if !same(s, c) {
			others, err := t.others(agent, c.Server)
			if err != nil {
				return err
			}
			if len(others) > 0 && !forAll {
				return verdict.Deny(verdict.OrgConflict, `%d other agents use the server %s; with "for_all": true it changes for all of them`, len(others), c.Server)
			}
			if err := t.detachSecrets(append(others, u), c.Spec.URL == ""); err != nil {
				return err
			}
			u.Has, u.Secrets, s.Started = nil, seal.Box{}, Started{}
		}
		s.Spec, s.Unconfined, s.Updated = c.Spec, c.Unconfined, o.now()
		if err := t.putServer(&s); err != nil {
			return err
		}
		if u, err = t.use(s, u, c); err != nil {
			return err
		}
		return t.event("server_updated", "mcp_server", c.Server, map[string]string{"agent": agent})
	})
	if err != nil {
		return Server{}, Use{}, err
	}
	return s, u, nil
}

// others are the other agents' uses of a server.
func (t *tx) others(agent, server string) (list []Use, err error) {
	names, err := all[string](t, users, server+"/")
	for _, name := range names {
		if name == agent || err != nil {
			continue
		}
		var u Use
		u, _, err = get[Use](t, uses, name+"/"+server)
		list = append(list, u)
	}
	return list, err
}

// detachSecrets ends the secrets of uses. A server that is started has no authentication.
func (t *tx) detachSecrets(list []Use, starts bool) error {
	for _, u := range list {
		if starts {
			u.Auth = Auth{Type: NoAuth}
		}
		u.Has, u.Secrets, u.Updated = nil, seal.Box{}, t.org.now()
		if err := put(t, uses, u.Agent+"/"+u.Server, u); err != nil {
			return err
		}
		if err := t.touch(u.Agent); err != nil {
			return err
		}
	}
	return nil
}

// RemoveServer ends an agent's use of a server. A server without a use is removed.
func (o *Org) RemoveServer(ctx context.Context, by By, agent, server string) error {
	return o.change(ctx, by, func(t *tx) error {
		u, there, err := get[Use](t, uses, agent+"/"+server)
		if err != nil || !there {
			return missing(err, "server of the agent "+agent, server)
		}
		if err := t.detach(u); err != nil {
			return err
		}
		return t.event("server_detached", "mcp_server", server, map[string]string{"agent": agent})
	})
}

func (t *tx) detach(u Use) error {
	if err := t.Remove(string(uses), u.Agent+"/"+u.Server); err != nil {
		return err
	}
	if err := t.Remove(string(users), u.Server+"/"+u.Agent); err != nil {
		return err
	}
	rest, err := t.Records(string(users), u.Server+"/")
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		if err := t.Remove(string(servers), u.Server); err != nil {
			return err
		}
	}
	return t.touch(u.Agent)
}

// ApproveStart lets the command with this digest start. It is refused for another command than
// the server has.
func (o *Org) ApproveStart(ctx context.Context, by By, server, command string) (s Server, err error) {
	err = o.change(ctx, by, func(t *tx) error {
		var there bool
		if s, there, err = get[Server](t, servers, server); err != nil || !there {
			return missing(err, "server", server)
		}
		if !s.Starts() || command != s.Command() {
			return verdict.Deny(verdict.OrgMoved, "that is not the command of the server %s by now", server)
		}
		s.Started = Started{Command: command, By: by.Member, At: o.now()}
		if err := put(t, servers, server, s); err != nil {
			return err
		}
		if err := t.approveAll(s); err != nil {
			return err
		}
		return t.event("server_start_approved", "mcp_server", server, map[string]string{"command": command})
	})
	return ifDone(s, err)
}

// approveAll notes the approval of a command with every use of its server.
func (t *tx) approveAll(s Server) error {
	list, err := t.others("", s.Name)
	if err != nil {
		return err
	}
	for _, u := range list {
		u.Approved = s.Command()
		if err := put(t, uses, u.Agent+"/"+u.Server, u); err != nil {
			return err
		}
		if err := t.touch(u.Agent); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) touchAll(server string) error {
	list, err := t.others("", server)
	for _, u := range list {
		if err == nil {
			err = t.touch(u.Agent)
		}
	}
	return err
}

// touchPlace touches the agents of every server that may be the same one under another name. What a
// person decides on tools counts for a place.
func (t *tx) touchPlace(server string) error {
	s, there, err := get[Server](t, servers, server)
	if err != nil || !there {
		return missing(err, "server", server)
	}
	list, err := all[Server](t, servers, "")
	if err != nil {
		return err
	}
	for _, other := range list {
		near := other.Spec.Command == s.Spec.Command && hostOf(other.Spec.URL) == hostOf(s.Spec.URL)
		if !near {
			continue
		}
		if err := t.touchAll(other.Name); err != nil {
			return err
		}
	}
	return nil
}

// hostOf is the host of an address, in one spelling.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
}

// Decided notes a decision of a member about a server's tools, such as tools_approved. Every agent
// that uses the server, under any name, gets another revision.
func (o *Org) Decided(ctx context.Context, by By, action, server string, details any) error {
	return o.change(ctx, by, func(t *tx) error {
		if err := t.touchPlace(server); err != nil {
			return err
		}
		return t.event(action, "mcp_server", server, details)
	})
}

// Reached notes that a server answered. It is for display.
func (o *Org) Reached(ctx context.Context, server string) error {
	s, err := o.Server(ctx, server)
	if err != nil || o.now().Sub(s.Connected) < time.Minute {
		return err
	}
	return o.note(ctx, By{}, func(t *tx) error {
		s, there, err := get[Server](t, servers, server)
		if err != nil || !there {
			return err
		}
		s.Connected = o.now()
		return put(t, servers, server, s)
	})
}
