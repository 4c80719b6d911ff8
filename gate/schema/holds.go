package schema

// Holding says what schemas the value of a keyword holds.
type Holding int

// The ways in which a keyword holds schemas.
const (
	HoldsNone  Holding = iota // a value, or a keyword that nothing here knows
	HoldsOne                  // additionalProperties, items, not …
	HoldsList                 // allOf, anyOf, oneOf, prefixItems
	HoldsNamed                // properties, patternProperties, $defs …
)

// Holds is for who walks a schema: what looks like a keyword below a property's
// name, in a default or in an enum is not one.
func Holds(keyword string) Holding {
	switch keywords[keyword].shape {
	case one:
		return HoldsOne
	case list:
		return HoldsList
	case named, defs:
		return HoldsNamed
	}
	return HoldsNone
}
