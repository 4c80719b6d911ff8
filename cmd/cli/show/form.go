package show

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/itchyny/gojq"
	"go.yaml.in/yaml/v3"

	"github.com/onestep-run/onestep/gate/schema"
)

// Form writes a JSON document in another form. An error may come after a part was
// written. Absent is a requested path that the document does not have, "" for none.
type Form func(ctx context.Context, w io.Writer, document jsontext.Value) (absent string, err error)

// YAML is the [Form] that writes the same document in YAML, with its members in their
// order.
func YAML(_ context.Context, w io.Writer, document jsontext.Value) (absent string, err error) {
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	if err := e.Encode(node(document)); err != nil {
		return "", err
	}
	return "", e.Close()
}

// node returns a JSON value as a YAML node. A number keeps its literal.
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

// word matches texts that every reader of YAML takes for text, except those in taken.
var word = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*$`)

// taken are words with another meaning in YAML 1.1, or for some readers.
var taken = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nil", "none", "inf", "nan"}

// textNode returns a text that no reader takes for a number, a date or a truth value,
// in any version of YAML.
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

// prose reports whether a text can be a block, line by line. No other character may
// end a line in it, and its first character must not look like indentation.
func prose(s string) bool {
	before, _, several := strings.Cut(s, "\n")
	odd := func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }
	return several && strings.TrimLeft(before, " ") == before && before != "" && !strings.ContainsFunc(s, odd)
}

// maxResults bounds the results of an expression.
const maxResults = 1 << 20

// JQ is the [Form] that a jq expression makes, with each result on a line. A string is
// shown as its text, anything else as compact JSON. The expression reads only the
// document: no variable of the environment, no further input, module or file.
func JQ(expression string, limits Limits) (Form, error) {
	query, err := gojq.Parse(expression)
	if err != nil {
		return nil, err
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, w io.Writer, document jsontext.Value) (string, error) {
		v, err := schema.Any(document)
		if err != nil {
			return "", err
		}
		missing := absent(v, jqPaths(query))
		return missing, limits.run(ctx, w, func(ctx context.Context, w io.Writer) error { return results(ctx, w, code, v) })
	}, nil
}

// results writes all results of the code for v.
func results(ctx context.Context, w io.Writer, code *gojq.Code, v any) error {
	next := code.RunWithContext(ctx, v)
	for range maxResults {
		result, more := next.Next()
		if !more {
			return nil
		}
		if err := write(w, result); err != nil {
			return halted(err)
		}
	}
	if _, more := next.Next(); more {
		return fmt.Errorf("it has more than %d results", maxResults)
	}
	return nil
}

func write(w io.Writer, result any) error {
	switch result := result.(type) {
	case error:
		return result
	case string:
		_, err := io.WriteString(w, result+"\n")
		return err
	}
	b, err := gojq.Marshal(result)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// halted returns the error that ended an expression. jq's halt is not an error.
func halted(err error) error {
	if halt := new(gojq.HaltError); errors.As(err, &halt) && halt.Value() == nil {
		return nil
	}
	return err
}
