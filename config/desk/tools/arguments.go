package tools

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Arguments are the arguments of a call as a person types them: NAME=VALUE, or NAME:=JSON.
type Arguments []argument

type argument struct {
	name, value string
	raw         bool // the value is JSON, whatever the schema says
}

// ReadArguments reads typed arguments. The first = ends a name. The values of a repeated name
// are the items of an array.
func ReadArguments(args []string) (Arguments, error) {
	var all Arguments
	for _, arg := range args {
		name, value, found := strings.Cut(arg, "=")
		name, raw := strings.CutSuffix(name, ":")
		switch {
		case !utf8.ValidString(arg):
			return nil, verdict.Fail(verdict.UsageArgument, nil, "the argument %q is not UTF-8", arg)
		case !found || name == "":
			return nil, verdict.Fail(verdict.UsageArgument, nil, "%q is not an argument of the tool: write NAME=VALUE, or NAME:=JSON", arg)
		}
		all = append(all, argument{name, value, raw})
	}
	return all, nil
}

// Typed are the arguments as one JSON object, with the types from the tool's schema. It helps
// the person who types: the gates check the object like any other.
func (a Arguments) Typed(tool schema.Params) (jsontext.Value, error) {
	for i, p := range a {
		switch {
		case tool.Types(p.name) == 0:
			return nil, unknown(p.name, tool)
		case a.has(p.name, i) && tool.Items(p.name) == 0:
			return nil, verdict.Fail(verdict.UsageArgument, nil, "the argument %q is given twice", p.name)
		}
	}
	for _, name := range tool.Required {
		if !slices.ContainsFunc(a, func(p argument) bool { return p.name == name }) {
			return nil, verdict.Fail(verdict.UsageArgument, nil, "the argument %q is missing: it must be %s", name, tool.Types(name))
		}
	}
	return a.object(func(p argument, item bool) (jsontext.Value, error) {
		if item {
			return p.read(tool.Items(p.name))
		}
		return p.read(tool.Types(p.name))
	})
}

// has reports whether one of the first n arguments has a name.
func (a Arguments) has(name string, n int) bool {
	return slices.ContainsFunc(a[:n], func(p argument) bool { return p.name == name })
}

// maxNamed is how many names of arguments a message lists.
const maxNamed = 24

func unknown(name string, tool schema.Params) error {
	names := tool.Names()
	switch near := verdict.Near(name, names); {
	case near != "":
		return verdict.Fail(verdict.UsageArgument, nil, "the tool has no argument %q%s", name, near)
	case len(names) == 0:
		return verdict.Fail(verdict.UsageArgument, nil, "the tool has no argument %q: it takes none", name)
	}
	quoted := make([]string, 0, maxNamed)
	for _, name := range names[:min(len(names), maxNamed)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	return verdict.Fail(verdict.UsageArgument, nil, "the tool has no argument %q: it takes %s", name, strings.Join(quoted, ", "))
}

// read is the value in one of the types. It refuses a text that fits two of them: a parser
// must not guess which was meant.
func (p argument) read(types schema.Types) (jsontext.Value, error) {
	value := jsontext.Value(strings.TrimSpace(p.value))
	is := schema.TypesOf(value)
	text, plain := types&schema.TypeString != 0, is&types&^schema.TypeString != 0
	neither := !text && !plain
	switch {
	case p.raw && is == 0:
		return nil, verdict.Fail(verdict.UsageArgument, nil, "the argument %q is not JSON after :=", p.name)
	case p.raw && is&types == 0, !p.raw && neither:
		return nil, verdict.Fail(verdict.UsageArgument, nil, "the argument %q must be %s, and is %q", p.name, types, p.value)
	case !p.raw && text && plain:
		return nil, verdict.Fail(verdict.UsageArgument, nil, "the argument %q may be %s: write %s:=%s, or %s:=%s for the text", p.name, types, p.name, value, p.name, schema.Literal(p.value))
	case !p.raw && text:
		return schema.Literal(p.value), nil
	}
	return value, nil
}

// Texts are the arguments as texts, for a tool without a schema. The run reports why the
// schema is missing, and makes no call.
func (a Arguments) Texts() jsontext.Value {
	v, _ := a.object(func(p argument, _ bool) (jsontext.Value, error) { return schema.Literal(p.value), nil }) // never fails
	return v
}

// object writes the arguments as one object. The values of a repeated name are the items of
// an array, in their order.
func (a Arguments) object(read func(p argument, item bool) (jsontext.Value, error)) (jsontext.Value, error) {
	var members []string
	for i, p := range a {
		if a.has(p.name, i) {
			continue
		}
		var items []string
		same := slices.DeleteFunc(slices.Clone(a), func(other argument) bool { return other.name != p.name })
		for _, one := range same {
			v, err := read(one, len(same) > 1)
			if err != nil {
				return nil, err
			}
			items = append(items, string(v))
		}
		value := items[0]
		if len(items) > 1 {
			value = "[" + strings.Join(items, ",") + "]"
		}
		members = append(members, fmt.Sprintf("%s:%s", schema.Literal(p.name), value))
	}
	return jsontext.Value("{" + strings.Join(members, ",") + "}"), nil
}
