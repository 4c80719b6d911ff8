package pin

import (
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
)

// claims describe what each annotation claims now.
var claims = map[string]map[bool]string{
	"readOnlyHint":    {true: "it says that it only reads: calls of it go without an approval only where the allowlist says so too", false: "it no longer says that it only reads"},
	"destructiveHint": {true: "it says that it may destroy", false: "it says that it destroys nothing, which is not checked"},
	"idempotentHint":  {true: "it says that it is safe to repeat, which is not checked", false: "it no longer says that it is safe to repeat"},
	"openWorldHint":   {true: "it says that it reaches the open world", false: "it says that it stays in a closed world, which is not checked"},
}

// annotations compares the server's claims about the tool. A claim of more danger means
// that the tool becomes dangerous. A claim of less danger asks for less caution on a
// stranger's word. A person decides on either, one by one.
func (c *comparison) annotations(at string, was, now any) {
	before, after, fit := both[map[string]any](was, now)
	if !fit {
		c.add(Lowering, at, was, now, "annotations that are not an object")
		return
	}
	for _, name := range union(before, after) {
		if reflect.DeepEqual(before[name], after[name]) {
			continue
		}
		_, hint := hints[name]
		claim, isBool := after[name].(bool)
		switch here := schema.Below(at, name); {
		case name == "title":
			c.text(here, before[name], after[name], Cosmetic)
		case !hint:
			c.foreign(here, before[name], after[name])
		case !isBool:
			c.add(Lowering, here, before[name], after[name], "an annotation that is neither true nor false")
		case name == "idempotentHint" && !claim:
			c.add(Safer, here, before[name], after[name], claims[name][claim])
		default:
			d := c.add(Lowering, here, before[name], after[name], claims[name][claim])
			if name == "idempotentHint" || claim != (name == "readOnlyHint") {
				d.Weight -= 12 // a server that hides something claims less danger, not more
			} else {
				d.Weight += c.tamed(name)
			}
		}
	}
}

// tamed weighs a claim of less danger. The weight is higher for a tool with words about
// changes, and lower if the server claimed nothing before.
func (c *comparison) tamed(name string) (sum int) {
	if inMember(c.was.raw, "annotations", name) == nil {
		sum -= 8
	}
	if concern("power")().MatchString(strings.ReplaceAll(textsOf(c.was.raw["name"])+textsOf(c.was.raw["description"]), "_", " ")) {
		sum += 10
	}
	return sum
}

// execution compares how a call is carried out.
func (c *comparison) execution(at string, was, now any) {
	before, after, fit := both[map[string]any](was, now)
	if !fit {
		c.add(Contract, at, was, now, "its meaning is unknown here")
		return
	}
	for _, name := range union(before, after) {
		switch here := schema.Below(at, name); {
		case reflect.DeepEqual(before[name], after[name]):
		case name == "taskSupport" && after[name] != noTasks && before[name] != "required":
			c.add(Lowering, here, before[name], after[name], "a call may go on after its answer")
		default:
			c.add(Contract, here, before[name], after[name], "a call is carried out differently")
		}
	}
}

// unsaid notes a value that one of the two states and the other leaves to its default.
func (c *comparison) unsaid() {
	for _, hint := range slices.Sorted(maps.Keys(hints)) {
		c.left("annotations", hint)
	}
	c.left("execution", "taskSupport")
}

func (c *comparison) left(member, name string) {
	before, after := inMember(c.was.raw, member, name), inMember(c.now.raw, member, name)
	same := reflect.DeepEqual(inMember(c.was.normal, member, name), inMember(c.now.normal, member, name))
	if same && (before == nil) != (after == nil) {
		c.add(Informational, schema.Below(schema.Below("", member), name), before, after, "it is the default")
	}
}

func inMember(tool map[string]any, member, name string) any {
	m, _ := tool[member].(map[string]any)
	return m[name]
}

// icons compares the origins of icons: a program that shows an icon sends a request there.
func (c *comparison) icons(at string, was, now any) {
	before, unusual, ok := readIcons(was)
	after, more, too := readIcons(now)
	if !ok || !too {
		c.add(Contract, at, was, now, "icons that do not follow the specification")
		return
	}
	for _, origin := range slices.Sorted(maps.Keys(after)) {
		if !before[origin] {
			c.add(Cue, at, was, now, "icons from another place: "+escape.Line(origin, 100))
			return
		}
	}
	switch {
	case reflect.DeepEqual(unusual, more):
		c.add(Cosmetic, at, was, now, "other icons of the same origin")
	case !c.cued(at, was, now, textsOf(unusual), textsOf(more)):
		c.add(Contract, at, was, now, "icons with members that the specification does not have")
	}
}

// readIcons reads the origins of a list of icons, and the members that the specification
// does not have.
func readIcons(v any) (origins map[string]bool, unusual []any, ok bool) {
	list, ok := v.([]any)
	origins = map[string]bool{}
	for _, e := range list {
		icon, _ := e.(map[string]any)
		src, isText := icon["src"].(string)
		u, err := url.Parse(src)
		if !isText || err != nil {
			return nil, nil, false
		}
		origins[strings.ToLower(u.Scheme+"://"+u.Host)] = true
		for _, name := range slices.Sorted(maps.Keys(icon)) {
			if name != "src" && !usual(name, icon[name]) {
				unusual = append(unusual, map[string]any{name: icon[name]})
			}
		}
	}
	return origins, unusual, ok || v == nil
}

// iconForms are the members of an icon next to its src, and the form of their texts. Any
// other text in an icon could say the same as a description.
var iconForms = map[string]func() *regexp.Regexp{
	"mimeType": lex.Pattern(`^[a-z]{1,20}/[A-Za-z0-9.+-]{1,40}$`), "sizes": lex.Pattern(`^(?:\d{1,5}x\d{1,5}|any)$`), "theme": lex.Pattern(`^(?:light|dark)$`),
}

// usual reports whether a member of an icon is in the specification, and its texts have
// their form.
func usual(name string, v any) bool {
	texts, several := v.([]any)
	if !several {
		texts = []any{v}
	}
	form, known := iconForms[name]
	return known && !slices.ContainsFunc(texts, func(v any) bool {
		text, ok := v.(string)
		return !ok || !form().MatchString(text)
	})
}
