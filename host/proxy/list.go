package proxy

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// Our own tools. A tool of the server with such a name is hidden.
const (
	toolStatus   = "onestep_status"
	toolReleased = "onestep_released"
)

var ours = map[string]string{
	toolStatus: `{"name":"onestep_status","title":"Hidden tools","description":"Lists the tools of this server that are hidden, why, and which command a person runs to change that. It changes nothing.",` +
		`"inputSchema":{"type":"object","additionalProperties":false},"annotations":{"readOnlyHint":true,"openWorldHint":false}}`,
	toolReleased: `{"name":"onestep_released","title":"Released result","description":"Returns a result of this server that was withheld and that a person has released since. Each is returned once. It calls no tool again.",` +
		`"inputSchema":{"type":"object","properties":{"run_id":{"type":"string","description":"The run whose result was withheld, as its refusal named it."}},"required":["run_id"],"additionalProperties":false},` +
		`"annotations":{"readOnlyHint":true,"openWorldHint":false}}`,
}

// shown is a server as a client sees it.
type shown struct {
	by      reader
	tools   [][]byte // descriptors, as they were approved and as the client can read them
	names   []string
	servers []string        // of each tool
	to      map[string]Tool // by public name, of several servers
	hidden  []hidden
	fresh   []string          // the new tools among the hidden ones
	bare    []string          // names of tools with an output schema that this client could not read
	said    map[string]string // instructions, by server
}

// hidden is a tool that is not shown, and why.
type hidden struct {
	server string // "" is the client's only one
	name   string // a stranger's text
	no     *verdict.Denial
}

// servers are those that the client reaches.
func (u *upstream) servers() []string {
	if u.Servers == nil {
		return []string{u.Server}
	}
	return u.Servers
}

// look asks the host for the approved tools, as a client can read them. No server is
// started for it.
func (u *upstream) look(ctx context.Context, by reader) *shown {
	s := seen(u.Host.Catalog(ctx, u.Subject, u.servers()...), by)
	if u.Servers != nil {
		s.public()
	}
	s.fresh = u.New(ctx)
	for _, name := range s.fresh {
		s.hides(name, u.newTool(u.Server))
	}
	if u.Known != nil {
		s.rest(u.Known(ctx))
		if len(s.tools)+len(s.hidden) == 0 {
			s.hidden = append(s.hidden, hidden{"", "(all)", verdict.Deny(verdict.PinUnapproved, "no tool of the server is known: no one has reviewed it, or it lists none")})
		}
	}
	if u.Quarantine != nil {
		released, err := u.Quarantine.Released(ctx)
		if u.withheld.Load() || err == nil && len(released) > 0 {
			s.addTool(toolReleased)
		}
	}
	if len(s.hidden)+len(s.bare) > 0 {
		s.addTool(toolStatus)
	}
	u.shown.Store(s)
	return s
}

// seen has the tools that the catalog shows, and hides the rest.
func seen(c catalog.Catalog, by reader) *shown {
	s := &shown{by: by, said: map[string]string{}}
	for _, u := range c.Unreachable() {
		no, fault := verdict.First(u.Err)
		if no == nil && fault != nil {
			no = &verdict.Denial{Code: fault.Code, Reason: fault.Reason}
		}
		s.hidden = append(s.hidden, hidden{u.Server, "(all)", no})
	}
	for _, t := range c.Tools() {
		d := t.Descriptor()
		switch no := t.Unshowable(); {
		case ours[t.Name()] != "":
			s.hidden = append(s.hidden, hidden{t.Server(), t.Name(), verdict.Deny(verdict.CatalogName, "onestep has a tool of this name")})
		case no != nil:
			s.hidden = append(s.hidden, hidden{t.Server(), t.Name(), no})
		default:
			tool, left := by.tool(schema.Without(d.Raw, "execution"))
			s.names, s.servers, s.tools = append(s.names, t.Name()), append(s.servers, d.Server), append(s.tools, tool)
			if left {
				s.bare = append(s.bare, t.Name())
			}
		}
		s.said[d.Server] = d.Instructions
	}
	for _, e := range c.Excluded() {
		s.hidden = append(s.hidden, hidden{e.Server, e.Name, e.Denial})
	}
	return s
}

// hides adds a tool to the hidden ones as a new tool, if it is not shown.
func (s *shown) hides(name, why string) {
	if slices.Contains(s.names, name) {
		return
	}
	is := func(h hidden) bool { return h.name == name }
	s.hidden = append(slices.DeleteFunc(s.hidden, is), hidden{"", name, verdict.Deny(verdict.PinUnapproved, "%s", why)})
}

// rest adds the known tools that nothing else shows or hides to the hidden ones.
func (s *shown) rest(known []string) {
	there := map[string]bool{}
	for _, name := range s.names {
		there[name] = true
	}
	for _, h := range s.hidden {
		there[h.name] = true
	}
	for _, name := range known {
		no := verdict.Deny(verdict.AllowTool, "it is not in the allowlist")
		if !escape.Name(name) {
			no = verdict.Deny(verdict.CatalogName, "its name has characters outside A-Z a-z 0-9 _ . -, or is longer than 128: no call can name it")
		}
		if !there[name] {
			s.hidden = append(s.hidden, hidden{"", name, no})
		}
	}
}

