package lexical

import (
	"math/big"
	"regexp"
	"strings"
	"sync"
)

// unit is a unit of measure. Its zero value is none.
type unit struct {
	dim    string   // what it measures
	factor *big.Rat // how many base units one is
}

func (u unit) known() bool { return u.factor != nil }

// units are the units that numbers are converted between: a question says
// 5ft 10in where a schema wants inches. Each line is a dimension, then a
// factor before the names that share it.
var units = buildUnits(
	"length 1 m meter meters metre metres | 1000 km kilometer kilometers kilometre kilometres | 0.01 cm centimeter centimeters centimetre centimetres | 0.001 mm millimeter millimeters | 1609.344 mi mile miles | 0.3048 ft foot feet | 0.0254 in inch inches | 0.9144 yd yard yards | 0.000000001 nm nanometer nanometers | 0.000001 μm micrometer micrometers micron microns",
	"mass 1 g gram grams | 1000 kg kgs kilogram kilograms | 0.001 mg milligram milligrams | 453.59237 lb lbs pound pounds | 28.349523125 oz ounce ounces | 1000000 ton tons tonne tonnes",
	"time 1 s sec secs second seconds | 0.001 ms millisecond milliseconds | 60 min mins minute minutes | 3600 h hr hrs hour hours | 86400 day days night nights | 604800 week weeks",
	"years 1 month months | 12 yr yrs year years | 120 decade decades | 1200 century centuries",
	"volume 1 l liter liters litre litres | 0.001 ml milliliter milliliters | 3.785411784 gal gallon gallons | 0.2365882365 cup cups | 0.00492892159375 tsp teaspoon teaspoons | 0.01478676478125 tbsp tablespoon tablespoons | 1000 m3 m^3",
	"area 1 m2 m^2 | 0.09290304 sqft sq.ft ft2 | 4046.8564224 acre acres | 10000 hectare hectares",
	"celsius 1 celsius °c", "fahrenheit 1 fahrenheit °f",
	"current 1 a amp amps ampere amperes | 0.001 ma milliamp milliamps",
	"voltage 1 v volt volts | 1000 kv kilovolt kilovolts | 0.001 mv millivolt millivolts",
	"power 1 w watt watts | 1000 kw kilowatt kilowatts | 1000000 mw megawatt megawatts",
	"energy 1 j joule joules | 1000 kj kilojoule kilojoules",
	"frequency 1 hz hertz | 1000 khz kilohertz | 1000000 mhz megahertz | 1000000000 ghz gigahertz",
	"capacitance 1 f farad farads | 0.000001 μf microfarad microfarads | 0.000000001 nf nanofarad nanofarads | 0.000000000001 pf picofarad picofarads",
	"inductance 1 henry henries | 0.001 mh millihenry millihenries",
	"resistance 1 ohm ohms ω | 1000 kohm kiloohm kiloohms",
	"pressure 1 pa pascal pascals | 1000 kpa kilopascal kilopascals | 101325 atm atms atmosphere atmospheres | 100000 bar bars",
	"charge 1 coulomb coulombs | 0.000001 μc microcoulomb microcoulombs | 0.000000001 nc nanocoulomb nanocoulombs",
	"data 1 byte bytes | 1000 kb kilobyte kilobytes | 1000000 mb megabyte megabytes | 1000000000 gb gigabyte gigabytes | 1024 kib | 1048576 mib | 1073741824 gib",
	"temperature 1 kelvin kelvins k", "angle 1 degree degrees deg °", "music 1 bpm", "amount 1 mol mole moles",
	"fuel 1 mpg", "dollars 1 usd dollar dollars $ us$", "euros 1 eur euro euros €", "sterling 1 gbp £",
)

func buildUnits(lines ...string) func() map[string]unit {
	return sync.OnceValue(func() map[string]unit {
		m := map[string]unit{}
		for _, line := range lines {
			dim, rest, _ := strings.Cut(line, " ")
			for _, group := range strings.Split(rest, " | ") {
				words := strings.Fields(group)
				factor, ok := new(big.Rat).SetString(words[0])
				if !ok {
					continue
				}
				for _, w := range words[1:] {
					m[w] = unit{dim, factor}
				}
			}
		}
		return m
	})
}

// A rate is not converted: "miles per hour" names two units and is neither.
var (
	inUnit      = pattern(`\b(?:in|number of) (?:the |degrees? )?([\p{L}μ°/]{2,})`)
	bracketUnit = pattern(`\(([\p{L}μ°/]{1,12})\)`)
	perUnit     = pattern(`\bper [a-z]+|[a-z]/[a-z]`)
)

// misleading are units that are more often something else in a name: check_in.
var misleading = set("in min second ms")

// unitOf is the unit that a parameter's name or description asks for.
func unitOf(name, hint string) unit {
	if words := splitName(name); len(words) > 0 {
		last := words[len(words)-1]
		if u, ok := units()[last]; ok && len(last) > 1 && !misleading()[last] {
			return u
		}
	}
	if perUnit().MatchString(firstWords(hint)) {
		return unit{}
	}
	head := firstWords(hint)
	for _, form := range []func() *regexp.Regexp{inUnit, bracketUnit} {
		for _, m := range form().FindAllStringSubmatch(head, 4) {
			if u, ok := units()[m[1]]; ok && m[1] != "in" && m[1] != "a" {
				return u
			}
		}
	}
	return unit{}
}
