package login

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// resourceDocument is the metadata of a protected resource (RFC 9728, section 2).
type resourceDocument struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	Scopes               []string `json:"scopes_supported"`
}

// serverDocument is the metadata of an authorization server (RFC 8414, section 2; OpenID
// Connect Discovery 1.0, section 3).
type serverDocument struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	RegistrationEndpoint  string   `json:"registration_endpoint"`
	DeviceEndpoint        string   `json:"device_authorization_endpoint"` // RFC 8628, section 4
	RevocationEndpoint    string   `json:"revocation_endpoint"`
	Scopes                []string `json:"scopes_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	TokenMethods          []string `json:"token_endpoint_auth_methods_supported"`
	IssParameter          bool     `json:"authorization_response_iss_parameter_supported"` // RFC 9207, section 3
	ClientDocuments       bool     `json:"client_id_metadata_document_supported"`
}

// discover finds out the server's resource, authorization server, and scopes to ask for.
func (a *attempt) discover(ctx context.Context) error {
	challenge, err := a.challenge(ctx)
	if err != nil {
		return err
	}
	if a.http, err = newClient(a.Target, a.inside || operators(a.Server.OAuth) != ""); err != nil {
		return err
	}
	if err := a.findResource(ctx, challenge["resource_metadata"]); err != nil {
		return err
	}
	if err := a.chooseIssuer(); err != nil {
		return err
	}
	if err := a.findServer(ctx); err != nil {
		return err
	}
	if a.asked = a.scopes(challenge["scope"]); !areScopes(a.asked) {
		return a.undiscovered(errors.New("a scope to ask for has characters that no scope has, or all are too long"))
	}
	return nil
}

func (a *attempt) undiscovered(err error) *verdict.Fault {
	return failing(verdict.LoginDiscovery, err, "ask the server's operator; nothing was opened and nothing was sent",
		"server %s: its login cannot be found: %v", a.Server.Name, err)
}

// challenge asks the server without a login, by its handshake and then by a listing,
// never by a call. It returns the parameters of the server's challenge, or none if the
// server answers everything. The connections show whether the server is at a private
// address.
func (a *attempt) challenge(ctx context.Context) (map[string]string, error) {
	var seen peers
	pool := session.New([]session.Server{a.Server}, a.Limits)
	listed := pool.Discover(seen.watch(ctx), "", []string{a.Server.Name})[0]
	err := errors.Join(pool.Close())
	a.inside = a.Server.Proxy == "" && seen.private()
	if listed.Err == nil {
		return nil, err
	}
	status, all := session.Challenged(listed.Err)
	a.asks = true
	if status != http.StatusUnauthorized && status != http.StatusForbidden {
		return nil, listed.Err
	}
	for _, c := range all {
		if strings.EqualFold(c.Scheme, "Bearer") {
			return c.Params, nil
		}
	}
	return nil, nil
}

// findResource reads the server's document. Its address is in the challenge; otherwise it
// is one of the two well-known places in their order (Authorization Server Discovery,
// Protected Resource Metadata Discovery Requirements).
func (a *attempt) findResource(ctx context.Context, named string) (err error) {
	a.resource, err = a.http.published(ctx, a.Server.URL, named, operators(a.Server.OAuth) != "")
	switch {
	case errors.Is(err, errAbsent):
		return a.undescribed()
	case err != nil:
		return a.undiscovered(err)
	}
	return nil
}

func (a *attempt) findServer(ctx context.Context) (err error) {
	a.meta, err = a.http.serverMetadata(ctx, a.issuer)
	switch other, is := errors.AsType[*issuerMismatch](err); {
	case is:
		return a.foreignIssuer(other)
	case err != nil:
		return a.undiscovered(err)
	}
	return nil
}

var errAbsent = errors.New("there is no such document")

// published reads the document at the address that a challenge names, or at the
// well-known places (RFC 9728, sections 3.1 and 5.1). With everywhere it tries both,
// before an operator's statement replaces the document.
func (c *client) published(ctx context.Context, server, named string, everywhere bool) (d resourceDocument, err error) {
	const wellKnown = "/.well-known/oauth-protected-resource"
	origin, path, err := split(server)
	places := slices.Compact([]string{origin + wellKnown + path, origin + wellKnown})
	if named != "" && !everywhere {
		places = nil
	}
	if named != "" {
		places = slices.Insert(places, 0, named)
		err = errors.Join(err, checkAddress("resource_metadata", named))
	}
	if err == nil {
		err = c.document(ctx, places, &d)
	}
	if err != nil {
		return resourceDocument{}, err
	}
	return d, d.check(server)
}

// split returns the origin of an address, and its path without a final slash.
func split(address string) (origin, path string, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", "", errors.New("an address cannot be read")
	}
	return u.Scheme + "://" + u.Host, strings.TrimSuffix(u.EscapedPath(), "/"), nil
}

// document reads from the first place that has the document. A place without it answers
// with a client error. Any other error ends the search, so that an attacker who disturbs
// one place cannot choose another.
func (c *client) document(ctx context.Context, places []string, into any) error {
	for _, place := range places {
		a, err := c.get(ctx, place)
		switch {
		case err != nil:
			return err
		case a.status >= 400 && a.status < 500 && a.status != http.StatusTooManyRequests:
			continue
		case a.status != http.StatusOK:
			return fmt.Errorf("%s answers HTTP %d", escape.Line(place, maxShown), a.status)
		}
		if err := a.decode(into); err != nil {
			return fmt.Errorf("%s: %s", escape.Line(place, maxShown), c.words(err.Error()))
		}
		return nil
	}
	return errAbsent
}

// check refuses a document of another resource. RFC 9728, section 3.3, requires the
// resource to be identical to the requested one. The document of an origin, which the
// specification makes clients request last, is for the whole origin. So a resource above
// the server's path is accepted, and none outside it.
func (d resourceDocument) check(server string) error {
	switch {
	case !covers(d.Resource, server):
		return fmt.Errorf("its document is for another resource: %s", escape.Line(d.Resource, maxShown))
	case len(d.AuthorizationServers) == 0:
		return errors.New("its document names no authorization server")
	}
	for _, issuer := range d.AuthorizationServers {
		if err := checkIssuer("an authorization server", issuer); err != nil {
			return err
		}
	}
	return nil
}

// covers reports whether a token of the resource is for the server. Both must have one
// origin, and the resource's path must be the server's or a folder above it.
func covers(resource, server string) bool {
	r, err := url.Parse(resource)
	s, wrong := url.Parse(server)
	if err != nil || wrong != nil || canonical(resource) == "" {
		return false
	}
	if session.Origin(r) != session.Origin(s) {
		return false
	}
	above := strings.TrimSuffix(r.EscapedPath(), "/")
	return strings.HasPrefix(strings.TrimSuffix(s.EscapedPath(), "/")+"/", above+"/")
}

// serverMetadata reads the document of an issuer (Authorization Server Discovery,
// Authorization Server Metadata Discovery).
func (c *client) serverMetadata(ctx context.Context, issuer string) (d serverDocument, err error) {
	const oauth, openID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	origin, path, err := split(issuer)
	if err == nil {
		err = c.document(ctx, slices.Compact([]string{origin + oauth + path, origin + openID + path, origin + path + openID}), &d)
	}
	if errors.Is(err, errAbsent) {
		return serverDocument{}, fmt.Errorf("the authorization server %s describes itself at none of its well-known addresses", escape.Line(issuer, maxShown))
	}
	if err != nil {
		return serverDocument{}, err
	}
	return d, d.check(issuer)
}

// check refuses a document of another issuer (RFC 8414, section 3.3; OpenID Connect
// Discovery, section 4.3). It checks every address in the document, used or not.
func (d serverDocument) check(issuer string) error {
	if !same(d.Issuer, issuer) {
		return &issuerMismatch{issuer, d.Issuer}
	}
	if err := checkIssuer("its issuer", d.Issuer); err != nil { // the document's spelling is recorded
		return err
	}
	for _, e := range []struct{ name, address string }{
		{"authorization_endpoint", d.AuthorizationEndpoint},
		{"token_endpoint", d.TokenEndpoint},
		{"registration_endpoint", d.RegistrationEndpoint},
		{"device_authorization_endpoint", d.DeviceEndpoint},
		{"revocation_endpoint", d.RevocationEndpoint},
	} {
		if e.address == "" {
			continue
		}
		if err := checkAddress("its "+e.name, e.address); err != nil {
			return err
		}
	}
	if d.TokenEndpoint == "" {
		return errors.New("its document names no token_endpoint")
	}
	return nil
}
