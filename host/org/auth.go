package org

import (
	"maps"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The kinds of authentication.
const (
	NoAuth      = "none"
	BearerToken = "bearer_token"
	APIKey      = "api_key"
	OAuth2      = "oauth2"
)

// AuthSecret is the name of the secret of an authentication.
const AuthSecret = "AUTH_SECRET"

// defaultHeader is the header of an API key without a name.
const defaultHeader = "X-API-Key"

// On is a spec with the authentication, which names its secret.
func (a Auth) On(s config.Spec) config.Spec {
	s.Headers = maps.Clone(s.Headers)
	if s.Headers == nil {
		s.Headers = map[string]string{}
	}
	switch a.Type {
	case BearerToken:
		s.Headers["Authorization"] = "Bearer ${" + AuthSecret + "}"
	case APIKey:
		s.Headers[a.Header] = "${" + AuthSecret + "}"
	case OAuth2:
		s.OAuth = a.OAuth
	}
	return s
}

// Check completes an authentication, and reports what is wrong with it.
func (a *Auth) Check(s config.Spec) error {
	if a.Type == "" {
		a.Type = NoAuth
	}
	if a.Type == APIKey && a.Header == "" {
		a.Header = defaultHeader
	}
	switch {
	case !slices.Contains([]string{NoAuth, BearerToken, APIKey, OAuth2}, a.Type):
		return verdict.Deny(verdict.OrgInvalid, "the authentication %.40q is none of none, bearer_token, api_key and oauth2", a.Type)
	case a.Type != NoAuth && s.URL == "":
		return verdict.Deny(verdict.OrgInvalid, "a server that is started takes its secrets in env, and no authentication")
	case a.Type != APIKey && a.Header != "":
		return verdict.Deny(verdict.OrgInvalid, "a header is for an api_key")
	case (a.Type == OAuth2) != (a.OAuth != nil):
		return verdict.Deny(verdict.OrgInvalid, "oauth2 has a member oauth, and no other authentication has")
	}
	header := a.Header
	if a.Type == BearerToken {
		header = "Authorization"
	}
	for name := range s.Headers {
		if strings.EqualFold(name, header) {
			return verdict.Deny(verdict.OrgInvalid, "the header %s is in endpoint_config and in auth_config", name)
		}
	}
	return nil
}
