package offline

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
)

// mutant is a plan that was valid before its mutations.
type mutant struct {
	what         string
	schema       string // of the tool's arguments
	base, mutant []byte
}

// mutatedPlan makes a case of a valid plan and one to three mutations. The oracle
// decides whether they changed its meaning.
func mutatedPlan(seed int) Case {
	m := rapid.Custom(mutants).Filter((*mutant).differs).Example(seed)
	expect := refuse
	if sameJSON(m.base, m.mutant) {
		expect = Allow
	}
	return Case{Group: PlanFuzz, What: m.what, Expect: expect, probe: m, line: m.schema + "\n" + string(m.mutant)}
}

// differs reports whether the mutations changed the plan: some do nothing to some
// values.
func (m *mutant) differs() bool { return !bytes.Equal(m.base, m.mutant) }

func mutants(t *rapid.T) *mutant {
	args := pinObject(t, 2)
	plan := object(
		member{`"type"`, scalar(`"call_tool"`)}, member{`"server"`, scalar(quoted(theServer))},
		member{`"tool"`, scalar(quoted(theTool))}, member{`"args"`, args.value},
	)
	m := &mutant{schema: args.schema.String(), base: []byte(plan.String())}
	plan = plan.clone()
	var done []string
	for range rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, "mutations") {
		if rapid.Bool().Draw(t, "of the value") && m.mutant == nil {
			change := rapid.SampledFrom(changes).Draw(t, "change")
			change.to(t, rapid.SampledFrom(plan.all()).Draw(t, "place"))
			done = append(done, change.what)
			continue
		}
		if m.mutant == nil {
			m.mutant = []byte(plan.String())
		}
		damage := rapid.SampledFrom(damages).Draw(t, "damage")
		m.mutant = damage.to(t, m.mutant)
		done = append(done, damage.what)
	}
	if m.mutant == nil {
		m.mutant = []byte(plan.String())
	}
	m.what = strings.Join(done, ", ")
	return m
}

// try approves the mutant with several tools in the catalog. They are the tool,
// another allowed one, a forbidden one, and the same tool on a server that is not
// allowed.
func (m *mutant) try() (string, error) {
	d := tool(jsontext.Value(m.schema), nil)
	allow, err := catalog.ParseAllowlist([]byte(`{"kb":["act","find"]}`))
	if err != nil {
		return "", err
	}
	closed := `,"inputSchema":{"type":"object","properties":{"never":{"const":"said"}},"required":["never"]}}`
	open := `,"inputSchema":` + string(anyArguments) + `}`
	c := catalog.Admit([]catalog.Listing{
		{Server: theServer, Tools: []pin.Descriptor{
			d, {Server: theServer, Raw: jsontext.Value(`{"name":"find"` + closed)}, {Server: theServer, Raw: jsontext.Value(`{"name":"drop"` + open)},
		}},
		{Server: "kc", Tools: []pin.Descriptor{{Server: "kc", Raw: d.Raw}}},
	}, allow, catalog.Options{})
	if t, err := c.Tool(theServer, theTool); err != nil || t.Name() != theTool {
		return "", altered(fmt.Sprintf("the generated schema is no schema: %v: %s", err, m.schema))
	}
	q, err := asked()
	if err != nil {
		return "", err
	}
	a, err := approve(gate.New(gate.Options{}), q, c, m.mutant)
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, clip(m.mutant))
	}
	call, err := redeem(a, d)
	if err != nil {
		return "", err
	}
	said := fmt.Appendf(nil, `{"type":"call_tool","server":%q,"tool":%q,"args":%s}`, call.Server, call.Tool, call.Args)
	if !sameJSON(m.base, said) {
		return "", altered(fmt.Sprintf("%s leaves as %s", clip(m.mutant), clip(said)))
	}
	return clip(m.mutant), nil
}

func (m *mutant) parses(error) bool {
	_, err := plan.Parse(m.mutant)
	return err == nil
}

func clip(b []byte) string { return fmt.Sprintf("%.400q", b) }

