package rule

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
)

// resourceOf finds the object of a call. It uses the allowlist's form, or by
// convention the one required argument called *_id, path, uri or url. Two spellings of
// one resource give one id. If that is uncertain they give two, because a grant for
// one object must not cover another.
func resourceOf(t catalog.Tool, args jsontext.Value) Resource {
	form := t.ResourceForm()
	if form == "" {
		return Resource{}
	}
	values := map[string]schema.Leaf{}
	for l := range schema.Leaves(args) {
		if !l.Name {
			values[l.Pointer()] = l
		}
	}
	r, complete := Resource{}, true
	id := catalog.Placeholder().ReplaceAllStringFunc(form, func(in string) string {
		at := catalog.ArgumentOf(in)
		r.Arguments = append(r.Arguments, at)
		l, given := values[at]
		text, ok := "", given && (l.Kind == '"' || l.Kind == '0')
		if ok {
			text, ok = normalized(at, l.Text)
		}
		complete = complete && ok
		return text
	})
	if complete {
		r.ID = &id
	}
	return r
}

// ResourceID returns the id of the object of a plan's call. It is "" if the object is
// unknown or the call is impossible.
func ResourceID(c catalog.Catalog, p plan.Plan) string {
	t, err := c.Tool(p.Server(), p.Tool())
	if err != nil {
		return ""
	}
	args, err := schema.Canonical(p.Args())
	if err != nil {
		return ""
	}
	if id := resourceOf(t, args).ID; id != nil {
		return *id
	}
	return ""
}

// normalized returns a value as part of an id, by the rules for its argument's name.
func normalized(pointer, text string) (string, bool) {
	switch last := lastWord(pointer); {
	case text == "" || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "", false
	case last == "path":
		return cleanPath(text)
	case last == "url" || last == "uri":
		return cleanURL(text)
	}
	return url.PathEscape(text), true // no value reads as two, or as another part
}

// cleanPath returns a path without redundant parts. A path that leaves its root is
// unknown.
func cleanPath(text string) (string, bool) {
	clean := path.Clean(text)
	if strings.Contains(text, `\`) || clean == ".." || strings.HasPrefix(clean, "../") {
		return "", false
	}
	return clean, true
}

// cleanURL normalizes a URL by section 6.2.2 of RFC 3986: letter case,
// percent-encoding and dot segments. It also removes the scheme's default port. A URL
// that hides a separator or a user is unknown.
func cleanURL(text string) (string, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return "", false
	}
	if u.User != nil || !plainURL().MatchString(text) {
		return "", false
	}
	u = (&url.URL{}).ResolveReference(&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawQuery: u.RawQuery, Fragment: u.Fragment})
	u.Host = strings.TrimSuffix(strings.ToLower(u.Host), ":"+ports[u.Scheme])
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String(), true
}

var (
	plainURL = lex.Pattern(`^(?:[!-$&-\[\]-~]|%(?:[013-9A-Fa-f][0-9A-Fa-f]|2[0-9A-Ea-e]))+$`)
	ports    = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443"}
)

// recipients are the words in argument names for whom or what a call reaches.
var recipients = []string{
	"to", "cc", "bcc", "recipient", "recipients", "email", "emails", "mail", "address", "addresses",
	"url", "urls", "uri", "uris", "host", "webhook", "channel", "channels", "account", "accounts", "iban", "phone",
}

// reaches reports whether a place in the arguments is a recipient or an address. It
// reads the last word of the place's name, and the format in the schema.
func reaches(root *schema.Node, pointer string) bool {
	pointer = strings.TrimSuffix(pointer, "#")
	if slices.Contains(recipients, lastWord(pointer)) {
		return true
	}
	for _, n := range find(root, pathOf(pointer)) {
		format, _ := n.Value("format")
		if slices.Contains([]any{"email", "idn-email", "uri", "uri-reference", "iri", "url", "hostname", "ipv4", "ipv6"}, format) {
			return true
		}
	}
	return false
}

// lastWord returns the last word, in lower case, of the last name in a pointer, such
// as url for callbackUrl. It skips the indices of items.
func lastWord(pointer string) string {
	names := pathOf(pointer)
	for len(names) > 1 && strings.Trim(names[len(names)-1], "0123456789") == "" {
		names = names[:len(names)-1]
	}
	if len(names) == 0 {
		return ""
	}
	words := strings.FieldsFunc(hump().ReplaceAllString(names[len(names)-1], "${1}_${2}"), func(r rune) bool { return strings.ContainsRune("_-. ", r) })
	if len(words) == 0 {
		return ""
	}
	return strings.ToLower(words[len(words)-1])
}

var hump = lex.Pattern(`([a-z0-9])([A-Z])`)
