package speech

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// Number is a decimal number without a spelling: a sign, significant digits and a
// power of ten. Zero has no digits. Numbers that are equal are the same value.
type Number struct {
	Negative bool
	Digits   string
	Exponent int
}

// none begins the digits of a text that is not a number.
const none = "?"

// Is reports whether a text was read as a number.
func (n Number) Is() bool { return !strings.HasPrefix(n.Digits, none) }

// Decimal reads a JSON number's literal. Anything else equals no number.
func Decimal(literal string) Number {
	var n Number
	mantissa, exp, scaled := strings.Cut(strings.ToLower(literal), "e")
	if scaled {
		e, err := strconv.Atoi(strings.TrimPrefix(exp, "+"))
		if err != nil {
			return Number{Digits: none + literal}
		}
		n.Exponent = e
	}
	mantissa, n.Negative = strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	n.Exponent -= len(fraction)
	n.Digits = strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(n.Digits, "0")
	n.Exponent += len(n.Digits) - len(short)
	n.Digits = short
	if short == "" {
		return Number{}
	}
	return n
}

// Scaled is the number times a power of ten.
func (n Number) Scaled(e int) Number {
	if n.Digits != "" {
		n.Exponent += e
	}
	return n
}

// andHalf is a whole number and a half.
func (n Number) andHalf() Number {
	if n.Exponent < 0 || n.Exponent > maxExponent {
		return Number{Digits: none}
	}
	return Number{n.Negative, strings.TrimLeft(n.Digits+strings.Repeat("0", n.Exponent)+"5", "0"), -1}
}

// The largest numbers for calculations.
const (
	maxDigits   = 30
	maxExponent = 30
)

// Rational is the number, nil if it is too long for calculations.
func (n Number) Rational() *big.Rat {
	if len(n.Digits) > maxDigits || max(n.Exponent, -n.Exponent) > maxExponent || !n.Is() {
		return nil
	}
	sign := ""
	if n.Negative {
		sign = "-"
	}
	r, _ := new(big.Rat).SetString(sign + cmp.Or(n.Digits, "0") + "e" + strconv.Itoa(n.Exponent))
	return r
}

// numeralForm is a number as people write one, with a unit behind it: 5, -5, 5%,
// 5kg, 1,000, 1e3.
var numeralForm = lex.Pattern(`^([-+−]?)(\d{1,3}(?:[,'’_]\d{3})+|\d+)(\.\d+)?([eE][-+]?\d{1,3})?(%|km/h|m/s|°?\p{L}{0,3})$`)

// numeral is a token as a number.
type numeral struct {
	Number
	parted bool   // there were marks between thousands
	unit   string // the letters behind it
}

// numeralOf reads a token. A token that is not a number has the digits of none.
func numeralOf(token string) numeral {
	if strings.Trim(token, "0123456789") == "" {
		return numeral{Number: Decimal(token)}
	}
	if first := token[0]; first > '9' && first < 0x80 { // most literals are names
		return numeral{Number: Number{Digits: none}}
	}
	m := numeralForm().FindStringSubmatch(token)
	if m == nil {
		return numeral{Number: Number{Digits: none}}
	}
	whole := strings.Join(strings.FieldsFunc(m[2], func(r rune) bool { return r < '0' || r > '9' }), "")
	sign := strings.TrimPrefix(strings.Replace(m[1], "−", "-", 1), "+")
	return numeral{Decimal(sign + whole + m[3] + m[4]), whole != m[2], m[5]}
}
