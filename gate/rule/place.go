package rule

import (
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
)

// place is an absolute path or a URL by its parts. It lacks a part that programs read
// in different ways. In a rule that allows, {"under": ROOT} requires all parts; in any
// other rule it matches every place that lacks one.
type place struct {
	origin string // scheme://host:port as written; "" for a path
	host   string // "" for a path, and for an address with other spellings
	path   parts
}

// parts are the names in a path.
type parts struct {
	plain  bool     // every program reads the same names
	exact  []string // as written
	folded []string // by the loosest reading: no case, no parameters, no final dots
}

var urlForm = lex.Pattern(`^([a-z][a-z0-9+.-]*://)([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?([/?#][!-\[\]-~]*)?$`)

// placeOf reads a text. A text that it does not know may be any place: a relative
// path, or a URL without slashes, with a user, with spaces, backslashes or letters
// outside ASCII, or with another spelling of its host.
func placeOf(text string) (p place, known bool) {
	if strings.HasPrefix(text, "/") {
		p.path = partsOf(text)
		return p, p.path.plain
	}
	found := urlForm().FindStringSubmatch(text)
	if found == nil {
		return p, false
	}
	scheme, host, port, rest := found[1], found[2], found[3], found[4]
	authority, _, _ := strings.Cut(strings.TrimPrefix(text, scheme), "/")
	if n, _ := strconv.Atoi(strings.TrimPrefix(port, ":")); n > 65535 || strings.Contains(authority, "@") || !hostPlain(host) {
		return p, false
	}
	p.origin = scheme + host + port
	if host[0] != '[' {
		p.host = host
	}
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	p.path = partsOf(rest)
	return p, true
}

// hostPlain reports whether every program reads a host as the same one. A host with a
// number as its last name is an address, which has one plain spelling.
func hostPlain(host string) bool {
	if host[0] == '[' {
		text := strings.Trim(host, "[]")
		address, err := netip.ParseAddr(text)
		if err != nil || address.String() != text {
			return false
		}
		return !address.Is4In6() && !address.IsUnspecified()
	}
	names := strings.Split(host, ".")
	if slices.ContainsFunc(names, func(name string) bool { return name == "" || name[0] == '-' || name[len(name)-1] == '-' }) {
		return false
	}
	if !numeric(names[len(names)-1]) {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.String() == host && !address.IsUnspecified()
}

// numeric reports whether a name has only digits, or only hexadecimal digits after 0x.
func numeric(name string) bool {
	if digits, hex := strings.CutPrefix(name, "0x"); hex {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	return strings.Trim(name, "0123456789") == ""
}

// partsOf reads a path. Some programs read percent signs, backslashes, control
// characters, empty names and names of dots as other places.
func partsOf(path string) (p parts) {
	if odd().MatchString(path) || strings.Contains(path, "//") {
		return p
	}
	for _, name := range strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("/?#", r) }) {
		name, _, _ = strings.Cut(name, ";")
		if name = strings.TrimRight(name, ". "); name == "" {
			return parts{}
		}
		p.folded = append(p.folded, strings.ToLower(name))
	}
	if path = strings.Trim(path, "/"); path != "" {
		p.exact = strings.Split(path, "/")
	}
	p.plain = true
	return p
}

var odd = lex.Pattern(`[^ -~]|[%\\]`)

// document returns a place as it is in the decision record.
func (p place) document() object {
	doc := object{"origin": any(nil), "host": any(nil), "path": any(nil), "folded": any(nil)}
	if p.origin != "" {
		doc["origin"] = p.origin
	}
	if p.host != "" {
		doc["host"] = p.host
	}
	if p.path.plain {
		doc["path"], doc["folded"] = values(p.path.exact), values(p.path.folded)
	}
	return doc
}

// addPlaces adds every text in v that is a place to all, by its JSON Pointer. It skips
// the items of lists, because no condition names them.
func addPlaces(v object, at string, all object) {
	for name, v := range v {
		switch v := v.(type) {
		case object:
			addPlaces(v, schema.Below(at, name), all)
		case string:
			if p, known := placeOf(v); known {
				all[schema.Below(at, name)] = p.document()
			}
		}
	}
}

// under compiles {"under": ROOT} to a schema of a place in the record. It compares
// texts; it resolves no link and no host name.
func under(root string, strict bool) (object, error) {
	if trimmed := strings.TrimRight(root, "/"); trimmed != "" {
		root = trimmed
	}
	p, known := placeOf(root)
	switch {
	case !known && !strings.Contains(root, "://"):
		return nil, errors.New(`"under" takes an absolute path or a URL, without dots, empty names, percent signs and backslashes`)
	case !known, !p.path.plain, p.origin != "" && strings.ContainsAny(root, "?#"):
		return nil, errors.New(`"under" takes a URL of scheme, host in lower case (an address in its usual form) and path, without dots, empty names, percent signs, user and query`)
	}
	if strict {
		return p.holds(), nil
	}
	return p.mayHold(), nil
}

// holds returns the schema of the places that every program reads as below p.
func (p place) holds() object {
	doc := p.document()
	return object{"type": "object", "required": []any{"origin", "path"}, "properties": object{
		"origin": object{"const": doc["origin"]}, "path": begins(p.path.exact, object{"type": "array"}),
	}}
}

// mayHold returns the schema of the places that some program may read as below p,
// whatever their scheme and port.
func (p place) mayHold() object {
	elsewhere, below := object{"origin": object{"type": "string"}}, begins(p.path.folded, object{})
	switch {
	case p.origin == "":
		return object{"anyOf": []any{object{"properties": elsewhere}, object{"properties": object{"folded": below}}}}
	case p.host == "":
		return object{"properties": object{"host": object{"type": "null"}}}
	}
	return object{"anyOf": []any{
		object{"properties": object{"host": object{"type": "null"}}},
		object{"properties": object{"host": object{"const": p.host}, "folded": below}},
	}}
}

// begins requires of a list that it begins with names.
func begins(names []string, doc object) object {
	if len(names) == 0 {
		return doc
	}
	all := make([]any, len(names))
	for i, name := range names {
		all[i] = object{"const": name}
	}
	doc["prefixItems"], doc["minItems"] = all, schema.Numeral(strconv.Itoa(len(names)))
	return doc
}
