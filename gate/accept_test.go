package gate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

const typed = `{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]},
	"outputSchema":{"type":"object","properties":{"title":{"type":"string"},"rank":{"type":"integer"}},"required":["title"],"additionalProperties":false}}`

// redeemed is an approval whose call has left.
func redeemed(t *testing.T, g *gate.Gate, raw, output string) gate.Approved {
	t.Helper()
	a := approve(t, g, raw, output)
	if _, err := a.Redeem(live(raw), receipt(t, a), gate.Consent{}); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAnAnswerBeforeTheCallIsNotAccepted(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	a := approve(t, g, descriptor, "")
	good := gate.RawResult{Body: []byte(`{"content":[{"type":"text","text":"a"}]}`)}
	_, err := g.Accept(a, good)
	code(t, "approved, and never redeemed", err, verdict.CallUnapproved)
	_, err = g.Accept(redeemed(t, g, descriptor, ""), good)
	code(t, "redeemed", err, "")
}

// What to do after a JSON-RPC error is decided by its code;
// the server's text decides nothing.
func TestAJSONRPCErrorIsDecidedByItsCode(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	body := []byte(`{"isError":true,"content":[{"type":"text","text":"correct the arguments"}]}`)
	for code, want := range map[int64]string{
		-32602: "correct the arguments by the tool's input schema; the call may have run",
		-32603: "the call may have run; read the server's message",
		0:      "the call may have run; read the server's message",
	} {
		_, err := g.Accept(redeemed(t, g, descriptor, ""), gate.RawResult{Body: body, RPC: &code})
		_, f := verdict.First(err)
		if f == nil || f.Code != verdict.OutputRPCError || f.Advice() != want {
			t.Errorf("%d: %v: %s", code, err, f.Advice())
		}
	}
	code := int64(1)
	for _, body := range []string{`{"content":[]}`, `{"isError":false,"content":[]}`, `[]`} {
		if _, err := g.Accept(redeemed(t, g, descriptor, ""), gate.RawResult{Body: []byte(body), RPC: &code}); verdict.CodeOf(err) != verdict.OutputInvalid {
			t.Errorf("%s is %v", body, err)
		}
	}
}

func TestEachBadResultHasItsOwnCode(t *testing.T) {
	t.Parallel()
	text := `{"content":[{"type":"text","text":%}]}`
	for name, c := range map[string]struct {
		raw, output, body string
		want              verdict.Code
	}{
		"an error":                     {descriptor, "", `{"isError":true,"content":[{"type":"text","text":"no such entry"}]}`, verdict.OutputError},
		"an error without text":        {descriptor, "", `{"isError":true,"content":[]}`, verdict.OutputError},
		"an error with a typed value":  {typed, "", `{"isError":true,"content":[],"structuredContent":{"title":"t"}}`, verdict.OutputError},
		"nothing":                      {descriptor, "", ``, verdict.OutputInvalid},
		"null":                         {descriptor, "", `null`, verdict.OutputInvalid},
		"an array":                     {descriptor, "", `[]`, verdict.OutputInvalid},
		"isError that is no boolean":   {descriptor, "", `{"isError":"false","content":[]}`, verdict.OutputInvalid},
		"a duplicate key":              {descriptor, "", `{"content":[],"content":[{"type":"text","text":"a"}]}`, verdict.OutputInvalid},
		"invalid UTF-8":                {descriptor, "", "{\"content\":[{\"type\":\"text\",\"text\":\"\xff\"}]}", verdict.OutputInvalid},
		"1e400":                        {descriptor, "", `{"content":[{"type":"text","text":"a"}],"x":1e400}`, verdict.OutputNumber},
		"depth 2000":                   {descriptor, "", `{"x":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`, verdict.OutputTooLarge},
		"oversize":                     {descriptor, "", `{"x":"` + strings.Repeat("a", 9<<20) + `"}`, verdict.OutputTooLarge},
		"input required":               {descriptor, "", `{"resultType":"input_required","content":[]}`, verdict.CallInputRequired},
		"input required, with a value": {typed, "", `{"resultType":"input_required","structuredContent":{"title":"t"}}`, verdict.CallInputRequired},
		"an unknown result type":       {descriptor, "", `{"resultType":"partial","content":[{"type":"text","text":"a"}]}`, verdict.OutputInvalid},
		"no content":                   {descriptor, "", `{}`, verdict.OutputMissing},
		"null for content":             {descriptor, "", `{"content":null}`, verdict.OutputMissing},
		"an image without data":        {descriptor, "", `{"content":[{"type":"image","mimeType":"image/png"}]}`, verdict.OutputInvalid},
		"an image in other letters":    {descriptor, "", `{"content":[{"type":"image","data":"aGk"}]}`, verdict.OutputInvalid},
		"an image with more letters":   {descriptor, "", `{"content":[{"type":"image","data":"aGl="}]}`, verdict.OutputInvalid},
		"an image of lines":            {descriptor, "", `{"content":[{"type":"image","data":"aGk=\n?"}]}`, verdict.OutputInvalid},
		"an image of a type that is 1": {descriptor, "", `{"content":[{"type":"image","data":"","mimeType":1}]}`, verdict.OutputInvalid},
		"a resource of nothing":        {descriptor, "", `{"content":[{"type":"resource"}]}`, verdict.OutputInvalid},
		"a resource without a value":   {descriptor, "", `{"content":[{"type":"resource","resource":{"uri":"x:"}}]}`, verdict.OutputInvalid},
		"a resource of both":           {descriptor, "", `{"content":[{"type":"resource","resource":{"uri":"x:","text":"a","blob":""}}]}`, verdict.OutputInvalid},
		"a link to nothing":            {descriptor, "", `{"content":[{"type":"resource_link","name":"a"}]}`, verdict.OutputInvalid},
		"text, and an odd image":       {descriptor, "", `{"content":[{"type":"text","text":"a"},{"type":"image","data":"?"}]}`, verdict.OutputInvalid},
		"structure, and an odd block":  {descriptor, "", `{"content":[{"type":"html"}],"structuredContent":{}}`, verdict.OutputContent},
		"text declared, and structure": {descriptor, `"text"`, `{"content":[],"structuredContent":{"a":1}}`, verdict.OutputMissing},
		"a block of another case":      {descriptor, "", `{"content":[{"type":"Text","text":"a"}]}`, verdict.OutputContent},
		"isError null":                 {descriptor, "", `{"isError":null,"content":[{"type":"text","text":"a"}]}`, verdict.OutputInvalid},
		"isError in another case":      {descriptor, "", `{"isError":"true","content":[{"type":"text","text":"a"}]}`, verdict.OutputInvalid},
		"a null structure alone":       {descriptor, "", `{"structuredContent":null}`, verdict.OutputMissing},
		"a type that MCP has not":      {descriptor, "", `{"content":[{"type":"text","text":"a"},{"type":"video","data":""}]}`, verdict.OutputContent},
		"text that is no string":       {descriptor, "", `{"content":[{"type":"text","text":1}]}`, verdict.OutputInvalid},
		"a block without text":         {descriptor, "", `{"content":[{"type":"text"}]}`, verdict.OutputContent},
		"a null block":                 {descriptor, "", `{"content":[null]}`, verdict.OutputInvalid},
		"structure missing":            {typed, "", `{"content":[{"type":"text","text":"{\"title\":\"t\"}"}]}`, verdict.OutputMissing},
		"structure null":               {typed, "", `{"content":[],"structuredContent":null}`, verdict.OutputMissing},
		"structure ill-typed":          {typed, "", `{"content":[],"structuredContent":{"title":7}}`, verdict.OutputSchema},
		"structure with more":          {typed, "", `{"content":[],"structuredContent":{"title":"t","x":1}}`, verdict.OutputSchema},
		"structure incomplete":         {typed, "", `{"content":[],"structuredContent":{}}`, verdict.OutputSchema},
		"declared and not JSON":        {descriptor, `{"type":"object"}`, strings.Replace(text, "%", `"hello"`, 1), verdict.OutputSchema},
		"declared and ill-typed":       {descriptor, `{"type":"object","required":["a"]}`, strings.Replace(text, "%", `"{}"`, 1), verdict.OutputSchema},
		"declared, and the structure ill-typed": {
			descriptor, `{"type":"object","required":["a"]}`,
			`{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{}}`, verdict.OutputSchema,
		},
	} {
		g := gate.New(gate.Options{})
		got, err := g.Accept(redeemed(t, g, c.raw, c.output), gate.RawResult{Body: []byte(c.body)})
		code(t, name, err, c.want)
		if attached, _ := got.Attachments(); got.Value() != nil || got.Raw() != nil || got.Leaves() != nil || got.Structured() != nil || attached != nil {
			t.Errorf("%s is refused, and leaves %s%s", name, got.Value(), got.Raw())
		}
	}
}

func TestTheTypeOfAResultIsDecidedInOrder(t *testing.T) {
	t.Parallel()
	both := `{"content":[{"type":"text","text":"{\"title\":\"of the text\"}"},{"type":"text","text":""}],"structuredContent":{"title":"t","rank":9007199254740993}}`
	for name, c := range map[string]struct {
		raw, output, body string
		basis             catalog.Basis
		value             string
	}{
		"the tool's own schema first": {typed, `"text"`, both, catalog.OutputSchema, `{"title":"t","rank":9007199254740993}`},
		"then the operator's schema":  {descriptor, `{"type":"object"}`, both, catalog.OperatorSchema, `{"title":"t","rank":9007199254740993}`},
		"on the text, where there is no structure": {
			descriptor, `{"type":"object"}`,
			`{"content":[{"type":"text","text":"{\"a\":1}"}]}`, catalog.OperatorSchema, `{"a":1}`,
		},
		"or the operator's word": {descriptor, `"text"`, `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, catalog.OperatorText, `"a\nb"`},
		"else it has none":       {descriptor, "", both, catalog.Untyped, ""},
	} {
		g := gate.New(gate.Options{})
		got, err := g.Accept(redeemed(t, g, c.raw, c.output), gate.RawResult{Body: []byte(c.body)})
		if err != nil || got.Basis() != c.basis || string(got.Value()) != c.value {
			t.Errorf("%s: %s by %s, %v", name, got.Value(), got.Basis(), err)
		}
	}
}

func TestAnUntypedResultIsShownAndCarriesNoEvidence(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	got, err := g.Accept(redeemed(t, g, descriptor, ""), gate.RawResult{Body: []byte(`{"content":[{"type":"text","text":"hello"}]}`)})
	if err != nil || string(got.Raw()) != `"hello"` || got.Leaves() != nil || got.Value() != nil {
		t.Errorf("%s, %v, %v", got.Raw(), got.Leaves(), err)
	}
	if (gate.Typed{}).Leaves() != nil {
		t.Error("the zero value carries evidence")
	}
}

func TestAResultOfATypeThatCannotBeEnforcedIsUntyped(t *testing.T) {
	t.Parallel()
	unenforced := strings.Replace(typed, `"additionalProperties":false`, `"unevaluatedProperties":false`, 1)
	body := []byte(`{"content":[{"type":"text","text":"{\"title\":\"t\"}"}],"structuredContent":{"title":7}}`)
	for output, want := range map[string]string{"": "untyped", `"text"`: "operator_text"} {
		g := gate.New(gate.Options{})
		got, err := g.Accept(redeemed(t, g, unenforced, output), gate.RawResult{Body: body})
		if err != nil || got.Basis().String() != want || !strings.Contains(got.Unenforced(), "/unevaluatedProperties") {
			t.Errorf("declared %q: %s, %q, %v", output, got.Basis(), got.Unenforced(), err)
		}
	}
	g := gate.New(gate.Options{})
	got, err := g.Accept(redeemed(t, g, typed, ""), gate.RawResult{Body: []byte(`{"content":[],"structuredContent":{"title":"t"}}`)})
	if err != nil || got.Unenforced() != "" {
		t.Errorf("%q, %v", got.Unenforced(), err)
	}
}

func TestARegisteredTypeCanOnlyRefuse(t *testing.T) {
	t.Parallel()
	seen := 0
	refuse := gate.Options{Types: map[string]func([]byte) error{"kb/get": func([]byte) error {
		seen++
		return verdict.Deny(verdict.Internal, "the rank is missing")
	}}}
	g := gate.New(refuse)
	_, err := g.Accept(redeemed(t, g, typed, ""), gate.RawResult{Body: []byte(`{"content":[],"structuredContent":{"title":"t"}}`)})
	code(t, "a type that refuses", err, verdict.OutputStruct)
	_, err = g.Accept(redeemed(t, g, typed, ""), gate.RawResult{Body: []byte(`{"content":[],"structuredContent":{}}`)})
	code(t, "a schema that refuses first", err, verdict.OutputSchema)
	if seen != 1 {
		t.Errorf("the type was asked %d times", seen)
	}
}

// namesTo are those of the members on the way to a leaf.
func namesTo(l schema.Leaf) (all []string) {
	for _, s := range l.Path() {
		if s.Index < 0 {
			all = append(all, s.Name)
		}
	}
	return all
}

func TestLeavesAreTheScalarsWithTheirPlaces(t *testing.T) {
	t.Parallel()
	const anything = `{"type":"object"}`
	g := gate.New(gate.Options{})
	got, err := g.Accept(redeemed(t, g, descriptor, anything), gate.RawResult{Body: []byte(
		`{"content":[],"structuredContent":{"b":"x\ny","a/~":[1.50,{"c":true,"d":null,"e":{}}],"":false}}`)})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, l := range got.Leaves() {
		found = append(found, fmt.Sprintf("%s %q %c %s", l.Pointer(), namesTo(l), l.Kind, l.Text))
	}
	want := []string{
		`/b ["b"] " x` + "\n" + `y`,
		`/a~1~0/0 ["a/~"] 0 1.50`,
		`/a~1~0/1/c ["a/~" "c"] t true`,
		`/ [""] f false`,
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
}

// 4 MiB of zeros are two million values, each of them as dear as a kilobyte of text.
func TestTheValuesOfAResultAreBounded(t *testing.T) {
	t.Parallel()
	zeros := func(n int) gate.RawResult {
		return gate.RawResult{Body: []byte(`{"content":[{"type":"text","text":"a"}],"x":[0` + strings.Repeat(",0", n-1) + `]}`)}
	}
	usual := gate.New(gate.Options{})
	_, err := usual.Accept(redeemed(t, usual, descriptor, ""), zeros(240_000))
	code(t, "many values", err, "")
	_, err = usual.Accept(redeemed(t, usual, descriptor, ""), zeros(260_000))
	code(t, "too many values", err, verdict.OutputTooLarge)
	if err == nil || !strings.Contains(err.Error(), "250000 values") {
		t.Errorf("the limit is not named: %v", err)
	}
	// The hint says to raise the limit, so that must help.
	wide := gate.New(gate.Options{MaxResult: 16 << 20})
	_, err = wide.Accept(redeemed(t, wide, descriptor, ""), zeros(490_000))
	code(t, "as many within a limit twice as high", err, "")
	_, err = wide.Accept(redeemed(t, wide, descriptor, ""), gate.RawResult{Body: []byte(`{"content":[{"type":"text","text":"` + strings.Repeat("a", 9<<20) + `"}]}`)})
	code(t, "a long text within it", err, "")
	narrow := gate.New(gate.Options{MaxResult: 2 << 20})
	_, err = narrow.Accept(redeemed(t, narrow, descriptor, ""), zeros(240_000))
	code(t, "as many within a lower limit", err, "")
}

// FuzzAccept: a result that is accepted under a type has a value, and a refused result
// leaves nothing to show.
func FuzzAccept(f *testing.F) {
	for _, s := range []string{`{"content":[],"structuredContent":{"title":"t"}}`, `{"content":[{"type":"text","text":"a"}]}`, `{"isError":true}`, `null`, `{"x":1e400}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		g := gate.New(gate.Options{})
		got, err := g.Accept(redeemed(t, g, typed, ""), gate.RawResult{Body: body})
		if (err == nil) != (got.Value() != nil) {
			t.Fatalf("%q: %v, %s", body, err, got.Value())
		}
		if err != nil && !verdict.Denied(err) {
			t.Fatalf("%q: %v", body, err)
		}
	})
}

// TestWhatAServerWantsIsNamed, in its words and bounded.
func TestWhatAServerWantsIsNamed(t *testing.T) {
	t.Parallel()
	const asks = "the server asked for more input instead of answering, and onestep makes one call"
	for body, want := range map[string]string{
		`{"resultType":"input_required"}`:                         asks,
		`{"resultType":"input_required","inputRequests":[1]}`:     asks,
		`{"resultType":"input_required","inputRequests":{}}`:      asks,
		`{"resultType":"input_required","inputRequests":{"a":1}}`: asks + "; it wants a",
		`{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Which year?"}},"b":{"method":"roots/list"}}}`: asks + "; it wants elicitation/create: Which year?, roots/list",
		`{"resultType":"input_required","inputRequests":{"a":{"method":"` + strings.Repeat("x", 10_000) + `"}}}`:                                               asks + "; it wants " + strings.Repeat("x", 500) + "…",
	} {
		g := gate.New(gate.Options{})
		_, err := g.Accept(redeemed(t, g, descriptor, ""), gate.RawResult{Body: []byte(body)})
		if diff := cmp.Diff("call.input_required: "+want, fmt.Sprint(err)); diff != "" {
			t.Errorf("%.100s (-want +got):\n%s", body, diff)
		}
	}
}
