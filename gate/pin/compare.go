package pin

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
)

// Compare lists the differences of now from was, the worst first. An empty list, or
// Informational differences alone, means an equal meaning, and the reverse. A descriptor
// that cannot be read is an error.
func Compare(was, now Descriptor) ([]Difference, error) {
	return comparing{budget: new(budget(maxWork))}.compare(was, now)
}

// comparing is shared by the comparisons of one listing.
type comparing struct {
	names  map[string]bool // of all known tools: whether another server has it
	budget *budget
	server Own
}

func (w comparing) compare(was, now Descriptor) ([]Difference, error) {
	before, err := parse(was)
	if err != nil {
		return nil, err
	}
	after, err := parse(now)
	if err != nil {
		return nil, err
	}
	c := &comparison{was: before, now: after, words: words{ownWords(before, after), w.names, w.server, map[string]map[string]sign{}}, budget: w.budget}
	c.members()
	return c.sorted(), nil
}

// comparison is the comparison of two descriptors.
type comparison struct {
	was, now parsed
	words    words
	budget   *budget
	all      []*Difference
}

func (c *comparison) sorted() (all []Difference) {
	for _, d := range c.all {
		all = append(all, *d)
	}
	byDanger(all)
	return all
}

func (c *comparison) add(class Class, at string, was, now any, why string) *Difference {
	d := &Difference{Class: class, Path: at, Why: why}
	if was != nil {
		d.Was = schema.Literal(was)
	}
	if now != nil {
		d.Now = schema.Literal(now)
	}
	d.Weight = c.weigh(d, was, now)
	c.all = append(c.all, d)
	return d
}

// cued adds a difference if the new words have a cue that the old ones did not have.
func (c *comparison) cued(at string, was, now any, before, after string) bool {
	cue, class := c.words.newCue(before, after)
	if cue != "" {
		c.add(class, at, was, now, cue)
	}
	return cue != ""
}

