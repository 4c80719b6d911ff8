package rule

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// object is a JSON Schema, or another JSON object.
type object = map[string]any

// tree is the short form of a condition, by the names on the way to each value.
type tree struct {
	form  object // of the value itself, or nil
	below map[string]*tree
}

// short compiles the short form of a condition to a JSON Schema, and gives the
// paths that it names. A strict one, of a rule that allows, passes no value that is
// missing, null or of a type that its operator does not speak of; any other passes
// all of those.
func short(members object, strict bool) (doc object, paths [][]string, err error) {
	root := &tree{}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		path := pathOf(pointerOf(key))
		form, err := form(members[key], strict)
		if err != nil {
			return nil, nil, fmt.Errorf("%.100q: %w", key, err)
		}
		at := root
		for _, name := range path {
			if at.below == nil {
				at.below = map[string]*tree{}
			}
			if at.below[name] == nil {
				at.below[name] = &tree{}
			}
			at = at.below[name]
		}
		if at.form != nil || len(path) == 0 {
			return nil, nil, fmt.Errorf("%.100q names the same value as another member, or none", key)
		}
		at.form, paths = form, append(paths, path)
	}
	return root.schema(strict), paths, nil
}

func (t *tree) schema(strict bool) object {
	if t.below == nil {
		return t.form
	}
	names := slices.Sorted(maps.Keys(t.below))
	properties, required := object{}, []any{}
	for _, name := range names {
		properties[name] = t.below[name].schema(strict)
		required = append(required, name)
	}
	doc := object{"properties": properties}
	if strict {
		doc["type"], doc["required"] = "object", required
	}
	if t.form != nil {
		return object{"allOf": []any{t.form, doc}}
	}
	return doc
}

// form compiles what one value has to be.
func form(v any, strict bool) (object, error) {
	switch v := v.(type) {
	case object:
		return operator(v, strict)
	case []any:
		if len(v) == 0 || slices.ContainsFunc(v, func(e any) bool { return !scalar(e) }) {
			return nil, errors.New("a list holds the values that it may be: texts, numbers, true, false or null, at least one")
		}
		return oneOf(v, strict), nil
	}
	return oneOf([]any{v}, strict), nil
}

// oneOf is of values; null is as good as missing, and passes all but a strict one.
func oneOf(values []any, strict bool) object {
	if !strict && !slices.Contains(values, nil) {
		values = append(slices.Clone(values), nil)
	}
	return object{"enum": values}
}

func scalar(v any) bool {
	switch v.(type) {
	case object, []any:
		return false
	}
	return true
}

var operators = []string{"has", "max", "min", "not", "schema", "under"}

func operator(v object, strict bool) (object, error) {
	names := slices.Sorted(maps.Keys(v))
	first := ""
	if len(names) > 0 {
		first = names[0]
	}
	for _, name := range names {
		if !slices.Contains(operators, name) {
			return nil, fmt.Errorf("%.60q is not one of has, max, min, not, schema and under%s; name a member inside by its JSON Pointer, \"/a/b\"", name, verdict.Near(name, operators))
		}
	}
	if first == "max" || first == "min" {
		return between(v, strict)
	}
	if len(names) != 1 {
		return nil, errors.New("it takes one of has, not, schema and under, or min and max")
	}
	given := v[first]
	switch first {
	case "has":
		if !scalar(given) {
			return nil, errors.New(`"has" takes a text, a number, true, false or null`)
		}
		return typed("array", object{"contains": object{"const": given}}, strict), nil
	case "not":
		inner, err := form(given, !strict)
		return object{"not": inner}, err
	case "schema":
		doc, is := given.(object)
		if !is {
			return nil, errors.New(`"schema" takes a JSON Schema, an object`)
		}
		return doc, nil
	}
	root, _ := given.(string)
	return under(root, strict)
}

