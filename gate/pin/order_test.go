package pin_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

// described is a tool with a description, in its own words or in a parameter's.
func described(text string) pin.Descriptor {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return said(`{"name":"get","description":` + string(quoted) + `,"inputSchema":{"type":"object"}}`)
}

func TestNamesOfAListInAnotherOrderAreTheSameWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"a set of Python":        {`Get one. Kinds: {'page', 'task', 'user'}`, `Get one. Kinds: {'user', 'page', 'task'}`},
		"a set of several words": {`One of {'new york', 'paris'}.`, `One of {'paris', 'new york'}.`},
		"names after a colon":    {"Available: alpha, beta-2, gamma_3. Get one.", "Available: gamma_3, alpha, beta-2. Get one."},
		"names and the last":     {"One of a, b, or c.", "One of b, c, or a."},
		"names without a comma":  {"The kinds are a, b and c", "The kinds are c, b and a"},
		"a slice of Go":          {"Get one (keys: [a b c])", "Get one (keys: [c a b])"},
		"bars":                   {"Mode: a|b|c", "Mode: c|b|a"},
		"quoted":                 {"One of: `a`, `b`.", "One of: `b`, `a`."},
		"lines":                  {"Kinds:\n- `page`: a page\n- task: what is to do\n- user\n\nGet one.", "Kinds:\n- user\n- `page`: a page\n- task: what is to do\n\nGet one."},
		"two lists":              {"From: a, b. To: c, d.", "From: b, a. To: d, c."},
		"a list of one line":     {"Get one of these:\na, b, c\nand no more", "Get one of these:\nc, b, a\nand no more"},
	} {
		all := compare(t, described(c[0]), described(c[1]))
		want := []pin.Difference{{Class: pin.Wording, Path: "/description", Why: "the same words in another order", Order: true}}
		if diff := cmp.Diff(want, all, cmpopts.IgnoreFields(pin.Difference{}, "Was", "Now")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if !pin.InAnotherOrder(described(c[0]), described(c[1])) {
			t.Errorf("%s: not in another order", name)
		}
	}
}

// The words are the same in each pair, or nearly, and mean something else.
func TestOtherWordsInAnyOrderAreOtherWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"clauses":                    {"never delete, always ask", "never ask, always delete"},
		"whole clauses":              {"Rules: never delete, always ask", "Rules: always ask, never delete"},
		"single words":               {"Mode: ask, never, delete", "Mode: delete, never, ask"},
		"what is next to not":        {"Kinds: not, a, b", "Kinds: not, b, a"},
		"a list inside a sentence":   {"Reads alice, deletes bob", "Reads deletes, alice bob"},
		"two lists":                  {"Allowed: read, write. Forbidden: delete, drop.", "Allowed: read, delete. Forbidden: write, drop."},
		"two lists in a line":        {"Allowed: read, Forbidden: delete", "Allowed: delete, Forbidden: read"},
		"two sets":                   {"From {'a', 'b'} to {'c', 'd'}", "From {'a', 'c'} to {'b', 'd'}"},
		"what follows the last":      {"Deletes: admins, users without tickets", "Deletes: users, admins without tickets"},
		"what is before the first":   {"Takes all users, admins", "Takes all admins, users"},
		"numbered steps":             {"1. ask\n2. delete", "2. delete\n1. ask"},
		"lines of prose":             {"Ask first.\nDelete it.", "Delete it.\nAsk first."},
		"lines under headings":       {"Allowed:\n- read\nForbidden:\n- delete", "Allowed:\n- delete\nForbidden:\n- read"},
		"lines that are headings":    {"- Allowed:\n- read\n- Forbidden:\n- delete", "- Allowed:\n- delete\n- Forbidden:\n- read"},
		"lines that point":           {"- note: not the following\n- read\n- delete", "- read\n- note: not the following\n- delete"},
		"lines of another depth":     {"- a\n  - b\n- c", "- c\n  - b\n- a"},
		"names of two lines":         {"- a: b\n- c: d", "- a: d\n- c: b"},
		"a name more":                {"Kinds: a, b", "Kinds: b, a, c"},
		"a name for another":         {"Kinds: a, b", "Kinds: b, c"},
		"a name twice":               {"Kinds: a, b, b", "Kinds: a, a, b"},
		"upper case":                 {"Kinds: a, b", "Kinds: B, a"},
		"other separators":           {"Kinds: a, b; c", "Kinds: a; b, c"},
		"a blank":                    {"Kinds: a, b", "Kinds: b,  a"},
		"words between blanks":       {"Kinds: a b c", "Kinds: c b a"},
		"across quotes":              {"Kinds: 'a, b', 'c'", "Kinds: 'c, b', 'a'"},
		"more than a list":           {"Kinds: a, b. Get one.", "Kinds: b, a. Get two."},
		"an option and what it does": {"Modes: force=off, dry=on", "Modes: force=on, dry=off"},
		"and in the middle":          {"Kinds: a and b, c", "Kinds: c and b, a"},
	} {
		if pin.InAnotherOrder(described(c[0]), described(c[1])) {
			t.Errorf("%s: %q is %q in another order", name, c[1], c[0])
		}
	}
}

