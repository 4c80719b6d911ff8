package grant_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/verdict"
)

var when = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// closing is a call about a ticket.
func closing() grant.Call {
	return grant.Call{
		Subject: "ada", Conversation: "c1", Server: "tickets", Tool: "close_ticket", Resource: "ticket:INC1", Pin: "sha256:pin", Rules: "sha256:rules",
		Args: jsontext.Value(`{"note":"done","ticket_id":"INC1","tags":["a",1,{}]}`), Free: []string{"/note"}, At: when.Add(time.Minute),
	}
}

func given(t *testing.T, c grant.Call, open ...string) grant.Grant {
	t.Helper()
	o, ok := grant.OfferOf("run1", "why", c)
	if !ok {
		t.Fatal("there is no offer")
	}
	g, err := o.Accept("ada", "terminal", when, when.Add(time.Hour), open)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestAGrantAnswersTheSameCallAndNoOther(t *testing.T) {
	t.Parallel()
	args := func(text string) func(*grant.Call) { return func(c *grant.Call) { c.Args = jsontext.Value(text) } }
	for name, c := range map[string]struct {
		change  func(*grant.Call)
		answers bool
	}{
		"the same":                      {func(*grant.Call) {}, true},
		"another open text":             {args(`{"note":"x","ticket_id":"INC1","tags":["a",1,{}]}`), true},
		"an empty open text":            {args(`{"note":"","ticket_id":"INC1","tags":["a",1,{}]}`), true},
		"no open text":                  {args(`{"ticket_id":"INC1","tags":["a",1,{}]}`), true},
		"the last moment":               {func(c *grant.Call) { c.At = when.Add(time.Hour - 1) }, true},
		"an open text that is a number": {args(`{"note":1,"ticket_id":"INC1","tags":["a",1,{}]}`), false},
		"an open text that is a list":   {args(`{"note":["x"],"ticket_id":"INC1","tags":["a",1,{}]}`), false},
		"another value":                 {args(`{"note":"done","ticket_id":"INC2","tags":["a",1,{}]}`), false},
		"another kind":                  {args(`{"note":"done","ticket_id":"INC1","tags":["a","1",{}]}`), false},
		"an item more":                  {args(`{"note":"done","ticket_id":"INC1","tags":["a",1,{},1]}`), false},
		"an item less":                  {args(`{"note":"done","ticket_id":"INC1","tags":["a",1]}`), false},
		"another order":                 {args(`{"note":"done","ticket_id":"INC1","tags":[1,"a",{}]}`), false},
		"a value more":                  {args(`{"force":true,"note":"done","ticket_id":"INC1","tags":["a",1,{}]}`), false},
		"approved, says the model":      {args(`{"approved":true,"note":"done","ticket_id":"INC1","tags":["a",1,{}]}`), false},
		"a value less":                  {args(`{"note":"done","ticket_id":"INC1"}`), false},
		"nothing":                       {args(`{}`), false},
		"another subject":               {func(c *grant.Call) { c.Subject = "eve" }, false},
		"no subject":                    {func(c *grant.Call) { c.Subject = "" }, false},
		"another conversation":          {func(c *grant.Call) { c.Conversation = "c2" }, false},
		"no conversation":               {func(c *grant.Call) { c.Conversation = "" }, false},
		"another server":                {func(c *grant.Call) { c.Server = "mail" }, false},
		"another tool":                  {func(c *grant.Call) { c.Tool = "delete_ticket" }, false},
		"another resource":              {func(c *grant.Call) { c.Resource = "ticket:INC2" }, false},
		"no resource":                   {func(c *grant.Call) { c.Resource = "" }, false},
		"another pin":                   {func(c *grant.Call) { c.Pin = "sha256:other" }, false},
		"another rule":                  {func(c *grant.Call) { c.Rules = "sha256:other" }, false},
		"no rule":                       {func(c *grant.Call) { c.Rules = "" }, false},
		"it destroys":                   {func(c *grant.Call) { c.Destructive = true }, false},
		"a floor":                       {func(c *grant.Call) { c.Floor = "at a terminal" }, false},
		"it has expired":                {func(c *grant.Call) { c.At = when.Add(time.Hour) }, false},
		"a clock set back":              {func(c *grant.Call) { c.At = when.Add(-2 * time.Second) }, false},
		"no clock":                      {func(c *grant.Call) { c.At = time.Time{} }, false},
	} {
		call := closing()
		c.change(&call)
		if why := given(t, closing(), "/note").Refusal(call); (why == "") != c.answers {
			t.Errorf("%s: %q", name, why)
		}
	}
	if why := given(t, closing()).Refusal(closing()); why != "" {
		t.Errorf("with nothing left open: %s", why)
	}
	call := closing()
	call.Args = jsontext.Value(`{"note":"x","ticket_id":"INC1","tags":["a",1,{}]}`)
	if given(t, closing()).Refusal(call) == "" {
		t.Error("a text that was not left open may be any")
	}
}

func TestAGrantOfWhatWasShownToDestroyAnswersIt(t *testing.T) {
	t.Parallel()
	call := closing()
	call.Destructive = true
	if why := given(t, call).Refusal(call); why != "" {
		t.Error(why)
	}
}

func TestTheZeroGrantAnswersNothing(t *testing.T) {
	t.Parallel()
	if (grant.Grant{}).Refusal(grant.Call{Args: jsontext.Value(`{}`)}) == "" {
		t.Error("it answers the zero call")
	}
	whole := given(t, closing())
	for name, change := range map[string]func(*grant.Grant, *grant.Call){
		"no id":       func(g *grant.Grant, _ *grant.Call) { g.ID = "" },
		"no giver":    func(g *grant.Grant, _ *grant.Call) { g.By = "" },
		"no subject":  func(g *grant.Grant, c *grant.Call) { g.Subject, c.Subject = "", "" },
		"no resource": func(g *grant.Grant, c *grant.Call) { g.Resource, c.Resource = "", "" },
		"nowhere":     func(g *grant.Grant, c *grant.Call) { g.Conversation, c.Conversation = "", "" },
		"no pin":      func(g *grant.Grant, c *grant.Call) { g.Pin, c.Pin = "", "" },
		"no end":      func(g *grant.Grant, _ *grant.Call) { g.Until = g.Created.Add(25 * time.Hour) },
	} {
		g, c := whole, closing()
		change(&g, &c)
		if g.Refusal(c) == "" {
			t.Errorf("%s answers", name)
		}
	}
}

func TestWhatCannotBeGrantedIsNotOffered(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*grant.Call){
		"no subject": func(c *grant.Call) { c.Subject = "" }, "no conversation": func(c *grant.Call) { c.Conversation = "" },
		"no resource": func(c *grant.Call) { c.Resource = "" }, "a floor": func(c *grant.Call) { c.Floor = "at a terminal" },
		"too many values": func(c *grant.Call) {
			c.Args = jsontext.Value(fmt.Sprintf(`{"list":[%s0]}`, string(slices.Repeat([]byte("0,"), 300))))
		},
	} {
		c := closing()
		change(&c)
		if _, ok := grant.OfferOf("run1", "", c); ok {
			t.Errorf("%s is offered", name)
		}
	}
	o, _ := grant.OfferOf("run1", "", closing())
	for name, c := range map[string]struct {
		by    string
		life  time.Duration
		open  []string
		offer grant.Offer
	}{
		"no giver": {"", time.Hour, nil, o}, "too long": {"ada", 25 * time.Hour, nil, o}, "no time": {"ada", 0, nil, o}, "no offer": {"ada", time.Hour, nil, grant.Offer{}},
		"the resource open": {"ada", time.Hour, []string{"/ticket_id"}, o},
	} {
		if g, err := c.offer.Accept(c.by, "terminal", when, when.Add(c.life), c.open); verdict.CodeOf(err) != verdict.GrantRefused {
			t.Errorf("%s: %+v, %v", name, g, err)
		}
	}
}

