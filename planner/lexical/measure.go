package lexical

import (
	"slices"
	"sync"
)

// leads stand before how many results are wanted: top 3, limit 10.
var leads = set("top first limit max maximum up")

// units compares the unit of a number with that of the slot.
func (s *slot) units(n number) float64 {
	switch {
	case !n.unit.known() || n.money:
		return 0
	case s.unit.known() && s.unit.dim == n.unit.dim:
		return 3
	case s.unit.known() && !alike(s.unit.dim, n.unit.dim):
		return -4
	case s.unit.known():
		return 0
	}
	return s.measures(n.unit.dim)
}

// measured says which quantities names speak of, by the dimension of their
// units.
var measured = sync.OnceValue(func() map[string]map[string]bool {
	m := map[string]map[string]bool{}
	for dim, list := range map[string]string{
		"length": "length distance height width radius diameter depth side altitude elevation base thickness wavelength size",
		"mass":   "mass weight", "time": "time duration period interval hours minutes seconds days weeks nights",
		"years": "time duration period term years months age", "volume": "volume capacity", "area": "area",
		"temperature": "temperature", "celsius": "temperature", "fahrenheit": "temperature",
		"current": "current", "voltage": "voltage potential", "power": "power", "energy": "energy work heat",
		"frequency": "frequency", "pressure": "pressure", "charge": "charge", "resistance": "resistance", "angle": "angle",
		"amount": "quantity amount moles",
	} {
		m[dim] = stems(list)()
	}
	return m
})

// measures compares the dimension of a unit with the quantity that the slot's
// name speaks of, where it speaks of one.
func (s *slot) measures(dim string) float64 {
	if slices.ContainsFunc(s.name, func(n string) bool { return measured()[dim][n] }) {
		return 2
	}
	for other, names := range measured() {
		if other != dim && !alike(other, dim) && slices.ContainsFunc(s.name, func(n string) bool { return names[n] }) {
			return -2
		}
	}
	return 0
}

// alike reports dimensions that words mix: months and days are both times.
func alike(a, b string) bool {
	return likeness[a] != "" && likeness[a] == likeness[b]
}

var likeness = map[string]string{
	"time": "time", "years": "time",
	"angle": "degrees", "celsius": "degrees", "fahrenheit": "degrees", "temperature": "degrees",
}

// bounds is what "under 400" and "at least 3" say of the slot.
func bounds(s *slot, v *value) float64 {
	switch v.prep {
	case "under", "below", "than", "to":
		return pick(s.wants.maximum, 1.5, 0)
	case "above", "over", "from", "between":
		return pick(s.wants.minimum, 1.5, 0)
	}
	return 0
}
