package summarize

import (
	"math/big"
	"strings"
	"sync"
)

// fact is a number, date, identifier or name, in one spelling.
type fact struct{ kind, value, unit string }

// unitNames give units one spelling. They tie a number to what it counts.
var unitNames = spelled(`% percent pct|$ usd dollar dollars bucks|€ eur euro euros|£ gbp pound pounds|¥ jpy yen|chf franc francs|inr rupee rupees ₹|cny yuan rmb
	ms millisecond milliseconds|s sec secs second seconds|min mins minute minutes|h hr hrs hour hours|d day days|week weeks wk wks
	month months mo|year years yr yrs|decade decades|century centuries|mg milligram milligrams|µg mcg ug microgram micrograms|g gram grams|kg kilogram kilograms kilo kilos|t ton tons tonne tonnes
	lb lbs|oz ounce ounces|mm millimeter millimeters millimetre millimetres|cm centimeter centimeters centimetre centimetres
	m meter meters metre metres|km kilometer kilometers kilometre kilometres|mi mile miles|ft foot feet|inch inches|yd yard yards
	ml milliliter milliliters millilitre millilitres|l liter liters litre litres|gal gallon gallons|mph|km/h kph|°c celsius|°f fahrenheit|° degree degrees
	bit bits|byte bytes|kb kilobyte kilobytes|mb megabyte megabytes|gb gigabyte gigabytes|tb terabyte terabytes|kib|mib|gib|tib|kbps|mbps|gbps
	hz hertz|khz|mhz|ghz|w watt watts|kw kilowatt kilowatts|mw megawatt megawatts|kwh|mwh|v volt volts|a amp amps|bar|kpa|psi|cal calories|kcal|bp basis-points|people persons person|ago|times x|am a.m|pm p.m|dozen`)

// spelled maps every spelling in a |-separated list of groups to the first of its group.
func spelled(groups string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		m := map[string]string{}
		for group := range strings.SplitSeq(groups, "|") {
			names := strings.Fields(group)
			for _, n := range names {
				m[n] = names[0]
			}
		}
		return m
	})
}

var (
	cardinals = values(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
		sixteen seventeen eighteen nineteen`, 1)
	tens     = values(`- ten twenty thirty forty fifty sixty seventy eighty ninety`, 10)
	scales   = map[string]int64{"hundred": 100, "thousand": 1e3, "million": 1e6, "mln": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12}
	ordinals = values(`zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
		fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth`, 1)
	fractions = map[string]string{
		"half": "1/2", "halves": "1/2", "quarter": "1/4", "quarters": "1/4", "thirds": "1/3", "fifths": "1/5",
		"¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "1⁄4": "1/4", "1⁄2": "1/2", "3⁄4": "3/4", "1⁄3": "1/3", "2⁄3": "2/3",
	}
)

func values(names string, step int64) func() map[string]int64 {
	return sync.OnceValue(func() map[string]int64 {
		m := map[string]int64{}
		for i, n := range strings.Fields(names) {
			m[n] = int64(i) * step
		}
		return m
	})
}

// numeric reports whether a word is a number or part of one.
func numeric(w word) bool {
	if w.digit() {
		return true
	}
	_, word := small(w.key)
	return word || scales[w.key] > 0 || ordinals()[w.key] > 0 || fractions[w.key] != ""
}

// small is the value of a number word below a hundred.
func small(k string) (int64, bool) {
	if a, b, found := strings.Cut(k, "-"); found && tens()[a] > 0 && cardinals()[b] > 0 {
		return tens()[a] + cardinals()[b], true
	}
	if n := tens()[k]; n > 0 {
		return n, true
	}
	n, ok := cardinals()[k]
	return n, ok
}

// figure is a number in digits: a sign, a currency, grouped digits or plain
// ones, a decimal part, and a percent sign, a currency or a unit behind it.
var figure = pattern(`^([-+−]?)([$€£¥₹]?)([-+−]?)(\d{1,3}(?:,\d{3})+|\d+)?(\.\d+)?(st|nd|rd|th|%|[$€£¥₹]|[a-zµ°][a-z°/]*)?$`)

// numberAt reads the number that begins at ws[i] and returns how many words it
// takes; none if the word is no number, or one that has to stand as it is.
func numberAt(ws []word, i int) (fact, int) {
	if f, n := spelledOut(ws, i); n > 0 {
		return f, n
	}
	m := figure().FindStringSubmatch(ws[i].key)
	if m == nil || m[4] == "" && m[5] == "" {
		return fact{}, 0
	}
	lit := strings.NewReplacer("+", "", "−", "-").Replace(m[1]+m[3]) + strings.ReplaceAll(m[4], ",", "") + m[5]
	v, ok := new(big.Rat).SetString(lit)
	if !ok || len(lit) > 64 {
		return fact{}, 0
	}
	switch m[6] {
	case "st", "nd", "rd", "th":
		return fact{"ordinal", v.RatString(), ""}, 1
	case "":
		return counted(ws, i, 1, v, unitNames()[m[2]])
	}
	unit := unitNames()[m[6]]
	if unit == "" || m[2] != "" {
		return fact{}, 0 // 5k, 3rd-party, $5m: an identifier
	}
	return fact{"number", v.RatString(), unit}, 1
}

// spelledOut reads a number in words: "twenty one", "three hundred and five",
// "half", "third".
func spelledOut(ws []word, i int) (fact, int) {
	if n := ordinals()[ws[i].key]; n > 0 {
		return fact{"ordinal", big.NewRat(n, 1).RatString(), ""}, 1
	}
	if f := fractions[ws[i].key]; f != "" {
		v, _ := new(big.Rat).SetString(f)
		return counted(ws, i, 1, v, "")
	}
	total, n := int64(0), 0
	for ; i+n < len(ws) && n < 16; n++ {
		k := ws[i+n].key
		v, ok := small(k)
		switch {
		case ok && (n == 0 || !ws[i+n].sep && (total >= 100 && total%100 == 0 || total%10 == 0 && total%100 >= 20 && v > 0 && v < 10)):
			total += v
			continue
		case n > 0 && k == "hundred" && total < 100:
			total *= 100
			continue
		case n > 0 && k == "and" && i+n+1 < len(ws) && total >= 100:
			if _, more := small(ws[i+n+1].key); more {
				continue
			}
		}
		break
	}
	if n == 0 {
		return fact{}, 0
	}
	return counted(ws, i, n, new(big.Rat).SetInt64(total), "")
}

// counted adds the scale and the unit that follow a number.
func counted(ws []word, i, n int, v *big.Rat, unit string) (fact, int) {
	for i+n < len(ws) && !ws[i+n].sep && scales[ws[i+n].key] > 0 {
		v.Mul(v, new(big.Rat).SetInt64(scales[ws[i+n].key]))
		n++
	}
	if i > 0 && !ws[i].sep && (ws[i-1].key == "minus" || ws[i-1].key == "negative") {
		v.Neg(v)
	}
	if unit == "" && i > 0 && !ws[i].sep && len(ws[i-1].key) == 3 {
		unit = unitNames()[ws[i-1].key] // EUR 10
	}
	if unit == "" && i+n < len(ws) && !ws[i+n].sep {
		if u := unitNames()[ws[i+n].key]; u != "" {
			return fact{"number", v.RatString(), u}, n + 1
		}
	}
	return fact{"number", v.RatString(), unit}, n
}
