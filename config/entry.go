package config

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/valid"
)

// entry is one server of a servers file, unexpanded. Members that only other clients know are
// ignored.
type entry struct {
	Spec // its tables are filled from the next two

	PlainEnv     map[string]plainText `json:"env"`
	PlainHeaders map[string]plainText `json:"headers"`

	Disabled bool   `json:"disabled"` // some clients' mark of a server that is not used
	Enabled  *bool  `json:"enabled"`  // the opposite mark, of other clients
	Source   string `json:"source"`   // Zed: "custom", or the source of an extension
	EnvFile  string `json:"envFile"`  // VS Code

	HandedOn []string          `json:"env_vars"`             // Codex: variables that the server receives
	Kept     []string          `json:"env_keys"`             // Goose: the same, or values in its keyring
	Bearer   string            `json:"bearer_token_env_var"` // Codex: the variable with the token
	FromEnv  map[string]string `json:"env_http_headers"`     // Codex: headers, and the variables with their values

	line  int
	at    int            // the byte offset of the entry, if the file is JSON
	raw   jsontext.Value // as written, in the form of JSON
	wrong string         // why the entry cannot be used, "" if it can
}

// plainText is a value of an environment or a header. A number or a boolean becomes the text
// that the file has.
type plainText string

// UnmarshalJSON accepts a string, a number or a boolean.
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

// spelled maps the spellings of Goose, Windsurf, Gemini and Codex to the usual names of
// members.
var spelled = map[string]string{
	"cmd": "command", "envs": "env", "uri": "url", "serverUrl": "url", "httpUrl": "url", "http_headers": "headers", "transport": "type",
}

func readEntry(h held, openCode bool) entry {
	e := entry{raw: h.value, line: h.line, at: h.at}
	common := h.value
	if openCode {
		common = fromOpenCode(common)
	}
	common, err := respell(common)
	if err == nil {
		err = schema.DecodeOpen(common, &e, serversLimits)
	}
	e.Env, e.Headers = texts(e.PlainEnv), texts(e.PlainHeaders)
	if err == nil {
		err = e.check()
	}
	if err != nil {
		e.wrong = err.Error()
	}
	return e
}

// respell gives every member the name that most clients use.
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

// lifted are the members, including members that some clients nest one level deeper: Zed's
// older {"command":{"path":…,"args":…}}, Continue's requestOptions.
func lifted(members []schema.Member) (all []schema.Member) {
	for _, m := range members {
		inner, err := schema.Members(m.Value)
		if err == nil && m.Name == "auth" && slices.ContainsFunc(inner, func(i schema.Member) bool { return i.Name == "CLIENT_ID" }) {
			m.Name = "oauth" // Cursor
		}
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

// check finds mistakes that are visible before variables are expanded.
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
	default:
		return e.Sandboxed.check(kind)
	}
}

func (e *entry) off() bool { return e.Disabled || e.Enabled != nil && !*e.Enabled }

// addVariables writes as ${NAME} the variables that Codex and Goose only name.
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

func set(table *map[string]string, name, value string) {
	if *table == nil {
		*table = map[string]string{}
	}
	(*table)[name] = value
}

func texts(table map[string]plainText) (out map[string]string) {
	for name, text := range table {
		set(&out, name, string(text))
	}
	return out
}

// literals are the fields that contain $NAME, which a shell would expand.
func (e *entry) literals() (fields []string) {
	for field, text := range e.Fields() {
		if m := bare().FindStringSubmatch(text); m != nil {
			fields = append(fields, field+" holds $"+m[1])
		}
	}
	return fields
}

// kind is the transport of the entry, "" if it is not known.
func (e *entry) kind() string {
	return session.Server{Command: e.Command, URL: e.URL, Type: e.Type}.Kind()
}

// resolve expands an entry. A stdio server starts in the directory of the file that names it,
// unless the entry names another: never in the working directory, where an interpreter may
// load files.
func (e *entry) resolve(name, field, dir string, own bool, x *expander) (session.Server, error) {
	is := e.mapped(func(at, text string) string { return x.expand(field+"."+at, text) })
	if x.err != nil {
		return session.Server{}, x.err
	}
	server := session.Server{Name: name, Command: is.Command, Args: is.Args, Env: is.Env, Dir: is.Dir, URL: is.URL, Headers: is.Headers, Type: e.Type, OAuth: is.OAuth.session(own)}
	if server.Command != "" {
		server.Dir = resolve(dir, server.Dir)
		server.Command = program(server.Command, server.Dir)
		server.Shown, server.Unread = e.spec().CommandLine(), e.spec().unread(x.env)
		var err error
		if server.Sandbox, err = e.sandbox(field, dir, x); err != nil {
			return session.Server{}, err
		}
	}
	server.Secrets = x.values
	return server, server.Validate()
}

// reference is ${NAME} or ${NAME:-default}; ${env:NAME}, ${input:ID} and the
// fixed names of editors. A bare $NAME is text.
var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$\{(?:(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?|input:([A-Za-z0-9_.-]+)|(/))\}`)
})

// bare matches a reference that a shell would expand, and no client does.
var bare = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^$\\])\$([A-Z_][A-Z0-9_]*)`)
})

