package rest_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	"github.com/onestep-run/onestep/gate/schema"
)

// client sends requests to a served table. It checks each against the OpenAPI document.
type client struct {
	*things

	address string
	doc     *openapi3.T
	router  routers.Router
	logs    func() string
}

// serve serves the test's table at a loopback address.
func serve(t *testing.T, change func(*rest.Service)) *client {
	t.Helper()
	state := &things{calls: map[string]int{}}
	state.all = []thing{{Name: "a", Color: "red"}, {Name: "b", Color: "blue"}, {Name: "c", Color: "red", Changes: 7}}
	s := state.table()
	var mu sync.Mutex
	var log strings.Builder
	s.Errors = func(err error) {
		mu.Lock()
		defer mu.Unlock()
		log.WriteString(err.Error() + "\n")
	}
	if change != nil {
		change(&s)
	}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c := &client{things: state, address: server.URL, doc: document(t, s), logs: func() string {
		mu.Lock()
		defer mu.Unlock()
		return log.String()
	}}
	if c.router, err = gorillamux.NewRouter(c.doc); err != nil {
		t.Fatal(err)
	}
	return c
}

// document is the service's OpenAPI document, which is valid.
func document(t *testing.T, s rest.Service) *openapi3.T {
	t.Helper()
	text, err := s.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return doc
}

// sent is a request of a test.
type sent struct {
	method, path, body, token string
	head                      map[string]string
	host                      string
	looser                    bool // the document admits a request that is refused
}

func (s sent) request(t *testing.T, address string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), s.method, address+s.path, strings.NewReader(s.body))
	if err != nil {
		t.Fatal(err)
	}
	if s.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	for name, value := range s.head {
		if value == "" {
			r.Header.Del(name)
		} else {
			r.Header.Set(name, value)
		}
	}
	r.Host = s.host
	return r
}

// got is a whole answer.
type got struct {
	status int
	head   http.Header
	body   string
}

func (g got) problem(t *testing.T) rest.Problem {
	t.Helper()
	var p rest.Problem
	if err := schema.Decode([]byte(g.body), &p, schema.ResultLimits); err != nil {
		t.Fatalf("%v in %d %q", err, g.status, g.body)
	}
	return p
}

// send sends a request, and checks the answer's security headers. It checks the request
// and the answer against the document.
func (c *client) send(t *testing.T, s sent) got {
	t.Helper()
	transport := http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(s.request(t, c.address))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Header.Get("Cache-Control") != "no-store" || answer.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%v has no security headers", answer.Header)
	}
	g := got{answer.StatusCode, answer.Header, string(body)}
	for _, secret := range []string{admin, reader, agent, canary} {
		if strings.Contains(fmt.Sprint(g), secret) {
			t.Errorf("%v shows %q", g, secret)
		}
	}
	if g.status >= 400 {
		c.isProblem(t, g)
	}
	c.fitsDocument(t, s, g)
	return g
}

// isProblem checks an answer that is an error.
func (c *client) isProblem(t *testing.T, g got) {
	t.Helper()
	p := g.problem(t)
	if g.head.Get("Content-Type") != "application/problem+json" || p.Status != g.status {
		t.Errorf("%v is not a problem document", g)
	}
	if slices.Contains([]string{p.Type, p.Title, p.Code, p.Why, p.Next}, "") {
		t.Errorf("%+v lacks a member", p)
	}
	if want := c.doc.Components.Schemas["Problem"]; want == nil {
		t.Error("the document has no problem")
	}
}

// fitsDocument checks a request and its answer against the document.
func (c *client) fitsDocument(t *testing.T, s sent, g got) {
	t.Helper()
	if s.method == http.MethodHead {
		return
	}
	r := s.request(t, c.address)
	route, values, err := c.router.FindRoute(r)
	if err != nil {
		if code := g.problem(t).Code; code != "api.path" && code != "api.method" && code != "api.foreign" {
			t.Errorf("%s %s is not in the document: %v, but %v", s.method, s.path, err, g)
		}
		return
	}
	in := &openapi3filter.RequestValidationInput{
		Request: r, PathParams: values, Route: route,
		Options: &openapi3filter.Options{
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true, MultiError: true,
		},
	}
	err = openapi3filter.ValidateRequest(t.Context(), in)
	if err == nil && r.ContentLength > 0 && route.Operation.RequestBody == nil {
		err = errors.New("a body where the document has none")
	}
	for name := range r.URL.Query() {
		if route.Operation.Parameters.GetByInAndName("query", name) == nil {
			err = errors.New("a parameter that the document does not have")
		}
	}
	switch malformed := strings.Contains(g.body, `"api.request"`) || strings.Contains(g.body, `"api.media"`); {
	case g.status < 400 && err != nil:
		t.Errorf("a request that was answered does not fit the document: %v", err)
	case malformed && err == nil && !s.looser:
		t.Errorf("a request that was refused fits the document: %v", g)
	case malformed && err != nil && s.looser:
		t.Errorf("the document refuses it too: %v", err)
	}
	if g.status < 400 {
		in.Options.ExcludeResponseBody = strings.HasPrefix(g.head.Get("Content-Type"), "text/event-stream")
	}
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: g.status, Header: g.head, Options: in.Options,
		Body: io.NopCloser(bytes.NewReader([]byte(g.body))),
	}
	if err := openapi3filter.ValidateResponse(t.Context(), out); err != nil {
		t.Errorf("%s %s: the answer %v does not fit the document: %v", s.method, s.path, g, err)
	}
}
