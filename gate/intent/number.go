package intent

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// number is a decimal number without a spelling: a sign, significant digits
// and a power of ten. Zero has no digits.
type number struct {
	negative bool
	digits   string
	exponent int
}

// decimal reads a JSON number's literal. What is none is no number's equal.
func decimal(literal string) number {
	mantissa, exp, _ := strings.Cut(strings.ToLower(literal), "e")
	e, err := strconv.Atoi(strings.TrimPrefix(exp, "+"))
	if exp != "" && err != nil {
		return number{digits: "?" + literal}
	}
	n := number{exponent: e}
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
var said = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([-+−]?)(\d{1,3}(?:[,'’_]\d{3})+|\d+)(\.\d+)?(?:[eE]([-+]?\d{1,3}))?(%|°?\p{L}{0,3})$`)
})

// numberIn reports whether a token is a number literal of that value: exactly,
// its unit apart; or once a percentage is divided or the marks between
// thousands are left out.
func numberIn(token string, want number) (equal, exact bool) {
	if first := token[0]; first > '9' && first < 0x80 { // most literals are names
		return false, false
	}
	m := said().FindStringSubmatch(token)
	if m == nil {
		return false, false
	}
	whole := strings.Map(digit, m[2])
	sign := strings.TrimPrefix(strings.Replace(m[1], "−", "-", 1), "+")
	has := decimal(sign + whole + m[3] + exponent(m[4]))
	if has == want {
		return true, whole == m[2]
	}
	if has.exponent -= 2; m[5] == "%" && has.digits != "" && has == want {
		return true, false
	}
	return false, false
}

// digit leaves out the marks between thousands.
func digit(r rune) rune {
	if r < '0' || r > '9' {
		return -1
	}
	return r
}

func exponent(digits string) string {
	if digits == "" {
		return ""
	}
	return "e" + digits
}
