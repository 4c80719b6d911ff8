// Package tools is a person's view of tools. It shows which tools can be called and why
// others cannot, the allowlist that would allow them, and arguments as they are typed.
//
// It reads a catalog that the gates made, and decides nothing. It uses neither settings nor
// state.
package tools

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/trust"
)

// Tool is one tool, callable or not.
type Tool struct {
	Server      string       `json:"server"`
	Name        string       `json:"name"`
	Callable    bool         `json:"callable"`
	Code        verdict.Code `json:"code,omitempty"`
	Reason      string       `json:"reason,omitempty"`
	Effect      string       `json:"effect,omitempty"`    // "read" or "write"
	EffectBy    string       `json:"effect_by,omitempty"` // "operator", "sandbox", or "default": see By of gate/catalog
	Claim       string       `json:"claim,omitempty"`     // the server's claim: "reads" or "writes"
	Title       string       `json:"title,omitempty"`
	Description string       `json:"description,omitempty"`
	Output      string       `json:"output,omitempty"`
	Notes       []string     `json:"notes,omitempty"`

	// FindTool sets these fields.
	Digest       string         `json:"digest,omitempty"`
	InputSchema  jsontext.Value `json:"input_schema,omitempty"`
	OutputSchema jsontext.Value `json:"output_schema,omitempty"`
}

// Tools are the tools that a run may consider, followed by the others, each with the reason.
func Tools(c catalog.Catalog) []Tool {
	all := []Tool{}
	for _, t := range c.Tools() {
		all = append(all, toolOf(t))
	}
	for _, e := range c.Excluded() {
		all = append(all, Tool{Server: e.Server, Name: e.Name, Code: e.Denial.Code, Reason: e.Denial.Reason})
	}
	return all
}

// SameClaims are the servers of a catalog with the same claim for all tools, by name. The
// value is the claim: "reads" or "writes".
func SameClaims(c catalog.Catalog) map[string]string {
	same := map[string]string{}
	for _, l := range c.Listings() {
		if pin.SameHints(l.Tools) {
			f, _ := l.Tools[0].Fields() // its hints were read
			same[l.Server] = claim(f)
		}
	}
	return same
}

func toolOf(t catalog.Tool) Tool {
	f := t.Fields()
	return Tool{
		Server: t.Server(), Name: t.Name(), Callable: true, Title: f.Title,
		Effect: t.Effect().String(), EffectBy: t.Effect().By(), Claim: claim(f),
		Description: f.Description, Output: t.Output().Basis.String(), Notes: t.Notes(),
	}
}

// FindTool is the tool named SERVER/TOOL, or TOOL if only one server has it. With excluded it
// may be a tool that cannot be called.
func FindTool(c catalog.Catalog, name string, excluded bool) (Tool, error) {
	server, tool, err := inCatalog(c, name)
	if err != nil {
		return Tool{}, err
	}
	t, err := c.Tool(server, tool)
	if err == nil {
		found := toolOf(t)
		found.Digest, found.InputSchema, found.OutputSchema = t.Digest().String(), t.Input().Raw(), t.Fields().OutputSchema
		return found, nil
	}
	if found, listed := listed(c, server, tool); listed && excluded {
		found.Code, found.Reason = verdict.CodeOf(err), host.FailureOf(err).Message
		return found, nil
	}
	err = meant(err, c, server, tool)
	if d, _ := verdict.First(err); d != nil && !excluded {
		d.Hint = "`ask tools show --all " + server + "/" + tool + "` also shows tools that are not allowed"
	}
	return Tool{}, err
}

// SplitName splits SERVER/TOOL.
func SplitName(name string) (server, tool string, err error) {
	server, tool, found := strings.Cut(name, "/")
	if !found || server == "" || tool == "" {
		return "", "", verdict.Fail(verdict.UsageArgument, nil, "%q is not SERVER/TOOL", name)
	}
	return server, tool, nil
}

func inCatalog(c catalog.Catalog, name string) (server, tool string, err error) {
	if strings.Contains(name, "/") {
		return SplitName(name)
	}
	var has, names []string
	for _, t := range Tools(c) {
		names = append(names, t.Name)
		if t.Name == name {
			has = append(has, t.Server+"/"+t.Name)
		}
	}
	switch len(has) {
	case 0:
		return "", "", verdict.Fail(verdict.UsageArgument, nil, "no server has a tool %.64q%s", name, verdict.Near(name, names))
	case 1:
		return SplitName(has[0])
	}
	return "", "", verdict.Fail(verdict.UsageArgument, nil, "several servers have a tool %.64q: name one of %s", name, strings.Join(has, ", "))
}

