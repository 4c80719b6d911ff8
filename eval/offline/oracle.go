package offline

import (
	"math/big"
	"reflect"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// sameJSON reports whether two texts are JSON values with the same meaning. Members
// may have any order, strings are compared by their characters and numbers by their
// exact value. Only white space may be around a value, and no name may occur twice. It
// is the oracle of generated plans, and shares no code with the gates' reader: two
// readers would have to be wrong in the same way. It bounds nothing, because it reads
// only texts of this package or of a case file.
func sameJSON(a, b []byte) bool {
	x, okay := readJSON(string(a))
	y, also := readJSON(string(b))
	return okay && also && reflect.DeepEqual(x, y)
}

// number is a number's exact value in lowest terms.
type number string

// readJSON reads RFC 8259 with unique names. It returns nil, bool, number, string,
// []any and map[string]any.
func readJSON(s string) (v any, ok bool) {
	if !utf8.ValidString(s) {
		return nil, false
	}
	r := &oracle{rest: s}
	v = r.value()
	r.space()
	return v, !r.broken && r.rest == ""
}

type oracle struct {
	rest   string
	broken bool
}

func (o *oracle) fail() any {
	o.broken, o.rest = true, ""
	return nil
}

func (o *oracle) space() { o.rest = strings.TrimLeft(o.rest, " \t\r\n") }

func (o *oracle) next(token string) bool {
	o.space()
	rest, found := strings.CutPrefix(o.rest, token)
	o.rest = rest
	return found
}

func (o *oracle) value() any {
	switch {
	case o.next("{"):
		return o.object()
	case o.next("["):
		return o.array()
	case o.next(`"`):
		return o.string()
	case o.next("null"):
		return nil
	case o.next("true"):
		return true
	case o.next("false"):
		return false
	}
	return o.number()
}

func (o *oracle) object() any {
	m := map[string]any{}
	if o.next("}") {
		return m
	}
	for !o.broken {
		if !o.next(`"`) {
			return o.fail()
		}
		name := o.string()
		if _, twice := m[name]; twice || !o.next(":") {
			return o.fail()
		}
		m[name] = o.value()
		if o.next("}") {
			return m
		}
		if !o.next(",") {
			return o.fail()
		}
	}
	return nil
}

func (o *oracle) array() any {
	a := []any{}
	if o.next("]") {
		return a
	}
	for !o.broken {
		a = append(a, o.value())
		if o.next("]") {
			return a
		}
		if !o.next(",") {
			return o.fail()
		}
	}
	return nil
}

// string reads the text after the opening quotation mark.
func (o *oracle) string() string {
	var b strings.Builder
	for o.rest != "" {
		r, n := utf8.DecodeRuneInString(o.rest)
		o.rest = o.rest[n:]
		switch {
		case r == '"':
			return b.String()
		case r < 0x20:
			o.fail()
		case r == '\\':
			b.WriteRune(o.escape())
		default:
			b.WriteRune(r)
		}
	}
	o.fail()
	return ""
}

func (o *oracle) escape() rune {
	const plain, means = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if o.rest == "" {
		return 0
	}
	c := o.rest[0]
	o.rest = o.rest[1:]
	if i := strings.IndexByte(plain, c); i >= 0 {
		return rune(means[i])
	}
	if c != 'u' {
		o.fail()
		return 0
	}
	r := o.hex()
	if !utf16.IsSurrogate(r) {
		return r
	}
	if !strings.HasPrefix(o.rest, `\u`) {
		o.fail()
		return 0
	}
	o.rest = o.rest[2:]
	if r = utf16.DecodeRune(r, o.hex()); r == utf8.RuneError {
		o.fail()
	}
	return r
}

func (o *oracle) hex() rune {
	r := rune(0)
	for range 4 {
		if o.rest == "" {
			o.fail()
			return 0
		}
		digit := strings.IndexByte("0123456789abcdefABCDEF", o.rest[0])
		if digit < 0 {
			o.fail()
			return 0
		}
		if digit >= 16 {
			digit -= 6
		}
		r, o.rest = r<<4|rune(digit), o.rest[1:]
	}
	return r
}

// number reads -?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?, and refuses a number that would
// take long to write out.
func (o *oracle) number() any {
	from := o.rest
	o.one("-")
	if !o.one("0") && o.digits() == 0 {
		return o.fail()
	}
	if o.one(".") && o.digits() == 0 {
		return o.fail()
	}
	if o.one("eE") {
		o.one("+-")
		if n := o.digits(); n == 0 || n > 4 {
			return o.fail()
		}
	}
	literal := from[:len(from)-len(o.rest)]
	if o.broken || literal == "" {
		return o.fail()
	}
	v, ok := new(big.Rat).SetString(literal)
	if !ok {
		return o.fail()
	}
	return number(v.RatString())
}

func (o *oracle) one(of string) bool {
	if o.rest == "" || strings.IndexByte(of, o.rest[0]) < 0 {
		return false
	}
	o.rest = o.rest[1:]
	return true
}

func (o *oracle) digits() int {
	rest := strings.TrimLeft(o.rest, "0123456789")
	n := len(o.rest) - len(rest)
	o.rest = rest
	return n
}