// members compares the members of the two Tool objects, and the instructions.
func (c *comparison) members() {
	for _, name := range union(c.was.normal, c.now.normal) {
		at, was, now := schema.Below("", name), c.was.normal[name], c.now.normal[name]
		if reflect.DeepEqual(was, now) {
			continue
		}
		switch name {
		case "name":
			c.add(Contract, at, was, now, "the tool has another name")
		case "title":
			c.described(at, was, now, Cosmetic)
		case "description":
			c.described(at, was, now, Wording)
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

// text compares words. A value that is not a string counts as a change of the contract.
func (c *comparison) text(at string, was, now any, class Class) {
	before, after, fit := both[string](was, now)
	if !fit {
		c.add(Contract, at, was, now, "not a text")
		return
	}
	gone := warningGone(before, after)
	switch {
	case c.cued(at, was, now, before, after):
	case gone != "":
		c.add(Cue, at, was, now, gone).Weight += 30
	case respaced(before, after):
		c.add(Cosmetic, at, was, now, "the same words with other spacing")
	default:
		c.add(class, at, was, now, "other words")
	}
}

// respaced reports whether two texts have the same words, with at most two more or fewer
// blanks or newlines between them. More of them can be padding, which hides text from a
// reader.
func respaced(was, now string) bool {
	a, b := between().FindAllString("."+was+".", -1), between().FindAllString("."+now+".", -1)
	// A tab, or any other blank, is part of a word here: 39 of them are padding, too.
	blank := func(r rune) bool { return r == ' ' || r == '\n' }
	if len(a) != len(b) || !slices.Equal(strings.FieldsFunc(was, blank), strings.FieldsFunc(now, blank)) {
		return false
	}
	edits := 0
	for i := range a {
		for _, blank := range []string{" ", "\n"} {
			before, after := strings.Count(a[i], blank), strings.Count(b[i], blank)
			edits += max(before, after) - min(before, after)
		}
	}
	return edits <= 2
}

// between are the separators of words, with those before the first and after the last.
var between = lex.Pattern(`^\.[ \n]*|[ \n]*\.$|[ \n]+`)

// both reads two values as one type. They fit if each has that type or is absent.
func both[T any](was, now any) (before, after T, fit bool) {
	before, isBefore := was.(T)
	after, isAfter := now.(T)
	fit = isAfter || now == nil
	return before, after, fit && (isBefore || was == nil)
}

// described compares descriptions or titles. Another order of the same words is a
// difference in words, too. The difference notes it, because a person may accept that for
// a tool.
func (c *comparison) described(at string, was, now any, class Class) {
	c.text(at, was, now, class)
	c.reordered(class, was, now)
}

// reordered marks the last difference if it is another order of the same words. Its class
// must be that of a difference without a cue.
func (c *comparison) reordered(class Class, was, now any) {
	if d := c.all[len(c.all)-1]; d.Class == class && sameInAnyOrder(was, now) {
		d.Order, d.Why = true, "the same words in another order"
	}
}

// foreign compares members that are unknown here, such as _meta. Texts are compared as
// words. Anything else may be read by some client as part of the contract.
func (c *comparison) foreign(at string, was, now any) {
	if at == schema.Below("/_meta", MetaResource) || at == schema.Below("/_meta", MetaRules) {
		c.add(Contract, at, was, now, "the server's suggestions to its operator")
		return
	}
	before, ok := was.(map[string]any)
	after, too := now.(map[string]any)
	if !ok || !too {
		if _, _, texts := both[string](was, now); texts {
			c.text(at, was, now, Wording)
		} else if !c.cued(at, was, now, textsOf(was), textsOf(now)) {
			c.add(Contract, at, was, now, "its meaning is unknown here")
		}
		return
	}
	for _, name := range union(before, after) {
		if !reflect.DeepEqual(before[name], after[name]) {
			c.foreign(schema.Below(at, name), before[name], after[name])
		}
	}
}

// addedCues adds the cues in the texts of a new value.
func (c *comparison) addedCues(at string, v any) {
	switch v := v.(type) {
	case string:
		text := v
		if versioned().MatchString(at) {
			text = "apiVersion: " + v
		}
		c.cued(at, nil, v, "", text)
	case []any:
		for i, e := range v {
			c.addedCues(schema.Below(at, strconv.Itoa(i)), e)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name != "$schema" { // the name of a dialect is an address
				c.addedCues(schema.Below(at, name), v[name])
			}
		}
	}
}

func union(a, b map[string]any) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

// Class is the danger of a difference. The classes are in the order of danger, and the zero
// value is the worst.
type Class int

// The classes of difference.
const (
	Finding       Class = iota // words in which a hard rule of gate/scan finds something
	Lowering                   // a safeguard of the tool is gone, or its claim about its effect changed
	Cue                        // words that name a destination or another tool, instruct the model, or hide
	Contract                   // calls that were refused are taken, or the direction is unknown
	Wording                    // other words, without such a cue
	Safer                      // structural narrowing alone, without new text, const or default
	Cosmetic                   // a title, an icon of the same origin, a dialect
	Informational              // the meaning is unchanged
)

var classNames = []string{"finding", "safety-lowering", "cue", "contract", "wording", "safer", "cosmetic", "informational"}

func (c Class) String() string {
	if c < 0 || int(c) >= len(classNames) {
		return classNames[Finding]
	}
	return classNames[c]
}

// Difference is one difference between a server's old and new words.
type Difference struct {
	Class Class `json:"-"` // by its name, as the first member
	// Path is a JSON Pointer into the Tool object. "/instructions" is the server's. In a
	// list of names, such as required, each name is a separate difference, under the path
	// of the list.
	Path string         `json:"path"`
	Why  string         `json:"why"`           // a clause for people; names and words in it are the server's
	Was  jsontext.Value `json:"was,omitempty"` // nil if absent
	Now  jsontext.Value `json:"now,omitempty"`
	// Wider is a value that the new schema takes and the old one refuses. Narrower is the
	// reverse. They are arguments of an input, or a result of an output. They are shown,
	// not trusted; nil means that no such value was found.
	Wider    jsontext.Value `json:"wider,omitempty"`
	Narrower jsontext.Value `json:"narrower,omitempty"`
	// Order says that a description, a title or a default has the same words. The names of
	// its lists are in another order.
	Order bool `json:"-"`
	// Weight sorts the changes of a review, and decides nothing.
	Weight int `json:"-"`
}

// MarshalJSON names the class.
func (d Difference) MarshalJSON() ([]byte, error) {
	type Rest Difference // without this method
	return json.Marshal(struct {
		Class string `json:"class"`
		Rest
	}{d.Class.String(), Rest(d)})
}

// byDanger sorts the worst first, and otherwise by path, so that the same
// change is always shown in the same way.
func byDanger(all []Difference) {
	slices.SortStableFunc(all, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), strings.Compare(a.Path, b.Path),
			strings.Compare(string(a.Was), string(b.Was)), strings.Compare(string(a.Now), string(b.Now)))
	})
}
