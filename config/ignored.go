package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// instead maps a member that onestep does not read to its replacement. Each is a member by
// which a client reaches a server, logs in to it or limits it. A nested member has its
// parent's name and a dot before it.
var instead = map[string]string{ //nolint:gosec // names of members, and no credential
	"headersHelper":                    "it starts a program, and is never carried: write the header that it prints under headers, with its secret as ${NAME}",
	"envHelper":                        "it starts a program, and is never carried: write the variables that it prints under env, with secrets as ${NAME}",
	"apiKeyHelper":                     "it starts a program, and is never carried: write the header with the key under headers, as ${NAME}",
	"authProviderType":                 "ask has no such login: write a header with a token under headers, as ${NAME}, or log in with `ask servers login`",
	"targetAudience":                   "ask has no such login: write a header with a token under headers, as ${NAME}",
	"targetServiceAccount":             "ask has no such login: write a header with a token under headers, as ${NAME}",
	"authServerMetadataUrl":            "the login is discovered at the server's address: oauth.issuer names the issuer that is meant",
	"oauth.authorizationUrl":           "the login is discovered at the server's address: oauth.issuer names the issuer that is meant",
	"oauth.tokenUrl":                   "the login is discovered at the server's address: oauth.issuer names the issuer that is meant",
	"oauth.audiences":                  "a login is for the server's own address alone",
	"oauth.redirectUri":                "a login comes back to this machine: oauth.callbackPort sets the port",
	"oauth_resource":                   "a login is for the server's own address alone",
	"scopes":                           "a list is of no sandbox: write what a login asks for under oauth.scopes",
	"requestOptions.proxy":             "proxy under [server.NAME] of config.toml sets it",
	"requestOptions.caBundlePath":      "ca_file under [server.NAME] of config.toml sets it",
	"requestOptions.verifySsl":         "certificates are always verified: ca_file under [server.NAME] of config.toml adds an authority",
	"requestOptions.clientCertificate": "ask sends no certificate of its own",
	"insecure":                         "certificates are always verified: ca_file under [server.NAME] of config.toml adds an authority",
	"working_directory":                "cwd is the directory that it starts in",
	"workingDirectory":                 "cwd is the directory that it starts in",
}

// limits are members with a time, the setting that replaces them, and their unit. A unit of 0
// depends on the client.
var limits = map[string]struct {
	setting string
	unit    time.Duration
}{
	"startup_timeout_sec": {"start_timeout", time.Second}, "startup_timeout_ms": {"start_timeout", time.Millisecond},
	"initTimeout": {"start_timeout", time.Millisecond}, "connectionTimeout": {"start_timeout", time.Millisecond},
	"startupTimeout": {"start_timeout", 0}, "startTimeout": {"start_timeout", 0},
	"tool_timeout_sec": {"call_timeout", time.Second}, "toolTimeout": {"call_timeout", 0}, "callTimeout": {"call_timeout", 0},
	"timeout": {"call_timeout", 0}, "requestTimeout": {"call_timeout", 0}, "requestOptions.timeout": {"call_timeout", 0},
}

// filters are members that list tools; true means that only those are used.
var filters = map[string]bool{
	"enabled_tools": true, "includeTools": true, "available_tools": true, "allowedTools": true, "enabledTools": true,
	"disabled_tools": false, "excludeTools": false, "disabledTools": false, "disallowedTools": false, "excludedTools": false,
}

// harmless are members of clients that do not affect how a server is reached.
var harmless = strings.Fields("name title description display_name icon id version author homepage gallery tags category bundled builtin required " +
	"alwaysAllow autoApprove trust disabled enabled source settings default_tools_approval_mode tools enabled_tools dev notes comment")

