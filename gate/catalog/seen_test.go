package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

// What was seen before changes no verdict and no digest: a catalog with a
// memory is the one without.
func TestAMemoryChangesNothing(t *testing.T) {
	t.Parallel()
	a, seen := allow(t, `{"kb":["get","put"],"kc":["get"]}`), &catalog.Seen{}
	get, put := tool("get", empty), tool("put", empty)
	long := tool("put", `{"type":"object","description":"`+strings.Repeat("x", 3<<20)+`"}`)
	stranger := listing("kb", get, put)
	stranger.Tools[1].Server = "kc"
	accepted := listing("kb", get, put)
	accepted.Tools[0].OrderAt = []string{"/description"}
	for name, ls := range map[string][]catalog.Listing{
		"first":                {listing("kb", get, put), listing("kc", get)},
		"one byte":             {listing("kb", strings.Replace(get, "object", "abject", 1), put), listing("kc", get)},
		"a tool less":          {listing("kb", get)},
		"a tool twice":         {listing("kb", get, put, put)},
		"another order":        {listing("kb", put, get)},
		"accepted any order":   {accepted, listing("kc", get)},
		"nothing":              {listing("kb")},
		"another server's":     {stranger},
		"more than is kept":    {listing("kb", get, long), listing("kc", get)},
		"a control character":  {listing("kb", strings.Replace(get, `{`, "{\"title\":\"\u202e\",", 1), put)},
		"unreachable":          {{Server: "kb", Err: verdict.Fail(verdict.ServerClosed, nil, "gone")}},
		"unreachable and more": {{Server: "kb", Tools: stranger.Tools, Err: verdict.Fail(verdict.ServerClosed, nil, "gone")}},
	} {
		for _, before := range [][]catalog.Listing{{listing("kb", get, put), listing("kc", get)}, ls, ls} {
			catalog.Admit(before, a, catalog.Options{Seen: seen})
		}
		with, without := catalog.Admit(ls, a, catalog.Options{Seen: seen}), catalog.Admit(ls, a, catalog.Options{})
		if got, want := whole(with), whole(without); got != want {
			t.Errorf("%s: %s with a memory, %s without", name, got, want)
		}
	}
}

// A tool is not shown because of its own text, each time that it is asked, with a memory or
// without.
func TestAToolWithAControlCharacterIsNotShown(t *testing.T) {
	t.Parallel()
	hidden := strings.Replace(tool("get", empty), `{`, "{\"title\":\"\u202e\",", 1)
	a, seen := allow(t, `{"kb":["get","put"]}`), &catalog.Seen{}
	for _, o := range []catalog.Options{{}, {Seen: seen}, {Seen: seen}} {
		for _, tl := range catalog.Admit([]catalog.Listing{listing("kb", hidden, tool("put", empty))}, a, o).Tools() {
			for range 2 {
				if no := tl.Unshowable(); (no != nil) != (tl.Name() == "get") {
					t.Errorf("%s: %v", tl.Name(), no)
				}
			}
		}
	}
	if no := (catalog.Tool{}).Unshowable(); no != nil {
		t.Errorf("no tool: %v", no)
	}
}

// whole is all that a run sees of a catalog.
func whole(c catalog.Catalog) string {
	var b strings.Builder
	for _, tl := range c.Tools() {
		fmt.Fprintln(&b, tl.Server(), tl.Name(), tl.Digest(), string(tl.Input().Raw()))
		if tl.Unshowable() != nil {
			fmt.Fprintln(&b, "it is not shown")
		}
	}
	for _, e := range c.Excluded() {
		fmt.Fprintf(&b, "%s %.20s %s\n", e.Server, e.Name, e.Denial.Code)
	}
	for _, l := range c.Listings() {
		fmt.Fprintf(&b, "%s %v %.200v\n", l.Server, l.Err, l.Tools)
	}
	return b.String()
}

// A source that writes into what it gave before lists something else.
func TestAListingThatIsChangedInPlaceIsAnotherListing(t *testing.T) {
	t.Parallel()
	a, seen := allow(t, `{"kb":["get","got"]}`), &catalog.Seen{}
	l := listing("kb", tool("get", empty))
	was := catalog.Admit([]catalog.Listing{l}, a, catalog.Options{Seen: seen})
	copy(l.Tools[0].Raw, tool("got", empty))
	is := catalog.Admit([]catalog.Listing{l}, a, catalog.Options{Seen: seen})
	got := []string{was.Tools()[0].Name(), string(was.Listings()[0].Tools[0].Raw), is.Tools()[0].Name()}
	if diff := cmp.Diff([]string{"get", tool("get", empty), "got"}, got); diff != "" {
		t.Error(diff)
	}
}

// Who keeps something by a listing finds it again without reading the listing.
func TestAKnownListingIsTheSameSlice(t *testing.T) {
	t.Parallel()
	a, seen := allow(t, `{"kb":["get"]}`), &catalog.Seen{}
	first := func() []pin.Descriptor {
		c := catalog.Admit([]catalog.Listing{listing("kb", tool("get", empty), tool("put", empty))}, a, catalog.Options{Seen: seen})
		return slices.Clip(c.Listings()[0].Tools)
	}
	if one, two := first(), first(); &one[0] != &two[0] {
		t.Error("the same listing came back as another slice")
	}
}
