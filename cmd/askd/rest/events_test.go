package rest_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	"github.com/onestep-run/onestep/gate/schema"
)

// lines returns the lines of a stream without its comments, and the number of those.
func lines(body string) (all []string, comments int) {
	for line := range strings.Lines(body) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case line == ":":
			comments++
		case line != "":
			all = append(all, line)
		}
	}
	return all, comments
}

func TestEvents(t *testing.T) {
	t.Parallel()
	event := func(name string) []string {
		id := map[string]string{"a": "YQ", "b": "Yg", "c": "Yw"}[name]
		return []string{"id: " + id, `data: {"name":"` + name + `","color":"red","parts":[],"changes":0}`}
	}
	problem := func(code, status, why string) []string {
		return []string{"event: problem", `"code":"` + code + `"`, `"status":` + status, why}
	}
	for name, c := range map[string]struct {
		path, last string
		events     string
		problem    []string
	}{
		"all":                     {path: "", events: "abc"},
		"after a cut":             {path: "", last: "YQ", events: "bc"},
		"the query says where":    {path: "?after=Yg", events: "c"},
		"a cut after that":        {path: "?after=YQ", last: "Yg", events: "c"},
		"a panic":                 {path: "?size=1&after=Yw", problem: problem("internal.failure", "500", "unexpectedly")},
		"a problem":               {path: "?size=2", events: "abc", problem: problem("api.busy", "503", "the stream ended")},
		"an error without a code": {path: "?size=3", events: "abc", problem: problem("internal.failure", "500", "unexpectedly")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := serve(t, nil)
			s := sent{method: "GET", path: "/api/events" + c.path, token: reader}
			if c.last != "" {
				s.head = map[string]string{"Last-Event-ID": c.last}
			}
			g := client.send(t, s)
			got, _ := lines(g.body)
			want := []string{}
			for _, name := range c.events {
				want = append(want, event(string(name))...)
			}
			if g.head.Get("Content-Type") != "text/event-stream" || len(got) < len(want) {
				t.Fatal(g)
			}
			if diff := cmp.Diff(want, append([]string{}, got[:len(want)]...)); diff != "" {
				t.Error(diff)
			}
			end := strings.Join(got[len(want):], "\n")
			for _, part := range c.problem {
				if !strings.Contains(end, part) {
					t.Errorf("%q ends with %q", part, end)
				}
			}
			if c.problem == nil && end != "" {
				t.Errorf("it ends with %q", end)
			}
			client.fitEvents(t, got)
		})
	}
	c := serve(t, nil)
	for path, status := range map[string]int{"/api/events?size=404": 404, "/api/events?after=%21": 400, "/api/events?limit=1": 400} {
		if g := c.send(t, sent{method: "GET", path: path, token: reader, looser: strings.Contains(path, "after")}); g.status != status {
			t.Errorf("%s: %v", path, g)
		}
	}
}

// fitEvents checks the data of events against the document.
func (c *client) fitEvents(t *testing.T, lines []string) {
	t.Helper()
	for _, line := range lines {
		data, is := strings.CutPrefix(line, "data: ")
		if !is || strings.Contains(data, `"code"`) {
			continue
		}
		value, err := schema.Any([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.doc.Components.Schemas["thing"].Value.VisitJSON(value); err != nil {
			t.Errorf("%s: %v", data, err)
		}
	}
}

// A stream shows signs of life while it waits, and its operation ends with the client.
func TestAStreamThatWaits(t *testing.T) {
	t.Parallel()
	c := serve(t, nil)
	text, end := c.open(t)
	for range 3 {
		if line, err := text.ReadString('\n'); err != nil || strings.Trim(line, ":\n") != "" {
			t.Fatalf("%q, %v", line, err)
		}
	}
	end()
	if logged := c.logs(); logged != "" {
		t.Error(logged)
	}
}

// A token that is revoked ends the stream that it opened.
func TestAStreamEndsWithItsToken(t *testing.T) {
	t.Parallel()
	for name, no := range map[string]error{"revoked": rest.Unauthorized.New("the token was revoked"), "unknown": errors.New(canary)} {
		var checks atomic.Int32
		c := serve(t, func(s *rest.Service) {
			s.Authorize = func(ctx context.Context, token string) (rest.Caller, error) {
				if checks.Add(1) > 3 {
					return rest.Caller{}, no
				}
				return authorize(ctx, token)
			}
		})
		text, end := c.open(t)
		code := map[string]string{"revoked": "api.token", "unknown": "internal.failure"}[name]
		comments, line := 0, ":\n"
		for line == ":\n" || line == "\n" {
			if comments++; comments > 500 {
				t.Fatalf("%s: the stream goes on", name)
			}
			line, _ = text.ReadString('\n')
		}
		data, _ := text.ReadString('\n')
		if line != "event: problem\n" || !strings.Contains(data, code) || strings.Contains(data, canary) {
			t.Errorf("%s: %q %q", name, line, data)
		}
		end()
	}
}

// open begins to read a stream that waits.
func (c *client) open(t *testing.T) (text *bufio.Reader, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := sent{method: "GET", path: "/api/events?size=4&after=Yw", token: reader}.request(t, c.address).WithContext(ctx)
	answer, err := new(http.Client).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return bufio.NewReader(answer.Body), func() {
		cancel()
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close() // and the server's Close waits for the operation
	}
}
