package org

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

// variable is what a name of env may be: a reference can name it.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Split takes the secrets out of a spec. Each value of env and of headers, and each argument that
// looks like a credential, is replaced by a reference, and returned by its name. A value that is
// its own reference names a secret that is kept.
func Split(s config.Spec) (bare config.Spec, values map[string]string, names []string, err error) {
	values = map[string]string{}
	take := func(name, text string) string {
		reference := "${" + name + "}"
		names = append(names, name)
		if text != reference {
			values[name] = text
		}
		return reference
	}
	secrets := s.Secrets()
	for _, field := range secrets {
		if slices.Contains([]string{"url", "command", "cwd", "oauth.clientId", "oauth.clientSecret", "oauth.issuer"}, field) {
			return config.Spec{}, nil, nil, verdict.Deny(verdict.OrgInvalid, "%s seems to contain a secret: put it into auth_config, headers or env", field)
		}
	}
	bare = s
	bare.Args = slices.Clone(s.Args)
	for i, arg := range s.Args {
		if name := fmt.Sprintf("ARG_%d", i); slices.Contains(secrets, fmt.Sprintf("args[%d]", i)) || arg == "${"+name+"}" {
			bare.Args[i] = take(name, arg)
		}
	}
	bare.Env, bare.Headers = map[string]string{}, map[string]string{}
	for name, text := range s.Env {
		if !variable.MatchString(name) || name == AuthSecret {
			return config.Spec{}, nil, nil, verdict.Deny(verdict.OrgInvalid, "the variable %.80q cannot be named in env", name)
		}
		bare.Env[name] = take(name, text)
	}
	for name, text := range s.Headers {
		reference := headerSecret(name)
		if !variable.MatchString(reference) {
			return config.Spec{}, nil, nil, verdict.Deny(verdict.OrgInvalid, "the header %.80q cannot be sent", name)
		}
		bare.Headers[name] = take(reference, text)
	}
	slices.Sort(names)
	if repeated := len(names) != len(slices.Compact(slices.Clone(names))); repeated {
		return config.Spec{}, nil, nil, verdict.Deny(verdict.OrgInvalid, "two headers or variables have the same name, but for case and signs")
	}
	if len(bare.Env) == 0 {
		bare.Env = nil
	}
	if len(bare.Headers) == 0 {
		bare.Headers = nil
	}
	return bare, values, names, usable(bare)
}

func headerSecret(header string) string {
	return "HEADER_" + strings.ToUpper(strings.ReplaceAll(header, "-", "_"))
}

// Named is a spec in which each value of env and headers that refers to a variable is only named.
// The service reads no variable of a machine.
func Named(s config.Spec) config.Spec {
	of := s
	of.Env, of.Headers = maps.Clone(s.Env), maps.Clone(s.Headers)
	for name, text := range s.Env {
		if strings.Contains(text, "${") {
			of.Env[name] = "${" + name + "}"
		}
	}
	for name, text := range s.Headers {
		if strings.Contains(text, "${") {
			of.Headers[name] = "${" + headerSecret(name) + "}"
		}
	}
	return of
}

// usable reports what is wrong with a spec. Manifests are documents here, and no files.
func usable(s config.Spec) error {
	if s.Manifest != nil && s.Manifest.Kind() != '{' {
		return verdict.Deny(verdict.OrgInvalid, "manifest is a document, and no path")
	}
	if s.Sandbox != "" {
		return verdict.Deny(verdict.OrgInvalid, `a server is confined, or has "unconfined" with a reason`)
	}
	if _, err := config.NewServers("/", map[string]config.Spec{"server": s}); err != nil {
		return verdict.Deny(verdict.OrgInvalid, "%v", err)
	}
	return nil
}