// Input is a value for which a servers file asks its user, as in VS Code.
type Input struct {
	ID          string   `json:"id"`
	Type        string   `json:"type"` // promptString or pickString
	Description string   `json:"description"`
	Default     string   `json:"default"` // the value if the user answers nothing
	Password    bool     `json:"password"`
	Options     []string `json:"options"` // for pickString
}

// variable is the input's name in the environment.
func (i Input) variable() string {
	return "ASK_INPUT_" + regexp.MustCompile(`[^A-Za-z0-9_]`).ReplaceAllString(i.ID, "_")
}

// world is the meaning of references, the same for every server.
type world struct {
	env    Environ
	fixed  map[string]string // names that editors define
	inputs map[string]Input
	ask    func(Input) (string, error) // nil without a user to ask
	said   map[string]string           // the user's answers
}

// expander replaces references in one server's fields. It keeps the first mistake, with its
// field, and the value of every variable and input.
type expander struct {
	*world
	values map[string]string
	err    error
}

func (x *expander) expand(field, text string) string {
	if wrong := x.misread(text); wrong != "" {
		x.fail(verdict.ConfigInvalid, field+wrong)
		return ""
	}
	return reference().ReplaceAllStringFunc(text, func(ref string) string {
		m := reference().FindStringSubmatch(ref)
		switch name, fallback := m[1], m[2]; {
		case m[5] != "":
			return string(filepath.Separator)
		case m[4] != "":
			return x.input(field, x.inputs[m[4]])
		case x.fixed[name] != "":
			return x.fixed[name]
		default:
			return x.variable(field, name, fallback != "", m[3])
		}
	})
}

// misread describes the wrong references of a text, "" if all are right.
func (w *world) misread(text string) string {
	found := reference().FindAllStringSubmatch(text, -1)
	if strings.Count(text, "${") != len(found) {
		return " has a ${ that is neither ${NAME} nor ${NAME:-default}"
	}
	for _, m := range found {
		if _, known := w.inputs[m[4]]; m[4] != "" && !known {
			return " names the input " + m[4] + ", which the file does not describe as a promptString or a pickString"
		}
		if v, editors := w.fixed[m[1]]; editors && v == "" {
			return " names ${" + m[1] + "}, for which there is no value: this file is in no workspace, or HOME is not set"
		}
	}
	return ""
}

func (x *expander) variable(field, name string, otherwise bool, fallback string) string {
	v, set := x.env(name)
	if otherwise && v == "" { // as a shell reads :-
		return fallback
	}
	if !set {
		x.fail(verdict.ConfigVariable, fmt.Sprintf("%s names the variable %s, which is not set", field, name))
	}
	x.values[name] = v
	return v
}

// input is a value from the environment, or from the user.
func (x *expander) input(field string, i Input) string {
	v, set := x.env("ASK_INPUT_" + i.ID)
	if !set {
		v, set = x.env(i.variable())
	}
	if !set {
		v, set = x.said[i.ID]
	}
	if !set && x.ask != nil {
		answer, err := x.ask(i)
		if err != nil {
			x.fail(verdict.ConfigVariable, fmt.Sprintf("%s names the input %s: %v", field, i.ID, err))
			return ""
		}
		v, set = answer, true
		x.said[i.ID] = v
	}
	if !set {
		x.fail(verdict.ConfigVariable, fmt.Sprintf("%s names the input %s: there is no terminal to ask at, and the variable %s is not set", field, i.ID, i.variable()))
	}
	if len(i.Options) > 0 && !slices.Contains(i.Options, v) {
		x.fail(verdict.ConfigInvalid, fmt.Sprintf("%s names the input %s, which is not one of its options", field, i.ID))
	}
	called := i.ID
	if i.Password {
		called += " password" // so that its name marks it as a password
	}
	x.values[called] = v
	return v
}

func (x *expander) fail(code verdict.Code, reason string) {
	if x.err == nil {
		x.err = verdict.Fail(code, nil, "%s", reason)
	}
}

// editors are the names that editors define. The place of the file shows the workspace: it is
// in a project's folder for one editor, as in .vscode/mcp.json, or is a project's own
// .mcp.json. Any other file has no workspace.
func editors(path string, env Environ) map[string]string {
	home := env.Get("HOME")
	fixed := map[string]string{"userHome": home, "pathSeparator": string(filepath.Separator), "workspaceFolder": "", "workspaceFolderBasename": ""}
	dir := filepath.Dir(path)
	workspace := ""
	switch parent := filepath.Dir(dir); {
	case filepath.Base(path) == ".mcp.json":
		workspace = dir
	case strings.HasPrefix(filepath.Base(dir), "."):
		workspace = parent
	case filepath.Base(parent) == ".continue": // .continue/mcpServers/a.yaml
		workspace = filepath.Dir(parent)
	}
	if filepath.IsAbs(workspace) && workspace != home {
		fixed["workspaceFolder"], fixed["workspaceFolderBasename"] = workspace, filepath.Base(workspace)
	}
	return fixed
}

// ofWorkspace reports whether a name refers to the folder around its file.
func ofWorkspace(name string) bool { return strings.HasPrefix(name, "workspace") }
