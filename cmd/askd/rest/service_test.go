package rest_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Tokens of the test's service.
const (
	admin  = "token-of-an-admin"
	reader = "token-of-a-reader"
	agent  = "token-of-an-agent"
	canary = "a text that no caller may read"
)

type color string

type thing struct {
	Name    string            `json:"name" jsonschema:"the name of the thing"`
	Color   color             `json:"color"`
	Size    int               `json:"size,omitzero"`
	Parts   []string          `json:"parts"`
	Labels  map[string]string `json:"labels,omitempty"`
	Made    time.Time         `json:"made,omitzero"`
	Changes int               `json:"changes"`
}

func (t thing) Revision() string { return "r" + strconv.Itoa(t.Changes) }

type draft struct {
	Name   string            `json:"name"`
	Color  color             `json:"color"`
	Size   int               `json:"size,omitzero"`
	Parts  []string          `json:"parts,omitzero"`
	Labels map[string]string `json:"labels,omitzero"`
	Made   time.Time         `json:"made,omitzero"`
	More   jsontext.Value    `json:"more,omitzero"`
}

type filter struct {
	Color color `json:"color,omitzero" jsonschema:"only things of the color"`
	Big   bool  `json:"big,omitzero"`
	Size  int   `json:"size,omitzero"`
}

type painted struct {
	Done bool `json:"done"`
}

func (p painted) HTTPStatus() int {
	if p.Done {
		return http.StatusOK
	}
	return http.StatusAccepted
}

type (
	none  struct{}
	paint struct {
		Wet bool `json:"wet"`
	}
)

// things is the state of the test's service.
type things struct {
	mu    sync.Mutex
	all   []thing
	calls map[string]int
	saw   http.Header // of the last request that an operation received
}

func (s *things) called(id string, r *rest.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[id]++
	s.saw = r.Header.Clone()
}

func (s *things) find(name string) (thing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.all, func(t thing) bool { return t.Name == name })
	if i < 0 {
		return thing{}, rest.NotFound.New("the thing %q does not exist", name)
	}
	return s.all[i], nil
}

func (s *things) list(_ context.Context, r *rest.Request, in filter) (rest.Page[thing], error) {
	s.called("listThings", r)
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []thing
	for _, one := range s.all {
		if one.Name > r.After && (in.Color == "" || in.Color == one.Color) {
			found = append(found, one)
		}
	}
	return rest.Cut(found, r.Limit, func(t thing) string { return t.Name }), nil
}

