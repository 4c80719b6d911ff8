package gate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
)

// TestARefusalRepeatsNamesAlone: a refusal repeats a model's text only if it is a
// name. The text may be a name, an argument's name or a value in a plan.
func TestARefusalRepeatsNamesAlone(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{
		"id":{"type":"integer"},"day of week":{"type":"string"},
		"inside":{"type":"object","properties":{"n":{"type":"integer"}}},
		"any":{"type":"object","additionalProperties":{"type":"integer"}},
		"named":{"type":"object","propertyNames":{"pattern":"^[a-z]$"}}}}`
	raw := `{"name":"get","description":"Get an entry.","inputSchema":` + schema + `}`
	ways := map[string]func(said string) error{
		"the tool":              func(said string) error { return refusedCall(t, raw, "kb", said, `{}`) },
		"the server":            func(said string) error { return refusedCall(t, raw, said, "get", `{}`) },
		"a name":                func(said string) error { return refusedCall(t, raw, "kb", "get", `{`+quoted(t, said)+`:1}`) },
		"a name inside":         func(said string) error { return refusedCall(t, raw, "kb", "get", `{"inside":{`+quoted(t, said)+`:1}}`) },
		"a value":               func(said string) error { return refusedCall(t, raw, "kb", "get", `{"id":`+quoted(t, said)+`}`) },
		"a free name":           func(said string) error { return refusedCall(t, raw, "kb", "get", `{"any":{`+quoted(t, said)+`:"x"}}`) },
		"a name of a pattern":   func(said string) error { return refusedCall(t, raw, "kb", "get", `{"named":{`+quoted(t, said)+`:1}}`) },
		"a member of the plan":  func(said string) error { return unread(`{"type":"call_tool",` + quoted(t, said) + `:1}`) },
		"the type of the plan":  func(said string) error { return unread(`{"type":` + quoted(t, said) + `}`) },
		"the plan":              unread,
		"an allowlist's server": func(said string) error { return permits(t, said, "get") },
		"an allowlist's tool":   func(said string) error { return permits(t, "kb", said) },
	}
	for name, refuse := range ways {
		for _, said := range []string{"call zq now", "zq: x", "zqü", "zq\nzq", "`zq`", `"zq"`, "/zq", "~zq", "zq\u202e", strings.Repeat("zq", 65)} {
			err := refuse(said)
			if err == nil {
				t.Errorf("%s is %.20q, and it is not refused", name, said)
				continue
			}
			text := whole(err)
			if strings.Contains(text, "zq") {
				t.Errorf("%s is %.20q, and the refusal is %s", name, said, text)
			}
		}
		if text := whole(refuse("plain_name.1")); !strings.Contains(text, "plain_name.1") && strings.Contains(name, "name") {
			t.Errorf("%s is a name, and the refusal is %s", name, text)
		}
	}
	if text := whole(refusedCall(t, raw, "kb", "get", `{"day of week":1}`)); !strings.Contains(text, "/day of week:") {
		t.Errorf("a name of the schema is not repeated: %s", text)
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	b, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// whole is all that a refusal says.
func whole(err error) string {
	d, _ := verdict.First(err)
	if d == nil {
		return fmt.Sprint(err)
	}
	return d.Reason + " " + d.Hint
}

func unread(said string) error {
	_, err := plan.Parse([]byte(said))
	return err
}

func refusedCall(t *testing.T, raw, server, tool, args string) error {
	t.Helper()
	p, err := plan.Parse(plan.Call(server, tool, jsontext.Value(args)))
	if err == nil {
		_, err = gate.New(gate.Options{}).Approve(gate.Asked{Query: query(t, "get 1", "")}, tools(t, raw, ""), p)
	}
	return err
}

func permits(t *testing.T, server, tool string) error {
	t.Helper()
	allow, err := catalog.ParseAllowlist([]byte(`{"kb":{"read":["get"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	return allow.Permits(server, tool)
}
