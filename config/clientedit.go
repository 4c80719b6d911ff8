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

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/schema"
)

// Wrapper is the command that starts `ask wrap` in the place of a server.
type Wrapper struct {
	Name    string            // of the server in the servers file; "" means its name in the client's file
	Command string            // a path, or the name of a program in PATH
	Env     map[string]string // the variables that it needs to find its files
	Approve bool              // for Codex only: leave the approval to ask
	Hold    time.Duration     // how long a call waits for an approval; 0 leaves it to the configuration
}

// args are the arguments of the program in the place of a server.
func (w Wrapper) args(name string) []string {
	args := []string{"wrap", cmp.Or(w.Name, name)}
	if w.Hold > 0 {
		args = append(args, "--hold", w.Hold.String())
	}
	return args
}

// WrappedBy is the program that the named server starts as `PROGRAM wrap NAME` or
// `PROGRAM wrap --name`; "" for any other server. The caller checks whether it is this
// program: the name of a command proves nothing.
func (s Servers) WrappedBy(name string, env Environ) string {
	e := s.entries[name]
	c := s.Command(env, name)
	if len(c.Args) < 2 || c.Args[0] != "wrap" {
		return ""
	}
	if option, _, _ := strings.Cut(c.Args[1], "="); strings.HasPrefix(option, "-") && option != "--name" {
		return ""
	}
	if dirs, set := e.Env["PATH"]; set && filepath.Base(e.Command) == e.Command { // a client searches this PATH
		return lookedUp(e.Command, dirs)
	}
	return c.Path
}

// ProgramIn is the file of a command's program, by a path or in the directories of a PATH.
func ProgramIn(program, path string) string {
	if program == "" || filepath.Base(program) != program {
		return program
	}
	return lookedUp(program, path)
}

// lookedUp is a program in the first directory of a PATH that has it, "" if none does.
func lookedUp(command, dirs string) string {
	for _, dir := range filepath.SplitList(dirs) {
		if path, err := exec.LookPath(filepath.Join(dir, command)); err == nil && filepath.IsAbs(dir) {
			return path
		}
	}
	return ""
}

// tomlServers is the table in which Codex lists servers.
const tomlServers = "mcp_servers"

// reaching are the members of an entry by which its server is reached. They move to the
// servers file; the other members are the client's own, and stay.
var reaching = []string{
	"command", "args", "env", "cwd", "url", "headers", "type", "oauth", "auth", "environment",
	"bearer_token_env_var", "env_http_headers", "requestOptions", "headersHelper", "authProviderType",
}

// approvalMode is the member by which Codex asks its own user, unless it is "approve".
const approvalMode = "default_tools_approval_mode"

// Wrap is the file with `ask wrap` in the place of a server, and the bytes of the entry
// before and after.
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

// Snippet is an entry that starts `ask wrap`, for the user to write.
func (c *ClientFile) Snippet(name string, w Wrapper) string {
	b, err := c.wrapped(name, w, nil, c.from)
	if err != nil {
		return ""
	}
	return string(b)
}

// Misread names text of an entry that its client expands and ask does not. Gemini replaces
// $NAME. Misread returns "" for any other entry.
func (c *ClientFile) Misread(name string) string {
	e := c.Servers.entries[name]
	if fields := e.literals(); len(fields) > 0 && filepath.Base(filepath.Dir(c.Path)) == ".gemini" {
		return fields[0] + ", which Gemini replaces and ask does not: write ${NAME}"
	}
	return ""
}

