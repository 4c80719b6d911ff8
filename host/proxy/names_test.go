package proxy_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/proxy"
)

func TestPublicNames(t *testing.T) {
	t.Parallel()
	for tool, want := range map[proxy.Tool]string{
		{Server: "aws-s3", Name: "list_buckets"}: "mcp_aws_s3_list_buckets",
		{Server: "kb", Name: "get.page"}:         "mcp_kb_get_page",
		{Server: "kb", Name: "größe"}:            "mcp_kb_gr__e",
	} {
		if got := proxy.PublicName(tool); got != want {
			t.Errorf("%v is called %s, want %s", tool, got, want)
		}
	}
	long := proxy.Tool{Server: "kb", Name: strings.Repeat("a", 100)}
	other := proxy.Tool{Server: "kb", Name: strings.Repeat("a", 101)}
	name := regexp.MustCompile(`^mcp_kb_a{46}_[0-9a-f]{10}$`)
	if a, b := proxy.PublicName(long), proxy.PublicName(other); a == b || !name.MatchString(a) || !name.MatchString(b) {
		t.Errorf("long names are %s and %s", a, b)
	}
	same := []proxy.Tool{{Server: "a", Name: "b_c"}, {Server: "a_b", Name: "c"}}
	if all, err := proxy.PublicNames(same); err == nil || !strings.Contains(err.Error(), "mcp_a_b_c") {
		t.Errorf("two tools are called %v, %v", all, err)
	}
	if all, err := proxy.PublicNames([]proxy.Tool{same[0], same[0], long}); err != nil || all["mcp_a_b_c"] != same[0] {
		t.Errorf("%v, %v", all, err)
	}
}

// several is an operator of several servers.
type several struct {
	operator

	servers map[string][]string
}

func (s *several) Catalog(_ context.Context, _ string, servers ...string) catalog.Catalog {
	var all []catalog.Listing
	allowed := map[string]string{}
	for _, server := range servers {
		l := catalog.Listing{Server: server}
		for _, name := range s.servers[server] {
			raw := fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object","properties":{"n":{"maximum":9007199254740993}}}}`, name)
			l.Tools = append(l.Tools, pin.Descriptor{Server: server, Raw: jsontext.Value(raw), Instructions: "Ask " + server + "."})
		}
		all = append(all, l)
		allowed[server] = fmt.Sprintf(`%q:{"read":["%s"]}`, server, strings.Join(s.servers[server], `","`))
	}
	var parts []string
	for _, part := range allowed {
		parts = append(parts, part)
	}
	a, err := catalog.ParseAllowlist([]byte("{" + strings.Join(parts, ",") + "}"))
	if err != nil {
		panic(err)
	}
	return catalog.Admit(all, a, catalog.Options{})
}

// Behind one address a tool has its public name, and a call of it reaches that tool of that
// server. Two tools with one name are both hidden.
func TestSeveralServersBehindOneAddress(t *testing.T) {
	t.Parallel()
	o := &several{operator{answer: answers(text("done"))}, map[string][]string{"a-1": {"get", "b_c"}, "a-1_b": {"c"}, "z": {"get"}}}
	a := httpOf(t, o, proxy.HTTP{Options: proxy.Options{Server: "team", Servers: []string{"a-1", "a-1_b", "z"}}})
	s := a.greet()
	listed := a.must(200, list, "Mcp-Session-Id", s).body
	for name, want := range map[string]int{"mcp_a_1_get": 1, "mcp_z_get": 1, "mcp_a_1_b_c": 0, `"get"`: 0, "onestep_status": 1, "9007199254740993": 2} {
		if n := strings.Count(listed, name); n != want {
			t.Errorf("the list has %s %d times, want %d: %s", name, n, want, listed)
		}
	}
	a.must(200, call("1", "mcp_z_get", `{"n":1}`), "Mcp-Session-Id", s)
	for _, none := range []string{"get", "mcp_a_1_b_c", "z/get", "mcp_z_c"} {
		if got := a.must(200, call("1", none, "{}"), "Mcp-Session-Id", s).body; !strings.Contains(got, "-32602") {
			t.Errorf("a call of %s: %s", none, got)
		}
	}
	if len(o.asked) != 1 || string(o.asked[0].Plan) != `{"type":"call_tool","server":"z","tool":"get","args":{"n":1}}` || o.asked[0].Only != "z/get" {
		t.Errorf("the questions are %+v", o.asked)
	}
	status := a.must(200, call("1", "onestep_status", "{}"), "Mcp-Session-Id", s).body
	for _, want := range []string{"- a-1/b_c: catalog.name: 2 tools have the name mcp_a_1_b_c", "- a-1_b/c: catalog.name"} {
		if !strings.Contains(status, want) {
			t.Errorf("the status lacks %s: %s", want, status)
		}
	}
}
