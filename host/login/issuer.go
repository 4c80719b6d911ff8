package login

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// canonical normalizes the case of scheme and host, the default port, and an empty path
// (RFC 3986, 6.2.2.1 and 6.2.3). A final slash after a path stays, because it
// distinguishes tenants. So does percent-encoding, which servers read differently. The
// result is "" if the text is not the address of an issuer or a resource.
func canonical(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	if u.User != nil || strings.ContainsAny(address, "?#") {
		return ""
	}
	return session.Origin(u) + cmp.Or(u.EscapedPath(), "/")
}

func same(a, b string) bool {
	is := canonical(a)
	return is != "" && is == canonical(b)
}

// sameButSlash reports whether two addresses differ in a final slash at most.
func sameButSlash(a, b string) bool {
	return same(strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/"))
}

// spelled is the spelling of an issuer in a list, or "" if the list does not name it.
// With operators the operator wrote the issuer. Then its final slash decides which
// spelling is meant, so the list may have either.
func spelled(all []string, issuer string, operators bool) string {
	for _, equal := range []func(a, b string) bool{same, sameButSlash} {
		if i := slices.IndexFunc(all, func(one string) bool { return equal(one, issuer) }); i >= 0 {
			return all[i]
		}
		if !operators {
			break
		}
	}
	return ""
}

// operators is the issuer in the operator's own file, or "". A project's file is
// untrusted: its issuer selects among the server's issuers, and replaces none.
func operators(o session.OAuth) string {
	if !o.Own {
		return ""
	}
	return o.Issuer
}

// chooseIssuer picks one of the authorization servers that the resource names (RFC 9728,
// section 7.6). It is the operator's, the current login's, or the first.
func (a *attempt) chooseIssuer() error {
	all := a.resource.AuthorizationServers
	want := a.Server.OAuth.Issuer
	if want == "" {
		a.listed = cmp.Or(spelled(all, a.before.Issuer, false), all[0])
		a.issuer = a.listed
		return nil
	}
	if err := checkIssuer("the issuer in its oauth member", want); err != nil {
		return a.misconfigured(err)
	}
	if a.listed = spelled(all, want, a.Server.OAuth.Own); a.listed == "" {
		return failing(verdict.LoginDiscovery, nil, "correct the issuer in its oauth member",
			"server %s does not name the configured issuer %s; it names %s", a.Server.Name, escape.Line(want, maxShown), escape.Line(strings.Join(all, ", "), maxShown))
	}
	a.issuer = want
	return nil
}

func (a *attempt) misconfigured(err error) error {
	return failing(verdict.LoginDiscovery, err, "correct its entry in the servers file; nothing was opened and nothing was sent", "server %s: %v", a.Server.Name, err)
}

// undescribed continues a login if the server publishes no metadata. It uses the issuer
// that the operator states, and the entry's own address. A server gains nothing by hiding
// its metadata: it cannot choose the issuer of the token or the token's resource.
func (a *attempt) undescribed() error {
	issuer := operators(a.Server.OAuth)
	if issuer == "" {
		return a.unstated()
	}
	resource, err := bare(a.Server.URL)
	if err == nil {
		err = errors.Join(checkAddress("its url", resource), checkIssuer("the issuer in its oauth member", issuer))
	}
	if err != nil {
		return a.misconfigured(err)
	}
	a.stated = true
	a.resource = resourceDocument{Resource: resource, AuthorizationServers: []string{issuer}}
	return nil
}

// bare is an address without credentials, query and fragment: a query may contain a key,
// which the issuer must not see.
func bare(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("its url cannot be read")
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
	return u.String(), nil
}

// unstated is the fault if neither the server nor the operator names an issuer.
func (a *attempt) unstated() error {
	const header = "; if it takes a token by a header instead, see docs/servers.md"
	hint := `if you know where its users log in, write that issuer into its entry, "oauth": {"issuer": "https://…"}, and log in again` + header
	if u, err := url.Parse(a.Server.URL); err == nil {
		hint = fmt.Sprintf(`if you know where its users log in, write that issuer into its entry and log in again. For an authorization server at the server's own address that is "oauth": {"issuer": %q}%s`, u.Scheme+"://"+u.Host, header)
	}
	if a.Server.OAuth.Issuer != "" {
		hint = "the issuer in its entry does not count, because the entry is in a project's file: copy the entry into your own mcp.json and write the issuer there" + header
	}
	if a.asks {
		return failing(verdict.LoginDiscovery, errAbsent, hint, "server %s asks for a login and publishes no document that names its authorization server (RFC 9728)", a.Server.Name)
	}
	return failing(verdict.LoginDiscovery, errAbsent, hint, "server %s asks for no login: it names none, and describes none at its well-known addresses", a.Server.Name)
}

// foreignIssuer is the fault of a document that names another issuer than requested. If
// only a final slash differs, the operator can state which is meant.
func (a *attempt) foreignIssuer(err *issuerMismatch) error {
	f := a.undiscovered(err)
	if sameButSlash(err.named, err.want) && checkIssuer("it", err.named) == nil {
		f.Hint = fmt.Sprintf(`a final slash may mean another tenant. If both are one issuer to you, write it as its own document does into the entry: "oauth": {"issuer": %q}`, escape.Line(err.named, maxShown))
	}
	return f
}

type issuerMismatch struct{ want, named string }

func (m *issuerMismatch) Error() string {
	return fmt.Sprintf("the document of %s names another issuer: %s", escape.Line(m.want, maxShown), escape.Line(m.named, maxShown))
}

// issuedBy reports whether the iss of an answer is the recorded issuer. The rule is
// simple string comparison (RFC 9207, section 2.4). If checked documents spell the issuer
// in two ways, its answer may have either spelling.
func (a *attempt) issuedBy(iss string) bool {
	if a.listed == a.meta.Issuer && a.issuer == a.meta.Issuer {
		return iss == a.meta.Issuer
	}
	return same(iss, a.meta.Issuer)
}