// listed is a tool that a server lists, whatever the allowlist states.
func listed(c catalog.Catalog, server, tool string) (Tool, bool) {
	for _, l := range c.Listings() {
		for _, d := range l.Tools {
			f, err := d.Fields()
			if l.Server != server || f.Name != tool {
				continue
			}
			t := Tool{Server: server, Name: tool, Title: f.Title, Description: f.Description, InputSchema: f.InputSchema, OutputSchema: f.OutputSchema, Claim: claim(f)}
			if digest, bad := d.Digest(); err == nil && bad == nil {
				t.Digest = digest.String()
			}
			return t, true
		}
	}
	return Tool{}, false
}

// meant adds the probable name to the refusal of a tool that no server lists.
func meant(err error, c catalog.Catalog, server, tool string) error {
	d, _ := verdict.First(err)
	if d == nil || d.Code != verdict.AllowTool && d.Code != verdict.AllowServer {
		return err
	}
	var servers, tools []string
	for _, t := range Tools(c) {
		servers = append(servers, t.Server)
		if t.Server == server {
			tools = append(tools, t.Name)
		}
	}
	said := *d
	switch {
	case slices.Contains(tools, tool):
		return &said
	case len(tools) == 0:
		said.Reason += verdict.Near(server, servers)
	default:
		said.Reason += verdict.Near(tool, tools)
	}
	said.Hint = "`ask tools --all` lists the servers' tools"
	return &said
}

// Allowable is the allowlist entries that would allow the other tools, by the claims of their
// servers.
func Allowable(c catalog.Catalog) map[string]map[string][]string {
	list := map[string]map[string][]string{}
	for _, e := range c.Excluded() {
		t, found := listed(c, e.Server, e.Name)
		if code := e.Denial.Code; !found || code != verdict.AllowTool && code != verdict.AllowServer {
			continue
		}
		effect := Writes
		if t.Claim == "reads" {
			effect = Reads
		}
		if list[e.Server] == nil {
			list[e.Server] = map[string][]string{}
		}
		list[e.Server][effect] = append(list[e.Server][effect], e.Name)
	}
	return list
}

// AsApproved returns the digest of a tool that can be called in its approved form.
func AsApproved(c catalog.Catalog, server, tool, digest string) (string, error) {
	t, err := c.Tool(server, tool)
	if err != nil {
		return "", meant(err, c, server, tool)
	}
	approved, err := trust.Reviewed(t.Descriptor())
	if err == nil && digest != "" && digest != approved {
		err = verdict.Deny(verdict.PinChanged, "what was approved of %s/%s is %s", server, tool, approved)
	}
	return approved, err
}

// claim is a server's statement about its tool: "reads", "writes" or nothing. It is a
// stranger's word, and decides nothing.
func claim(f pin.Fields) string {
	switch hint := f.Annotations.ReadOnly; {
	case hint == nil:
		return ""
	case *hint:
		return "reads"
	}
	return "writes"
}

// Undecided is an allowlisted tool without an effect stated by the operator.
type Undecided struct {
	Server string `json:"server"`
	Name   string `json:"name"`
	Claim  string `json:"claim,omitempty"`
}

// FillClaims fills the servers' claims into an allowlist for tools without an effect stated
// by the operator, and lists those tools. If the operator copies the claims, they become the
// operator's own.
func FillClaims(c catalog.Catalog, allow catalog.Allowlist) (list jsontext.Value, open []Undecided) {
	claim := func(server, tool string) string {
		t, err := c.Tool(server, tool)
		if err != nil {
			return "" // not listed, or not callable
		}
		return claim(t.Fields())
	}
	for _, server := range allow.Servers() {
		for _, tool := range allow.Undecided(server) {
			open = append(open, Undecided{escape.Line(server, 128), escape.Line(tool, 128), claim(server, tool)})
		}
	}
	return allow.Decided(func(server, tool string) bool { return claim(server, tool) == "reads" }), open
}

// The effects that a person can state when approving a tool.
const (
	Reads  = "read"
	Writes = "write"
)
