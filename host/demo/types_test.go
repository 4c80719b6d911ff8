package demo_test

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/onestep-run/onestep/host/demo"
)

// The schema is what a client enforces, the type what this program decodes
// into. Where one of them is laxer, a result passes that the other refuses.
func TestTypesAndOutputSchemasAgree(t *testing.T) {
	t.Parallel()
	tools := listed(t)
	for key, args := range samples {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			server, tool := path.Split(key)
			res := call(t, session(t, demo.New(), path.Clean(server)), tool, args)
			good := []byte(text(t, res))
			both := verdicts(t, tools[key], demo.Types()[key])
			if a, b := both(good); a != nil || b != nil {
				t.Fatalf("the tool's own result: schema %v, type %v", a, b)
			}
			for _, bad := range spoilt(t, good, tools[key]) {
				if a, b := both(bad); a == nil || b == nil {
					t.Errorf("schema says %v, type says %v of %.200s", a, b, bad)
				}
			}
		})
	}
}

// verdicts gives the judgements of a tool's schema and of its type.
func verdicts(t *testing.T, tool *mcp.Tool, typ func([]byte) error) func([]byte) (error, error) {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("mem:///schema", tool.OutputSchema); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///schema")
	if err != nil {
		t.Fatal(err)
	}
	return func(b []byte) (error, error) {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err == nil {
			err = s.Validate(v)
		}
		return err, typ(b)
	}
}

// spoilt gives variants of a good result, each wrong in one member: of the
// root, and of the first element of an array in it.
func spoilt(t *testing.T, good []byte, tool *mcp.Tool) [][]byte {
	t.Helper()
	all := [][]byte{raw(`null`), raw(`[]`), raw(`"text"`), raw(`{}`)}
	var root map[string]any
	if err := json.Unmarshal(good, &root); err != nil {
		t.Fatal(err)
	}
	objects := []map[string]any{root}
	if hits, ok := root["results"].([]any); ok {
		objects = append(objects, hits[0].(map[string]any))
	}
	for _, o := range objects {
		for member, was := range o {
			if member == "resolution" { // the one optional member
				continue
			}
			delete(o, member)
			all = append(all, marshal(t, root))
			for _, wrong := range []any{nil, "", 0, 6.5, -1, false, "x y", strings.Repeat("é", 4001), []any{""}, map[string]any{}} {
				if _, isText := was.(string); isText && wrong == "x y" && free(member) {
					continue // an ordinary text is a good one
				}
				o[member] = wrong
				all = append(all, marshal(t, root))
			}
			o[member] = was
		}
		o["extra"] = "x"
		all = append(all, marshal(t, root))
		delete(o, "extra")
	}
	return all
}

// free reports whether any short text is good for the member.
func free(member string) bool {
	return strings.Contains(" title owner site group text description snippet ", " "+member+" ")
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