// helps reports whether a review can change that a tool is hidden.
func (h hidden) helps() bool {
	code := host.FailureOf(h.no).Code
	return code.WaitsForReview() || strings.HasPrefix(string(code), "pin.") || strings.HasPrefix(string(code), "allow.")
}

func (u *upstream) newTool(server string) string {
	return "it is new: the server lists it only since a call, and no one has approved it; `" + u.review(server) + " --all-tools` shows it"
}

func (s *shown) addTool(name string) {
	s.names, s.tools = append(s.names, name), append(s.tools, []byte(ours[name]))
}

// instructions are the server's own, after a line of ours if tools are hidden.
func (s *shown) instructions() string {
	said := ""
	for _, server := range slices.Sorted(maps.Keys(s.said)) {
		words := s.said[server]
		if string(escape.Controls(quoted(words))) != string(quoted(words)) {
			continue // a client could print them to a terminal
		}
		if len(s.said) > 1 && words != "" {
			words = "Of the server " + server + ":\n" + words + "\n"
		}
		said += words
	}
	if len(s.hidden) == 0 {
		return said
	}
	return strings.TrimSuffix(fmt.Sprintf("Hidden by onestep: %d of this server's tools; %s says which and why.\n%s", len(s.hidden), toolStatus, said), "\n")
}

// list answers tools/list. Everything is on one page.
func (u *upstream) list(ctx context.Context, req *mcp.ListToolsRequest) (mcp.Result, error) {
	r := u.carried(ctx, req)
	if r == nil || r.params["cursor"] != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no such cursor: the list has one page"}
	}
	r.result = append(append([]byte(`{"tools":[`), bytes.Join(u.look(ctx, r.from.reader()).tools, []byte{','})...), ']')
	if r.modern {
		r.result = append(r.result, `,"resultType":"complete","ttlMs":0,"cacheScope":"private"`...)
	}
	r.result = append(r.result, '}')
	return &listed{raw: r.result}, nil
}

// watch notifies the client when its list of tools would differ from the last one, for any
// reason.
func (u *upstream) watch(done chan struct{}) {
	defer close(done)
	was := ""
	if u.Changes != nil {
		was = u.Changes()
	}
	for {
		select {
		case <-u.there.Done():
			return
		case <-u.Ticks:
		}
		now := ""
		if u.Changes != nil {
			if now = u.Changes(); now == was {
				continue
			}
		}
		was = now
		u.renew(u.there)
	}
}

// renew looks again, and notifies the client of a change.
func (u *upstream) renew(ctx context.Context) {
	before := u.shown.Load()
	if before == nil {
		return // the client has not looked
	}
	if after := u.look(ctx, before.by); !slices.EqualFunc(before.tools, after.tools, bytes.Equal) || !slices.Equal(before.fresh, after.fresh) {
		u.changed()
	}
}

// changed has the SDK send notifications/tools/list_changed, to a subscription too: it does
// so when a tool is added. That tool is a dummy that is never listed.
func (u *upstream) changed() {
	u.server.AddTool(&mcp.Tool{Name: toolStatus, InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil // never called: receive answers every call
	})
}

// NotForwarded names the parts of a server that a client behind a wrap does not get.
const NotForwarded = "Not passed on by onestep: the server's prompts, resources, UI pages and completions; its requests for sampling, elicitation and roots are refused."

// maxStatus is how many hidden tools a status names.
const maxStatus = 200

// status answers onestep_status.
func (u *upstream) status(ctx context.Context, by reader) []byte {
	var b strings.Builder
	s := u.look(ctx, by)
	fmt.Fprintf(&b, "Hidden tools of the server %s: %d.\n", u.Server, len(s.hidden))
	for _, h := range s.hidden[:min(len(s.hidden), maxStatus)] {
		why := *host.FailureOf(h.no)
		name := h.name
		if u.Servers != nil && h.server != "" {
			name = h.server + "/" + h.name
		}
		fmt.Fprintf(&b, "- %s: %s: %s\n", escape.Line(name, 256), why.Code, escape.Line(why.Message, 300))
	}
	if n := len(s.hidden) - maxStatus; n > 0 {
		fmt.Fprintf(&b, "and %d more\n", n)
	}
	if len(s.bare) > 0 {
		fmt.Fprintf(&b, "Shown without their output schema and structured result, because these are not objects and the client's version of the protocol has only objects there: %s.\n", strings.Join(s.bare[:min(len(s.bare), maxStatus)], ", "))
	}
	b.WriteString(NotForwarded)
	if slices.ContainsFunc(s.hidden, hidden.helps) {
		fmt.Fprintf(&b, "\nA person sees, approves and allows tools with `%s --all-tools`. This session may not see the change: a new one does.", u.review(u.Server))
	}
	return message(b.String(), false)
}

func quoted(s string) []byte {
	b, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "\ufffd"))
	return b
}