func between(v object, strict bool) (object, error) {
	doc := object{}
	for name, keyword := range map[string]string{"min": "minimum", "max": "maximum"} {
		bound, there := v[name]
		if _, is := bound.(schema.Numeral); there && !is {
			return nil, fmt.Errorf("%q takes a number", name)
		}
		if there {
			doc[keyword] = bound
		}
	}
	if len(doc) != len(v) {
		return nil, errors.New("min and max take no other members")
	}
	return typed("number", doc, strict), nil
}

// typed has a strict form say its type: a keyword passes what is of another type.
func typed(kind string, doc object, strict bool) object {
	if strict {
		doc["type"] = kind
	}
	return doc
}

// under compiles {"under": ROOT}, of an absolute path or a URL. A strict one
// passes only what is plainly below the root, without anything that another
// program might read as another place: dots, empty names, percent signs, backslashes
// and what is not ASCII. Any other passes all but what is plainly elsewhere, whatever
// the case, the scheme and the port. It compares texts; it resolves no link and no name.
func under(root string, strict bool) (object, error) {
	bare := strings.TrimRight(root, "/")
	origin := urlRoot.FindString(root)
	switch {
	case origin == "" && (!strings.HasPrefix(root, "/") || root != "/" && odd.MatchString(bare)):
		return nil, errors.New(`"under" takes an absolute path or a URL, without dots, empty names, percent signs and backslashes`)
	case origin != "" && (odd.MatchString(strings.TrimPrefix(bare, origin)) || strings.ContainsAny(bare, "?#@")):
		return nil, errors.New(`"under" takes a URL of scheme, host in lower case and path, without dots, empty names, percent signs, user and query`)
	}
	switch {
	case strict && origin == "":
		plain := `^` + regexp.QuoteMeta(bare) + `(/[ -~]*)?$`
		if bare == "" {
			plain = `^/[ -~]*$`
		}
		return object{"type": "string", "pattern": plain, "not": object{"pattern": oddPath}}, nil
	case strict:
		return object{
			"type": "string", "pattern": `^` + regexp.QuoteMeta(bare) + `([/?#][!-~]*)?$`,
			"not": object{"pattern": `^[a-z0-9+.-]+://[^?#]*?(` + oddPath + `)`},
		}, nil
	case origin == "":
		return object{"anyOf": []any{object{"pattern": `^` + anyCase(bare) + `([/?#]|$)`}, object{"pattern": `^[^/]|^$|` + oddPath}}}, nil
	}
	_, host, _ := strings.Cut(port.ReplaceAllString(origin, ""), "://")
	at := `^[A-Za-z][A-Za-z0-9+.-]*://` + anyCase(host) + `(:[0-9]*)?`
	return object{"anyOf": []any{
		object{"pattern": at + anyCase(strings.TrimPrefix(bare, origin)) + `([/?#]|$)`},
		object{"pattern": at + `/[^?#]*?(` + oddPath + `)`},
		object{"not": object{"type": "string", "pattern": plainOrigin}},
	}}, nil
}

const (
	// oddPath is in a path that may be another one than it looks like.
	oddPath = `(^|/)\.{1,2}([/?#]|$)|//|\\|%|[^ -~]`
	// plainOrigin is of a URL whose host and port every program reads the same.
	plainOrigin = `^[a-z][a-z0-9+.-]*://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9][0-9]*)?([/?#][!-\[\]-~]*)?$`
)

var (
	odd     = regexp.MustCompile(oddPath)
	port    = regexp.MustCompile(`:[0-9]+$`)
	urlRoot = regexp.MustCompile(`^[a-z][a-z0-9+.-]*://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9][0-9]*)?`)
)

// anyCase is a pattern of a text in upper or lower case; RE2 has no flag for it here.
func anyCase(text string) string {
	var b strings.Builder
	for _, r := range text {
		lower, upper := strings.ToLower(string(r)), strings.ToUpper(string(r))
		if lower == upper {
			b.WriteString(regexp.QuoteMeta(string(r)))
		} else {
			b.WriteString("[" + lower + upper + "]")
		}
	}
	return b.String()
}
