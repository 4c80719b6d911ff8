package pin

import (
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/schema"
)

// Compare lists what now says otherwise than was, the worst first. Nothing, or
// what is Informational alone, is an equal meaning, and the reverse. Of a
// descriptor that cannot be read it says so.
func Compare(was, now Descriptor) ([]Difference, error) {
	return comparing{budget: newBudget(maxWork)}.compare(was, now)
}

// comparing is what comparisons of one listing share.
type comparing struct {
	names  map[string]bool // of all tools that are known
	budget *budget
}

func (w comparing) compare(was, now Descriptor) ([]Difference, error) {
	before, err := read(was)
	if err != nil {
		return nil, err
	}
	after, err := read(now)
	if err != nil {
		return nil, err
	}
	c := &comparison{was: before, now: after, words: words{ownWords(before, after), w.names}, budget: w.budget}
	c.members()
	var all []Difference
	for _, d := range c.all {
		all = append(all, *d)
	}
	byDanger(all)
	return all, nil
}

// comparison is of two descriptors.
type comparison struct {
	was, now said
	words    words
	budget   *budget
	all      []*Difference
}

func (c *comparison) add(class Class, at string, was, now any, why string) *Difference {
	d := &Difference{Class: class, Path: at, Why: why}
	if was != nil {
		d.Was = literal(was)
	}
	if now != nil {
		d.Now = literal(now)
	}
	c.all = append(c.all, d)
	return d
}

// members compares the members of the two Tool objects, and the instructions.
func (c *comparison) members() {
	for _, name := range union(c.was.normal, c.now.normal) {
		at, was, now := pointer("", name), c.was.normal[name], c.now.normal[name]
		if reflect.DeepEqual(was, now) {
			continue
		}
		switch name {
		case "name":
			c.add(Contract, at, was, now, "the tool has another name")
		case "title":
			c.text(at, was, now, Cosmetic)
		case "icons":
			c.icons(at, was, now)
		case "annotations":
			c.annotations(at, was, now)
		case "execution":
			c.execution(at, was, now)
		case "inputSchema":
			c.schemas(at, was, now, schema.Input)
		case "outputSchema":
			c.schemas(at, was, now, schema.Output)
		default:
			c.foreign(at, was, now)
		}
	}
	c.unsaid()
	if c.was.instructions != c.now.instructions {
		c.text("/instructions", c.was.instructions, c.now.instructions, Wording)
	}
}

// text compares words. What is not a string counts as a change of the contract.
func (c *comparison) text(at string, was, now any, class Class) {
	before, ok := was.(string)
	after, too := now.(string)
	if !ok && was != nil || !too && now != nil {
		c.add(Contract, at, was, now, "it is not a text")
		return
	}
	if cue := c.words.newCue(before, after); cue != "" {
		c.add(Cue, at, was, now, cue)
		return
	}
	c.add(class, at, was, now, "other words")
}

// foreign compares what nothing here knows, such as _meta: words are words, and
// anything else may be read by some client as part of the contract.
func (c *comparison) foreign(at string, was, now any) {
	before, ok := was.(map[string]any)
	after, too := now.(map[string]any)
	if !ok || !too {
		_, said := was.(string)
		_, says := now.(string)
		if (said || was == nil) && (says || now == nil) && (said || says) {
			c.text(at, was, now, Wording)
			return
		}
		c.add(Contract, at, was, now, "nothing here knows what it means")
		return
	}
	for _, name := range union(before, after) {
		if !reflect.DeepEqual(before[name], after[name]) {
			c.foreign(pointer(at, name), before[name], after[name])
		}
	}
}

// warnings say what each annotation claims now, if it is true and if it is not.
var warnings = map[string][2]string{
	"readOnlyHint":    {"it says that it only reads: to accept that is to say so yourself", "it no longer says that it only reads"},
	"destructiveHint": {"it says that it may destroy", "it says that it destroys nothing: to accept that is to say so yourself"},
	"idempotentHint":  {"it says that it may safely be called twice: to accept that is to say so yourself", "it no longer says that it may be called twice"},
	"openWorldHint":   {"it says that it reaches the open world", "it says that it stays in a closed world: to accept that is to say so yourself"},
}

func claimed(name string, claim bool) string {
	if claim {
		return warnings[name][0]
	}
	return warnings[name][1]
}

