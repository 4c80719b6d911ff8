package catalog

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// allowlistLimits bound the operator's own file.
var allowlistLimits = schema.Limits{Bytes: 4 << 20, Depth: 64, Values: 200_000, Exponent: 308, Digits: 64}

// Allowlist is the tools and servers that a run may consider. Its zero value allows
// nothing.
type Allowlist struct {
	tools  map[string]map[string]*grant
	odd    map[string][]string // by server: names that no callable tool has
	source jsontext.Value
	none   *verdict.Denial // why nothing is allowed
}

// resourceForm is a kind, and then text with the names of arguments in braces.
var resourceForm = lex.Pattern(`^[a-z][a-z0-9_-]{0,31}:(\{[^{}]{1,128}\}|[^{}[:cntrl:]])+$`)

// grant is one allowed tool, and what the operator says about it.
type grant struct {
	entry  jsontext.Value // as written
	output Output
	effect Effect

	resource string // the object of a call, as "ticket:{ticket_id}"
}

// Nothing returns an allowlist that allows nothing because of why: the file is
// missing, for example, or unreadable.
func Nothing(why *verdict.Denial) Allowlist { return Allowlist{none: why} }

// ParseAllowlist reads the operator's allowlist. For each server it has a list of
// tools, or lists by what the tools do:
//
//	{"server": ["tool", {"name": "tool", "output": {JSON Schema} | "text", "approval": "none" | "terminal", "resource": "kind:{argument}"}]}
//	{"server": {"read": ["tool"], "write": ["tool"]}}
//
// A file with one mistake allows nothing at all. The error is an allow.invalid denial,
// and the returned list carries the same denial. The one exception is a tool's name
// with characters that no callable tool has, such as "a/b". It allows nothing, and as
// long as the file allows other tools it costs only that tool.
func ParseAllowlist(b []byte) (Allowlist, error) {
	var servers map[string]jsontext.Value
	if err := schema.Decode(b, &servers, allowlistLimits); err != nil {
		return invalid("the allowlist has %v; it must be one JSON object {\"server\": [\"tool\", …]}", err)
	}
	a := Allowlist{tools: map[string]map[string]*grant{}, odd: map[string][]string{}, source: bytes.Clone(b)}
	for _, server := range slices.Sorted(maps.Keys(servers)) {
		if !escape.Name(server) {
			return invalid("server name %.100q has characters outside A-Z a-z 0-9 _ . -", server)
		}
		tools, odd, why := parseServer(servers[server])
		if why != "" {
			return invalid("server %s: %s", server, why)
		}
		if len(tools) > 0 {
			a.tools[server] = tools
		}
		if len(odd) > 0 {
			a.odd[server] = odd
		}
	}
	switch {
	case len(a.tools) > 0:
	case len(a.odd) > 0:
		return invalid("%s, and no other tool is named", a.oddName())
	default:
		a.none = verdict.Deny(verdict.AllowEmpty, "the allowlist names no tool")
	}
	return a, nil
}

// oddName says where the first name outside the alphabet is.
func (a Allowlist) oddName() string {
	server := slices.Min(slices.Collect(maps.Keys(a.odd)))
	return fmt.Sprintf("server %s: tool %.100q %s", server, a.odd[server][0], outside)
}

const outside = "has characters outside A-Z a-z 0-9 _ . -"

// parseServer reads the entry of one server, and separates the names outside the
// alphabet. A tool in a plain list has no stated effect, so it counts as writing.
func parseServer(entry jsontext.Value) (tools map[string]*grant, odd []string, why string) {
	tools = map[string]*grant{}
	var lists struct {
		Plain []jsontext.Value `json:"-"`
		Read  []jsontext.Value `json:"read"`
		Write []jsontext.Value `json:"write"`
	}
	into := any(&lists)
	switch entry.Kind() {
	case 'n':
		return tools, nil, "" // no tools
	case '[':
		into = &lists.Plain
	}
	if err := schema.Decode(entry, into, allowlistLimits); err != nil {
		return nil, nil, `its entry is neither ["tool", …] nor {"read": ["tool", …], "write": ["tool", …]}: ` + err.Error()
	}
	for _, list := range []struct {
		entries       []jsontext.Value
		reads, stated bool
	}{{lists.Plain, false, false}, {lists.Read, true, true}, {lists.Write, false, true}} {
		for _, raw := range list.entries {
			name, g, why := parseEntry(raw)
			if _, twice := tools[name]; twice || slices.Contains(odd, name) {
				why = "is listed twice"
			}
			if why != "" {
				return nil, nil, fmt.Sprintf("tool %.100q %s", name, why)
			}
			if !escape.Name(name) {
				odd = append(odd, name)
				continue
			}
			g.entry, g.effect.Reads, g.effect.Stated = raw, list.reads, list.stated
			tools[name] = &g
		}
	}
	return tools, odd, ""
}

func invalid(format string, args ...any) (Allowlist, error) {
	d := verdict.Deny(verdict.AllowInvalid, format, args...)
	return Nothing(d), d
}

