package trust_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/trust"
	"github.com/onestep-run/onestep/trace"
)

// grows answers a call, and its session lists these tools then and did not before.
type grows struct {
	more []string
	told string
	err  error
}

func (g grows) Call(context.Context, gate.Approved, trace.Receipt, gate.Consent) (raw gate.RawResult, _ pin.Descriptor, _ error) {
	raw.Listed = []string{"get", "a/b", ""}
	for _, text := range g.more {
		d := pin.Descriptor{Server: "kb", Raw: jsontext.Value(text), Instructions: g.told}
		f, _ := d.Fields()
		raw.Grown, raw.Listed = append(raw.Grown, d), append(raw.Listed, f.Name)
	}
	return raw, pin.Descriptor{Server: "kb", Raw: jsontext.Value(tool("get", "gets"))}, g.err
}

// after makes a call of a server whose session lists more since.
func after(t *testing.T, k *trust.Keeper, kb *server, g grows) trust.Watched {
	t.Helper()
	w := trust.Watched{Caller: g, Keeper: k, Places: map[string]pin.Place{"kb": kb.subject().Place}, Program: func(context.Context, string) error { return nil }}
	if _, _, err := w.Call(t.Context(), planned(t, tool("get", "gets")), trace.Receipt{}, gate.Consent{}); !errors.Is(err, g.err) {
		t.Fatal(err)
	}
	return w
}

// partOf is a tool of a review.
func partOf(t *testing.T, r trust.Review, name string) trust.Part {
	t.Helper()
	i := slices.IndexFunc(r.Parts, func(p trust.Part) bool { return p.Tool == name })
	if i < 0 {
		t.Fatalf("the review has no %s: %+v", name, r.Parts)
	}
	return r.Parts[i]
}

// TestAToolOfALaterListingIsApprovedAsThat: the approval says so, a listing without the
// tool withdraws nothing, and another description of it does.
func TestAToolOfALaterListingIsApprovedAsThat(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	w := after(t, k, kb, grows{more: []string{tool("late", "comes later")}})
	if got := w.New(t.Context(), "kb"); !slices.Equal(got, []string{"late"}) {
		t.Fatalf("new: %q", got)
	}
	p := partOf(t, look(t, k, kb, "get", "late"), "late")
	if p.State != trust.New || !p.Late {
		t.Fatalf("%+v", p)
	}
	only(t, k, look(t, k, kb, "get", "late"), p)
	pins := func() trust.Pins {
		pins, err := k.Pins(t.Context(), kb.subject().Place)
		if err != nil {
			t.Fatal(err)
		}
		return pins
	}
	if is := pins(); !is.Tools["late"].AfterCall || is.Tools["get"].AfterCall {
		t.Errorf("%+v", is.Tools)
	}
	want(t, "approved", catalogOf(t, k, kb, "get", "late"), "get ", "late ")
	if seen, err := k.Refresh(t.Context(), kb.subject("get", "late"), pin.Accept{}); err != nil || len(seen.Held) != 0 {
		t.Errorf("a refresh holds %+v, %v", seen.Held, err)
	}
	want(t, "after a refresh", catalogOf(t, k, kb, "get", "late"), "get ", "late ")
	if p := partOf(t, look(t, k, kb, "get", "late"), "late"); p.State != trust.Same {
		t.Errorf("a review without it: %+v", p)
	}

	after(t, k, kb, grows{more: []string{tool("late", "comes later and sends")}})
	want(t, "described otherwise", catalogOf(t, k, kb, "get", "late"), "get ", "late pin.changed")
	r := look(t, k, kb, "get", "late")
	if p := partOf(t, r, "late"); p.State != trust.Changed || !strings.Contains(string(p.Now.Raw), "and sends") {
		t.Fatalf("a review of the change: %+v", p)
	}
	only(t, k, r, partOf(t, r, "late"))
	want(t, "the change approved", catalogOf(t, k, kb, "get", "late"), "get ", "late ")
}

// TestAToolThatIsListedAfterACallFromNowOnIsShownAsThat: its approval was of a tool that
// any session lists.
func TestAToolThatIsListedAfterACallFromNowOnIsShownAsThat(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets"), tool("late", "l")}}
	approve(t, k, kb, "get", "late")
	kb.tools = kb.tools[:1]
	refreshed(t, k, kb)
	after(t, k, kb, grows{more: []string{tool("late", "l")}})
	p := partOf(t, look(t, k, kb, "get", "late"), "late")
	if p.State != trust.Changed || !p.Late || len(p.Change.Differences) != 1 {
		t.Errorf("%+v", p)
	}
}