// wrapped are the bytes of an entry that starts `ask wrap` in the place of a server, in its
// client's form. It keeps members that do not affect how the server is reached, and drops
// comments in the entry.
func (c *ClientFile) wrapped(name string, w Wrapper, was []byte, from int) ([]byte, error) {
	e := c.Servers.entries[name]
	members, err := schema.Members(e.raw)
	if err != nil {
		return nil, err
	}
	var kept edit.Object
	for _, m := range members {
		if !slices.Contains(reaching, cmp.Or(spelled[m.Name], m.Name)) && m.Name != "env_vars" {
			kept = kept.And(m.Name, m.Value)
		}
	}
	to, args, env := shapeOf(form(c.Path), c.Servers.field), w.args(name), maps.Clone(w.Env)
	all := to.typed(members)
	switch form(c.Path) {
	case "toml":
		return edit.TOMLEntryOf(c.part(), tomlServers, name).Text(c.tomlMembers(name, kept, w, args), edit.Newline(c.text))
	case "yaml":
		i := slices.IndexFunc(kept, func(m edit.Member) bool { return m.Name == "name" })
		if i >= 0 { // in a list of servers
			all = slices.Insert(all, 0, kept[i])
			kept = slices.Delete(kept, i, i+1)
		}
		all = append(all.And(to.command, w.Command).And(to.args, args).With(to.env, env), kept...)
		column := from - 1 - bytes.LastIndexByte(c.text[:from], '\n')
		return all.YAML(strings.Repeat(" ", column), edit.Newline(c.text)), nil
	}
	if env == nil {
		env = map[string]string{}
	}
	maps.Copy(env, c.handedOn(e))
	switch {
	case to.args == "":
		all = all.And(to.command, append([]string{w.Command}, args...)).With(to.env, env)
	case slices.ContainsFunc(members, func(m schema.Member) bool { return m.Name == "command" && m.Value.Kind() == '{' }): // an older Zed
		all = all.And("command", edit.Object{}.And("path", w.Command).And("args", args).With("env", env))
	default:
		all = all.And(to.command, w.Command).And(to.args, args).With(to.env, env)
	}
	return append(all, kept...).LaidOut(c.text, from, was)
}

// shape is the names that a client's entries use for the command of a server.
type shape struct {
	command string
	args    string // "" if the command is a list that includes them
	env     string
	kind    string // the type of a server with a command, if every entry states one
}

// shapes are by the format of a file, "" for any, and by the key that contains the servers.
// Only Codex uses TOML.
var shapes = []struct {
	format, key string
	shape       shape
}{
	{"yaml", "extensions", shape{"cmd", "args", "envs", ""}}, // Goose
	{"", openCode, shape{"command", "", "environment", "local"}},
	{"", "servers", shape{"command", "args", "env", "stdio"}}, // VS Code
}

// shapeOf is the shape under a key. Most clients share the default.
func shapeOf(format, key string) shape {
	for _, one := range shapes {
		if one.key == key && (one.format == "" || one.format == format) {
			return one.shape
		}
	}
	return shape{"command", "args", "env", ""}
}

// typed is the type of a server with a command, if the client's entries state one.
func (s shape) typed(members []schema.Member) edit.Object {
	states := slices.ContainsFunc(members, func(m schema.Member) bool { return cmp.Or(spelled[m.Name], m.Name) == "type" })
	switch {
	case s.kind != "":
		return edit.Object{}.And("type", s.kind)
	case states:
		return edit.Object{}.And("type", "stdio")
	}
	return nil
}

// handedOn are the variables and inputs that an entry refers to, as its client spells them.
// The client passes them to `ask wrap`, which passes them to the server. Clients that do not
// know the spelling pass their own variables anyway.
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
func (c *ClientFile) tomlMembers(name string, kept edit.Object, w Wrapper, args []string) map[string]any {
	all := map[string]any{"command": w.Command, "args": args}
	file, _ := decodeTOML(c.part())
	servers, _ := file["mcp_servers"].(map[string]any)
	was, _ := servers[name].(map[string]any)
	for _, m := range kept { // the values from TOML: dates, and numbers with their kind
		all[m.Name] = was[m.Name]
	}
	if len(w.Env) > 0 {
		all["env"] = w.Env
	}
	e := c.Servers.entries[name]
	vars := slices.Clone(e.HandedOn) // Codex passes on only the variables that are named
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

// Asks reports whether the client asks its own user before a call, and can leave that to ask.
func (c *ClientFile) Asks() bool { return form(c.Path) == "toml" }
