package config

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// holders are the members that hold servers: of most clients, of VS Code, Zed,
// Codex and Goose. The first that is there counts.
var holders = []string{"mcpServers", "servers", "context_servers", "mcp_servers", "extensions"}

// document is a servers file, or the part of a client's settings that is one.
type document struct {
	text   []byte
	held   map[string][]held
	inputs []Input
}

// held is a server as a file holds it.
type held struct {
	name  string
	line  int
	value jsontext.Value
}

// read finds the servers. The text was checked: it is strict JSON, and bounded.
func (d *document) read(text []byte) error {
	d.text = text
	return d.object(text, 0)
}

// object reads an object that begins at a byte of the text.
func (d *document) object(raw jsontext.Value, at int) error {
	members, err := schema.Members(raw)
	if err != nil {
		return errors.New("it is not an object")
	}
	for _, m := range members {
		switch {
		case m.Name == "inputs":
			d.describe(m.Value)
		case m.Name == "mcp" && m.Value.Kind() == '{': // VS Code's settings
			err = d.object(m.Value, at+m.At)
		case slices.Contains(holders, m.Name):
			d.hold(m, at)
		}
	}
	return err
}

// hold reads a table of servers by name, or Continue's list of servers that
// name themselves.
func (d *document) hold(m schema.Member, at int) {
	servers, err := schema.Members(m.Value)
	if err != nil {
		servers, err = schema.Elements(m.Value)
	}
	if err != nil {
		return
	}
	d.held[m.Name] = []held{}
	for _, s := range servers {
		h := held{s.Name, 1 + bytes.Count(d.text[:at+m.At+s.At], []byte("\n")), s.Value}
		if m.Value.Kind() == '[' {
			h.name = named(s.Value)
		}
		d.held[m.Name] = append(d.held[m.Name], h)
	}
}

// named is the name that a server gives itself, which is for people: what a
// server's name cannot hold is a "-".
func named(v jsontext.Value) string {
	var self struct {
		Name string `json:"name"`
	}
	if err := schema.DecodeOpen(v, &self, serversLimits); err != nil {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '.' || r == '-' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z') {
			return r
		}
		return '-'
	}, self.Name)
}

// described are the inputs by their names.
func (d *document) described() map[string]Input {
	all := map[string]Input{}
	for _, i := range d.inputs {
		all[i.ID] = i
	}
	return all
}

// describe keeps the inputs that a person can be asked for. An entry that names
// another is left out.
func (d *document) describe(list jsontext.Value) {
	all, _ := schema.Elements(list) // none where it is not a list
	for _, e := range all {
		var i Input
		if err := schema.DecodeOpen(e.Value, &i, serversLimits); err == nil && (i.Type == "promptString" || i.Type == "pickString" && len(i.Options) > 0) {
			d.inputs = append(d.inputs, i)
		}
	}
}