// TestWhatASessionListsIsKeptInBounds, per place, and with what else was found of a tool.
func TestWhatASessionListsIsKeptInBounds(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	more := []string{`{"name":"a b","inputSchema":{"type":"object"}}`, `{"name":3}`}
	for i := range 150 {
		more = append(more, tool(fmt.Sprint("late", i), "l"))
	}
	w := after(t, k, kb, grows{more: more})
	if got := w.New(t.Context(), "kb"); len(got) != 100 {
		t.Errorf("%d tools are kept", len(got))
	}
	known := w.Known(t.Context(), "kb")
	for _, name := range []string{"get", "a/b", "a b", "late149", "(a name that cannot be read)"} {
		if !slices.Contains(known, name) {
			t.Errorf("%q is not known: %q", name, known)
		}
	}
	other := pin.PlaceOf(jsontext.Value(`{"command":"kb"}`), "another")
	if pins, err := k.Pins(t.Context(), other); err != nil || len(pins.Later)+len(pins.Listed) != 0 {
		t.Errorf("with another credential: %+v, %v", pins, err)
	}
}

// TestALaterListingTakesNoCautionBack: a tool that tried to write counts as writing also
// when a session lists it again.
func TestALaterListingTakesNoCautionBack(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	w := trust.Watched{
		Caller: confinedCaller{attempt("mcp.ac.filesystem.write", "/x", true)}, Keeper: k, Places: map[string]pin.Place{"kb": kb.subject().Place},
		Program: func(context.Context, string) error { return nil },
	}
	if _, _, err := w.Call(t.Context(), planned(t, kb.tools[0]), trace.Receipt{}, gate.Consent{}); err != nil {
		t.Fatal(err)
	}
	after(t, k, kb, grows{more: []string{tool("get", "gets")}})
	pins, err := k.Pins(t.Context(), kb.subject().Place)
	if err != nil || !slices.Equal(pins.Wrote, []string{"get"}) {
		t.Errorf("%+v, %v", pins.Wrote, err)
	}
}

// TestAFileOfPinsSaysWhatIsListedAfterACall: a listing without it withdraws nothing
// where the file is shared either.
func TestAFileOfPinsSaysWhatIsListedAfterACall(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	after(t, k, kb, grows{more: []string{tool("late", "l")}})
	r := look(t, k, kb, "get", "late")
	only(t, k, r, partOf(t, r, "late"))
	pins, err := k.Pins(t.Context(), kb.subject().Place)
	if err != nil {
		t.Fatal(err)
	}
	b, err := trust.Export([]trust.Exported{{Name: "kb", Entry: jsontext.Value(`{"command":"kb"}`), Pins: pins}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := trust.ParseFile(b)
	if err != nil {
		t.Fatal(err)
	}
	at, _ := f.Pins(t.Context(), kb.subject().Place)
	if !at.Tools["late"].AfterCall || at.Tools["get"].AfterCall {
		t.Errorf("%s", b)
	}
}

// TestAnAbsentToolThatOnlyComesLaterIsNotWithdrawn, where the call finds that its session
// does not list it.
func TestAnAbsentToolThatOnlyComesLaterIsNotWithdrawn(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{}
	after(t, k, kb, grows{more: []string{tool("get", "gets")}})
	r := look(t, k, kb, "get")
	only(t, k, r, partOf(t, r, "get"))
	for _, code := range []verdict.Code{verdict.PinAbsent, verdict.PinChanged} {
		w := trust.Watched{
			Caller: refuses{verdict.Deny(code, "w")}, Keeper: k, Places: map[string]pin.Place{"kb": kb.subject().Place},
			Program: func(context.Context, string) error { return nil },
		}
		_, _, _ = w.Call(t.Context(), planned(t, tool("get", "gets")), trace.Receipt{}, gate.Consent{})
		held := map[verdict.Code]string{verdict.PinAbsent: "get ", verdict.PinChanged: "get pin.changed"}
		want(t, string(code), catalogOf(t, k, kb, "get"), held[code])
	}
}
