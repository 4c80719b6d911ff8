package intent

import (
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// number is a decimal number without a spelling: a sign, significant digits
// and a power of ten. Zero has no digits.
type number struct {
	negative bool
	digits   string
	exponent int
}

// decimal reads a JSON number's literal. Anything else equals no number.
func decimal(literal string) number {
	var n number
	mantissa, exp, scaled := strings.Cut(strings.ToLower(literal), "e")
	if scaled {
		e, err := strconv.Atoi(strings.TrimPrefix(exp, "+"))
		if err != nil {
			return number{digits: "?" + literal}
		}
		n.exponent = e
	}
	mantissa, n.negative = strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	n.exponent -= len(fraction)
	n.digits = strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(n.digits, "0")
	n.exponent += len(n.digits) - len(short)
	n.digits = short
	if short == "" {
		return number{}
	}
	return n
}

// said is a number as people write one, with a unit behind it: 5, -5, 5%, 5kg,
// 1,000, 1e3.
var said = lex.Pattern(`^([-+−]?)(\d{1,3}(?:[,'’_]\d{3})+|\d+)(\.\d+)?([eE][-+]?\d{1,3})?(%|km/h|m/s|°?\p{L}{0,3})$`)

// numeral is a token as a number.
type numeral struct {
	number
	respelled bool // the marks between thousands are left out
	percent   bool
	unit      string // the letters behind it
}

// numeralOf reads a token. Anything else equals no number.
func numeralOf(token string) numeral {
	if strings.Trim(token, "0123456789") == "" {
		return numeral{number: decimal(token)}
	}
	none := numeral{number: number{digits: "?"}}
	if first := token[0]; first > '9' && first < 0x80 { // most literals are names
		return none
	}
	m := said().FindStringSubmatch(token)
	if m == nil {
		return none
	}
	whole := strings.Join(strings.FieldsFunc(m[2], func(r rune) bool { return r < '0' || r > '9' }), "")
	sign := strings.TrimPrefix(strings.Replace(m[1], "−", "-", 1), "+")
	return numeral{decimal(sign + whole + m[3] + m[4]), whole != m[2], m[5] == "%", m[5]}
}
