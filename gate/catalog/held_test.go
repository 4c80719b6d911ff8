package catalog_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestWhatASourceHoldsBackIsOut(t *testing.T) {
	t.Parallel()
	no := verdict.Deny(verdict.PinChanged, "it changed")
	l := listing("kb", tool("get", empty), tool("put", empty))
	l.Held = []catalog.Held{{Tool: "put", Denial: no}, {Tool: "del", Denial: no}, {Tool: "del"}, {Tool: "other", Denial: no}, {Tool: "add"}}
	c := catalog.Admit([]catalog.Listing{l}, allow(t, `{"kb":["get","put","del","add"]}`), catalog.Options{})
	got := codes(c)
	for name, want := range map[string]verdict.Code{"get": "", "put": verdict.PinChanged, "del": verdict.PinChanged, "add": verdict.PinUnapproved} {
		if code, there := got["kb/"+name]; !there || code != want {
			t.Errorf("%s: %q, want %q, of %v", name, code, want, got)
		}
	}
	if len(got) != 4 {
		t.Errorf("%v", got)
	}
}

func TestToolsOfOneServerComeWithOneSetOfInstructions(t *testing.T) {
	t.Parallel()
	l := listing("kb", tool("get", empty), tool("put", empty))
	l.Tools[1].Instructions = "be brief"
	c := catalog.Admit([]catalog.Listing{l}, allow(t, `{"kb":["get","put"]}`), catalog.Options{})
	if len(c.Tools()) != 0 || len(c.Unreachable()) != 1 || verdict.CodeOf(c.Refusal()) != verdict.ServerProtocol {
		t.Errorf("%v, %v", c.Tools(), c.Unreachable())
	}
}