// ignored names the members of an entry that are not read but may matter, each with its
// replacement. It also names members that are near the name of a member that is read. Limits
// and filters are named only in another client's file: in ask's own file the note would
// appear at each question.
func (s *Servers) ignored(name string, e *entry) (all []string) {
	for _, m := range allMembers(e.raw) {
		_, limits := limits[m.Name]
		if _, filters := filters[m.Name]; !s.foreign && (limits || filters) {
			continue
		}
		if text := s.setInstead(name, m); text != "" {
			all = append(all, escape.Line(m.Name, 64)+text)
		}
	}
	return all
}

func (s *Servers) setInstead(name string, m schema.Member) string {
	only, filters := filters[m.Name]
	limit, limits := limits[m.Name]
	text, told := instead[m.Name]
	switch empty := slices.Contains([]string{"null", "false", `""`, "[]", "{}"}, string(m.Value)); {
	case filters && only:
		return " is not read: approve none of its tools but " + listOf(m.Value)
	case empty && m.Name != "requestOptions.verifySsl":
		return ""
	case m.Name == "scopes" && m.Value.Kind() != '[', m.Name == "requestOptions.verifySsl" && string(m.Value) == "true":
		return ""
	case m.Name == "authProviderType" && string(m.Value) == `"dynamic_discovery"`: // as ask does
		return ""
	case filters:
		return " is not read: do not approve " + listOf(m.Value)
	case limits:
		return fmt.Sprintf(" is not read: %s%s under [server.%s] of config.toml sets it", limit.setting, s.limitOf(m.Value, limit.unit), ServerName(name))
	case told:
		return " is not read: " + strings.ReplaceAll(text, "NAME]", ServerName(name)+"]")
	case strings.HasSuffix(m.Name, "Helper"):
		return " is not read: a program that it starts is never started by ask"
	case strings.Contains(m.Name, ".") || slices.Contains(harmless, m.Name) || slices.Contains(readMembers(), m.Name):
		return ""
	}
	if near := verdict.Near(m.Name, readMembers()); near != "" {
		return " is not read" + near
	}
	return ""
}

// limitOf is a client's time in the form of config.toml, "" if its unit is not known.
func (s *Servers) limitOf(v jsontext.Value, unit time.Duration) string {
	number, err := strconv.ParseFloat(string(v), 64)
	inMilliseconds := s.field == openCode || strings.Contains(filepath.ToSlash(s.path), "/.gemini/") || strings.Contains(filepath.ToSlash(s.path), "/amazonq/")
	switch {
	case unit > 0:
	case inMilliseconds:
		unit = time.Millisecond
	case s.field == "extensions": // Goose
		unit = time.Second
	}
	inBounds := number > 0 && number <= 1e9
	if err != nil || unit == 0 || !inBounds {
		return ""
	}
	return fmt.Sprintf(" = %q", time.Duration(number*float64(unit)))
}

// allMembers are the members of an entry and the members of its nested objects that affect
// how the server is reached. A nested member has the object's name and a dot before it.
func allMembers(raw jsontext.Value) []schema.Member {
	all, _ := schema.Members(raw) // the entry was read before
	for _, m := range slices.Clone(all) {
		inner, err := schema.Members(m.Value)
		if err != nil || m.Name != "oauth" && m.Name != "requestOptions" {
			continue
		}
		for _, i := range inner {
			i.Name = m.Name + "." + i.Name
			all = append(all, i)
		}
	}
	return all
}

// listOf is the names of a list, for display.
func listOf(v jsontext.Value) string {
	elements, err := schema.Elements(v)
	var names []string
	for _, e := range elements {
		if name, err := jsontext.AppendUnquote(nil, e.Value); err == nil {
			names = append(names, escape.Line(string(name), 64))
		}
	}
	if err != nil || len(names) == 0 {
		return "those that it names, which are none"
	}
	return strings.Join(names, ", ")
}

// readMembers are the members of an entry that onestep reads, in each client's spelling.
func readMembers() []string {
	all := slices.Concat(reaching, []string{"disabled", "enabled", "source", "envFile", "env_vars", "env_keys", "manifest", "scopes", "sandbox"})
	for was := range spelled {
		all = append(all, was)
	}
	return all
}