// change is one edit of a value in a plan.
type change struct {
	what string
	to   func(t *rapid.T, v *tree)
}

var changes = []change{
	{"members in another order", func(t *rapid.T, v *tree) { v.members = rapid.Permutation(v.members).Draw(t, "order") }},
	{"a member left out", func(t *rapid.T, v *tree) { v.edit(t, func(i int) { v.members = slices.Delete(v.members, i, i+1) }) }},
	{"a member twice", func(t *rapid.T, v *tree) { v.edit(t, func(i int) { v.members = append(v.members, v.members[i]) }) }},
	{"one member more", func(t *rapid.T, v *tree) {
		v.members = append(v.members, member{quoted(rapid.SampledFrom(strangers).Draw(t, "name")), scalar("1")})
	}},
	{"a name in other letters", func(t *rapid.T, v *tree) {
		v.edit(t, func(i int) { v.members[i].name = respell(t, v.members[i].name) })
	}},
	{"a name escaped", func(t *rapid.T, v *tree) { v.edit(t, func(i int) { v.members[i].name = escaped(v.members[i].name) }) }},
	{"a text in other letters", func(t *rapid.T, v *tree) { v.text = respell(t, v.text) }},
	{"a text escaped", func(_ *rapid.T, v *tree) { v.text = escaped(v.text) }},
	{"a number in another literal", func(t *rapid.T, v *tree) { v.text = reliteral(t, v.text) }},
	{"a number a little off", func(t *rapid.T, v *tree) { v.text = nudged(t, v.text) }},
	{"a value as a string", func(_ *rapid.T, v *tree) { *v = *scalar(quoted(v.String())) }},
	{"a value in a list", func(_ *rapid.T, v *tree) { *v = *array(v.clone()) }},
	{"a value in an object", func(_ *rapid.T, v *tree) { *v = *object(member{`"value"`, v.clone()}) }},
	{"another value", func(t *rapid.T, v *tree) { *v = *scalar(rapid.SampledFrom(values).Draw(t, "value")) }},
}

var (
	strangers = []string{"", "extra", "Id", "args", "__proto__", "$ref", "tool", "server", "needs_more_info", "id\u200b", "\u0456d"}
	values    = []string{"null", "true", "false", "0", "-0", "1e400", `""`, "[]", "{}", `"act"`, `"drop"`, `"find"`, `"kc"`, `"kb "`, "NaN", "01", "+1", ".5", "0x1f"}
)

// edit changes one of the members, if there are any.
func (t *tree) edit(r *rapid.T, at func(i int)) {
	if len(t.members) > 0 {
		at(rapid.IntRange(0, len(t.members)-1).Draw(r, "member"))
	}
}

// lookAlikes are letters that look like others, and the same letters in the other
// case.
var lookAlikes = map[rune][]rune{
	'a': []rune("Aаａ"), 'c': []rune("Cсｃ"), 'e': []rune("Eеｅ"), 'i': []rune("Iіı"), 'k': []rune("K\u212Aк"), 'o': []rune("Oо0"),
	'p': []rune("Pрｐ"), 's': []rune("Sѕſ"), 't': []rune("Tｔτ"), 'b': []rune("BЬｂ"), 'd': []rune("Dԁｄ"), 'l': []rune("LlI1"),
}

func respell(t *rapid.T, text string) string {
	var at []int
	for i, r := range text {
		if lookAlikes[r] != nil {
			at = append(at, i)
		}
	}
	if at == nil {
		return text
	}
	i := rapid.SampledFrom(at).Draw(t, "letter")
	was, n := utf8.DecodeRuneInString(text[i:])
	return text[:i] + string(rapid.SampledFrom(lookAlikes[was]).Draw(t, "look-alike")) + text[i+n:]
}

