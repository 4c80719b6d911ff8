package pin

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

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

func union(a, b map[string]any) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

// pointer is a place below another one, as in RFC 6901.
func pointer(at, name string) string {
	return at + "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
