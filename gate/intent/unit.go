package intent

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
)

// unit is what a word measures in: a value is (v+offset)*factor in the base of
// its dimension.
type unit struct {
	dimension, name string
	factor, offset  *big.Rat
	loose           bool // two readings: a kB is 1000 or 1024 bytes
}

// units are the words of units; a word may be one of several dimensions. Each
// unit is its factor and its names, the first of which is what it is called.
var units = sync.OnceValue(func() map[string][]unit {
	m := map[string][]unit{}
	for _, line := range strings.Split(`time|0.001 ms millisecond milliseconds msec|1 s sec secs second seconds|60 min mins minute minutes|3600 h hr hrs hour hours|86400 d day days|604800 week weeks|1209600 fortnight fortnights
months|1 month months|3 quarter quarters|12 year years yr yrs
length|0.001 mm millimeter millimeters millimetres|0.01 cm centimeter centimeters centimetres|1 m meter meters metre metres|1000 km kilometer kilometers kilometre kilometres|1609.344 mi mile miles|0.3048 ft foot feet|0.0254 inch inches|0.9144 yd yard yards
mass|0.001 mg milligram milligrams|1 g gram grams|1000 kg kilo kilos kilogram kilograms|1000000 t ton tons tonne tonnes|453.59237 lb lbs pound pounds|28.349523125 oz ounce ounces
volume|0.001 ml milliliter milliliters millilitres|1 l liter liters litre litres|3.785411784 gallon gallons
speed|1 km/h kmh kph|1.609344 mph|3.6 m/s
temperature|1+273.15 c °c celsius centigrade|5/9+459.67 f °f fahrenheit|1 kelvin
bytes|1 byte bytes|1024 kib kibibytes|1048576 mib mebibytes|1073741824 gib gibibytes|1099511627776 tib tebibytes|1000~ kb kilobyte kilobytes|1000000~ mb megabyte megabytes|1000000000~ gb gigabyte gigabytes|1000000000000~ tb terabyte terabytes
usd|1 usd $ dollar dollars|0.01 cent cents
eur|1 eur € euro euros|0.01 cent cents
gbp|1 gbp £ pound pounds|0.01 pence penny`, "\n") {
		dimension, rest, _ := strings.Cut(line, "|")
		for _, one := range strings.Split(rest, "|") {
			words := strings.Fields(one)
			factor, offset, _ := strings.Cut(strings.TrimSuffix(words[0], "~"), "+")
			u := unit{dimension: dimension, name: words[1], factor: ratio(factor), offset: ratio("0" + offset), loose: strings.HasSuffix(words[0], "~")}
			for _, w := range words[1:] {
				m[w] = append(m[w], u)
			}
		}
	}
	return m
})

func ratio(s string) *big.Rat {
	r, _ := new(big.Rat).SetString(s)
	return r
}

// to converts a value into another unit of its dimension.
func (u unit) to(v *big.Rat, into unit) *big.Rat {
	base := new(big.Rat).Mul(new(big.Rat).Add(v, u.offset), u.factor)
	return base.Sub(base.Quo(base, into.factor), into.offset)
}

// Convert gives a value in another unit, nil where the units have several
// readings or cannot be compared, and where people would round.
func Convert(v *big.Rat, from, to string) *big.Rat {
	a, b := units()[from], units()[to]
	if len(a) != 1 || len(b) != 1 || a[0].dimension != b[0].dimension || a[0].loose || b[0].loose || a[0].rounds() {
		return nil
	}
	return a[0].to(v, b[0])
}

// rounds reports whether people round what is converted between units of this dimension.
func (u unit) rounds() bool {
	return slices.Contains([]string{"length", "mass", "volume", "speed", "temperature"}, u.dimension)
}

// measured finds a unit in a description: "in minutes", "(ms)", "number of seconds".
var measured = lex.Pattern(`(?i)(?:^|\bin |\bof |\bmany |: |\()(?:degrees |whole |full )?(°?\pL+(?:/\pL+)?)`)

// unit is that of a parameter, as the last word of its name says, or its
// description; none where they say none, or several.
func (l *leaf) unit() []unit {
	words := strings.Split(snake(l.name()), "_")
	if last := words[len(words)-1]; len(words) > 1 || len(last) > 2 {
		if u := units()[last]; u != nil {
			return u
		}
	}
	var found []unit
	for _, n := range l.at.nodes {
		for _, m := range measured().FindAllStringSubmatch(description(n), 8) {
			u := units()[strings.ToLower(m[1])]
			if len(u) > 0 && len(found) > 0 && u[0].name != found[0].name {
				return nil
			} else if len(u) > 0 && len(m[1]) > 1 {
				found = u
			}
		}
	}
	return found
}

// maxDescription is how much of a parameter's description is read.
const maxDescription = 512

func description(n *schema.Node) string {
	v, _ := n.Value("description")
	s, _ := v.(string)
	return s[:min(len(s), maxDescription)]
}

// rational is the number, nil where it is too long to reckon with.
func (n number) rational() *big.Rat {
	if len(n.digits) > 30 || n.exponent > 30 || n.exponent < -30 || strings.HasPrefix(n.digits, "?") {
		return nil
	}
	r, ok := new(big.Rat).SetString(cmp.Or(n.digits, "0"))
	if !ok {
		return nil
	}
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n.exponent, -n.exponent))), nil))
	if n.exponent < 0 {
		scale.Inv(scale)
	}
	if r.Mul(r, scale); n.negative {
		r.Neg(r)
	}
	return r
}

// in is the quantity in a parameter's unit, nil where it is in that unit already or
// the two cannot be compared. A loose unit has two readings, which is none.
func (q *quantity) in(into []unit) (want *big.Rat, u unit) {
	for _, from := range q.units {
		for _, to := range into {
			v := q.value.rational()
			if from.dimension != to.dimension || v == nil || from.name == to.name && q.added == nil {
				continue
			}
			want = from.to(v, to)
			if q.added != nil {
				want.Add(want, new(big.Rat).Quo(q.added, to.factor))
			}
			if from.loose || to.loose {
				return nil, unit{dimension: "loose"}
			}
			return want, to
		}
	}
	return nil, unit{}
}

// about reports whether a literal is a rational number, or that as people round it.
func about(literal string, want *big.Rat, rounds bool) bool {
	v := decimal(literal).rational()
	if v == nil || v.Cmp(want) == 0 {
		return v != nil
	}
	_, fraction, _ := strings.Cut(literal, ".")
	return rounds && !strings.ContainsAny(literal, "eE") && len(fraction) < 6 && want.FloatString(len(fraction)) == strings.TrimPrefix(literal, "+")
}
