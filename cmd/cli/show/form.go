package show

import (
	"context"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"

	"github.com/onestep-run/onestep/gate/schema"
)

// Form writes what else a JSON document can be. An error may come after a part
// of it was written. Absent is a path that was asked for and is nowhere in the
// document, "" for none.
type Form func(ctx context.Context, w io.Writer, document jsontext.Value) (absent string, err error)

// YAML is the [Form] of the same document in YAML, its members in their order.
func YAML(_ context.Context, w io.Writer, document jsontext.Value) (absent string, err error) {
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	if err := e.Encode(node(document)); err != nil {
		return "", err
	}
	return "", e.Close()
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

// word is what every reader of YAML takes for the text it is, unless it is one
// of taken.
var word = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*$`)

// taken are the words that YAML 1.1, or a reader of its own accord, has another
// use for.
var taken = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nil", "none", "inf", "nan"}

// textNode is a text that no reader takes for a number, a date or a truth
// value, whichever version of YAML it reads.
func textNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Style: yaml.DoubleQuotedStyle}
	switch {
	case word.MatchString(s) && !slices.Contains(taken, strings.ToLower(s)):
		n.Style = 0
	case prose(s):
		n.Style = yaml.LiteralStyle
	}
	return n
}

// prose reports whether a text can stand in a block, line by line: no other
// character ends a line in it, and its first is not taken for indentation.
func prose(s string) bool {
	before, _, several := strings.Cut(s, "\n")
	odd := func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }
	return several && strings.TrimLeft(before, " ") == before && before != "" && !strings.ContainsFunc(s, odd)
}
