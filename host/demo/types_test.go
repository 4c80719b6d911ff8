package demo_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/onestep-run/onestep/gate/schema"
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

// The forms of ids are compared with regular expressions of their own.
func TestTypesAndTheirTagsAgree(t *testing.T) {
	t.Parallel()
	tags := map[string]func([]byte) error{
		"Policy": tagged[demo.Policy], "Document": tagged[demo.Document], "Ticket": tagged[demo.Ticket],
		"SearchResult": tagged[demo.SearchResult], "Deleted": tagged[demo.Deleted],
	}
	types := map[string]string{
		"fetch_policy_entry": "Policy", "fetch_sharepoint_doc": "Document", "get_ticket": "Ticket", "close_ticket": "Ticket",
		"delete_policy_entry": "Deleted", "delete_sharepoint_doc": "Deleted",
	}
	tools := listed(t)
	for key, args := range samples {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			server, tool := path.Split(key)
			good := []byte(text(t, call(t, session(t, demo.New(), path.Clean(server)), tool, args)))
			tag := tags[cmp.Or(types[tool], "SearchResult")]
			if err := tag(good); err != nil {
				t.Fatalf("the tags say %v of the tool's own result", err)
			}
			for _, b := range append(spoilt(t, good, tools[key]), edges(t, good)...) {
				if rules, tags := demo.Types()[key](b), tag(b); (rules == nil) != (tags == nil) {
					t.Errorf("the rules say %v, the tags %v of %.200s", rules, tags, b)
				}
			}
		})
	}
}

// tagged reads as the program does, with the forms as regular expressions.
func tagged[T any](result []byte) error {
	var v T
	if err := schema.Decode(result, &v, schema.ResultLimits); err != nil {
		return err
	}
	valid := validator.New(validator.WithRequiredStructEnabled())
	forms := map[string]*regexp.Regexp{
		"policy- 3": regexp.MustCompile(`^policy-[0-9]{3}$`), "sp- 3": regexp.MustCompile(`^sp-[0-9]{3}$`), "INC 7": regexp.MustCompile(`^INC[0-9]{7}$`),
	}
	err := valid.RegisterValidation("numbered", func(f validator.FieldLevel) bool { return forms[f.Param()].MatchString(f.Field().String()) })
	return errors.Join(err, valid.Struct(v))
}

// edges are variants of a good result with a member at, or just past, a bound.
func edges(t *testing.T, good []byte) (all [][]byte) {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(good, &root); err != nil {
		t.Fatal(err)
	}
	objects := []map[string]any{root}
	if hits, ok := root["results"].([]any); ok {
		objects = append(objects, hits[0].(map[string]any))
		for _, n := range []int{0, 10, 11} {
			root["results"] = slices.Repeat(hits[:1], n)
			all = append(all, marshal(t, root))
		}
		root["results"] = hits
	}
	values := []any{1, 5, 6, true, "new", "closed", "retired", "2026-02-29", "2024-02-29", "2026-2-9"}
	for _, id := range []string{"policy-002", "policy-0022", "policy-02", "policy-0٣2", "sp-104", "SP-104", "sp-104\n", "INC0010001", "INC001000", "inc0010001"} {
		values = append(values, id)
	}
	for _, n := range []int{80, 81, 120, 121, 300, 301, 500, 501, 4000, 4001} {
		values = append(values, strings.Repeat("é", n))
	}
	for _, o := range objects {
		for member, was := range o {
			for _, v := range values {
				o[member] = v
				all = append(all, marshal(t, root))
			}
			o[member] = was
		}
	}
	return all
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

// spoilt returns variants of a good result, each wrong in one member. It changes members
// of the root, and of the first element of an array in it.
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
