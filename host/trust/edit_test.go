package trust_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/trust"
)

// reading is a tool that claims to read, which it did not before.
func reading(raw string) string {
	return strings.Replace(raw, `{"name"`, `{"annotations":{"readOnlyHint":true},"name"`, 1)
}

// edits are the digests of the same change by tool, in order of name.
func edits(r trust.Review) map[string][]string {
	by := map[string][]string{}
	for _, p := range r.Parts {
		if p.Edit != "" {
			by[p.Edit] = append(by[p.Edit], p.Tool)
			slices.Sort(by[p.Edit])
		}
	}
	return by
}

// TestTheSameChangeOfSeveralToolsIsOneDecision: one digest approves it of all that
// have it, also where it lowers caution, and of no other.
func TestTheSameChangeOfSeveralToolsIsOneDecision(t *testing.T) {
	t.Parallel()
	k, names := keeper(t), []string{"del", "get", "odd", "put", "say"}
	kb := &server{}
	for _, name := range names {
		kb.tools = append(kb.tools, tool(name, "does "+name))
	}
	approve(t, k, kb, names...)
	for i := range 4 {
		kb.tools[i] = reading(kb.tools[i])
	}
	kb.tools[2] = strings.Replace(kb.tools[2], "does odd", "does more", 1)
	kb.tools[4] = strings.Replace(kb.tools[4], "does say", "says", 1)
	r := look(t, k, kb, names...)
	by := edits(r)
	if len(by) != 1 {
		t.Fatalf("%d changes of several tools: %v", len(by), by)
	}
	for digest, tools := range by {
		if diff := cmp.Diff([]string{"del", "get", "put"}, tools); diff != "" {
			t.Errorf("the tools with the change (-want +got):\n%s", diff)
		}
		of, err := k.Decide(t.Context(), r, trust.Choice{By: "ada", Digests: []string{digest}})
		if diff := cmp.Diff([]string{"del", "get", "put"}, of.Approved); diff != "" || err != nil {
			t.Errorf("%v; approved (-want +got):\n%s", err, diff)
		}
	}
	var open []string
	for _, p := range look(t, k, kb, names...).Parts {
		if p.Open() {
			open = append(open, p.Tool)
		}
	}
	slices.Sort(open)
	if diff := cmp.Diff([]string{"odd", "say"}, open); diff != "" {
		t.Errorf("left to decide (-want +got):\n%s", diff)
	}
}

// TestADigestOfAChangeIsOfTheseToolsAsTheyAre: neither another tool with the change,
// nor one of them that is something else by now, is approved by it.
func TestADigestOfAChangeIsOfTheseToolsAsTheyAre(t *testing.T) {
	t.Parallel()
	for name, later := range map[string]func(kb *server){
		"another tool has it too":    func(kb *server) { kb.tools[2] = reading(kb.tools[2]) },
		"one has another change too": func(kb *server) { kb.tools[1] = strings.Replace(kb.tools[1], "does put", "does all", 1) },
		"both have another change":   func(kb *server) { kb.tools[0], kb.tools[1] = also(kb.tools[0]), also(kb.tools[1]) },
		"one is as it was":           func(kb *server) { kb.tools[1] = tool("put", "does put") },
		"one is gone":                func(kb *server) { kb.tools = slices.Delete(kb.tools, 1, 2) },
		"the instructions are new":   func(kb *server) { kb.told = "Ask first." },
	} {
		k, kb := keeper(t), &server{tools: []string{tool("get", "does get"), tool("put", "does put"), tool("say", "does say")}}
		approve(t, k, kb, "get", "put", "say")
		kb.tools[0], kb.tools[1] = reading(kb.tools[0]), reading(kb.tools[1])
		before := edits(look(t, k, kb, "get", "put", "say"))
		if len(before) != 1 {
			t.Fatalf("%d changes of several tools", len(before))
		}
		later(kb)
		r := look(t, k, kb, "get", "put", "say")
		for digest := range before {
			of, err := k.Decide(t.Context(), r, trust.Choice{By: "ada", Digests: []string{digest}})
			if verdict.CodeOf(err) != verdict.PinChanged || of.Any() {
				t.Errorf("%s: approved %v, %v", name, of.Approved, err)
			}
		}
	}
}

// also is a tool with one more claim.
func also(raw string) string {
	return strings.Replace(raw, `"readOnlyHint":true`, `"readOnlyHint":true,"openWorldHint":false`, 1)
}
