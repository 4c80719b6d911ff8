package trust_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/trust"
)

const (
	abc = "gets one of: alpha, beta, gamma."
	cab = "gets one of: gamma, alpha, beta."
	bca = "gets one of: beta, gamma, alpha."
)

// seen is what a review shows of its first part.
type seen struct {
	State   trust.State
	Open    bool
	Alone   bool
	Shown   string // the description that would be approved
	Settled bool
}

func seenIn(r trust.Review) seen {
	f, _ := r.Parts[0].Now.Fields()
	return seen{r.Parts[0].State, r.Parts[0].Open(), r.Parts[0].Alone, f.Description, r.Settled()}
}

func described(text string) []string { return []string{tool("get", text)} }

// TestAnotherOrderIsAcceptedOnceForTheTool: a server that prints a set into a description
// can be approved. The approval is for the words as shown, in any later order.
func TestAnotherOrderIsAcceptedOnceForTheTool(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: described(abc), again: described(cab), other: described(bca)}
	r := look(t, k, kb, "get")
	if diff := cmp.Diff(seen{trust.Reordered, true, true, abc, false}, seenIn(r)); diff != "" {
		t.Fatal(diff)
	}
	want(t, "not approved", catalogOf(t, k, kb, "get"), "get pin.unapproved")

	kb.tools, kb.again, kb.other = described(bca), described(abc), described(cab)
	again := look(t, k, kb, "get")
	if diff := cmp.Diff(seen{trust.Reordered, true, true, abc, false}, seenIn(again)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(r.Parts[0].Digest, again.Parts[0].Digest); diff != "" {
		t.Errorf("what was reviewed cannot be approved: %s", diff)
	}
	if of, err := k.Decide(t.Context(), again, trust.Choice{By: "ada", Digests: []string{again.Digest}}); err != nil || of.Any() {
		t.Errorf("the whole approves it: %+v, %v", of, err)
	}
	again = look(t, k, kb, "get")
	only(t, k, again, again.Parts[0])
	want(t, "approved", catalogOf(t, k, kb, "get"), "get ")
	if diff := cmp.Diff(seen{trust.Same, false, false, bca, true}, seenIn(look(t, k, kb, "get"))); diff != "" {
		t.Error(diff)
	}
	if got := pinnedAs(t, k, kb); got != tool("get", abc) {
		t.Errorf("planned with %s", got)
	}

	kb.tools, kb.again, kb.other = described(cab), nil, nil // the same in all three
	if diff := cmp.Diff(seen{trust.Same, false, false, cab, true}, seenIn(look(t, k, kb, "get"))); diff != "" {
		t.Error(diff)
	}
	if held := refreshed(t, k, kb); held != "" {
		t.Errorf("a refresh holds it back: %s", held)
	}
	kb.tools = described(strings.Replace(cab, "alpha", "delta", 1))
	if held := refreshed(t, k, kb); held != "pin.changed" {
		t.Errorf("another word: %q", held)
	}
	approve(t, k, kb, "get")
	kb.tools = described("gets one of: beta, delta, gamma.")
	if diff := cmp.Diff(seen{trust.Same, false, false, "gets one of: beta, delta, gamma.", true}, seenIn(look(t, k, kb, "get"))); diff != "" {
		t.Errorf("after an approval of other words: %s", diff)
	}
}

func pinnedAs(t *testing.T, k *trust.Keeper, kb *server) string {
	t.Helper()
	pins, err := k.Pins(t.Context(), kb.subject().Place)
	if err != nil {
		t.Fatal(err)
	}
	return string(pins.Tools["get"].Raw)
}

