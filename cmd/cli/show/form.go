package show

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template/parse"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/itchyny/gojq"
	"go.yaml.in/yaml/v3"

	"github.com/onestep-run/onestep/gate/lex"
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

// word matches texts that every reader of YAML takes for text, except those in ambiguous.
var word = lex.Pattern(`^[A-Za-z][A-Za-z0-9_./-]*$`)

// ambiguous are words with another meaning in YAML 1.1, or for some readers.
var ambiguous = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nil", "none", "inf", "nan"}

// textNode returns a text that no reader takes for a number, a date or a truth value,
// in any version of YAML.
func textNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Style: yaml.DoubleQuotedStyle}
	switch {
	case word().MatchString(s) && !slices.Contains(ambiguous, strings.ToLower(s)):
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

// path leads from a document to a value in it: names of members, and each for
// the items of a list.
type path []string

// each means all items of a list, or all members of an object.
const each = ""

// absent returns the first path that leads nowhere, up to the missing step, in the
// form of an expression. It returns "" if all paths exist. A null has no members, but
// exists itself.
func absent(document any, paths []path) string {
	for _, p := range paths {
		if n := p.within([]any{document}); n < len(p) {
			return p[:n+1].String()
		}
	}
	return ""
}

func (p path) String() string {
	return strings.ReplaceAll("."+strings.Join(p, "."), "."+each+".", "[].")
}

// within returns how many steps of the path exist. A list without items counts as
// having every step.
func (p path) within(at []any) int {
	for n, name := range p {
		var next []any
		for _, v := range at {
			switch v := v.(type) {
			case map[string]any:
				if inner, there := v[name]; there {
					next = append(next, inner)
				}
				if name == each {
					for _, inner := range v {
						next = append(next, inner)
					}
				}
			case []any:
				if name == each {
					next = append(next, v...)
				}
			}
		}
		if len(next) == 0 && name == each {
			return len(p)
		}
		if len(next) == 0 {
			return n
		}
		at = next
	}
	return len(p)
}

// jqPaths returns the paths that a jq expression reads from the document first. It
// skips a step that may fail, by ? or //.
func jqPaths(q *gojq.Query) []path {
	switch {
	case q == nil:
		return nil
	case q.Op == gojq.OpComma:
		return append(jqPaths(q.Left), jqPaths(q.Right)...)
	case q.Op == gojq.OpPipe:
		return jqPaths(q.Left)
	case q.Op != 0 || q.Term == nil:
		return nil
	}
	t := q.Term
	var p path
	switch t.Type {
	case gojq.TermTypeIdentity:
	case gojq.TermTypeIndex:
		step, ok := jqStep(t.Index)
		if !ok {
			return nil
		}
		p = append(p, step)
	case gojq.TermTypeQuery:
		if len(t.SuffixList) == 0 {
			return jqPaths(t.Query)
		}
		return nil
	default:
		return nil
	}
	for _, s := range t.SuffixList {
		step, ok := each, true
		if s.Index != nil {
			step, ok = jqStep(s.Index)
		}
		if s.Optional {
			return nil
		}
		if !ok {
			break
		}
		p = append(p, step)
	}
	return []path{p}
}

func jqStep(i *gojq.Index) (name string, ok bool) {
	switch {
	case i.Name != "":
		return i.Name, true
	case i.Str != nil:
		return literalOf(i.Str)
	case i.Start == nil || i.IsSlice || i.Start.Term == nil:
		return "", false
	case i.Start.Term.Type == gojq.TermTypeString:
		return literalOf(i.Start.Term.Str)
	}
	return each, i.Start.Term.Type == gojq.TermTypeNumber
}

func literalOf(s *gojq.String) (text string, ok bool) {
	return s.Str, len(s.Queries) == 0 && s.Str != each
}

// templatePaths returns the paths of the document that a template prints or goes
// through. It skips the paths in {{if}} and {{with}}, which ask whether they exist.
func templatePaths(t *parse.Tree) (all []path) {
	if t == nil || t.Root == nil {
		return nil
	}
	for _, n := range t.Root.Nodes {
		var pipe *parse.PipeNode
		switch n := n.(type) {
		case *parse.ActionNode:
			pipe = n.Pipe
		case *parse.RangeNode:
			pipe = n.Pipe
		}
		if pipe == nil {
			continue
		}
		for _, c := range pipe.Cmds {
			for _, arg := range c.Args {
				if field, is := arg.(*parse.FieldNode); is {
					all = append(all, path(field.Ident))
				}
			}
		}
	}
	return all
}