func (s *things) add(_ context.Context, r *rest.Request, in draft) (thing, error) {
	s.called("addThing", r)
	if one, err := s.find(in.Name); err == nil {
		return one, rest.Conflict.New("the thing %q exists", in.Name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one := thing{Name: in.Name, Color: in.Color, Size: in.Size, Parts: in.Parts, Labels: in.Labels, Made: in.Made}
	s.all = append(s.all, one)
	return one, nil
}

func (s *things) read(_ context.Context, r *rest.Request, _ none) (thing, error) {
	s.called("readThing", r)
	return s.find(r.PathValue("thing"))
}

func (s *things) paint(_ context.Context, r *rest.Request, in paint) (painted, error) {
	s.called("paintThing", r)
	one, err := s.find(r.PathValue("thing"))
	if err == nil {
		err = r.Match(one.Revision())
	}
	return painted{!in.Wet}, err
}

func (s *things) remove(_ context.Context, r *rest.Request, _ none) (none, error) {
	s.called("removeThing", r)
	return none{}, nil // and does not check If-Match
}

// watch sends a thing a second time only to a client that does not have it.
func (s *things) watch(ctx context.Context, r *rest.Request, in filter) (iter.Seq2[rest.Event[thing], error], error) {
	s.called("watchThings", r)
	if in.Size == 404 {
		return nil, rest.NotFound.New("the stream does not exist")
	}
	return func(yield func(rest.Event[thing], error) bool) {
		for _, name := range []string{"a", "b", "c"} {
			if name > r.After && !yield(rest.Event[thing]{ID: name, Data: thing{Name: name, Color: "red"}}, nil) {
				return
			}
		}
		switch in.Size {
		case 1:
			panic(canary)
		case 2:
			yield(rest.Event[thing]{}, rest.Busy.New("the stream ended"))
		case 3:
			yield(rest.Event[thing]{}, errors.New(canary))
		case 4:
			<-ctx.Done()
		}
	}, nil
}

type failure struct {
	How string `json:"how"`
}

func fails(_ context.Context, _ *rest.Request, in failure) (thing, error) {
	switch in.How {
	case "panic":
		panic(canary)
	case "error":
		return thing{}, errors.New(canary)
	case "internal":
		return thing{}, verdict.Fail(verdict.Internal, nil, canary)
	case "unencodable":
		return thing{Name: "\xff"}, nil
	case "rate":
		return thing{}, rest.TooMany.New("ten calls a minute are allowed").WithRetry(90 * time.Second)
	case "busy":
		return thing{}, rest.Busy.New("too many calls wait")
	case "kind":
		return thing{}, rest.Kind{Code: "thing.shared", Status: 409, Title: "the thing is shared", Next: "say for_all"}.New("two agents use it")
	case "success":
		return thing{}, rest.Kind{Code: "thing.odd", Status: 200}.New(canary)
	case "hint":
		return thing{}, verdict.Deny(verdict.RuleDenied, "a rule denies it").WithHint("change the rule")
	}
	return thing{}, fmt.Errorf("wrapped: %w", verdict.Fail(verdict.Code(in.How), errors.New(canary), "the reason"))
}

// authorize knows the tokens of the test.
func authorize(_ context.Context, token string) (rest.Caller, error) {
	switch token {
	case admin:
		return rest.Caller{Name: "ann", Token: "1", Scopes: []string{"things.read", "things.write"}}, nil
	case reader:
		return rest.Caller{Name: "bob", Token: "2", Scopes: []string{"things.read"}}, nil
	case agent:
		return rest.Caller{Name: "bot", Token: "3", Agent: true, Scopes: []string{"things.read", "things.write"}}, nil
	case "down":
		return rest.Caller{}, errors.New("the database does not answer; the token was down")
	case "shocking":
		panic("the token was shocking")
	case "shown":
		return rest.Caller{}, rest.Unauthorized.New("the token shown is not valid")
	}
	return rest.Caller{}, rest.Unauthorized.New("the token is not known")
}

// table returns the operations of the test.
func (s *things) table() rest.Service {
	one := rest.Operation{Scope: "things.read", Summary: "one of the test's operations"}
	with := func(method, path, id string, change func(*rest.Operation)) rest.Operation {
		o := one
		o.Method, o.Path, o.ID = method, path, id
		change(&o)
		return o
	}
	reads := func(*rest.Operation) {}
	return rest.Service{
		Title: "Things", Version: "1", Authorize: authorize, Errors: func(error) {},
		Paths:   map[string]string{"thing": "the name of a thing"},
		Types:   map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[color](): {Type: "string", Enum: []any{"red", "blue"}}},
		Docs:    "https://docs.example/codes",
		MaxBody: 4096, KeepAlive: time.Millisecond,
		Operations: []rest.Operation{
			rest.List(with("GET", "/api/things", "listThings", reads), "things", s.list),
			rest.Do(with("POST", "/api/things", "addThing", func(o *rest.Operation) { o.Scope, o.Status = "things.write", 201 }), s.add),
			rest.Do(with("GET", "/api/things/{thing}", "readThing", func(o *rest.Operation) { o.Agents = true }), s.read),
			rest.Do(with("PUT", "/api/things/{thing}/paint", "paintThing", func(o *rest.Operation) {
				o.Scope, o.IfMatch, o.Also = "things.write", true, []int{202}
			}), s.paint),
			rest.Do(with("DELETE", "/api/things/{thing}", "removeThing", func(o *rest.Operation) {
				o.Scope, o.IfMatch = "things.write", true
			}), s.remove),
			rest.Events(with("GET", "/api/events", "watchThings", reads), s.watch),
			rest.Do(with("POST", "/api/failures", "fail", reads), fails),
			rest.Do(with("POST", "/api/nothing", "nothing", reads), func(context.Context, *rest.Request, none) (none, error) { return none{}, nil }),
		},
	}
}
