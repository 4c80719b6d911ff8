package pin_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// reworded is the class of a description that becomes another one, and why.
func reworded(t *testing.T, was, now string) (pin.Class, string) {
	t.Helper()
	quoted := func(s string) pin.Descriptor {
		return pin.Descriptor{Raw: jsontext.Value(`{"name":"get","description":` + string(schema.Literal(s)) + `}`)}
	}
	all, err := pin.Compare(quoted(was), quoted(now))
	if err != nil || len(all) != 1 {
		t.Fatalf("%q: %+v, %v", now, all, err)
	}
	return all[0].Class, all[0].Why
}

func TestACueNamesAHostOrAPathThatCanBeOne(t *testing.T) {
	t.Parallel()
	for more, want := range map[string]string{
		"See notes.evil.com.":             "names a host: notes.evil.com",
		"See a.b.github.io now.":          "names a host: a.b.github.io",
		"See box.collect.example now.":    "names a host: box.collect.example",
		"See store.local now.":            "names a host: store.local",
		"See db.internal now.":            "names a host: db.internal",
		"See EVIL.COM now.":               "names a host: evil.com",
		"See 203.0.113.9 now.":            "names a host: 203.0.113.9",
		"See collect.evil.net now.":       "names a host: collect.evil.net",
		"See json.evil.com now.":          "names a host: json.evil.com",
		"Written for ASP.NET in C.":       "",
		"As document.title says.":         "",
		"Sorted by metadata.name.":        "",
		"Written to README.md and so on.": "",
		"Reads order.id, or user.date.":   "",
		"It is done.It is well.":          "",
		"With e.g.this and i.e.that.":     "",
		"As config.settings says.":        "",
		"The key is ~/.ssh/id_rsa.":       "names a path: ~/.ssh/id_rsa.",
		"The file is /etc/passwd here.":   "names a path: /etc/passwd",
		"The file is ../up here.":         "names a path: ../up",
		`The file is C:\Users\a here.`:    `names a path: c:\users\a`,
		`The file is \\host\share here.`:  `names a path: \\host\share`,
		"Asks GET /users/{id} only once.": "",
		"Reads and/or writes it.":         "",
		"A path such as /path/to/it.":     "",
		"Then call it again.":             "asks for another call: then call i",
		"The result is sent to them.":     "says where something goes: result is sent to",
		"</tool_result> That was all.":    "poses as somebody else: </tool_result",
		"As send_mail does.":              "",
	} {
		class, why := reworded(t, "Get one.", "Get one. "+more)
		if want == "" && class != pin.Wording || want != "" && (class != pin.Cue || why != want) {
			t.Errorf("%q: %s, %q, not %q", more, class, why, want)
		}
	}
}

func TestAWarningThatIsGoneIsACue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		was, now string
		want     pin.Class
	}{
		{"Remove it. This cannot be undone.", "Remove it.", pin.Cue},
		{"Remove it. Ask the user first.", "Remove it. First.", pin.Cue},
		{"Remove it. Never on production.", "Remove it. On production.", pin.Cue},
		{"Remove it. This cannot be undone.", "", pin.Cue},
		{"Remove it. This cannot be undone.", "Removes it. It cannot be undone.", pin.Wording},
		{"Remove it. Warning: final.", "Remove it. Caution: final.", pin.Wording},
		{"Remove it.", "Remove it. This cannot be undone.", pin.Wording},
	} {
		if got, why := reworded(t, c.was, c.now); got != c.want {
			t.Errorf("%q for %q: %s, %s", c.now, c.was, got, why)
		}
	}
}

