package gate_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

const descriptor = `{"name":"get","description":"Get an entry.","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}}`

type disk struct{ bytes.Buffer }

func (*disk) Sync() error { return nil }

func query(t *testing.T, words, context string) input.Query {
	t.Helper()
	q, err := input.Admit(input.Asked{Words: words, Context: context}, input.BuiltIn())
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// tools is the catalog of one server "kb" that lists the descriptor, with the
// output that the allowlist declares.
func tools(t *testing.T, raw, output string) catalog.Catalog {
	t.Helper()
	entry := `"get"`
	if output != "" {
		entry = `{"name":"get","output":` + output + `}`
	}
	return admitted(t, live(raw), entry)
}

// catalogOf is the catalog of one descriptor.
func catalogOf(t *testing.T, d pin.Descriptor) catalog.Catalog {
	t.Helper()
	return admitted(t, d, `"get"`)
}

func admitted(t *testing.T, d pin.Descriptor, entry string) catalog.Catalog {
	t.Helper()
	allow, err := catalog.ParseAllowlist([]byte(`{"kb":{"read":[` + entry + `]}}`))
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.Admit([]catalog.Listing{{Server: "kb", Tools: []pin.Descriptor{d}}}, allow, catalog.Options{})
	if err := c.Refusal(); err != nil {
		t.Fatal(err)
	}
	return c
}

func live(raw string) pin.Descriptor {
	return pin.Descriptor{Server: "kb", Raw: jsontext.Value(raw)}
}

func parsed(t *testing.T, args string) plan.Plan {
	t.Helper()
	p, err := plan.Parse(plan.Call("kb", "get", jsontext.Value(args)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func approve(t *testing.T, g *gate.Gate, raw, output string) gate.Approved {
	t.Helper()
	a, err := g.Approve(gate.Asked{Query: query(t, "get 1", "")}, tools(t, raw, output), parsed(t, `{"id":1}`))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func receipt(t *testing.T, a gate.Approved) trace.Receipt {
	t.Helper()
	r, err := trace.New(&disk{}, time.Now).Commit(trace.Approval, a.Record())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func code(t *testing.T, what string, err error, want verdict.Code) {
	t.Helper()
	if got := verdict.CodeOf(err); got != want {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
}

func TestAnApprovalIsRedeemedOnceAndOnlyAsApproved(t *testing.T) {
	t.Parallel()
	a := approve(t, gate.New(gate.Options{}), descriptor, "")
	r := receipt(t, a)

	_, err := a.Redeem(live(strings.Replace(descriptor, "Get an entry", "Delete every entry", 1)), r, gate.Consent{})
	code(t, "a changed descriptor", err, verdict.PinChanged)
	_, err = a.Redeem(pin.Descriptor{Server: "kc", Raw: jsontext.Value(descriptor)}, r, gate.Consent{})
	code(t, "another server's descriptor", err, verdict.PinChanged)
	_, err = a.Redeem(pin.Descriptor{Server: "kb"}, r, gate.Consent{})
	code(t, "no descriptor", err, verdict.PinChanged)
	_, err = a.Redeem(live(descriptor), trace.Receipt{}, gate.Consent{})
	code(t, "no receipt", err, verdict.CallUnrecorded)
	other := approve(t, gate.New(gate.Options{}), strings.Replace(descriptor, "entry", "item", 1), "")
	_, err = a.Redeem(live(descriptor), receipt(t, other), gate.Consent{})
	code(t, "another approval's receipt", err, verdict.CallUnrecorded)
	if a.Redeemed() {
		t.Fatal("a refused redemption counts as one")
	}

	call, err := a.Redeem(live(descriptor), r, gate.Consent{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(gate.Call{Server: "kb", Tool: "get", Args: jsontext.Value(`{"id":1}`)}, call); diff != "" {
		t.Fatal(diff)
	}
	if !a.Redeemed() {
		t.Error("a redemption does not count as one")
	}
	_, err = a.Redeem(live(descriptor), r, gate.Consent{})
	code(t, "a second time", err, verdict.CallSpent)
	_, err = a.Redeem(live(descriptor), receipt(t, a), gate.Consent{})
	code(t, "a second time with a fresh receipt", err, verdict.CallSpent)
}

// TestADescriptorInAnotherOrderIsTheSame: a server may write the same object
// with its members in another order, and nothing more.
func TestADescriptorInAnotherOrderIsTheSame(t *testing.T) {
	t.Parallel()
	a := approve(t, gate.New(gate.Options{}), descriptor, "")
	var m map[string]jsontext.Value
	if err := json.Unmarshal([]byte(descriptor), &m); err != nil {
		t.Fatal(err)
	}
	reordered := fmt.Sprintf(`{ "inputSchema": %s, "description": %s, "name": %s }`, m["inputSchema"], m["description"], m["name"])
	if _, err := a.Redeem(live(reordered), receipt(t, a), gate.Consent{}); err != nil {
		t.Error(err)
	}
}

func TestManyRedeemersGetOneCall(t *testing.T) {
	t.Parallel()
	a := approve(t, gate.New(gate.Options{}), descriptor, "")
	var wg sync.WaitGroup
	calls := make(chan gate.Call, 64)
	for range cap(calls) {
		r := receipt(t, a)
		wg.Go(func() {
			if c, err := a.Redeem(live(descriptor), r, gate.Consent{}); err == nil {
				calls <- c
			}
		})
	}
	wg.Wait()
	if len(calls) != 1 {
		t.Errorf("%d calls of one approval", len(calls))
	}
}

// shown is what an approval says of itself.
type shown struct {
	Record, Server, Tool string
	Redeemed             bool
}

func TestNobodyForgesAnApproval(t *testing.T) {
	t.Parallel()
	var decoded gate.Approved
	if err := json.Unmarshal([]byte(`{"p":{"call":{"Server":"kb","Tool":"get","Args":{}}},"Server":"kb"}`), &decoded); err != nil {
		t.Log("refused by the decoder:", err)
	}
	for name, a := range map[string]gate.Approved{"the zero value": {}, "a decoded one": decoded} {
		if diff := cmp.Diff(shown{}, shown{string(a.Record()), a.Server(), a.Tool(), a.Redeemed()}); diff != "" {
			t.Errorf("%s says something: %s", name, diff)
		}
		_, err := a.Redeem(live(descriptor), trace.Receipt{}, gate.Consent{})
		code(t, name, err, verdict.CallUnapproved)
		_, err = gate.New(gate.Options{}).Accept(a, gate.RawResult{Body: []byte(`{"content":[]}`)})
		code(t, name+", accepting", err, verdict.CallUnapproved)
	}
}

func TestWhatIsHandedOutCannotChangeTheApproval(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	a := approve(t, g, typed, "")
	was := string(a.Record())
	fill := func(b []byte) {
		for i := range b {
			b[i] = 'X'
		}
	}
	fill(a.Record())
	if got := string(a.Record()); got != was {
		t.Errorf("the record became %s", got)
	}
	r := receipt(t, a)
	fill(a.Record()) // after it was written: what is called is what was recorded
	call, err := a.Redeem(live(typed), r, gate.Consent{})
	if err != nil || string(call.Args) != `{"id":1}` {
		t.Fatalf("%s, %v", call.Args, err)
	}
	fill(call.Args)
	if got := string(a.Record()); got != was {
		t.Errorf("the record became %s", got)
	}
	result, err := g.Accept(a, gate.RawResult{Body: []byte(`{"content":[],"structuredContent":{"title":"t"}}`)})
	if err != nil {
		t.Fatal(err)
	}
	fill(result.Value())
	if got := string(result.Value()); got != `{"title":"t"}` || result.Leaves()[0].Text != "t" {
		t.Errorf("the result became %s", got)
	}
}

func TestOneQuestionHasOneApproval(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	q, c := query(t, "get 1", ""), tools(t, descriptor, "")
	_, err := g.Approve(gate.Asked{Query: q}, c, parsed(t, `{"id":"1"}`))
	code(t, "arguments that do not fit", err, verdict.SchemaArguments)
	if _, err := g.Approve(gate.Asked{Query: q}, c, parsed(t, `{"id":1}`)); err != nil {
		t.Fatal(err)
	}
	_, err = g.Approve(gate.Asked{Query: q}, c, parsed(t, `{"id":2}`))
	code(t, "a second plan", err, verdict.CallUnapproved)
	_, err = g.Approve(gate.Asked{Query: input.Query{}}, c, parsed(t, `{"id":2}`))
	code(t, "no question", err, verdict.CallUnapproved)
}

// A gate keeps what it compiled, and checks each tool against its own.
func TestEachToolOfAGateIsHeldToItsOwnSchema(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	named := strings.Replace(descriptor, `"integer"`, `"string"`, 1)
	for range 2 {
		for raw, args := range map[string][2]string{descriptor: {`{"id":1}`, `{"id":"a"}`}, named: {`{"id":"a"}`, `{"id":1}`}} {
			_, err := g.Approve(gate.Asked{Query: query(t, "get", "")}, tools(t, raw, ""), parsed(t, args[0]))
			code(t, args[0], err, "")
			_, err = g.Approve(gate.Asked{Query: query(t, "get", "")}, tools(t, raw, ""), parsed(t, args[1]))
			code(t, args[1], err, verdict.SchemaArguments)
		}
	}
}

func TestOnlyAnAllowedToolWithFittingArgumentsIsApproved(t *testing.T) {
	t.Parallel()
	g, c := gate.New(gate.Options{}), tools(t, descriptor, "")
	for args, want := range map[string]verdict.Code{
		`{}`:                      verdict.SchemaArguments,
		`{"id":1,"force":true}`:   verdict.SchemaArguments,
		`{"id":1.5}`:              verdict.SchemaArguments,
		`{"id":null}`:             verdict.SchemaArguments,
		`{"ID":1}`:                verdict.SchemaArguments,
		`{"id":1,"\u0000":1}`:     verdict.SchemaArguments,
		`{"id":9007199254740993}`: "",
	} {
		_, err := g.Approve(gate.Asked{Query: query(t, "get", "")}, c, parsed(t, args))
		code(t, args, err, want)
	}
	for _, name := range [][2]string{{"kb", "put"}, {"kc", "get"}, {"KB", "get"}, {"kb", "Get"}, {"kb", "get "}, {"kb", "ɡet"}} {
		p, err := plan.Parse(plan.Call(name[0], name[1], jsontext.Value(`{"id":1}`)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.Approve(gate.Asked{Query: query(t, "get", "")}, c, p)
		code(t, name[0]+"/"+name[1], err, verdict.AllowTool)
		_, err = g.Approve(gate.Asked{Query: query(t, "get", "")}, catalog.Catalog{}, p)
		code(t, "the zero catalog", err, verdict.AllowTool)
	}
	_, err := g.Approve(gate.Asked{Query: query(t, "get", "")}, c, plan.Plan{})
	code(t, "the zero plan", err, verdict.CallUnapproved)
}

func TestArgumentsOfTheContextAreMarked(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	a, err := g.Approve(gate.Asked{Query: query(t, "get the entry of the log", "entry 4711 failed")}, tools(t, descriptor, ""), parsed(t, `{"id":4711}`))
	if err != nil || !strings.Contains(string(a.Record()), `"origin":"context","pointer":"/id"`) {
		t.Errorf("%s, %v", a.Record(), err)
	}
	a, err = g.Approve(gate.Asked{Query: query(t, "get 4711", "entry 4711 failed")}, tools(t, descriptor, ""), parsed(t, `{"id":4711}`))
	if err != nil || !strings.Contains(string(a.Record()), `"origin":"stated"`) {
		t.Errorf("%s, %v", a.Record(), err)
	}
}

func TestTheRecordIsCanonicalAndKeepsDigits(t *testing.T) {
	t.Parallel()
	a, err := gate.New(gate.Options{}).Approve(gate.Asked{Query: query(t, "get", "")}, tools(t, descriptor, ""), parsed(t, ` { "id" : 9007199254740993 } `))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(a.Record(), []byte(`{"args":{"id":9007199254740993},"context":"sha256:`)) {
		t.Errorf("%s", a.Record())
	}
}