// Whatever the two are, a grant of one triple answers no call of another.
func TestAGrantNeverCrossesItsTriple(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	some := func(words ...string) string { return words[random.IntN(len(words))] }
	answered := 0
	made := func() grant.Call {
		c := closing()
		c.Conversation, c.Tool, c.Resource = some("c1", "c1", "c1", "c2", ""), some("close_ticket", "close_ticket", "close_ticket", "delete_ticket"), some("ticket:INC1", "ticket:INC1", "ticket:INC1", "ticket:INC2", "")
		c.Subject, c.Rules, c.Destructive = some("ada", "ada", "ada", "eve", ""), some("", "sha256:rules"), random.IntN(4) == 0
		c.Args = jsontext.Value(fmt.Sprintf(`{"ticket_id":%q,"note":%q}`, some("INC1", "INC2"), some("a", "b")))
		return c
	}
	for range 20_000 {
		of, call := made(), made()
		o, ok := grant.OfferOf("run1", "", of)
		if !ok {
			continue
		}
		g, err := o.Accept("ada", "terminal", when, when.Add(time.Hour), []string{"/note"}[:random.IntN(2)])
		if err != nil {
			t.Fatal(err)
		}
		if g.Refusal(call) != "" {
			continue
		}
		answered++
		if of.Conversation != call.Conversation || of.Resource != call.Resource || of.Tool != call.Tool || of.Subject != call.Subject || of.Rules != call.Rules || call.Destructive && !of.Destructive {
			t.Fatalf("a grant of %+v answers %+v", of, call)
		}
	}
	if answered < 100 {
		t.Errorf("only %d calls were answered", answered)
	}
}

// JSON Pointers are the same in a list and in an object with numbers as names. A grant
// for one does not answer the other.
func TestAGrantOfAListIsOfNoObjectWithNumbersForNames(t *testing.T) {
	t.Parallel()
	all := []string{
		`{"to":["a","b"]}`, `{"to":{"0":"a","1":"b"}}`, `{"to":[["a"],"b"]}`, `{"to":[{"0":"a"},"b"]}`, `{"to":{"0":["a"],"1":"b"}}`, `{"to":{"0":{"0":"a"},"1":"b"}}`,
		`{"to":[1,"b"]}`, `{"to":{"0":1,"1":"b"}}`, `{"to":[]}`, `{"to":{}}`, `{"to":{"00":"a","1":"b"}}`,
	}
	for _, of := range all {
		for _, is := range all {
			given, asked := closing(), closing()
			given.Args, asked.Args, given.Free = jsontext.Value(of), jsontext.Value(is), []string{"/to/0", "/to/1", "/to/0/0"}
			o, ok := grant.OfferOf("run1", "", given)
			if !ok {
				t.Fatal("there is no offer")
			}
			for _, open := range [][]string{nil, o.Free} {
				g, err := o.Accept("ada", "terminal", when, when.Add(time.Hour), open)
				if err != nil {
					t.Fatal(err)
				}
				if why := g.Refusal(asked); (why == "") != (of == is) {
					t.Errorf("a grant of %s with %v left open, and %s: %q", of, open, is, why)
				}
			}
		}
	}
}
