package schema

import (
	stdjson "encoding/json"
	"iter"
	"maps"
	"slices"
)

// Bounds on the cost of one schema, whatever the value; [meter] bounds the cost of a
// value. Of 200 real tools the largest has 89 schemas, 13 levels, and 21 that one
// value may meet.
const (
	maxNodes   = 2_000  // schemas in the text
	maxDepth   = 64     // nesting, references followed
	maxEach    = 5_000  // evaluations of one value
	maxProgram = 20_000 // instructions of the patterns that one string meets
	maxNames   = 2_000  // of one required, because a validator compares them with each other
)

// maxWeight is how much memory a compiled schema may take, in bytes: 0.2 seconds of
// work. It bounds the sum over the whole schema, which the bounds above do not.
const maxWeight = 16 << 20

// The share of maxWeight that compiling takes, for both validators and the closed form
// together.
const (
	perText        = 8       // a byte of the text, in names and values
	perSchema      = 2 << 10 // a schema
	perNumber      = 1 << 10 // a number of an enum: a schema to the second validator
	perInstruction = 160     // an instruction of a pattern
)

// spend adds the weight of the compiled form of one place.
func (a *admission) spend(at string, bytes int) error {
	if a.weight += bytes; a.weight > maxWeight {
		return refuse(at, "the schema would take more than %d MiB once it is compiled, each repetition of a pattern written out", maxWeight>>20)
	}
	return nil
}

// cost is the cost of one value, at one place.
type cost struct{ evaluations, program int }

func (c cost) plus(d cost) cost {
	return cost{min(c.evaluations+d.evaluations, maxEach+1), min(c.program+d.program, maxProgram+1)}
}

func (c cost) or(d cost) cost {
	return cost{max(c.evaluations, d.evaluations), max(c.program, d.program)}
}

// load is the cost that a schema may cause for a value that is checked against it, and
// for any value below. It is a bound, not an estimate: every branch counts.
type load struct {
	here, below cost
	depth       int
}

// worst returns the highest cost of one value, at any place.
func (l load) worst() cost { return l.here.or(l.below) }

// loader adds up loads and follows references. Thirty definitions that each refer
// twice to the next are a small text and a thousand million evaluations. It remembers
// the loads of the targets. For a reference that leads back to its own place, only the
// cost of one value there counts: [meter] counts the depth of the value.
type loader struct {
	known map[*Node]load
	open  map[*Node]bool
	outer map[*Node]load // as known, without the values inside
	flat  bool           // whether the sum omits the values inside
}

func newLoader() loader {
	return loader{known: map[*Node]load{}, open: map[*Node]bool{}, outer: map[*Node]load{}}
}

func (l loader) of(n *Node) load {
	sum := load{here: cost{evaluations: 1}}
	m := n.checked()
	if m == nil {
		return sum
	}
	if values, ok := m["enum"].([]any); ok {
		sum.here = sum.here.plus(choice(values))
	}
	if p, ok := m["pattern"].(string); ok {
		sum.here.program = instructions(p)
	}
	deepest := 0
	add := func(part load) {
		sum.here, sum.below = sum.here.plus(part.here), sum.below.plus(part.below)
		deepest = max(deepest, part.depth)
	}
	for _, sub := range n.inPlace() {
		add(l.of(sub))
	}
	if n.to != nil {
		add(l.target(n.to))
	}
	if l.flat {
		sum.depth = 1 + deepest
		return sum
	}
	members, items := l.members(n), l.items(n)
	sum.below = sum.below.plus(members.here.or(items.here))
	sum.depth = 1 + max(deepest, members.depth, items.depth)
	return sum
}

// choice returns the cost of an enum. A number is a separate schema to the second
// validator; eight other values are compared in the time of one.
func choice(values []any) cost {
	n := numbers(values)
	return cost{evaluations: n + (len(values)-n)/8}
}

func numbers(values []any) int {
	n := 0
	for _, v := range values {
		if _, ok := v.(stdjson.Number); ok {
			n++
		}
	}
	return n
}

// members returns the load of one member: its own schema, all patterns, and the rest.
// gojsonschema compiles patterns again and compares every name.
func (l loader) members(n *Node) load {
	rest := l.all(n.One("additionalProperties"), n.One("propertyNames"))
	patterns := n.Named("patternProperties")
	for _, p := range slices.Sorted(maps.Keys(patterns)) { // in a fixed order, because a cycle is cut at its first node
		one := l.all(patterns[p])
		rest.here = rest.here.plus(one.here).plus(cost{32, instructions(p)})
		rest.depth = max(rest.depth, one.depth)
	}
	properties := n.Named("properties")
	var each []*Node
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		each = append(each, properties[name])
	}
	own := l.any(slices.Values(each))
	rest.here = rest.here.plus(own.here).plus(cost{evaluations: len(properties) / 256})
	rest.depth = max(rest.depth, own.depth)
	return rest
}

// items returns the load of one item.
func (l loader) items(n *Node) load {
	own, first, tested := l.all(n.One("items")), l.any(slices.Values(n.List("prefixItems"))), l.all(n.One("contains"))
	return load{here: own.here.or(first.here).plus(tested.here), depth: max(own.depth, first.depth, tested.depth)}
}

// all returns the load of a value that is checked against each of the schemas.
func (l loader) all(schemas ...*Node) load {
	var sum load
	for _, s := range schemas {
		if s != nil {
			one := l.of(s)
			sum = load{here: sum.here.plus(one.worst()), depth: max(sum.depth, one.depth)}
		}
	}
	return sum
}

// any returns the highest load of a value that has to fit one of the schemas.
func (l loader) any(schemas iter.Seq[*Node]) load {
	var most load
	for s := range schemas {
		one := l.of(s)
		most = load{here: most.here.or(one.worst()), depth: max(most.depth, one.depth)}
	}
	return most
}

func (l loader) target(n *Node) load {
	known, ok := l.known[n]
	switch {
	case ok:
		return known
	case l.open[n]:
		return loader{known: l.outer, flat: true}.of(n)
	case !l.flat:
		l.open[n] = true
		defer delete(l.open, n)
	}
	known = l.of(n)
	l.known[n] = known
	return known
}

// bounded refuses a schema that costs too much.
func (l load) bounded() error {
	switch c := l.worst(); {
	case c.evaluations > maxEach:
		return refuse("", "one value may meet more than %d schemas, references followed", maxEach)
	case c.program > maxProgram:
		return refuse("", "one value may meet patterns of more than %d instructions", maxProgram)
	case l.depth > maxDepth:
		return refuse("", "nested deeper than %d, references followed", maxDepth)
	}
	return nil
}