func parseEntry(raw jsontext.Value) (name string, g grant, why string) {
	var e struct {
		Name     string         `json:"name"`
		Output   jsontext.Value `json:"output"`
		Approval *string        `json:"approval"`
		Resource *string        `json:"resource"`
	}
	into, plain := any(&e), raw.Kind() == '"'
	if plain {
		into = &e.Name
	}
	switch err := schema.Decode(raw, into, allowlistLimits); {
	case err != nil && plain:
		return e.Name, grant{}, outside
	case err != nil:
		return e.Name, grant{}, `is neither a name nor {"name", "output", "approval", "resource"}: ` + err.Error()
	case e.Name == "":
		return "", grant{}, "has no name"
	case len(e.Name) > maxName:
		return e.Name, grant{}, fmt.Sprintf("has a name of more than %d bytes", maxName)
	}
	if e.Approval != nil {
		if g.effect.Approval, why = parseApproval(*e.Approval); why != "" {
			return e.Name, grant{}, why
		}
	}
	if e.Resource != nil {
		if g.resource = *e.Resource; g.resource != suggested && !resourceForm().MatchString(g.resource) {
			return e.Name, grant{}, `has a resource that is neither "suggested" nor of the form "kind:{argument}"`
		}
	}
	if e.Output == nil {
		return e.Name, g, ""
	}
	var err error
	if g.output, err = declared(e.Output); err != nil {
		return e.Name, grant{}, "has an output that " + err.Error()
	}
	return e.Name, g, ""
}

// maxName is the longest name of a tool, as in [escape.Name].
const maxName = 128

// Refusal returns why nothing is allowed, or nil if something is.
func (a Allowlist) Refusal() error {
	switch {
	case a.none != nil:
		return a.none
	case len(a.tools) == 0:
		return verdict.Deny(verdict.AllowMissing, "there is no allowlist")
	}
	return nil
}

// Servers returns the servers with at least one allowed tool, sorted. A question may
// start or dial no others.
func (a Allowlist) Servers() []string { return slices.Sorted(maps.Keys(a.tools)) }

// Tools returns the allowed tools of one server, sorted.
func (a Allowlist) Tools(server string) []string { return slices.Sorted(maps.Keys(a.tools[server])) }

func (a Allowlist) size() (n int) {
	for _, tools := range a.tools {
		n += len(tools)
	}
	return n
}

// Effect returns what the operator says about a tool. A tool that is not allowed may
// do anything.
func (a Allowlist) Effect(server, tool string) Effect {
	return cmp.Or(a.tools[server][tool], &noGrant).effect
}

// Undecided returns the tools of one server without a stated effect, sorted.
func (a Allowlist) Undecided(server string) []string {
	return slices.DeleteFunc(a.Tools(server), func(tool string) bool { return a.Effect(server, tool).Stated })
}

// Decided returns the same list with every effect stated, for the operator to read and
// to adopt. For the tools without a stated effect, reads decides.
func (a Allowlist) Decided(reads func(server, tool string) bool) jsontext.Value {
	type entry struct {
		Read  []jsontext.Value `json:"read,omitempty"`
		Write []jsontext.Value `json:"write,omitempty"`
	}
	all := map[string]entry{}
	for _, server := range a.Servers() {
		var e entry
		for _, tool := range a.Tools(server) {
			g := a.tools[server][tool]
			if g.effect.Reads || !g.effect.Stated && reads(server, tool) {
				e.Read = append(e.Read, g.entry)
			} else {
				e.Write = append(e.Write, g.entry)
			}
		}
		all[server] = e
	}
	list, err := json.Marshal(all, json.Deterministic(true))
	if err != nil {
		return nil // impossible: all of it was read from JSON
	}
	return list
}

// Source returns the text that the list was read from, for the trace.
func (a Allowlist) Source() jsontext.Value { return a.source }

// Permits returns why a tool may not be considered, or nil if it may. It does not
// check whether the server has such a tool.
func (a Allowlist) Permits(server, tool string) error {
	if err := a.Refusal(); err != nil {
		return err
	}
	if _, no := a.lookup(server, tool); no != nil {
		return no
	}
	return nil
}

func (a Allowlist) lookup(server, tool string) (*grant, *verdict.Denial) {
	tools, ok := a.tools[server]
	if !ok {
		return nil, allowable(verdict.Deny(verdict.AllowServer, "server %s is not in the allowlist", lex.Repeat(server)), server, tool, verdict.Near(server, a.Servers()))
	}
	g, ok := tools[tool]
	if !ok && !escape.Name(tool) {
		return nil, verdict.Deny(verdict.CatalogName, "tool %s of server %s %s: no list can allow it, and no call can name it", lex.Repeat(tool), server, outside)
	}
	if !ok {
		return nil, allowable(verdict.Deny(verdict.AllowTool, "tool %s of server %s is not in the allowlist", lex.Repeat(tool), server), server, tool, verdict.Near(tool, a.Tools(server)))
	}
	return g, nil
}

// allowable completes a denial with the nearest allowed name, and with what an
// operator writes to allow the tool. It does not repeat a name that no list can
// contain. The near name comes first: a user who copied the line of a misspelt tool
// would allow an absent tool, and any tool that later gets that name.
func allowable(no *verdict.Denial, server, tool, near string) *verdict.Denial {
	if escape.Name(server) && escape.Name(tool) {
		no.Hint = "`ask servers review " + server + " --all-tools` shows its tools, and allows those that you choose; if this one is approved already, " +
			fmt.Sprintf(`add {%q:{"write":[%q]}} to the allowlist, or "read" if it changes nothing`, server, tool)
		if near != "" {
			no.Hint = strings.TrimPrefix(near, "; ") + " If not: " + no.Hint
		}
	}
	return no
}
