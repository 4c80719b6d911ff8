package config

import (
	"bytes"
	"cmp"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/pelletier/go-toml/v2"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
)

// Wrapper is what starts `ask wrap` in the place of a server.
type Wrapper struct {
	Name    string            // of the server in the servers file; "" is its name in the client's
	Command string            // a path, or a name that the PATH has
	Env     map[string]string // that it needs to find its files
	Approve bool              // of Codex alone: it leaves the approval to ask
	Hold    time.Duration     // how long a call waits for an approval; 0 leaves it to the configuration
}

// args are what the program is started with in the place of a server.
func (w Wrapper) args(name string) []string {
	args := []string{"wrap", cmp.Or(w.Name, name)}
	if w.Hold > 0 {
		args = append(args, "--hold", w.Hold.String())
	}
	return args
}

// WrappedBy is the program that the named server starts as `PROGRAM wrap NAME`, or with
// `wrap --name`; "" of any other server. Whether that is this program the caller finds out: what a
// command is called says nothing.
func (s Servers) WrappedBy(name string, env Environ) string {
	e := s.entries[name]
	c := s.Command(env, name)
	if len(c.Args) < 2 || c.Args[0] != "wrap" {
		return ""
	}
	if option, _, _ := strings.Cut(c.Args[1], "="); strings.HasPrefix(option, "-") && option != "--name" {
		return ""
	}
	if dirs, set := e.Env["PATH"]; set && filepath.Base(e.Command) == e.Command { // a client looks there
		return lookedUp(e.Command, dirs)
	}
	return c.Path
}

// lookedUp is a program of the first directory of a PATH that has it, "" where none
// does.
func lookedUp(command, dirs string) string {
	for _, dir := range filepath.SplitList(dirs) {
		if path, err := exec.LookPath(filepath.Join(dir, command)); err == nil && filepath.IsAbs(dir) {
			return path
		}
	}
	return ""
}

// reaching are the members of an entry that say how its server is reached. They
// move; the others are the client's own, and stay.
var reaching = []string{
	"command", "args", "env", "cwd", "url", "headers", "type", "oauth", "auth", "environment",
	"bearer_token_env_var", "env_http_headers", "requestOptions", "headersHelper", "authProviderType",
}

// approvalMode is what Codex asks its own person about, unless it says "approve".
const approvalMode = "default_tools_approval_mode"

// Wrap is the file with `ask wrap` in the place of a server, and the bytes of the
// entry before and after.
func (c *ClientFile) Wrap(name string, w Wrapper) (was, entry string, after ClientFile, err error) {
	before, from, err := c.Entry(name)
	if err != nil {
		return "", "", *c, err
	}
	b, err := c.wrapped(name, w, before, from)
	if err == nil {
		after, err = c.With(name, b)
	}
	if err == nil {
		spec, _, is := after.Servers.Spec(name)
		starts := spec.Command == w.Command && slices.Equal(spec.Args, w.args(name)) && spec.URL == ""
		if !is || !starts {
			err = ErrByHand
		}
	}
	return string(before), string(b), after, err
}

// Snippet is an entry that starts `ask wrap`, to be written by hand.
func (c *ClientFile) Snippet(name string, w Wrapper) string {
	b, err := c.wrapped(name, w, nil, c.from)
	if err != nil {
		return ""
	}
	return string(b)
}

// Misread says what of an entry its client reads and ask does not, "" where nothing
// is: Gemini replaces $NAME.
func (c *ClientFile) Misread(name string) string {
	e := c.Servers.entries[name]
	if fields := e.literals(); len(fields) > 0 && filepath.Base(filepath.Dir(c.Path)) == ".gemini" {
		return fields[0] + ", which Gemini replaces and ask does not: write ${NAME}"
	}
	return ""
}

