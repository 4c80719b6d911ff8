package rest_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/cmd/askd/rest"
)

func TestATableThatIsWrongIsNotServed(t *testing.T) {
	t.Parallel()
	first := func(change func(*rest.Operation)) func(*rest.Service) {
		return func(s *rest.Service) { change(&s.Operations[0]) }
	}
	add := func(o rest.Operation) func(*rest.Service) {
		return func(s *rest.Service) { s.Operations = append(s.Operations, o) }
	}
	row := rest.Operation{Method: "POST", Path: "/api/more", ID: "more", Summary: "another", Scope: "things.read"}
	get := row
	get.Method = "GET"
	twin := row
	twin.Method, twin.Path = "DELETE", "/api/things/{other}"
	one := func(context.Context, *rest.Request, none) (thing, error) { return thing{}, nil }
	for name, c := range map[string]struct {
		change func(*rest.Service)
		why    string
	}{
		"no scope":                {first(func(o *rest.Operation) { o.Scope = "" }), "no scope"},
		"a blank scope":           {first(func(o *rest.Operation) { o.Scope = " " }), "no scope"},
		"two of one id":           {first(func(o *rest.Operation) { o.ID = "readThing" }), "two operations are called readThing"},
		"no id":                   {first(func(o *rest.Operation) { o.ID = "" }), "ID"},
		"no summary":              {first(func(o *rest.Operation) { o.Summary = "" }), "summary"},
		"no method":               {first(func(o *rest.Operation) { o.Method = "" }), "method"},
		"a list that writes":      {first(func(o *rest.Operation) { o.Method = "POST" }), "for GET"},
		"a path with a slash":     {first(func(o *rest.Operation) { o.Path = "/api/things/" }), "path"},
		"a path of all":           {first(func(o *rest.Operation) { o.Path = "/api/{x...}" }), "path"},
		"a path that goes up":     {first(func(o *rest.Operation) { o.Path = "/api/../things" }), "path"},
		"one method and path":     {first(func(o *rest.Operation) { o.Path = "/api/events" }), "conflicts"},
		"one path, other names":   {func(s *rest.Service) { s.Paths["other"] = "x"; add(rest.Do(twin, one))(s) }, "conflicts"},
		"a value without use":     {func(s *rest.Service) { s.Paths["other"] = "x" }, "in no path"},
		"a value without a word":  {func(s *rest.Service) { delete(s.Paths, "thing") }, "does not describe"},
		"a status of an error":    {first(func(o *rest.Operation) { o.Status = 404 }), "success"},
		"a status of no answer":   {first(func(o *rest.Operation) { o.Status = 204 }), "does not fit"},
		"another status of none":  {first(func(o *rest.Operation) { o.Also = []int{204} }), "does not fit"},
		"an operation of nothing": {add(row), "completed"},
		"an input of text":        {add(rest.Do(row, func(context.Context, *rest.Request, string) (thing, error) { return thing{}, nil })), "not a struct"},
		"an input that is a list": {add(rest.Do(get, func(context.Context, *rest.Request, draft) (thing, error) { return thing{}, nil })), "the parameter"},
		"a query with a limit": {add(rest.List(get, "all", func(context.Context, *rest.Request, struct {
			Limit int `json:"limit"`
		},
		) (rest.Page[thing], error) {
			return rest.Page[thing]{}, nil
		})), "the list's own"},
		"rows without a name":      {add(rest.List(get, "", func(context.Context, *rest.Request, none) (rest.Page[thing], error) { return rest.Page[thing]{}, nil })), "plain name"},
		"an answer without schema": {add(rest.Do(row, func(context.Context, *rest.Request, none) (func(), error) { return nil, nil })), "unsupported"},
		"two types of one name":    {add(twins(row)), "two types"},
		"no authorization":         {func(s *rest.Service) { s.Authorize = nil }, "Authorize"},
		"no log":                   {func(s *rest.Service) { s.Errors = nil }, "Errors"},
	} {
		s := (&things{}).table()
		c.change(&s)
		if _, err := s.Handler(); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// twins returns an operation with another type that is called thing.
func twins(o rest.Operation) rest.Operation {
	type thing struct {
		Name string `json:"name"`
	}
	return rest.Do(o, func(context.Context, *rest.Request, none) (thing, error) { return thing{}, nil })
}

// The document has what is checked: every operation, its scope, its schemas.
func TestTheDocumentIsMadeFromTheOperations(t *testing.T) {
	t.Parallel()
	s := (&things{}).table()
	doc := document(t, s)
	for _, o := range s.Operations {
		item := doc.Paths.Value(o.Path)
		if item == nil || item.GetOperation(o.Method) == nil {
			t.Fatalf("%s is not in the document", o.ID)
		}
		of := item.GetOperation(o.Method)
		if of.OperationID != o.ID || !reflect.DeepEqual((*of.Security)[0]["bearer"], []string{o.Scope}) {
			t.Errorf("%s is %+v", o.ID, of)
		}
	}
	if len(doc.Paths.Map()) != 6 || !doc.IsOpenAPI31OrLater() {
		t.Errorf("%d paths of OpenAPI %s", len(doc.Paths.Map()), doc.OpenAPI)
	}
	first, _ := s.OpenAPI()
	again, _ := s.OpenAPI()
	if string(first) != string(again) {
		t.Error("the document differs when it is made again")
	}
}
