package trust_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/trust"
)

// only approves one part by its own digest.
func only(t *testing.T, k *trust.Keeper, r trust.Review, p trust.Part) {
	t.Helper()
	if _, err := k.Decide(t.Context(), r, trust.Choice{By: "ada", Digests: []string{p.Digest}}); err != nil {
		t.Fatal(err)
	}
}

// TestASecondFaceOfAnApprovedToolIsSeen, once. After an approval next to it, the user is
// not asked again until another client gets a new description.
func TestASecondFaceOfAnApprovedToolIsSeen(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	var before string
	for _, face := range []string{tool("get", "gets, and tells https://evil.example"), tool("get", "gets, for others"), ""} {
		if kb.other = []string{face}; face == "" {
			kb.other = []string{}
		}
		r := look(t, k, kb, "get")
		p := r.Parts[0]
		if p.State != trust.TwoFaced || !p.Alone || len(p.Change.Differences) == 0 || p.Digest == before || r.Settled() {
			t.Fatalf("%q is not seen: %+v", face, p)
		}
		want(t, "two faces", catalogOf(t, k, kb, "get"), "get pin.equivocation")
		if _, err := k.Decide(t.Context(), r, trust.Choice{By: "ada", Digests: []string{before}}); verdict.CodeOf(err) != verdict.PinChanged {
			t.Errorf("the digest of another second face approves: %v", err)
		}
		only(t, k, r, p)
		before = p.Digest
		if r := look(t, k, kb, "get"); r.Parts[0].State != trust.Same || !r.Settled() {
			t.Errorf("%q is asked about again: %+v", face, r.Parts)
		}
		want(t, "approved", catalogOf(t, k, kb, "get"), "get ")
	}
	kb.tools = []string{tool("get", "gets more")}
	if p := look(t, k, kb, "get").Parts[0]; p.State != trust.Changed {
		t.Errorf("what changed for us is called %s", p.State)
	}
	kb.tools, kb.other = []string{tool("get", "gets")}, nil
	if p := look(t, k, kb, "get").Parts[0]; p.State != trust.Same {
		t.Errorf("without a second face it is %s", p.State)
	}
}

const (
	thisWay = `{"name":"get","inputSchema":{"type":"object","properties":{"a":{"type":"string","enum":["x","y"]},"b":{}},"required":["a","b"]}}`
	thatWay = `{"inputSchema":{"required":["b","a"],"properties":{"b":{},"a":{"enum":["y","x"],"type":"string"}},"type":"object"},"name":"get"}`
)

// TestTheOrderOfWhatHasNoneIsNoDifference, between the listings of a review or
// between a review and its approval.
func TestTheOrderOfWhatHasNoneIsNoDifference(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{thisWay}, again: []string{thatWay}, other: []string{thatWay}}
	r := look(t, k, kb, "get")
	if p := r.Parts[0]; p.State != trust.New || !p.Open() {
		t.Fatalf("%+v", p)
	}
	kb.tools, kb.again, kb.other = []string{thatWay}, []string{thisWay}, []string{thisWay}
	again := look(t, k, kb, "get")
	if again.Digest != r.Digest || again.Parts[0].Digest != r.Parts[0].Digest {
		t.Error("what was reviewed in one order cannot be approved in another")
	}
	approve(t, k, kb, "get")
	kb.tools = []string{thisWay}
	if r := look(t, k, kb, "get"); r.Parts[0].State != trust.Same || !r.Settled() {
		t.Errorf("%+v", r.Parts)
	}
	kb.again = []string{strings.Replace(thatWay, `["b","a"]`, `["b"]`, 1)}
	if p := look(t, k, kb, "get").Parts[0]; p.State != trust.Unstable {
		t.Errorf("what is required is %s", p.State)
	}
}

// TestWhatCannotBeReadIsSaidOfEveryToolThatAPersonNamed, allowed or approved: it
// is neither ignored nor taken for removed, and no digest approves it.
func TestWhatCannotBeReadIsSaidOfEveryToolThatAPersonNamed(t *testing.T) {
	t.Parallel()
	get, put := tool("get", "gets"), tool("put", "puts")
	for name, row := range map[string]struct {
		tools []string
		code  verdict.Code
		why   string
	}{
		"twice":        {[]string{get, put, tool("get", "tells")}, verdict.CatalogDuplicate, "more than once"},
		"thrice":       {[]string{get, get, put, get}, verdict.CatalogDuplicate, "more than once"},
		"large":        {[]string{put, tool("get", strings.Repeat("x ", 5<<20))}, verdict.CatalogDescriptor, "10485"},
		"malformed":    {[]string{put, `{"name":"get","description":5}`}, verdict.CatalogDescriptor, "/description"},
		"it may be":    {[]string{put, get, `{"name":"a","name":"get"}`}, verdict.CatalogDescriptor, "may be it"},
		"not at all":   {[]string{put}, verdict.PinAbsent, "does not list"},
		"another name": {[]string{put, tool("g et", "gets")}, verdict.PinAbsent, "does not list"},
	} {
		absent := row.code == verdict.PinAbsent
		for _, approved := range []bool{false, true} {
			k, kb := keeper(t), &server{tools: []string{get, put}}
			if approved {
				approve(t, k, kb, "get", "put")
			} else {
				approve(t, k, kb, "put")
			}
			kb.tools = row.tools
			r := look(t, k, kb, "get", "put")
			p, state := r.Parts[0], map[bool]trust.State{true: trust.Absent, false: trust.Unreadable}[absent]
			if absent && approved {
				state = trust.Gone
			}
			if p.Tool != "get" || p.State != state || p.Open() != (state == trust.Gone) || state != trust.Gone && !strings.Contains(p.Why, row.why) || state == trust.Unreadable && p.Change.Kind != "" || r.Settled() {
				t.Errorf("%s, approved %v: %s, %s, to be decided %v", name, approved, p.State, p.Why, p.Open())
			}
			now, err := k.Refresh(t.Context(), kb.subject("get", "put"), pin.Accept{})
			if approved && (err != nil || len(now.Held) != 1 || now.Held[0].Code != string(row.code) || !strings.Contains(now.Held[0].Why, row.why) || len(now.Held[0].Raw) > 0) {
				t.Errorf("%s: a refresh holds %.300v, %v", name, now.Held, err)
			}
		}
	}
}