// wrapped are the bytes of an entry that starts `ask wrap` in the place of a
// server, in the form that its client takes. Members that say nothing of how the
// server is reached are kept; comments in the entry are not.
func (c *ClientFile) wrapped(name string, w Wrapper, was []byte, from int) ([]byte, error) {
	e := c.Servers.entries[name]
	members, err := schema.Members(e.raw)
	if err != nil {
		return nil, err
	}
	var kept ordered
	for _, m := range members {
		if !slices.Contains(reaching, cmp.Or(spelled[m.Name], m.Name)) && m.Name != "env_vars" {
			kept = append(kept, member{m.Name, m.Value})
		}
	}
	args := w.args(name)
	env := maps.Clone(w.Env)
	switch form(c.Path) {
	case "toml":
		return tomlEntry(name, tomlAt(c.part(), name), c.tomlMembers(name, kept, w, args), newlineOf(c.text))
	case "yaml":
		names := [3]string{"command", "args", "env"}
		if c.Servers.field == "extensions" { // Goose
			names = [3]string{"cmd", "args", "envs"}
		}
		i := slices.IndexFunc(kept, func(m member) bool { return m.name == "name" })
		var first ordered // where a list has it
		if i >= 0 {
			first = ordered{kept[i]}
			kept = slices.Delete(kept, i, i+1)
		}
		all := slices.Concat(first, typed(members, c.Servers.field), ordered{{names[0], w.Command}, {names[1], args}}.with(names[2], env), kept)
		column := from - 1 - bytes.LastIndexByte(c.text[:from], '\n')
		return all.yaml(strings.Repeat(" ", column), newlineOf(c.text)), nil
	}
	if env == nil {
		env = map[string]string{}
	}
	maps.Copy(env, c.handedOn(e))
	all := typed(members, c.Servers.field)
	switch {
	case c.Servers.field == openCode:
		all = append(all, member{"command", append([]string{w.Command}, args...)}).with("environment", env)
	case slices.ContainsFunc(members, func(m schema.Member) bool { return m.Name == "command" && m.Value.Kind() == '{' }): // an older Zed
		all = append(all, member{"command", ordered{{"path", w.Command}, {"args", args}}.with("env", env)})
	default:
		all = append(all, member{"command", w.Command}, member{"args", args}).with("env", env)
	}
	return append(all, kept...).laidOut(c.text, from, was)
}

// typed says that the server is started, where the client's entries say so.
func typed(members []schema.Member, holder string) ordered {
	if holder == openCode {
		return ordered{{"type", "local"}}
	}
	if holder == "servers" || slices.ContainsFunc(members, func(m schema.Member) bool { return cmp.Or(spelled[m.Name], m.Name) == "type" }) {
		return ordered{{"type", "stdio"}}
	}
	return nil
}

// handedOn are the variables and inputs that an entry refers to, as its client
// spells them: that hands them on to `ask wrap`, and that to the server. Clients
// that do not know the spelling hand on their own variables anyway.
func (c *ClientFile) handedOn(e *entry) map[string]string {
	env := map[string]string{}
	base, dir := filepath.Base(c.Path), filepath.Base(filepath.Dir(c.Path))
	plain := base == ".claude.json" || base == ".mcp.json" || dir == ".gemini" // these expand ${NAME}
	for _, text := range e.Fields() {
		for _, m := range reference().FindAllStringSubmatch(text, -1) {
			switch {
			case m[4] != "":
				env[c.Servers.inputs[m[4]].variable()] = m[0]
			case m[1] == "" || m[2] != "" || ofEditor(m[1]):
			case c.Servers.field == openCode:
				env[m[1]] = "{env:" + m[1] + "}"
			case plain || strings.HasPrefix(m[0], "${env:"):
				env[m[1]] = m[0]
			}
		}
	}
	return env
}

func ofEditor(name string) bool {
	_, is := editors("/", func(string) (string, bool) { return "", false })[name]
	return is
}

