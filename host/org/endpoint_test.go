package org_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/org"
)

// What Split leaves has no value of env, of headers or of an argument that is a credential, and
// splitting it again keeps each secret by its name.
func TestSplitLeavesNames(t *testing.T) {
	t.Parallel()
	for _, spec := range []config.Spec{
		{Command: "kb", Args: []string{"--stdio", "--token", canary + "1", "--api-key=" + canary + "2", "--header", "Authorization: Bearer " + canary + "3"}, Env: map[string]string{"KB_TOKEN": canary + "4", "MODE": canary + "5", "R": "${KB_TOKEN}" + canary}},
		{URL: "https://kb.example/mcp", Headers: map[string]string{"Authorization": "Bearer " + canary + "1", "X-Team": canary + "2", "x_a": "${HEADER_X_TEAM}" + canary}},
	} {
		bare, values, names, err := org.Split(spec)
		ok(t, err)
		if text := fmt.Sprintf("%+v", bare); leaks.MatchString(text) || len(values) != len(names) || len(names) < 3 {
			t.Errorf("%s has %v of %v", text, names, values)
		}
		again, none, same, err := org.Split(bare)
		if ok(t, err); cmp.Diff(bare, again) != "" || len(none) > 0 || !slices.Equal(names, same) {
			t.Errorf("again: %+v has %v of %v", again, same, none)
		}
	}
	for name, spec := range map[string]config.Spec{
		"url":       {URL: "https://kb.example/?token=" + canary + "0123456789abcdef"},
		"user":      {URL: "https://ada:" + canary + "@kb.example/"},
		"auth":      {Command: "kb", Env: map[string]string{org.AuthSecret: canary}},
		"variable":  {Command: "kb", Env: map[string]string{"A}${B": canary}},
		"line":      {Command: "kb", Env: map[string]string{"A\n": canary}},
		"header":    {URL: "https://kb.example", Headers: map[string]string{"X:Y": canary}},
		"same name": {URL: "https://kb.example", Headers: map[string]string{"X-A": canary, "x_a": canary}},
		"argument":  {Command: "kb", Args: []string{"${ARG_0}"}, Env: map[string]string{"ARG_0": canary}},
		"sandbox":   {Command: "kb", Sandboxed: config.Sandboxed{Sandbox: "off"}},
		"path":      {Command: "kb", Sandboxed: config.Sandboxed{Manifest: []byte(`"/etc/passwd"`)}},
		"both":      {Command: "kb", URL: "https://kb.example"},
		"login":     {URL: "https://kb.example", OAuth: &config.OAuth{ClientID: "a", ClientSecret: canary}},
	} {
		_, values, _, err := org.Split(spec)
		if refused(t, err, verdict.OrgInvalid); err == nil {
			t.Errorf("%s: %v", name, values)
		}
	}
}

// A login of an agent brings no secret but by name.
func TestAClientSecretIsNotInARow(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a")
	for i, of := range []string{canary, "${OTHER}", "x${" + org.AuthSecret + "}"} {
		c := remote(fmt.Sprint("kb", i))
		c.Auth = org.Auth{Type: org.OAuth2, OAuth: &config.OAuth{ClientSecret: of}}
		_, _, err := w.AddServer(t.Context(), ada, "a", c)
		refused(t, err, verdict.OrgInvalid)
		c.Auth.OAuth.ClientSecret = "${" + org.AuthSecret + "}"
		add(t, w, "a", c)
		c.Auth, c.Spec.OAuth = org.Auth{}, &config.OAuth{ClientSecret: of}
		_, _, err = w.UpdateServer(t.Context(), ada, "a", 0, true, c)
		refused(t, err, verdict.OrgInvalid)
	}
	var bad org.Auth
	for _, bad = range []org.Auth{{Type: "basic"}, {Type: org.BearerToken, Header: "X"}, {Type: org.OAuth2}, {Type: org.APIKey, OAuth: &config.OAuth{}}, {Type: org.APIKey, Header: "x-team"}} {
		refused(t, bad.Check(remote("kb").Spec), verdict.OrgInvalid)
	}
	bad = org.Auth{Type: org.BearerToken}
	refused(t, bad.Check(started("kb").Spec), verdict.OrgInvalid)
	for _, key := range []org.Auth{{}, {Type: org.BearerToken}, {Type: org.APIKey}} {
		spec := remote("kb").Spec
		ok(t, key.Check(spec))
		if on := key.On(spec); len(spec.Headers) != 1 || strings.Contains(fmt.Sprint(on.Headers), org.AuthSecret) != (key.Type != org.NoAuth) {
			t.Errorf("%+v: %v", key, on.Headers)
		}
	}
}
