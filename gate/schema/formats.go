package schema

import (
	stdjson "encoding/json"
	"maps"
	"math/big"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/xeipuuv/gojsonschema"

	"github.com/onestep-run/onestep/gate/lex"
)

// formats are the enforced formats, in every draft and at every place. A format says
// nothing about values of another type.
var formats = map[string]func(string) bool{
	"date":      isDate,
	"date-time": isDateTime,
	"email":     isEmail,
	"int32":     isInt32,
	"json":      isJSON,
	"uri":       isURI,
	"uuid":      isUUID,
}

// unzoned is a date-time that may lack its offset from UTC. No schema can ask for this
// format. See [Validator.CheckUnzoned].
const unzoned = "onestep date-time without an offset"

// checked returns the check of a format, or nil for any other format.
func checked(format string) func(string) bool {
	if format == unzoned {
		return func(s string) bool { return isDateTime(s) || isDateTime(s+"Z") }
	}
	return formats[format]
}

// formatNames are the names of all checked formats.
func formatNames() []string { return append(slices.Sorted(maps.Keys(formats)), unzoned) }

// numeric are the formats of numbers; the others are of strings.
var numeric = map[string]bool{"int32": true}

// fitsFormat is the check that both validators call.
func fitsFormat(name string, v any) bool {
	switch v := v.(type) {
	case string:
		return numeric[name] || len(v) <= maxFormatted && checked(name)(v)
	case stdjson.Number:
		return !numeric[name] || checked(name)(v.String())
	case *big.Rat: // how gojsonschema shows a number
		return !numeric[name] || checked(name)(v.RatString())
	}
	return true
}

type secondFormat string

func (f secondFormat) IsFormat(v any) bool { return fitsFormat(string(f), v) }

// gojsonschema keeps one table of formats for the whole program. This package
// is its only importer.
func init() {
	for _, name := range formatNames() {
		gojsonschema.FormatCheckers.Add(name, secondFormat(name))
	}
}

// isDate reports whether s is a full-date of RFC 3339, section 5.6.
func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

var (
	rfc3339    = lex.Pattern(`^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)$`)
	rfc9562    = lex.Pattern(`^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$`)
	dotAtom    = lex.Pattern("^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$")
	quotedText = lex.Pattern(`^"(?:[ !#-\[\]-~]|\\[ -~])*"$`)
	hostname   = lex.Pattern(`^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)
	uriText    = lex.Pattern(`^[A-Za-z][A-Za-z0-9+.-]*:(//[^/?#]*)?((?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)(?:\?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(?:#(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$`)
	authority  = lex.Pattern(`^//(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?(\[[0-9A-Fa-f:.]+\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::\d*)?$`)
)

// isDateTime reports whether s is a date-time of RFC 3339, section 5.6. A leap second
// is valid only at the end of a UTC day.
func isDateTime(s string) bool {
	m := rfc3339().FindStringSubmatch(s)
	if m == nil {
		return false
	}
	clock, zone := m[2], strings.ToUpper(m[3])
	leap := strings.HasSuffix(clock, ":60")
	if leap {
		clock = clock[:6] + "59"
	}
	if zone != "Z" && (zone[1:3] > "23" || zone[4:] > "59") {
		return false
	}
	t, err := time.Parse(time.RFC3339, m[1]+"T"+clock+zone)
	return err == nil && (!leap || t.UTC().Format("15:04") == "23:59")
}

// isEmail reports whether s is a Mailbox of RFC 5321, section 4.1.2, in ASCII.
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || len(s) > 254 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if !dotAtom().MatchString(local) && !quotedText().MatchString(local) {
		return false
	}
	if literal, ok := strings.CutPrefix(domain, "["); ok {
		return isAddressLiteral(literal)
	}
	return hostname().MatchString(domain)
}

func isAddressLiteral(s string) bool {
	s, closed := strings.CutSuffix(s, "]")
	six, isSix := strings.CutPrefix(s, "IPv6:")
	a, err := netip.ParseAddr(six)
	return closed && err == nil && a.Is4() != isSix && a.Zone() == ""
}

// isInt32 reports whether a literal is a signed 32-bit integer, as in the OpenAPI
// Format Registry.
func isInt32(literal string) bool {
	n := rat(stdjson.Number(literal))
	return n.IsInt() && n.Cmp(big.NewRat(-1<<31, 1)) >= 0 && n.Cmp(big.NewRat(1<<31-1, 1)) <= 0
}

// isJSON reports whether s is one JSON text of RFC 8259, by the strict reading of
// [Check].
func isJSON(s string) bool { return Check([]byte(s), ResultLimits) == nil }

// isURI reports whether s is a URI of RFC 3986, section 3, so with a scheme. It checks
// an IPv6 host, and refuses an IPvFuture.
func isURI(s string) bool {
	m := uriText().FindStringSubmatch(s)
	if m == nil {
		return false
	}
	if m[1] == "" {
		return !strings.HasPrefix(m[2], "//")
	}
	host := authority().FindStringSubmatch(m[1])
	if host == nil {
		return false
	}
	if six, ok := strings.CutPrefix(host[1], "["); ok {
		a, err := netip.ParseAddr(strings.TrimSuffix(six, "]"))
		return err == nil && a.Is6()
	}
	_, err := url.Parse(s)
	return err == nil
}

// isUUID reports whether s is a UUID of any version in the text form of RFC 9562,
// section 4.
func isUUID(s string) bool { return rfc9562().MatchString(s) }
