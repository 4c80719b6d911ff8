package rest_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestAnOperationAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sent
		status int
		body   string
	}{
		"a list": {
			sent{method: "GET", path: "/api/things?color=red", token: reader},
			200,
			`{"things":[{"name":"a","color":"red","parts":[],"changes":0},{"name":"c","color":"red","parts":[],"changes":7}]}`,
		},
		"an empty list":        {sent{method: "GET", path: "/api/things?after=enp6", token: reader}, 200, `{"things":[]}`},
		"a page":               {sent{method: "GET", path: "/api/things?limit=1&after=YQ&big=true&size=-3", token: reader}, 200, `{"things":[{"name":"b","color":"blue","parts":[],"changes":0}],"next":"Yg"}`},
		"a thing":              {sent{method: "GET", path: "/api/things/c", token: reader}, 200, `{"name":"c","color":"red","parts":[],"changes":7}`},
		"an agent":             {sent{method: "GET", path: "/api/things/a", token: agent}, 200, `{"name":"a","color":"red","parts":[],"changes":0}`},
		"only a head":          {sent{method: "HEAD", path: "/api/things/a", token: reader}, 200, ""},
		"another status":       {sent{method: "PUT", path: "/api/things/a/paint", token: admin, body: `{"wet":true}`}, 202, `{"done":false}`},
		"no content":           {sent{method: "DELETE", path: "/api/things/a", token: admin}, 204, ""},
		"nothing":              {sent{method: "POST", path: "/api/nothing", token: reader}, 204, ""},
		"a name with a slash":  {sent{method: "DELETE", path: "/api/things/a%2Fb%20c", token: admin}, 204, ""},
		"the scheme in a case": {sent{method: "DELETE", path: "/api/things/a", head: map[string]string{"Authorization": "bEARER " + admin}}, 204, ""},
		"a body": {
			sent{
				method: "POST", path: "/api/things", token: admin, body: ` {"name":"d","color":"blue","size":2,"parts":["x"],"labels":{"k":"v"},"made":"2026-01-02T03:04:05Z","more":{"a":[1]}} `,
				head: map[string]string{"Content-Type": "application/json; charset=utf-8"},
			},
			201, `{"name":"d","color":"blue","size":2,"parts":["x"],"labels":{"k":"v"},"made":"2026-01-02T03:04:05Z","changes":0}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := serve(t, nil).send(t, c.sent)
			if g.status != c.status || g.body != c.body {
				t.Errorf("%d %s", g.status, g.body)
			}
		})
	}
}

func TestARequestIsRefused(t *testing.T) {
	t.Parallel()
	post := func(body string) sent { return sent{method: "POST", path: "/api/things", token: admin, body: body} }
	get := func(path string) sent { return sent{method: "GET", path: path, token: reader} }
	loose := func(s sent) sent { s.looser = true; return s }
	with := func(s sent, name, value string) sent { s.head = map[string]string{name: value}; return s }
	list := get("/api/things")
	good := post(`{"name":"d","color":"red"}`)
	bare := sent{method: "GET", path: "/api/things"}
	for name, c := range map[string]struct {
		sent
		status int
		code   string
	}{
		"no token":                 {bare, 401, "api.token"},
		"an unknown token":         {sent{method: "GET", path: "/api/things", token: "unknown"}, 401, "api.token"},
		"another scheme":           {with(bare, "Authorization", "Basic "+admin), 401, "api.token"},
		"a token alone":            {with(bare, "Authorization", admin), 401, "api.token"},
		"an empty token":           {with(bare, "Authorization", "Bearer "), 401, "api.token"},
		"two tokens":               {with(bare, "Authorization", "Bearer "+admin+" "+admin), 401, "api.token"},
		"a long token":             {with(bare, "Authorization", "Bearer "+strings.Repeat("a", 5000)), 401, "api.token"},
		"a token in the query":     {sent{method: "GET", path: "/api/things?access_token=" + admin}, 401, "api.token"},
		"a token in a body":        {sent{method: "POST", path: "/api/things", body: `{"access_token":"` + admin + `"}`}, 401, "api.token"},
		"no scope":                 {sent{method: "DELETE", path: "/api/things/a", token: reader}, 403, "api.scope"},
		"an agent":                 {sent{method: "GET", path: "/api/things", token: agent}, 403, "api.agent"},
		"a foreign host":           {sent{method: "GET", path: "/api/things", token: reader, host: "things.example"}, 403, "api.foreign"},
		"a foreign host with port": {sent{method: "GET", path: "/api/things", token: reader, host: "127.0.0.1.things.example:80"}, 403, "api.foreign"},
		"a page of another origin": {with(list, "Origin", "http://things.example"), 403, "api.foreign"},
		"a page without origin":    {with(good, "Origin", "null"), 403, "api.foreign"},
		"a page of another site":   {with(list, "Sec-Fetch-Site", "cross-site"), 403, "api.foreign"},
		"a page of the same site":  {with(list, "Sec-Fetch-Site", "same-site"), 403, "api.foreign"},

		"an unknown path":      {get("/api/nowhere"), 404, "api.path"},
		"the root":             {get("/"), 404, "api.path"},
		"a slash at the end":   {get("/api/things/"), 404, "api.path"},
		"two slashes":          {get("//api/things"), 404, "api.path"},
		"a path that goes up":  {get("/api/x/../things"), 404, "api.path"},
		"an unknown method":    {sent{method: "PATCH", path: "/api/things/a", token: admin}, 405, "api.method"},
		"a preflight":          {sent{method: "OPTIONS", path: "/api/things"}, 405, "api.method"},
		"an unknown thing":     {get("/api/things/z"), 404, "api.not_found"},
		"a long name":          {get("/api/things/" + strings.Repeat("a", 201)), 404, "api.not_found"},
		"a control character":  {get("/api/things/a%0Ab"), 404, "api.not_found"},
		"a name not in UTF-8":  {get("/api/things/%ff"), 404, "api.not_found"},
		"an unknown parameter": {get("/api/things?colour=red"), 400, "api.request"},
		"a parameter twice":    {loose(get("/api/things?color=red&color=red")), 400, "api.request"},
		"a value of no list":   {get("/api/things?color=green"), 400, "api.request"},
		"an empty value":       {get("/api/things?color="), 400, "api.request"},
		"a parameter in case":  {get("/api/things?Color=red"), 400, "api.request"},
		"not a number":         {get("/api/things?size=many"), 400, "api.request"},
		"a blank number":       {get("/api/things?size=+1"), 400, "api.request"},
		"not a boolean":        {get("/api/things?big=yes"), 400, "api.request"},
		"a limit of nothing":   {get("/api/things?limit=0"), 400, "api.request"},
		"a high limit":         {get("/api/things?limit=101"), 400, "api.request"},
		"a limit in exponents": {get("/api/things?limit=1e1"), 400, "api.request"},
		"a broken place":       {loose(get("/api/things?after=%21")), 400, "api.request"},
		"a broken query":       {loose(get("/api/things?color=red;size=1")), 400, "api.request"},
		"a broken escape":      {loose(get("/api/things?color=%zz")), 400, "api.request"},
		"a query not in UTF-8": {loose(get("/api/things?after=%ff")), 400, "api.request"},
		"a query with a body":  {sent{method: "POST", path: "/api/things?color=red", token: admin, body: good.body}, 400, "api.request"},
		"a body of a GET":      {sent{method: "GET", path: "/api/things", token: reader, body: `{}`}, 400, "api.request"},
		"a body of a DELETE":   {sent{method: "DELETE", path: "/api/things/a", token: admin, body: `{}`}, 400, "api.request"},
		"a body for nothing":   {sent{method: "POST", path: "/api/nothing", token: admin, body: `{}`}, 400, "api.request"},
		"If-Match, unchecked":  {loose(with(good, "If-Match", `"r1"`)), 400, "api.request"},

		"no body":               {with(post(""), "Content-Type", "application/json"), 400, "api.request"},
		"null":                  {post(`null`), 400, "api.request"},
		"a list for an object":  {post(`[]`), 400, "api.request"},
		"an unfinished body":    {post(`{"name":"d","color":"red"`), 400, "api.request"},
		"something after it":    {loose(post(good.body + `{}`)), 400, "api.request"},
		"a member twice":        {loose(post(`{"name":"d","color":"red","color":"red"}`)), 400, "api.request"},
		"a nested member twice": {loose(post(`{"name":"d","color":"red","more":{"a":1,"a":1}}`)), 400, "api.request"},
		"an unknown member":     {post(`{"name":"d","color":"red","shape":"round"}`), 400, "api.request"},
		"a member in case":      {post(`{"Name":"d","color":"red"}`), 400, "api.request"},
		"a missing member":      {post(`{"name":"d"}`), 400, "api.request"},
		"a wrong type":          {post(`{"name":7,"color":"red"}`), 400, "api.request"},
		"a member that is null": {post(`{"name":"d","color":"red","parts":null}`), 400, "api.request"},
		"a value of no enum":    {post(`{"name":"d","color":"green"}`), 400, "api.request"},
		"not a time":            {post(`{"name":"d","color":"red","made":"yesterday"}`), 400, "api.request"},
		"a number with NaN":     {post(`{"name":"d","color":"red","size":NaN}`), 400, "api.request"},
		"a huge number":         {loose(post(`{"name":"d","color":"red","size":1` + strings.Repeat("0", 70) + `}`)), 400, "api.request"},
		"a deep value":          {loose(post(`{"name":"d","color":"red","more":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`)), 400, "api.request"},
		"a value not in UTF-8":  {loose(post("{\"name\":\"\xff\",\"color\":\"red\"}")), 400, "api.request"},
		"a large body":          {post(`{"name":"` + strings.Repeat("a", 5000) + `","color":"red"}`), 413, "api.size"},
		"no type":               {with(good, "Content-Type", ""), 415, "api.media"},
		"a form":                {with(good, "Content-Type", "application/x-www-form-urlencoded"), 415, "api.media"},
		"plain text":            {with(good, "Content-Type", "text/plain"), 415, "api.media"},
		"a type like JSON":      {with(good, "Content-Type", "application/json+x"), 415, "api.media"},
		"a coded body":          {loose(with(good, "Content-Encoding", "gzip")), 415, "api.media"},
		"a thing that exists":   {post(`{"name":"a","color":"red"}`), 409, "api.conflict"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := serve(t, nil)
			g := client.send(t, c.sent)
			if p := g.problem(t); g.status != c.status || p.Code != c.code {
				t.Errorf("%d %s", g.status, g.body)
			}
			if ran := len(client.calls) > 0; ran != (c.code == "api.conflict" || name == "an unknown thing") {
				t.Errorf("operations ran: %v", client.calls)
			}
			if logged := client.logs(); logged != "" {
				t.Errorf("it logged %s", logged)
			}
		})
	}
}

func TestARefusalSaysWhatToDo(t *testing.T) {
	t.Parallel()
	c := serve(t, nil)
	for name, s := range map[string]struct {
		sent
		header, value, why string
	}{
		"no token":          {sent{method: "GET", path: "/api/things"}, "WWW-Authenticate", "Bearer", "0 Authorization headers"},
		"no scope":          {sent{method: "DELETE", path: "/api/things/a", token: reader}, "WWW-Authenticate", `Bearer error="insufficient_scope", scope="things.write"`, "things.write"},
		"an unknown method": {sent{method: "PUT", path: "/api/things/a", token: admin}, "Allow", "GET, DELETE", "GET, DELETE"},
		"a wait":            {sent{method: "POST", path: "/api/failures", token: admin, body: `{"how":"rate"}`}, "Retry-After", "90", "ten calls"},
		"a wait of no time": {sent{method: "POST", path: "/api/failures", token: admin, body: `{"how":"busy"}`}, "Retry-After", "5", "too many calls wait"},
		"a place":           {sent{method: "POST", path: "/api/things", token: admin, body: `{"name":7,"color":"red"}`}, "Allow", "", "/name"},
	} {
		g := c.send(t, s.sent)
		if g.head.Get(s.header) != s.value || !strings.Contains(g.problem(t).Why, s.why) {
			t.Errorf("%s: %v", name, g)
		}
	}
}

func TestAnErrorHasACodeAndNoText(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]struct {
		status int
		code   string
		hidden bool
	}{
		"panic": {500, "internal.failure", true}, "error": {500, "internal.failure", true},
		"internal": {500, "internal.failure", true}, "unencodable": {500, "internal.failure", true},
		"success": {500, "internal.failure", true}, "no.code": {500, "internal.failure", true},
		"rate": {429, "api.rate", false}, "busy": {503, "api.busy", false}, "kind": {409, "thing.shared", false}, "hint": {403, "rule.denied", false},
		string(verdict.ServerUnknown): {404, "server.unknown", false}, string(verdict.ServerTimeout): {504, "server.timeout", false},
		string(verdict.ServerStart): {502, "server.start", false}, string(verdict.ApprovalSpent): {409, "approval.spent", false},
		string(verdict.SchemaArguments): {422, "schema.arguments", false}, string(verdict.UsageArgument): {400, "usage.argument", false},
		string(verdict.StateUnwritable): {500, "state.unwritable", false}, string(verdict.StateLocked): {503, "state.locked", false},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			c := serve(t, nil)
			g := c.send(t, sent{method: "POST", path: "/api/failures", token: admin, body: `{"how":"` + how + `"}`})
			if p := g.problem(t); g.status != want.status || p.Code != want.code {
				t.Errorf("%d %s", g.status, g.body)
			}
			if logged := c.logs(); (logged != "") != want.hidden {
				t.Errorf("the log has %q", logged)
			}
			if again := c.send(t, sent{method: "GET", path: "/api/things/a", token: reader}); again.status != 200 {
				t.Errorf("after it: %v", again)
			}
		})
	}
}

// Every verdict has a status, and none is a success.
func TestEveryVerdictIsAnError(t *testing.T) {
	t.Parallel()
	c := serve(t, nil)
	for _, e := range verdict.Entries() {
		g := c.send(t, sent{method: "POST", path: "/api/failures", token: admin, body: `{"how":"` + string(e.Code) + `"}`})
		if p := g.problem(t); p.Code != string(e.Code) || p.Type != "https://docs.example/codes#"+string(e.Code) {
			t.Errorf("%s: %+v", e.Code, p)
		}
	}
}

func TestAuthorizationFailsClosedAndHidesTheToken(t *testing.T) {
	t.Parallel()
	for token, status := range map[string]int{"down": 500, "shocking": 500, "shown": 500} {
		c := serve(t, nil)
		g := c.send(t, sent{method: "GET", path: "/api/things/a", token: token})
		if g.status != status || strings.Contains(g.body, token) || strings.Contains(c.logs(), "token was "+token) || len(c.calls) > 0 {
			t.Errorf("%s: %v, and the log %s", token, g, c.logs())
		}
		if !strings.Contains(c.logs(), "[redacted]") {
			t.Errorf("%s: the log has %q", token, c.logs())
		}
	}
}

func TestNoOperationSeesTheToken(t *testing.T) {
	t.Parallel()
	c := serve(t, nil)
	c.send(t, sent{method: "GET", path: "/api/things/a", token: admin})
	if c.saw.Get("Authorization") != "" || c.calls["readThing"] != 1 {
		t.Errorf("%v reached the operation", c.saw)
	}
}

// A refused request is answered while its body is still to come.
func TestTheTokenIsCheckedBeforeTheBody(t *testing.T) {
	t.Parallel()
	c := serve(t, nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = fmt.Fprintf(conn, "POST /api/things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n")
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusUnauthorized {
		t.Error(answer.Status)
	}
}

func TestIfMatch(t *testing.T) {
	t.Parallel()
	c := serve(t, nil)
	paint := func(tag string) sent {
		s := sent{method: "PUT", path: "/api/things/c/paint", token: admin, body: `{"wet":false}`}
		if tag != "" {
			s.head = map[string]string{"If-Match": tag}
		}
		return s
	}
	read := c.send(t, sent{method: "GET", path: "/api/things/c", token: reader})
	if tag := read.head.Get("ETag"); tag != `"r7"` {
		t.Errorf("the revision is %s", tag)
	}
	for tag, status := range map[string]int{
		"": 200, "*": 200, `"r7"`: 200, `"r6" ,"r7"`: 200, `"r6"`: 412, `W/"r7"`: 412, "r7": 412, `"R7"`: 412, `""`: 412, `"r6""r7"`: 412,
	} {
		if g := c.send(t, paint(tag)); g.status != status {
			t.Errorf("%s: %v", tag, g)
		}
	}
	g := c.send(t, sent{method: "DELETE", path: "/api/things/c", token: admin, head: map[string]string{"If-Match": `"r6"`}})
	if g.status != 500 || !strings.Contains(c.logs(), "removeThing did not check If-Match") {
		t.Errorf("an operation that does not check it: %v", g)
	}
}

func TestPagesReachTheEnd(t *testing.T) {
	t.Parallel()
	c := serve(t, nil)
	var names []string
	for next, first := "", true; first || next != ""; first = false {
		path := "/api/things?limit=2"
		if next != "" {
			path += "&after=" + next
		}
		var page struct {
			Things []thing `json:"things"`
			Next   string  `json:"next"`
		}
		if err := schema.Decode([]byte(c.send(t, sent{method: "GET", path: path, token: reader}).body), &page, schema.ResultLimits); err != nil {
			t.Fatal(err)
		}
		for _, one := range page.Things {
			names = append(names, one.Name)
		}
		next = page.Next
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}

func TestHosts(t *testing.T) {
	t.Parallel()
	loopback, named := serve(t, nil), serve(t, func(s *rest.Service) { s.Hosts = []string{"things.example"} })
	for host, is := range map[string][2]bool{
		"localhost": {true, false}, "LOCALHOST:8080": {true, false}, "127.0.0.9": {true, false}, "[::1]:9": {true, false},
		"things.example": {false, true}, "Things.Example:443": {false, true},
		"a.things.example": {false, false}, "localhost.example": {false, false}, "10.0.0.1": {false, false}, "0.0.0.0": {false, false},
	} {
		for i, c := range []*client{loopback, named} {
			if g := c.send(t, sent{method: "GET", path: "/api/things", token: reader, host: host}); (g.status == 200) != is[i] {
				t.Errorf("%s: %v", host, g)
			}
		}
	}
}

func TestAPageOfTheServiceItself(t *testing.T) {
	t.Parallel()
	c := serve(t, nil)
	for _, head := range []map[string]string{{"Origin": c.address}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}} {
		if g := c.send(t, sent{method: "GET", path: "/api/things", token: reader, head: head}); g.status != 200 {
			t.Errorf("%v: %v", head, g)
		}
	}
}
