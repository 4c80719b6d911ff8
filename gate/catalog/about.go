package catalog

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
)

// ResourceForm returns the form in which a tool's calls name their object, or "" if it
// is unknown. The allowlist gives it, or by convention the one required argument
// called *_id, path, uri or url.
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

// ResourceArguments returns the JSON Pointers of the arguments that name the object of
// a call.
func (t Tool) ResourceArguments() (all []string) {
	for _, in := range Placeholder().FindAllString(t.ResourceForm(), -1) {
		all = append(all, ArgumentOf(in))
	}
	return all
}

// Placeholder is an argument in a resource's form: {name}, or {/a/pointer}.
var Placeholder = lex.Pattern(`\{[^{}]+\}`)

// ArgumentOf returns the argument of a placeholder, as a JSON Pointer.
func ArgumentOf(placeholder string) string {
	name := strings.TrimSuffix(strings.TrimPrefix(placeholder, "{"), "}")
	if strings.HasPrefix(name, "/") {
		return name
	}
	return schema.Below("", name)
}

// conventional returns the form of a tool without one in its allowlist entry.
func conventional(s schema.Schema) string {
	names := slices.DeleteFunc(s.Params().Required, func(name string) bool {
		return !strings.HasSuffix(name, "_id") && !slices.Contains([]string{"path", "uri", "url"}, name)
	})
	if len(names) != 1 || strings.ContainsAny(names[0], "{}") {
		return ""
	}
	return strings.TrimSuffix(names[0], "_id") + ":{" + schema.Below("", names[0]) + "}"
}
