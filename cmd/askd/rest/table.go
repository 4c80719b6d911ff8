package rest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/onestep-run/onestep/gate/schema"
)

// row is an operation that was checked, with the schemas of its types.
type row struct {
	Operation

	values []string          // in the path
	asked  content           // the query
	kinds  map[string]string // the types of the query's parameters by name
	body   content           // without a check if the operation has none
	answer shape             // of an answer, of the rows of a list, or of the data of an event
}

// content is the checked schema of an input.
type content struct {
	shape

	check *schema.Validator
}

// continues reports whether the operation has a place to continue at.
func (o *row) continues() bool { return o.list || o.stream != nil }

// writes reports whether the operation's In is its body.
func (o *row) writes() bool {
	return o.Method == http.MethodPost || o.Method == http.MethodPut || o.Method == http.MethodPatch
}

// Handler checks the table, and serves it. It fails if an operation has no scope, if two
// have one id or one method and path, if a path has a value without a description, or if a
// type has no schema that can be enforced.
func (s Service) Handler() (http.Handler, error) {
	if s.Authorize == nil || s.Errors == nil {
		return nil, errors.New("a service needs Authorize and Errors")
	}
	rows, _, err := s.rows()
	if err != nil {
		return nil, err
	}
	h := &handler{Service: s, mux: http.NewServeMux()}
	for _, o := range rows {
		// The mux panics if two patterns match one path.
		err := guarded(func() error { h.mux.HandleFunc(o.Method+" "+o.Path, h.serve(o)); return nil })
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			return nil, fmt.Errorf("%s: %s", o.ID, first)
		}
	}
	return h, nil
}

// rows checks every operation.
func (s Service) rows() (rows []*row, t *types, err error) {
	t = newTypes(s.Types)
	ids, described := map[string]bool{}, map[string]bool{}
	for _, o := range s.Operations {
		r := &row{Operation: o, values: valuesOf(o.Path)}
		if err := r.complete(); err != nil {
			return nil, nil, fmt.Errorf("the operation %q: %w", o.ID, err)
		}
		if ids[o.ID] {
			return nil, nil, fmt.Errorf("two operations are called %s", o.ID)
		}
		ids[o.ID] = true
		for _, name := range r.values {
			if described[name] = s.Paths[name] != ""; !described[name] {
				return nil, nil, fmt.Errorf("the operation %q: Paths does not describe the value %q of its path", o.ID, name)
			}
		}
		if err := r.typed(t); err != nil {
			return nil, nil, fmt.Errorf("the operation %q: %w", o.ID, err)
		}
		rows = append(rows, r)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Paths)) {
		if !described[name] {
			return nil, nil, fmt.Errorf("the field Paths describes %q, which is in no path", name)
		}
	}
	return rows, t, nil
}

var (
	operationID = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)
	scopeName   = regexp.MustCompile(`^[a-z][a-z0-9._:-]*$`)
	pathForm    = regexp.MustCompile(`^(/([A-Za-z0-9._-]+|\{[a-z_]+\}))+$`)
	pathValue   = regexp.MustCompile(`\{([a-z_]+)\}`)
	plainName   = regexp.MustCompile(`^[a-z][a-z_]*$`)
)

func valuesOf(p string) (names []string) {
	for _, m := range pathValue.FindAllStringSubmatch(p, -1) {
		names = append(names, m[1])
	}
	return names
}

// clean reports whether a path is in its shortest form.
func clean(p string) bool { return strings.HasPrefix(p, "/") && path.Clean(p) == p }

// complete checks what an operation says of itself, and sets its status.
func (o *row) complete() error {
	switch {
	case !operationID.MatchString(o.ID):
		return errors.New("its ID is not letters and digits, such as listAgents")
	case !scopeName.MatchString(o.Scope):
		return errors.New("it has no scope")
	case o.Summary == "":
		return errors.New("it has no summary")
	case !slices.Contains(methods, o.Method):
		return fmt.Errorf("its method is not one of %s", strings.Join(methods, ", "))
	case !pathForm.MatchString(o.Path), !clean(o.Path):
		return errors.New("its path is not like /api/agents/{a}")
	case o.run == nil && o.stream == nil:
		return errors.New("neither Do, List nor Events completed it")
	case o.list && !plainName.MatchString(o.plural):
		return errors.New("the member of its rows is not a plain name")
	case o.continues() && o.Method != http.MethodGet:
		return errors.New("a list and a stream are for GET")
	}
	empty := !o.continues() && isEmpty(o.out)
	if empty {
		o.Status = cmp.Or(o.Status, http.StatusNoContent)
	}
	o.Status = cmp.Or(o.Status, http.StatusOK)
	for _, status := range append([]int{o.Status}, o.Also...) {
		switch {
		case status < 200 || status > 299:
			return fmt.Errorf("the status %d is not that of a success", status)
		case empty != (status == http.StatusNoContent):
			return fmt.Errorf("the status %d does not fit its answer", status)
		}
	}
	return nil
}

// isEmpty reports whether a type is a struct without fields.
func isEmpty(t reflect.Type) bool { return t.Kind() == reflect.Struct && t.NumField() == 0 }

// typed makes the schemas of the operation's types.
func (o *row) typed(t *types) (err error) {
	if o.in.Kind() != reflect.Struct {
		return fmt.Errorf("its input is a %s, not a struct", o.in.Kind())
	}
	query := &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	switch {
	case !o.writes():
		if query, err = t.of(o.in); err != nil {
			return err
		}
	case !isEmpty(o.in):
		if o.body.shape, err = t.shape(o.in); err != nil {
			return err
		}
		if o.body.check, err = compiled(o.body.schema); err != nil {
			return err
		}
	}
	if o.continues() || !isEmpty(o.out) {
		if o.answer, err = t.shape(o.out); err != nil {
			return err
		}
	}
	return o.parameters(query)
}

// parameters makes the query of the operation, with the parameters that continue a list.
func (o *row) parameters(query *jsonschema.Schema) (err error) {
	if o.continues() {
		if query.Properties["after"] != nil || query.Properties["limit"] != nil {
			return errors.New("after and limit are the list's own")
		}
		query = withPlace(query, o.list)
	}
	o.kinds = map[string]string{}
	for name, p := range query.Properties {
		if !slices.Contains([]string{"string", "boolean", "integer", "number"}, p.Type) {
			return fmt.Errorf("the parameter %s of its query is neither text, a number nor a boolean", name)
		}
		o.kinds[name] = p.Type
	}
	o.asked.schema = query
	o.asked.check, err = compiled(query)
	return err
}

// withPlace returns a query with after, and for a list with limit.
func withPlace(query *jsonschema.Schema, list bool) *jsonschema.Schema {
	out := query.CloneSchemas()
	if out.Properties == nil {
		out.Properties = map[string]*jsonschema.Schema{}
	}
	most := 1000
	out.Properties["after"] = &jsonschema.Schema{
		Type: "string", MaxLength: &most, Description: "the place to continue at, from an earlier answer",
	}
	out.PropertyOrder = append(slices.Clone(out.PropertyOrder), "after")
	if list {
		low, high := 1.0, float64(maxLimit)
		out.Properties["limit"] = &jsonschema.Schema{
			Type: "integer", Minimum: &low, Maximum: &high, Default: []byte(fmt.Sprint(defaultLimit)), Description: "rows of one answer",
		}
		out.PropertyOrder = append(out.PropertyOrder, "limit")
	}
	return out
}