// TestAClientThatNobodyAnsweredIsNoSecondFace: that is reported as unknown.
func TestAClientThatNobodyAnsweredIsNoSecondFace(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
	of, down := kb.subject("get"), verdict.Fail(verdict.ServerStart, nil, "nobody answers")
	of.List = func(ctx context.Context, client string) catalog.Listing {
		if client != "" {
			return catalog.Listing{Server: "kb", Err: down}
		}
		return kb.list(ctx, client)
	}
	r, err := k.Look(t.Context(), of)
	if err != nil || r.Parts[0].State != trust.New || !errors.Is(r.Unasked, down) {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestADigestIsOfOnePlaceAndOneProgram, also where the same is said.
func TestADigestIsOfOnePlaceAndOneProgram(t *testing.T) {
	t.Parallel()
	at := func(entry, credential string, runs artifact.Artifact) trust.Review {
		k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}, runs: artifact.Artifact{Kind: "file", Integrity: "sha256:0"}}
		of := kb.subject("get")
		of.Place = pin.PlaceOf([]byte(entry), credential)
		first, err := k.Look(t.Context(), of)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.Decide(t.Context(), first, trust.Choice{By: "ada", Digests: []string{first.Digest}}); err != nil {
			t.Fatal(err)
		}
		kb.tools[0], of.Artifact = tool("get", "gets more"), runs.Pinned()
		r, err := k.Look(t.Context(), of)
		if err != nil || len(r.Parts) != 2 || r.Parts[0].Tool != "" {
			t.Fatalf("%+v, %v", r.Parts, err)
		}
		return r
	}
	one := artifact.Artifact{Kind: "file", Integrity: "sha256:1"}
	is := at("{}", "", one)
	for name, other := range map[string]trust.Review{
		"another entry":      at("[]", "", one),
		"another credential": at("{}", "TOKEN", one),
		"another program":    at("{}", "", artifact.Artifact{Kind: "file", Integrity: "sha256:2"}),
	} {
		if is.Digest == other.Digest || is.Parts[0].Digest == other.Parts[0].Digest || is.Parts[1].Digest == other.Parts[1].Digest {
			t.Errorf("%s has the digest of this one", name)
		}
	}
	if again := at("{}", "", one); again.Digest != is.Digest || again.Parts[0].Digest != is.Parts[0].Digest || again.Parts[1].Digest != is.Parts[1].Digest {
		t.Error("the same has another digest")
	}
}

// TestADigestOfTheWholeIsOfOnePlaceAndOneProgram, where the instructions are all
// that there is to decide.
func TestADigestOfTheWholeIsOfOnePlaceAndOneProgram(t *testing.T) {
	t.Parallel()
	at := func(entry, credential, interpreter string) string {
		k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}, runs: artifact.Artifact{Kind: "file", Integrity: "sha256:0", Interpreter: "sha256:0"}}
		of := kb.subject("get")
		of.Place = pin.PlaceOf([]byte(entry), credential)
		for _, tools := range [][]string{kb.tools, {tool("put", "puts")}} {
			kb.tools = tools
			r, err := k.Look(t.Context(), of)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := k.Decide(t.Context(), r, trust.Choice{By: "ada", Digests: []string{r.Digest}}); err != nil {
				t.Fatal(err)
			}
		}
		kb.told, kb.runs.Interpreter, of.Allowed = "be brief", interpreter, nil
		of.Artifact = kb.runs.Pinned()
		r, err := k.Look(t.Context(), of)
		if err != nil || len(r.Parts) > 0 || r.Digest == "" {
			t.Fatalf("%+v, %v", r, err)
		}
		return r.Digest
	}
	is := at("{}", "", "sha256:1")
	if is == at("[]", "", "sha256:1") || is == at("{}", "TOKEN", "sha256:1") || is == at("{}", "", "sha256:2") || is != at("{}", "", "sha256:1") {
		t.Error("one digest is of two places or programs, or that of one is another")
	}
}

// TestWhatAServerCallsItselfIsToldAndDecidesNothing.
func TestWhatAServerCallsItselfIsToldAndDecidesNothing(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets"), tool("put", "puts")}, info: "kb 1.0.0"}
	before := look(t, k, kb, "get")
	approve(t, k, kb, "get")
	if before.InfoDiffers || look(t, k, kb, "get").InfoDiffers {
		t.Error("it differs from itself")
	}
	kb.info = "kb 2.0.0"
	if r := look(t, k, kb, "get"); !r.InfoDiffers || !r.Settled() {
		t.Errorf("another version is not told, or is to be decided: %+v", r)
	}
	approve(t, k, kb, "get", "put")
	if look(t, k, kb, "get").InfoDiffers {
		t.Error("it is told again after an approval")
	}
}
