package login

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/lex"
)

// seconds are a lifetime as servers write it: a JSON number, or its decimal text.
// Fractions are rounded down. Any other value is unknown and no error: it must not end a
// login after its code is spent.
type seconds struct {
	n     int64
	known bool
}

const (
	maxSeconds    = 1 << 53
	maxTextDigits = 18
)

var decimal = lex.Pattern(`^[0-9]+(\.[0-9]+)?$`)

// UnmarshalJSON accepts any value.
func (s *seconds) UnmarshalJSON(b []byte) error {
	*s = seconds{}
	text := string(b)
	switch jsontext.Value(b).Kind() {
	case '0':
	case '"':
		unquoted, err := jsontext.AppendUnquote(nil, b)
		text = string(unquoted)
		if err != nil || !decimal().MatchString(text) || len(strings.Replace(text, ".", "", 1)) > maxTextDigits {
			return nil //nolint:nilerr // it is unknown
		}
	default:
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || math.Signbit(n) {
		return nil
	}
	*s = seconds{int64(min(n, maxSeconds)), true}
	return nil
}

// errExpired is an answer that has expired when it arrives.
var errExpired = errors.New("the server issued an expired token")

// over reports whether the lifetime is known to be zero.
func (s seconds) over() bool { return s.known && s.n == 0 }