// escaped writes the first plain letter of a string as \uXXXX.
func escaped(text string) string {
	i := strings.IndexFunc(text, func(r rune) bool { return 'a' <= r && r <= 'z' })
	if i < 0 || text[0] != '"' || strings.Contains(text, `\`) {
		return text
	}
	return text[:i] + fmt.Sprintf(`\u%04x`, text[i]) + text[i+1:]
}

func reliteral(t *rapid.T, text string) string {
	if _, ok := new(big.Int).SetString(text, 10); !ok {
		return text
	}
	return rapid.SampledFrom([]string{text + ".0", text + "e0", text + "E+00", text + "0e-1", text + ".000", "-" + text}).Draw(t, "literal")
}

func nudged(t *rapid.T, text string) string {
	n, ok := new(big.Rat).SetString(text)
	if !ok || strings.ContainsAny(text, "eE/") {
		return text
	}
	by, _ := new(big.Rat).SetString(rapid.SampledFrom([]string{"1", "-1", "0.5", "0.0000000001", "-2"}).Draw(t, "by"))
	return strings.TrimRight(n.Add(n, by).FloatString(12), "0") + "0"
}

// damage is one edit of the bytes of a plan.
type damage struct {
	what string
	to   func(t *rapid.T, b []byte) []byte
}

var damages = []damage{
	{"another byte", func(t *rapid.T, b []byte) []byte {
		i := place(t, b)
		return slices.Concat(b[:i], []byte{rapid.Byte().Draw(t, "byte")}, b[min(i+1, len(b)):])
	}},
	{"a character put in", func(t *rapid.T, b []byte) []byte {
		i := place(t, b)
		return slices.Concat(b[:i], []byte(rapid.SampledFrom(insertions).Draw(t, "text")), b[i:])
	}},
	{"white space put in", func(t *rapid.T, b []byte) []byte {
		i := rapid.SampledFrom(joints(b)).Draw(t, "joint")
		return slices.Concat(b[:i], []byte(rapid.SampledFrom([]string{" ", "\n", "\t\r\n", "  "}).Draw(t, "space")), b[i:])
	}},
	{"a stretch left out", func(t *rapid.T, b []byte) []byte {
		i := place(t, b)
		return slices.Delete(bytes.Clone(b), i, min(len(b), i+rapid.IntRange(1, 6).Draw(t, "length")))
	}},
	{"a stretch twice", func(t *rapid.T, b []byte) []byte {
		i := place(t, b)
		to := min(len(b), i+rapid.IntRange(1, 20).Draw(t, "length"))
		return slices.Concat(b[:to], b[i:to], b[to:])
	}},
	{"cut off", func(t *rapid.T, b []byte) []byte { return b[:place(t, b)] }},
	{"something before it", func(t *rapid.T, b []byte) []byte {
		return append([]byte(rapid.SampledFrom(wrappings).Draw(t, "text")), b...)
	}},
	{"something behind it", func(t *rapid.T, b []byte) []byte {
		return append(bytes.Clone(b), rapid.SampledFrom(wrappings).Draw(t, "text")...)
	}},
	{"fenced", func(_ *rapid.T, b []byte) []byte { return slices.Concat([]byte("```json\n"), b, []byte("\n```")) }},
	{"said twice", func(_ *rapid.T, b []byte) []byte { return slices.Concat(b, []byte("\n"), b) }},
}

var (
	insertions = []string{`"`, "{", "}", "[", "]", ",", ":", "\\", "0", "-", "e", ".", "\x00", "\x7f", "\ufeff", "\u200b", "\u202e", "\u00a0", "\u2028", "\xff", "\xc0\xaf", "//", "/**/", "'"}
	wrappings  = []string{" ", "\n", "\r\n\t", "\ufeff", "\u00a0", "\v", "\x00", "Here is the plan: ", "```", ";", ",", "{}", "null", "#", "<!-- -->", "\x1e"}
)

func place(t *rapid.T, b []byte) int {
	if len(b) < 2 {
		return 0
	}
	return rapid.IntRange(0, len(b)-1).Draw(t, "place")
}

// joints returns the places where white space may change nothing.
func joints(b []byte) []int {
	at := []int{0, len(b)}
	for i, c := range b {
		if bytes.IndexByte([]byte("{}[],:"), c) >= 0 {
			at = append(at, i, i+1)
		}
	}
	return at
}