func TestAnotherOrderPassesForTheToolThatItWasAcceptedOf(t *testing.T) {
	t.Parallel()
	was, now := described("Kinds: a, b, c"), described("Kinds: c, a, b")
	accepted := was
	accepted.OrderAt = []string{"/description"}
	loose, err := pin.ParseAccept([]string{"informational", "cosmetic", "safer"})
	if err != nil {
		t.Fatal(err)
	}
	claiming := now
	claiming.OrderAt = []string{"/description"}
	in := func(d pin.Descriptor, from, to string) pin.Descriptor {
		d.Raw = []byte(strings.Replace(string(d.Raw), from, to, 1))
		return d
	}
	got := map[string]verdict.Code{}
	for name, c := range map[string]struct {
		accept   pin.Accept
		was, now pin.Descriptor
	}{
		"accepted":                      {pin.Accept{}, accepted, now},
		"not accepted":                  {pin.Accept{}, was, now},
		"all that can be, of all tools": {loose, was, now},
		"claimed by the server":         {pin.Accept{}, was, claiming},
		"and another word":              {pin.Accept{}, accepted, described("Kinds: c, a, d")},
		"and another title":             {pin.Accept{}, accepted, in(now, `"name"`, `"title":"T","name"`)},
		"and another parameter":         {pin.Accept{}, accepted, in(now, `"object"`, `"object","properties":{"a":{"type":"boolean"}}`)},
		"of instructions":               {pin.Accept{}, pin.Descriptor{Raw: was.Raw, Instructions: "Kinds: a, b", OrderAt: []string{"/instructions"}}, pin.Descriptor{Raw: was.Raw, Instructions: "Kinds: b, a"}},
		"of a title":                    {pin.Accept{}, in(accepted, `"name"`, `"title":"Kinds: a, b","name"`), in(was, `"name"`, `"title":"Kinds: b, a","name"`)},
		"of a default":                  {pin.Accept{}, in(accepted, `"object"`, `"object","default":"a, b"`), in(was, `"object"`, `"object","default":"b, a"`)},
		"of a parameter's words":        {pin.Accept{}, in(accepted, `"object"`, `"object","description":"a, b"`), in(was, `"object"`, `"object","description":"b, a"`)},
	} {
		got[name] = ""
		if err := c.accept.Same(c.was, c.now); err != nil {
			got[name] = verdict.CodeOf(err)
		}
	}
	if diff := cmp.Diff(map[string]verdict.Code{
		"accepted":     "",
		"not accepted": verdict.PinChanged, "of a parameter's words": verdict.PinChanged, "all that can be, of all tools": verdict.PinChanged, "claimed by the server": verdict.PinChanged,
		"and another word": verdict.PinChanged, "and another title": verdict.PinChanged, "and another parameter": verdict.PinChanged,
		"of instructions": verdict.PinChanged, "of a title": verdict.PinChanged, "of a default": verdict.PinChanged,
	}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := pin.ParseAccept([]string{pin.Order}); err == nil {
		t.Error("another order is accepted of all tools")
	}
}

// schemed is a tool with this schema of its one parameter, and a title.
func schemed(title, of string) pin.Descriptor {
	return said(`{"name":"get","title":"` + title + `","inputSchema":{"type":"object","properties":{"fields":` + of + `}}}`)
}

const (
	fieldsAt = "/inputSchema/properties/fields"
	abcList  = `"default":"id,summary,status"`
	bcaList  = `"default":"summary,status,id"`
)

func TestAnotherOrderPassesAtTheAcceptedPlacesAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		at       []string
		was, now pin.Descriptor
		want     verdict.Code
	}{
		"of a default":            {[]string{fieldsAt + "/default"}, schemed("T", `{`+abcList+`}`), schemed("T", `{`+bcaList+`}`), ""},
		"of a list as default":    {[]string{fieldsAt + "/default"}, schemed("T", `{"default":["a b","c"]}`), schemed("T", `{"default":["c","a b"]}`), ""},
		"of the title":            {[]string{"/title"}, schemed("Kinds: a, b", `{}`), schemed("Kinds: b, a", `{}`), ""},
		"of a parameter's title":  {[]string{fieldsAt + "/title"}, schemed("T", `{"title":"a, b"}`), schemed("T", `{"title":"b, a"}`), ""},
		"of two":                  {[]string{"/title", fieldsAt + "/default"}, schemed("a, b", `{`+abcList+`}`), schemed("b, a", `{`+bcaList+`}`), ""},
		"of one of two":           {[]string{fieldsAt + "/default"}, schemed("a, b", `{`+abcList+`}`), schemed("b, a", `{`+bcaList+`}`), verdict.PinChanged},
		"of a default elsewhere":  {[]string{"/title"}, schemed("T", `{`+abcList+`}`), schemed("T", `{`+bcaList+`}`), verdict.PinChanged},
		"of a description":        {[]string{fieldsAt + "/description"}, schemed("T", `{"description":"a, b"}`), schemed("T", `{"description":"b, a"}`), ""},
		"of no place":             {nil, schemed("T", `{`+abcList+`}`), schemed("T", `{`+bcaList+`}`), verdict.PinChanged},
		"of both":                 {[]string{fieldsAt + "/description", "/title"}, schemed("a, b", `{"description":"a, b"}`), schemed("b, a", `{"description":"b, a"}`), ""},
		"and a looser schema":     {[]string{fieldsAt + "/default"}, schemed("T", `{"maxLength":9,`+abcList+`}`), schemed("T", `{`+bcaList+`}`), verdict.PinChanged},
		"another word":            {[]string{fieldsAt + "/default"}, schemed("T", `{`+abcList+`}`), schemed("T", `{"default":"id,summary,labels"}`), verdict.PinChanged},
		"a list, another element": {[]string{fieldsAt + "/default"}, schemed("T", `{"default":["a","b"]}`), schemed("T", `{"default":["b","b"]}`), verdict.PinChanged},
	} {
		c.was.OrderAt = c.at
		got := verdict.Code("")
		if err := (pin.Accept{}).Same(c.was, c.now); err != nil {
			got = verdict.CodeOf(err)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestNoOrderIsFreeButInDescriptionsTitlesAndDefaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"a const":             {`{"const":"a,b"}`, `{"const":"b,a"}`},
		"an enum of lists":    {`{"enum":["a,b","c"]}`, `{"enum":["b,a","c"]}`},
		"a pattern":           {`{"pattern":"a|b"}`, `{"pattern":"b|a"}`},
		"a name":              {`{"properties":{"a,b":{}}}`, `{"properties":{"b,a":{}}}`},
		"a required name":     {`{"properties":{"a,b":{},"b,a":{}},"required":["a,b"]}`, `{"properties":{"a,b":{},"b,a":{}},"required":["b,a"]}`},
		"a format":            {`{"format":"a,b"}`, `{"format":"b,a"}`},
		"an example":          {`{"examples":["a,b"]}`, `{"examples":["b,a"]}`},
		"a comment":           {`{"$comment":"a, b"}`, `{"$comment":"b, a"}`},
		"an annotation":       {`{"x-note":"a, b"}`, `{"x-note":"b, a"}`},
		"words of a default":  {`{"default":"never, always"}`, `{"default":"always, never"}`},
		"a default of steps":  {`{"default":["not","this"]}`, `{"default":["this","not"]}`},
		"numbers":             {`{"default":[1,2]}`, `{"default":[2,1]}`},
		"a text in an object": {`{"default":{"a":"b,c"}}`, `{"default":{"a":"c,b"}}`},
	} {
		if places := pin.Reordered(schemed("T", c[0]), schemed("T", c[1])); places != nil {
			t.Errorf("%s: another order at %q", name, places)
		}
	}
	if pin.InAnotherOrder(said(`{"name":"a,b"}`), said(`{"name":"b,a"}`)) {
		t.Error("a tool's name is another order of itself")
	}
}

// Whatever is in a list, its names are the same words in any order, and what is
// in the place of one of them is another word.
func TestAnyOrderOfAnyListIsTheSameWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{2}_[a-z0-9]{1,6}`), 2, 12, rapid.ID[string]).Draw(t, "names")
		separator := rapid.SampledFrom([]string{", ", ",", "; ", " | ", "|"}).Draw(t, "separator")
		mixed := rapid.Permutation(names).Draw(t, "mixed")
		text := func(list []string) pin.Descriptor {
			return described("Get one.\nKinds: " + strings.Join(list, separator) + ". No more.")
		}
		if got, want := pin.InAnotherOrder(text(names), text(mixed)), !slices.Equal(names, mixed); got != want {
			t.Errorf("%q for %q: %v", mixed, names, got)
		}
		mixed[rapid.IntRange(0, len(mixed)-1).Draw(t, "at")] = "another"
		if pin.InAnotherOrder(text(names), text(mixed)) {
			t.Errorf("%q passes for %q", mixed, names)
		}
	})
}
