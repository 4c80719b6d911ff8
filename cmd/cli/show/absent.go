package show

import (
	"strings"
	"text/template/parse"

	"github.com/itchyny/gojq"
)

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