func refreshed(t *testing.T, k *trust.Keeper, kb *server) (code string) {
	t.Helper()
	r, err := k.Refresh(t.Context(), kb.subject("get"), pin.Accept{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Held {
		code += s.Code
	}
	return code
}

// What is more than another order is what it was, and a change once is a change.
func TestOnlyAnotherOrderIsAnotherOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		again, other string
		want         trust.State
	}{
		"another word":                        {strings.Replace(cab, "alpha", "delta", 1), cab, trust.Unstable},
		"another order, and another word":     {cab, strings.Replace(bca, "alpha", "delta", 1), trust.Unstable},
		"another word for others":             {abc, strings.Replace(bca, "alpha", "delta", 1), trust.TwoFaced},
		"another order for others":            {abc, cab, trust.Reordered},
		"clauses":                             {"never delete, always ask", cab, trust.Unstable},
		"nothing for others":                  {cab, "", trust.Unstable},
		"the same to all, for the first time": {abc, abc, trust.New},
	} {
		kb := &server{tools: described(abc), again: described(c.again), other: described(c.other)}
		if c.other == "" {
			kb.other = []string{}
		}
		if got := look(t, keeper(t), kb, "get").Parts[0].State; got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
	k, kb := keeper(t), &server{tools: described(abc)}
	approve(t, k, kb, "get")
	kb.tools = described(cab)
	r := look(t, k, kb, "get")
	if diff := cmp.Diff(seen{trust.Changed, true, false, cab, false}, seenIn(r)); diff != "" {
		t.Error(diff)
	}
	if why := r.Parts[0].Change.Differences[0].Why; why != "the same words in another order" {
		t.Error(why)
	}
	approve(t, k, kb, "get")
	kb.tools = described(bca)
	if diff := cmp.Diff(seen{trust.Changed, true, false, bca, false}, seenIn(look(t, k, kb, "get"))); diff != "" {
		t.Errorf("one approval of other words accepts any order of them: %s", diff)
	}
	kb.tools, kb.again = described(cab), described(bca)
	if diff := cmp.Diff(seen{trust.Reordered, true, true, cab, false}, seenIn(look(t, k, kb, "get"))); diff != "" {
		t.Errorf("the first listing is what was approved: %s", diff)
	}
	want(t, "held back", catalogOf(t, k, kb, "get"), "get pin.changed")
}

// fielded is a tool whose parameter has this default, title and enum of one.
func fielded(fields, title, only string) []string {
	return []string{fmt.Sprintf(`{"name":"get","title":%q,"inputSchema":{"type":"object","properties":{"fields":{"type":"string","default":%q},"only":{"const":%q}}}}`, title, fields, only)}
}

// Another order is accepted where two listings of the review showed it.
func TestASetInADefaultIsApproved(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: fielded("id,summary,status", "T: a, b", "x"), again: fielded("summary,status,id", "T: a, b", "x")}
	r := look(t, k, kb, "get")
	if p := r.Parts[0]; p.State != trust.Reordered || !p.Alone || !p.Open() {
		t.Fatalf("%s, alone %v, open %v", p.State, p.Alone, p.Open())
	}
	only(t, k, r, r.Parts[0])
	want(t, "approved", catalogOf(t, k, kb, "get"), "get ")
	for name, c := range map[string]struct{ tools, held string }{
		"a third order":        {fielded("status,id,summary", "T: a, b", "x")[0], ""},
		"another order beside": {fielded("status,id,summary", "T: b, a", "x")[0], "pin.changed"},
		"another field":        {fielded("status,id,labels!", "T: a, b", "x")[0], "pin.changed"},
	} {
		kb.tools, kb.again = []string{c.tools}, nil
		if held := refreshed(t, k, kb); held != c.held {
			t.Errorf("%s: %q, want %q", name, held, c.held)
		}
	}
	kb.tools, kb.again = fielded("id,summary,status", "T: a, b", "x"), fielded("id,summary,status", "T: b, a", "x")
	r = look(t, k, kb, "get")
	if got := r.Parts[0].State; got != trust.Reordered {
		t.Fatalf("a new place: %s", got)
	}
	only(t, k, r, r.Parts[0])
	kb.tools, kb.again = fielded("status,summary,id", "T: b, a", "x"), nil
	if held := refreshed(t, k, kb); held != "" {
		t.Errorf("what was accepted before and after: %q", held)
	}
	kb.again = fielded("status,summary,id", "T: b, a", "y")
	if got := look(t, k, kb, "get").Parts[0].State; got != trust.Unstable {
		t.Errorf("a const that changes: %s", got)
	}
}

// A digest approves the places that its review showed, and no others.
func TestTheDigestOfAnotherOrderCoversItsPlaces(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: fielded("a,b", "T: a, b", "x"), again: fielded("b,a", "T: a, b", "x")}
	one := look(t, k, kb, "get").Parts[0].Digest
	kb.again = fielded("b,a", "T: b, a", "x")
	if two := look(t, k, kb, "get").Parts[0].Digest; one == two {
		t.Error("two reviews with other places have one digest")
	}
}

// A file of pins has what was accepted of a tool, and nothing else can be.
func TestAFileOfPinsAcceptsAnotherOrder(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: described(abc), again: described(cab)}
	r := look(t, k, kb, "get")
	only(t, k, r, r.Parts[0])
	pins, err := k.Pins(t.Context(), kb.subject().Place)
	if err != nil {
		t.Fatal(err)
	}
	b, err := trust.Export([]trust.Exported{{Name: "kb", Entry: kb.subject().Shown, Pins: pins}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		accept string
		order  bool
		code   verdict.Code
	}{
		"as exported":     {`"order"`, true, ""},
		"nothing":         {``, false, ""},
		"another class":   {`"cosmetic"`, false, verdict.ConfigInvalid},
		"all but a class": {`"order", "safer"`, false, verdict.ConfigInvalid},
	} {
		text := strings.Replace(string(b), `"order"`, c.accept, 1)
		f, err := trust.ParseFile([]byte(text))
		if err == nil {
			pins, err = f.Pins(t.Context(), kb.subject().Place)
		}
		if got := codeOf(err); got != c.code {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := len(pins.Tools["get"].OrderAt) > 0; err == nil && got != c.order {
			t.Errorf("%s: any order is accepted: %v", name, got)
		}
	}
}

func codeOf(err error) verdict.Code {
	if err == nil {
		return ""
	}
	return verdict.CodeOf(err)
}