// tomlMembers are the members of Codex's entry.
func (c *ClientFile) tomlMembers(name string, kept ordered, w Wrapper, args []string) map[string]any {
	all := map[string]any{"command": w.Command, "args": args}
	file, _ := decodeTOML(c.part())
	servers, _ := file["mcp_servers"].(map[string]any)
	was, _ := servers[name].(map[string]any)
	for _, m := range kept { // as TOML has them: dates, and numbers with their kind
		all[m.name] = was[m.name]
	}
	if len(w.Env) > 0 {
		all["env"] = w.Env
	}
	e := c.Servers.entries[name]
	vars := slices.Clone(e.HandedOn) // Codex hands on what is named, and nothing else
	for _, text := range e.Fields() {
		for _, m := range reference().FindAllStringSubmatch(text, -1) {
			if m[1] != "" && !ofEditor(m[1]) {
				vars = append(vars, m[1])
			}
		}
	}
	slices.Sort(vars)
	if vars = slices.Compact(vars); len(vars) > 0 {
		all["env_vars"] = vars
	}
	if w.Approve {
		all[approvalMode] = "approve"
	}
	return all
}

// Asks reports whether the client asks its own person before calls of a server,
// and can be made to leave that to ask.
func (c *ClientFile) Asks() bool { return form(c.Path) == "toml" }

// tomlEntry is an entry as the lines at a place are: a table; lines that begin with
// the server's keys, which take in no line below them; or a member of a value.
func tomlEntry(name string, at tomlPlace, members map[string]any, newline string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch {
	case at.within:
		err = toml.NewEncoder(&b).SetTablesInline(true).Encode(map[string]any{name: members})
	case at.keys != nil:
		for _, key := range slices.Sorted(maps.Keys(members)) {
			b.WriteString(tomlPath(at.keys) + ".")
			err = cmp.Or(err, toml.NewEncoder(&b).SetTablesInline(true).Encode(map[string]any{key: members[key]}))
		}
	default:
		b.WriteString("[" + tomlPath([]string{tomlServers, name}) + "]\n")
		err = toml.NewEncoder(&b).SetTablesInline(true).Encode(members)
	}
	return bytes.ReplaceAll(bytes.TrimRight(b.Bytes(), "\n"), []byte("\n"), []byte(newline)), err
}

// tomlPath is a dotted key.
func tomlPath(keys []string) string {
	var all []string
	for _, key := range keys {
		if strings.Contains(key, ".") || !escape.Name(key) {
			b, _ := jsontext.AppendQuote(nil, key) // a basic string of TOML; what comes out is read again
			key = string(b)
		}
		all = append(all, key)
	}
	return strings.Join(all, ".")
}

// member is a member of an object; its value is written as JSON.
type member struct {
	name  string
	value any
}

// ordered is an object whose members keep their order.
type ordered []member

func (o ordered) with(name string, table map[string]string) ordered {
	if len(table) == 0 {
		return o
	}
	return append(o, member{name, table})
}

func (o ordered) json() jsontext.Value {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, m.name)
		b = append(append(b, ':'), literal(m.value)...)
	}
	return append(b, '}')
}

// literal is a value that is not a stranger's as JSON.
func literal(v any) jsontext.Value {
	if o, is := v.(ordered); is {
		return o.json()
	}
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return jsontext.Value("null")
	}
	return b
}

// laidOut is the object as the entry before it was: on one line, or on several, as
// far from the margin.
func (o ordered) laidOut(text []byte, from int, was []byte) ([]byte, error) {
	v := o.json()
	if !bytes.Contains(was, []byte("\n")) {
		return v, nil
	}
	row := text[1+bytes.LastIndexByte(text[:from], '\n') : from]
	margin := string(row[:len(row)-len(bytes.TrimLeft(row, " \t"))])
	indent := "  "
	if strings.Contains(margin, "\t") {
		indent = "\t"
	}
	if err := v.Indent(jsontext.WithIndentPrefix(margin), jsontext.WithIndent(indent)); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(v, []byte("\n"), []byte(newlineOf(text))), nil
}

// yaml is a member a line, with its value in YAML's form of JSON.
func (o ordered) yaml(margin, newline string) []byte {
	var rows []string
	for _, m := range o {
		key := m.name
		if !escape.Name(key) {
			b, _ := jsontext.AppendQuote(nil, key)
			key = string(b)
		}
		rows = append(rows, key+": "+string(literal(m.value)))
	}
	return []byte(strings.Join(rows, newline+margin))
}

func newlineOf(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

func redacted(text string) string {
	text, _ = secret.Redact(text)
	return text
}
