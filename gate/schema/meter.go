package schema

import (
	"cmp"
	stdjson "encoding/json"
	"strings"
)

// maxWork bounds one check, in steps of a tenth of a microsecond: a second, on
// a machine of 2026. A typical call's arguments take a few hundred.
const maxWork = 10_000_000

// The validators' costs, in steps.
//
// The price of an evaluation, and of everything else that can find a fault, includes
// the price of the fault: the validators keep a reason of some 400 bytes for each one.
// So maxWork bounds their memory too.
const (
	evaluation = 30  // one value checked against one schema, or one more reason why it does not fit
	expanded   = 100 // a number with an exponent, which may be 300 digits, and what it is compared with
	again      = 30  // a pattern compiled again, in addition to 3 for each instruction
	perLength  = 40  // bytes of a string, or of a path, copied in a step
	perRead    = 4   // bytes written out as JSON, or counted, in a step
	perRun     = 6   // bytes that one instruction of a pattern sees in a step
)

// maxFormatted bounds a string with a format, in bytes. Real ones are far shorter, and
// every schema with a format would read a longer one once more.
const maxFormatted = 64 << 10

// formatPrograms are the costs of formats, as instructions of a pattern.
var formatPrograms = map[string]int{"date": 1, "date-time": 20, "email": 20, "int32": 1, "json": 10, "uri": 40, "uuid": 20}

// meter adds up what checking a value against a schema may cost, before the check. It
// goes where the validators go, takes every branch, and gives up when the work is too
// much. A product of a bound on the schema and a bound on the value would refuse long
// texts because of a pattern at another place.
type meter struct {
	programs map[string]int // by pattern
	left     int
}

// affordable reports whether a check stays within maxWork.
func (v *validator) affordable(value any) bool {
	m := meter{v.programs, maxWork}
	m.hold(v.root, value, 0)
	return m.left >= 0
}

func (m *meter) spend(steps int) bool {
	m.left = max(m.left-steps, -1)
	return m.left >= 0
}

// spot is the place of a value, as the length of its path. Every reason names that
// path.
type spot int

func (p spot) below(name int) spot { return p + spot(name) }

func (p spot) price() int { return evaluation + int(p)/perLength }

// hold adds the cost of checking v against n.
func (m *meter) hold(n *Node, v any, at spot) {
	k := n.checked()
	if !m.spend(at.price()) || k == nil {
		return
	}
	m.compare(k, v)
	switch v := v.(type) {
	case string:
		m.text(k, v, at)
	case stdjson.Number:
		m.number(k, v, at)
	case []any:
		m.items(n, k, v, at)
	case map[string]any:
		m.members(n, k, v, at)
	}
	for _, sub := range n.inPlace() {
		m.hold(sub, v, at)
	}
	if n.to != nil {
		m.hold(n.to, v, at)
	}
}

// compare adds the cost of comparing v with values of the schema. Both are written
// out, and to the second validator a number of an enum is a separate schema.
func (m *meter) compare(k map[string]any, v any) {
	if c, ok := k["const"]; ok {
		m.read(c, 1)
		m.read(v, 1)
	}
	values, ok := k["enum"].([]any)
	if !ok {
		return
	}
	m.read(values, 1)
	m.read(v, 1)
	for _, c := range values {
		if _, ok := c.(stdjson.Number); ok {
			m.spend(evaluation)
		}
	}
}

// read adds the cost of reading all of v so many times.
func (m *meter) read(v any, times int) {
	size := 16
	switch v := v.(type) {
	case string:
		size += len(v)
	case stdjson.Number:
		size += 8 + len(v)
	case []any:
		for i := 0; i < len(v) && m.left >= 0; i++ {
			m.read(v[i], times)
		}
	case map[string]any:
		for name, e := range v {
			if !m.spend(times * (8 + len(name)) / perRead) {
				return
			}
			m.read(e, times)
		}
	}
	m.spend(times * size / perRead)
}

// sizes adds the prices of the two keywords that bound a size.
func (m *meter) sizes(k map[string]any, at spot, least, most string) {
	for _, key := range []string{least, most} {
		if k[key] != nil {
			m.spend(at.price())
		}
	}
}

func (m *meter) text(k map[string]any, s string, at spot) {
	m.spend(len(s) / perLength)
	m.sizes(k, at, "minLength", "maxLength")
	if k["minLength"] != nil || k["maxLength"] != nil {
		m.spend(len(s) / perRead / 4)
	}
	if p, ok := k["pattern"].(string); ok {
		m.spend(at.price() + len(p)/perLength + m.programs[p]*len(s)/perRun)
	}
	if f, ok := k["format"].(string); ok && len(s) <= maxFormatted {
		m.spend(formatPrograms[f] * len(s) / perRun)
	}
}

func (m *meter) number(k map[string]any, n stdjson.Number, at spot) {
	for _, key := range []string{"type", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		if bound, ok := k[key]; ok {
			m.spend(at.price())
			if limit, _ := bound.(stdjson.Number); strings.ContainsAny(limit.String()+n.String(), "eE") {
				m.spend(expanded)
			}
		}
	}
}

// longestIndex is more than the digits of an item's index.
const longestIndex = 8

func (m *meter) items(n *Node, k map[string]any, a []any, at spot) {
	m.spend(len(a) / 4)
	m.sizes(k, at, "minItems", "maxItems")
	if k["uniqueItems"] == true {
		times := 2
		if len(a) <= 20 {
			times = 50 // every item is compared with every other
		}
		m.spend(len(a) * evaluation)
		m.read(a, times)
	}
	below := at.below(longestIndex)
	prefix := n.List("prefixItems")
	first := min(len(prefix), len(a))
	for i := range first {
		m.each(prefix[i], a[i:i+1], below)
	}
	m.each(n.One("items"), a[first:], below)
	m.each(n.One("contains"), a, below)
}

func (m *meter) each(s *Node, a []any, at spot) {
	for i := 0; s != nil && i < len(a) && m.left >= 0; i++ {
		m.hold(s, a[i], at)
	}
}

func (m *meter) members(n *Node, k, o map[string]any, at spot) {
	properties, patterns := n.Named("properties"), n.Named("patternProperties")
	names, rest := n.One("propertyNames"), n.One("additionalProperties")
	required, _ := k["required"].([]any)
	m.sizes(k, at, "minProperties", "maxProperties")
	m.spend(len(o) + len(properties)/4 + len(o)*len(properties)/16 + len(required))
	for _, name := range required {
		if _, ok := o[name.(string)]; !ok {
			m.spend(at.below(len(name.(string))).price())
		}
	}
	if properties == nil && patterns == nil && rest == nil && names == nil {
		return // nothing reads them one by one
	}
	for name, v := range o {
		if !m.spend(len(name) / perLength) {
			return
		}
		below := at.below(len(name))
		if names != nil {
			m.spend(below.price())
			m.hold(names, name, below)
		}
		for p, s := range patterns {
			m.spend(again + m.programs[p]*(4+len(name)/perRun))
			m.hold(s, v, below)
		}
		if s := cmp.Or(properties[name], rest); s != nil {
			m.hold(s, v, below)
		}
	}
}

// programs returns the sizes of all patterns of a schema.
func programs(n *Node, all map[string]int) map[string]int {
	if p, ok := n.checked()["pattern"].(string); ok {
		all[p] = program(p)
	}
	for p := range n.Named("patternProperties") {
		all[p] = program(p)
	}
	for _, sub := range n.order {
		programs(sub, all)
	}
	return all
}
