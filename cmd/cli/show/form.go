package show

import (
	"context"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"

	"github.com/onestep-run/onestep/gate/schema"
)

// Form writes what else a JSON document can be. An error may come after a part
// of it was written.
type Form func(ctx context.Context, w io.Writer, document jsontext.Value) error

// YAML is the [Form] of the same document in YAML, its members in their order.
func YAML(_ context.Context, w io.Writer, document jsontext.Value) error {
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	if err := e.Encode(node(document)); err != nil {
		return err
	}
	return e.Close()
}

// node is a JSON value as YAML has it. A number keeps its literal.
func node(v jsontext.Value) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: string(v)}
	switch v.Kind() {
	case '{':
		n = &yaml.Node{Kind: yaml.MappingNode}
		members, _ := schema.Members(v) // a document is well formed
		for _, m := range members {
			n.Content = append(n.Content, textNode(m.Name), node(m.Value))
		}
	case '[':
		n = &yaml.Node{Kind: yaml.SequenceNode}
		items, _ := schema.Elements(v)
		for _, m := range items {
			n.Content = append(n.Content, node(m.Value))
		}
	case '"':
		s, _ := jsontext.AppendUnquote(nil, v)
		n = textNode(string(s))
	}
	return n
}

// textNode is a text that nothing takes for a number or a date.
func textNode(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
}