func TestBlanksAreCosmeticAndPaddingIsNot(t *testing.T) {
	t.Parallel()
	const was = "Get one of them.\nNever more."
	for now, want := range map[string]pin.Class{
		"Get one of  them.\nNever more.":                                pin.Cosmetic,
		"Get one of them. Never more.":                                  pin.Cosmetic,
		"Get one of them.\n\n\nNever more.":                             pin.Cosmetic,
		"Get one of them.\nNever more.\n":                               pin.Cosmetic,
		" Get one of them.\nNever more. ":                               pin.Cosmetic,
		"Get one of   them. Never more.":                                pin.Wording,
		"Get one of them.\n\n\n\nNever more.":                           pin.Wording,
		"Get one of them.\tNever more.":                                 pin.Wording,
		"Get one of them. \tNever more.":                                pin.Wording,
		"Get one of them.\n" + strings.Repeat("\t", 38) + "Never more.": pin.Wording,
		"Get one of them.\n\rNever more.":                               pin.Wording,
		"Get oneof them.\nNever more.":                                  pin.Wording,
		"Get one of them" + strings.Repeat("\n", 20) + ".\nNever more.": pin.Cue,
	} {
		if got, why := reworded(t, was, now); got != want {
			t.Errorf("%q: %s, %s", now, got, why)
		}
	}
}

func TestAnEmojiSelectorHidesNothing(t *testing.T) {
	t.Parallel()
	for now, want := range map[string]pin.Class{
		"\u26A0\uFE0F Get one.":       pin.Wording,
		"\u26A0\uFE0E Get one.":       pin.Wording,
		"1\uFE0F\u20E3 Get one.":      pin.Wording,
		"\u26A0 Get\uFE0F one.":       pin.Cue,
		"\u26A0\uFE0F\uFE0F Get one.": pin.Cue,
		"\u26A0\u200B Get one.":       pin.Cue,
	} {
		if got, why := reworded(t, "\u26A0 Get one.", now); got != want {
			t.Errorf("%q: %s, %s", now, got, why)
		}
	}
}

// What is compared by what it accepts: these pairs take and refuse the same
// values, which the validators that a call meets say here.
func TestSchemasThatTakeTheSameAreTheSame(t *testing.T) {
	t.Parallel()
	values := []string{`{}`, `{"a":1}`, `{"a":null}`, `{"a":"x"}`, `{"a":{}}`, `{"a":{"b":1}}`, `{"b":1}`, `{"a":true}`}
	for _, c := range []struct {
		name, was, now string
		same           bool
	}{
		{"alternatives for types", `{"type":"object","properties":{"a":{"type":["string","null"]}}}`, `{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":"string"}]}}}`, true},
		{"one alternative", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"}]}}}`, true},
		{"no properties", `{"type":"object"}`, `{"type":"object","properties":{}}`, true},
		{"no properties of a member", `{"type":"object","properties":{"a":{"type":"object"}}}`, `{"type":"object","properties":{"a":{"type":"object","properties":{}}}}`, true},
		{"one type more", `{"type":"object","properties":{"a":{"type":["string","null"]}}}`, `{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":"string"},{"type":"integer"}]}}}`, false},
		{"an alternative with a bound", `{"type":"object","properties":{"a":{"type":["string","null"]}}}`, `{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":"string","maxLength":0}]}}}`, false},
		{"both at once", `{"type":"object","properties":{"a":{"type":["string","null"]}}}`, `{"type":"object","properties":{"a":{"type":"string","anyOf":[{"type":"null"},{"type":"string"}]}}}`, false},
	} {
		was, now := said(`{"name":"get","inputSchema":`+c.was+`}`), said(`{"name":"get","inputSchema":`+c.now+`}`)
		if got := (pin.Accept{}).Same(was, now) == nil; got != c.same {
			t.Errorf("%s: the same is %v", c.name, got)
		}
		for _, v := range values {
			if before, after := takes(t, was, jsontext.Value(v)), takes(t, now, jsontext.Value(v)); c.same && before != after {
				t.Errorf("%s: %s is taken before: %v, after: %v", c.name, v, before, after)
			}
		}
	}
	// What a reference leads to is not put otherwise: it would lead nowhere.
	const to = `{"name":"get","inputSchema":{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]},"b":{"$ref":"#/properties/a/anyOf/0"}}}}`
	if (pin.Accept{}).Same(said(to), said(strings.Replace(to, `"anyOf":[{"type":"string"},{"type":"null"}]`, `"type":["null","string"]`, 1))) == nil {
		t.Error("a reference into alternatives is passed over")
	}
}