// annotations compares the server's claims about the tool. One that says more
// danger is the tool becoming dangerous, one that says less asks for less
// caution on a stranger's word: either is for a person, one by one.
func (c *comparison) annotations(at string, was, now any) {
	before, ok := was.(map[string]any)
	after, too := now.(map[string]any)
	if !ok || !too {
		c.add(Lowering, at, was, now, "annotations that are not an object")
		return
	}
	for _, name := range union(before, after) {
		if reflect.DeepEqual(before[name], after[name]) {
			continue
		}
		_, hint := hints[name]
		claim, isBool := after[name].(bool)
		switch here := pointer(at, name); {
		case name == "title":
			c.text(here, before[name], after[name], Cosmetic)
		case !hint:
			c.foreign(here, before[name], after[name])
		case !isBool:
			c.add(Lowering, here, before[name], after[name], "an annotation that is neither true nor false")
		case name == "idempotentHint" && !claim:
			c.add(Safer, here, before[name], after[name], claimed(name, claim))
		default:
			c.add(Lowering, here, before[name], after[name], claimed(name, claim))
		}
	}
}

// claims are the annotations of a tool that was never approved which ask for
// less caution than none would.
func (c *comparison) claims(annotations any) {
	said, _ := annotations.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(hints)) {
		if claim, ok := said[name].(bool); !ok || claim != hints[name] {
			c.add(Lowering, pointer("/annotations", name), nil, said[name], claimed(name, claim))
		}
	}
}

// told adds the cues in the texts of what was not there before.
func (c *comparison) told(at string, v any) {
	switch v := v.(type) {
	case string:
		if cue := c.words.newCue("", v); cue != "" {
			c.add(Cue, at, nil, v, cue)
		}
	case []any:
		for i, e := range v {
			c.told(pointer(at, strconv.Itoa(i)), e)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name != "$schema" { // the name of a dialect is an address
				c.told(pointer(at, name), v[name])
			}
		}
	}
}

// execution compares how a call is carried out.
func (c *comparison) execution(at string, was, now any) {
	before, ok := was.(map[string]any)
	after, too := now.(map[string]any)
	if !ok || !too {
		c.add(Contract, at, was, now, "nothing here knows what it means")
		return
	}
	for _, name := range union(before, after) {
		switch here := pointer(at, name); {
		case reflect.DeepEqual(before[name], after[name]):
		case name == "taskSupport" && after[name] != noTasks && before[name] != "required":
			c.add(Lowering, here, before[name], after[name], "a call of it may go on after its answer")
		default:
			c.add(Contract, here, before[name], after[name], "a call of it is carried out otherwise")
		}
	}
}

// unsaid notes what one of the two says and the other leaves to its default.
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
		c.add(Informational, pointer(pointer("", member), name), before, after, "it is the default")
	}
}

func inMember(tool map[string]any, member, name string) any {
	m, _ := tool[member].(map[string]any)
	return m[name]
}

// icons compares where icons are from: what shows them asks that place.
func (c *comparison) icons(at string, was, now any) {
	before, ok := origins(was)
	after, too := origins(now)
	if !ok || !too {
		c.add(Contract, at, was, now, "icons that are not as the specification has them")
		return
	}
	for _, origin := range slices.Sorted(maps.Keys(after)) {
		if !before[origin] {
			c.add(Cue, at, was, now, "icons from another place: "+guard.Line(origin, 100))
			return
		}
	}
	c.add(Cosmetic, at, was, now, "other icons of the same origin")
}

// origins are where a list of icons is from.
func origins(v any) (map[string]bool, bool) {
	list, ok := v.([]any)
	if v == nil {
		return nil, true
	}
	from := map[string]bool{}
	for _, e := range list {
		icon, _ := e.(map[string]any)
		src, isText := icon["src"].(string)
		u, err := url.Parse(src)
		if !isText || err != nil {
			return nil, false
		}
		from[strings.ToLower(u.Scheme+"://"+u.Host)] = true
	}
	return from, ok
}

// ownWords are the names and values that the tool's schemas have, before and
// after: a text that says them names no other tool.
func ownWords(sides ...said) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		own := map[string]bool{}
		for _, s := range sides {
			if name, ok := s.raw["name"].(string); ok {
				own[name] = true
			}
			collect(s.raw["inputSchema"], own)
			collect(s.raw["outputSchema"], own)
		}
		return own
	})
}

// collect takes the names of members and the values of enums. It looks into
// all of a schema and does not ask what is a keyword: more words only make
// fewer cues of names.
func collect(v any, own map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, e := range v {
			own[name] = true
			if values, ok := e.([]any); ok && name == "enum" {
				for _, word := range values {
					if s, ok := word.(string); ok {
						own[s] = true
					}
				}
			}
			collect(e, own)
		}
	case []any:
		for _, e := range v {
			collect(e, own)
		}
	}
}

func union(a, b map[string]any) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

// pointer is a place below another one, as in RFC 6901.
func pointer(at, name string) string {
	return at + "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
