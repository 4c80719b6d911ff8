package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// unfit refuses arguments that do not fit, and says which of their names the
// tool does not have, and what it has instead. It changes no verdict.
func unfit(t catalog.Tool, args jsontext.Value, err error) error {
	no, _ := verdict.First(misfit(verdict.SchemaArguments, err))
	if no.Hint == "" {
		no.Hint = parameters(t, args)
	}
	return no
}

// maxParameters is how many parameters a hint names.
const maxParameters = 12

func parameters(t catalog.Tool, args jsontext.Value) string {
	show := "`ask tools show " + t.Server() + "/" + t.Name() + "` shows all"
	root := t.Input().Root()
	names, given := slices.Sorted(maps.Keys(root.Named("properties"))), memberNames(args)
	// A name that is not plain could pose as a sentence of ours.
	plain := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !escape.Name(name) })
	said := ""
	for _, name := range given {
		if !slices.Contains(names, name) {
			said = fmt.Sprintf("it has no parameter %.64q", name)
			if near := verdict.Near(name, plain); near != "" {
				return said + near + " " + show
			}
			said += "; "
			break
		}
	}
	required, _ := root.Value("required")
	list, _ := required.([]any)
	lacks := slices.ContainsFunc(list, func(name any) bool {
		text, is := name.(string)
		return is && !slices.Contains(given, text)
	})
	if said == "" && !lacks || len(plain) == 0 {
		return said + show + " parameters"
	}
	if len(plain) > maxParameters {
		plain = append(plain[:maxParameters], "…")
	}
	return said + "its parameters are " + strings.Join(plain, ", ") + ". " + show
}

// memberNames are the names of an object's members, sorted.
func memberNames(object jsontext.Value) (names []string) {
	members, _ := schema.Members(object)
	for _, m := range members {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}
