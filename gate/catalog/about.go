package catalog

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
)

// ResourceForm is how a tool's calls name what they are about, "" where that is not
// known: by the allowlist's words, or by convention where exactly one required
// argument is called *_id, path, uri or url.
func (t Tool) ResourceForm() string {
	switch form := t.Resource(); form {
	case "":
		return conventional(t.Input())
	case NoResource:
		return ""
	default:
		return form
	}
}

// ResourceArguments are the JSON Pointers of the arguments by which a tool's calls
// name what they are about.
func (t Tool) ResourceArguments() (all []string) {
	for _, in := range Placeholder().FindAllString(t.ResourceForm(), -1) {
		all = append(all, ArgumentOf(in))
	}
	return all
}

// Placeholder is an argument in a resource's form: {name}, or {/a/pointer}.
var Placeholder = lex.Pattern(`\{[^{}]+\}`)

// ArgumentOf is the argument of a placeholder, as a JSON Pointer.
func ArgumentOf(placeholder string) string {
	name := strings.TrimSuffix(strings.TrimPrefix(placeholder, "{"), "}")
	if strings.HasPrefix(name, "/") {
		return name
	}
	return schema.Below("", name)
}

// conventional is the form of a tool whose allowlist entry has none.
func conventional(s schema.Schema) string {
	names := slices.DeleteFunc(s.Params().Required, func(name string) bool {
		return !strings.HasSuffix(name, "_id") && !slices.Contains([]string{"path", "uri", "url"}, name)
	})
	if len(names) != 1 || strings.ContainsAny(names[0], "{}") {
		return ""
	}
	return strings.TrimSuffix(names[0], "_id") + ":{" + schema.Below("", names[0]) + "}"
}
