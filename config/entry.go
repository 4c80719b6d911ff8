package config

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/valid"
)

// entry is one server of a servers file, unexpanded. Members that other clients
// know and onestep does not are passed over.
type entry struct {
	Command string               `json:"command"`
	Args    []string             `json:"args"`
	Env     map[string]plainText `json:"env"`
	Dir     string               `json:"cwd"`
	URL     string               `json:"url"`
	Headers map[string]plainText `json:"headers"`
	Type    string               `json:"type" validate:"omitempty,oneof=stdio http sse streamablehttp"`

	Disabled bool   `json:"disabled"` // as some clients write it: no such server
	Enabled  *bool  `json:"enabled"`  // and others
	Source   string `json:"source"`   // Zed: "custom", or an extension of its own
	EnvFile  string `json:"envFile"`  // VS Code

	HandedOn []string          `json:"env_vars"`             // Codex: variables that the server sees
	Kept     []string          `json:"env_keys"`             // Goose: the same, or kept in its keyring
	Bearer   string            `json:"bearer_token_env_var"` // Codex: the variable that holds the token
	FromEnv  map[string]string `json:"env_http_headers"`     // Codex: headers, and the variables that hold them

	line  int
	raw   jsontext.Value // as written, in the form of JSON
	wrong string         // why it cannot be used, "" where it can
}

// plainText is a value of an environment or a header: a number or a truth is the
// text that it is written as.
type plainText string

// UnmarshalJSON takes a string, a number or a truth.
func (t *plainText) UnmarshalJSON(b []byte) error {
	switch jsontext.Value(b).Kind() {
	case '"':
		s, err := jsontext.AppendUnquote(nil, b)
		*t = plainText(s)
		return err
	case '0', 't', 'f':
		*t = plainText(b)
		return nil
	}
	return errors.New("not a text")
}

// spelled are the names that clients have for the same member: Goose, Windsurf,
// Gemini, Codex.
var spelled = map[string]string{
	"cmd": "command", "envs": "env", "uri": "url", "serverUrl": "url", "httpUrl": "url", "http_headers": "headers", "transport": "type",
}

// readEntry reads what one client or another writes of a server.
func readEntry(raw jsontext.Value, line int) entry {
	e := entry{raw: raw, line: line}
	common, err := respell(raw)
	if err == nil {
		err = schema.DecodeOpen(common, &e, serversLimits)
	}
	if err == nil {
		err = e.check()
	}
	if err != nil {
		e.wrong = err.Error()
	}
	return e
}

// respell gives every member the name that most clients have for it.
func respell(raw jsontext.Value) (jsontext.Value, error) {
	members, err := schema.Members(raw)
	if err != nil {
		return nil, errors.New("it is not an object")
	}
	was := map[string]string{}
	out := []byte{'{'}
	for _, m := range lifted(members) {
		name := cmp.Or(spelled[m.Name], m.Name)
		if before, twice := was[name]; twice {
			return nil, fmt.Errorf("%s and %s say the same thing", escape.Line(before, 64), escape.Line(m.Name, 64))
		}
		was[name] = m.Name
		if len(out) > 1 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, name)
		out = append(append(out, ':'), m.Value...)
	}
	return append(out, '}'), nil
}

// lifted are the members, with what some clients write one level deeper: Zed's
// older {"command":{"path":…,"args":…}}, Continue's requestOptions.
func lifted(members []schema.Member) (all []schema.Member) {
	for _, m := range members {
		inner, err := schema.Members(m.Value)
		if err != nil || m.Name != "command" && m.Name != "requestOptions" {
			all = append(all, m)
			continue
		}
		for _, i := range inner {
			if m.Name == "command" && i.Name == "path" {
				i.Name = "command"
			}
			all = append(all, i)
		}
	}
	return all
}

// check finds what cannot be meant, as far as that shows before variables are
// expanded.
func (e *entry) check() error {
	e.Type = strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(e.Type))
	e.addVariables()
	switch kind, wrong := e.kind(), valid.Struct(e); {
	case e.off():
		return nil
	case e.Source != "" && e.Source != "custom", e.Type == "builtin", e.Type == "platform", e.Type == "frontend", e.Type == "inlinepython":
		return errors.New("it is part of another client")
	case e.EnvFile != "":
		return errors.New("envFile is not read: write its variables under env")
	case wrong != "":
		return errors.New(wrong)
	case kind == "":
		return errors.New(`it needs a command (type "stdio") or else a url (type "http" or "sse")`)
	}
	return nil
}

func (e *entry) off() bool { return e.Disabled || e.Enabled != nil && !*e.Enabled }

// addVariables writes as ${NAME} what Codex and Goose name without.
func (e *entry) addVariables() {
	for _, name := range append(e.HandedOn, e.Kept...) {
		set(&e.Env, name, "${"+name+"}")
	}
	for header, name := range e.FromEnv {
		set(&e.Headers, header, "${"+name+"}")
	}
	if e.Bearer != "" {
		set(&e.Headers, "Authorization", "Bearer ${"+e.Bearer+"}")
	}
}

func set(table *map[string]plainText, name, value string) {
	if *table == nil {
		*table = map[string]plainText{}
	}
	(*table)[name] = plainText(value)
}

// texts are the fields in which references are expanded.
func (e *entry) texts() iter.Seq2[string, string] {
	return func(yield func(field, text string) bool) {
		more := yield("command", e.Command) && yield("cwd", e.Dir) && yield("url", e.URL)
		for i, arg := range e.Args {
			more = more && yield(fmt.Sprintf("args[%d]", i), arg)
		}
		for _, name := range slices.Sorted(maps.Keys(e.Env)) {
			more = more && yield("env."+name, string(e.Env[name]))
		}
		for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
			more = more && yield("headers."+name, string(e.Headers[name]))
		}
	}
}

// literals are the fields that hold $NAME, which a shell would expand.
func (e *entry) literals() (fields []string) {
	for field, text := range e.texts() {
		if m := bare().FindStringSubmatch(text); m != nil {
			fields = append(fields, field+" holds $"+m[1])
		}
	}
	return fields
}

// kind is how the entry is reached, "" where that is not to be told.
func (e *entry) kind() string {
	return session.Server{Command: e.Command, URL: e.URL, Type: e.Type}.Kind()
}

// resolve expands an entry. A stdio server starts in the directory of the file
// that names it, unless that says otherwise: never in the working directory,
// whose files an interpreter may load.
func (e *entry) resolve(name, field, dir string, x *expander) (session.Server, error) {
	server := session.Server{
		Name:    name,
		Command: x.expand(field+".command", e.Command),
		Args:    x.list(field+".args", e.Args),
		Env:     x.table(field+".env", e.Env),
		Dir:     x.expand(field+".cwd", e.Dir),
		URL:     x.expand(field+".url", e.URL),
		Headers: x.table(field+".headers", e.Headers),
		Type:    e.Type,
	}
	if x.err != nil {
		return session.Server{}, x.err
	}
	if server.Command != "" {
		server.Dir = resolve(dir, server.Dir)
		server.Command = program(server.Command, server.Dir)
		server.Shown = e.spec().CommandLine()
	}
	server.Secrets = x.values
	return server, server.Validate()
}
