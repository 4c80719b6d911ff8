package config

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/host/artifact"
)

// Bridge is a program that makes a stdio server of a remote one. It decodes every message and
// encodes it again in its own language.
type Bridge struct {
	Name    string            `json:"name"`
	Rounds  bool              `json:"rounds"`        // rounds numbers; false only of a bridge that is certainly in Python
	URL     string            `json:"url,omitempty"` // the server's own, "" if the command does not state it plainly
	Type    string            `json:"type,omitempty"`
	Headers map[string]string `json:"headers,omitempty"` // with variables in place of secrets
}

// bridges are the known bridges, with the options that take an address.
var bridges = map[string][]string{"mcp-remote": nil, "supergateway": {"--sse", "--streamablehttp"}, "mcp-proxy": nil}

// launching are programs and words that may come before the bridge's name.
var launching = strings.Fields(`npx bunx pnpx npm pnpm yarn bun deno node nodejs tsx uvx uv pipx python python3 py env sh bash zsh dash cmd
	docker podman exec x dlx run tool start call powershell pwsh`)

// Bridge finds the bridge that starts a server, if one does.
func (s Spec) Bridge() (b Bridge, is bool) {
	words := s.words()
	at := bridgeAt(s, words)
	if at < 0 {
		return b, false
	}
	b.Name = bridgeName(words[at])
	registry := artifact.PackageOf(s.Command, s.Args).Registry
	b.Rounds = b.Name != "mcp-proxy" || registry != "pypi" && !strings.Contains(words[at], "_")
	b.read(s, words[at+1:])
	return b, true
}

// words are the program and its arguments. The words of a shell's script are separate.
func (s Spec) words() (words []string) {
	names := func(w string) bool { return bridgeName(strings.Trim(w, `"'`)) != "" }
	for _, w := range append([]string{s.Command}, s.Args...) {
		if strings.ContainsAny(w, " \t") && slices.Contains(launching, calledAs(s.Command)) && slices.ContainsFunc(strings.Fields(w), names) {
			for _, f := range strings.Fields(w) {
				words = append(words, strings.Trim(f, `"'`))
			}
			continue
		}
		words = append(words, w)
	}
	return words
}

// bridgeAt is the index of the word that names the bridge, or -1 if another program starts.
// If a launcher certainly names a package, only that package counts.
func bridgeAt(s Spec, words []string) int {
	if p := artifact.PackageOf(s.Command, s.Args); p.Name != "" && bridgeName(p.Name) == "" {
		return -1
	}
	option := false
	for i, w := range words {
		_, value, _ := strings.Cut(w, "=")
		isOption := strings.HasPrefix(w, "-") || strings.HasPrefix(w, "/") && len(w) == 2
		switch {
		case bridgeName(w) != "":
			if next := i + 1; option && next < len(words) && bridgeName(words[next]) == bridgeName(w) {
				return next // npx --package mcp-remote mcp-remote
			}
			return i
		case isOption && bridgeName(value) != "" && namesBridge(words, i+1):
			return i + 1
		case isOption, slices.Contains(launching, calledAs(w)), strings.Contains(w, "=") && !strings.Contains(w, "/"):
		case !option: // the program that is started, or its first argument
			return -1
		}
		option = isOption
	}
	return -1
}

// namesBridge reports whether the word at i exists and names a bridge.
func namesBridge(words []string, i int) bool { return i < len(words) && bridgeName(words[i]) != "" }

// bridgeName is the bridge that a word names, as a package, an image or a program.
func bridgeName(word string) string {
	word = strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(word, `\`, "/"), "npm:"))
	if strings.Contains(word, "://") || strings.HasPrefix(word, "@") {
		return ""
	}
	parts := strings.Split(word, "/")
	if i := slices.Index(parts, "node_modules"); i >= 0 && i+1 < len(parts) && parts[i+1] != ".bin" {
		parts = parts[i+1 : i+2]
	}
	name := parts[len(parts)-1]
	if i := strings.IndexAny(name, "@:=[~"); i > 0 {
		name = name[:i]
	}
	for _, ending := range []string{".exe", ".cmd", ".bat", ".ps1", ".js", ".mjs", ".py"} {
		name = strings.TrimSuffix(name, ending)
	}
	name = strings.ReplaceAll(name, "_", "-")
	if _, known := bridges[name]; !known {
		return ""
	}
	return name
}

func calledAs(command string) string {
	parts := strings.Split(strings.ReplaceAll(strings.ToLower(command), `\`, "/"), "/")
	return strings.TrimSuffix(strings.TrimSuffix(parts[len(parts)-1], ".exe"), ".cmd")
}

// read reads the bridge's own arguments.
func (b *Bridge) read(s Spec, args []string) {
	for i := 0; i < len(args); i++ {
		option, value, joined := strings.Cut(args[i], "=")
		if !strings.HasPrefix(option, "-") {
			if b.URL == "" && bridges[b.Name] == nil && strings.Contains(args[i], "://") {
				b.URL = args[i]
			}
			continue
		}
		option = strings.ToLower(option)
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		switch {
		case slices.Contains(bridges[b.Name], option):
			b.URL = value
			if option == "--sse" {
				b.Type = "sse"
			}
		case option == "--transport" && strings.HasPrefix(value, "sse"):
			b.Type = "sse"
		case option == "--header":
			name, text, _ := strings.Cut(value, ":")
			b.header(s, name, strings.TrimSpace(text))
		case option == "--oauth2bearer":
			b.header(s, "Authorization", "Bearer "+value)
		case slices.Contains([]string{"--headers", "-h"}, option) && i+2 < len(args) && !joined:
			b.header(s, args[i+1], args[i+2])
			i++
		}
		if _, flag := flags[option]; !joined && !flag {
			i++
		}
	}
	b.finish(s)
}

// flags are the options of bridges that take no value.
var flags = map[string]struct{}{
	"--allow-http": {}, "--debug": {}, "--silent": {}, "--enable-proxy": {}, "--stateful": {}, "--cors": {}, "--stateless": {}, "--pass-environment": {}, "--no-verify-ssl": {}, "--verify-ssl": {},
}

// finish removes secrets from the address, and sets the transport that the bridge would
// choose.
func (b *Bridge) finish(s Spec) {
	streams := slices.Contains(s.Args, "streamablehttp") || slices.Contains(s.Args, "--transport=streamablehttp")
	if b.Name == "mcp-proxy" && b.Type == "" && !streams {
		b.Type = "sse"
	}
	if token, set := s.Env["API_ACCESS_TOKEN"]; set && b.Name == "mcp-proxy" && token != "" {
		b.header(Spec{Env: map[string]string{"API_ACCESS_TOKEN": token}}, "Authorization", "Bearer ${API_ACCESS_TOKEN}")
	}
	if !strings.HasPrefix(b.URL, "http://") && !strings.HasPrefix(b.URL, "https://") {
		b.URL = ""
		return
	}
	if redacted, _ := secret.Redact(b.URL); redacted != b.URL || len(Spec{URL: b.URL}.Secrets()) > 0 {
		b.URL = "${SERVER_URL}"
	}
}

var (
	variableOf = lex.Pattern(`\$\{([A-Za-z_]\w*)\}`)
	scheme     = lex.Pattern(`^(?i)(bearer|basic|token) +`)
	unnamed    = lex.Pattern(`\W+`)
)

// header keeps a value that refers to variables. Any other value goes into a variable, so
// that the servers file contains nothing that may be a secret.
func (b *Bridge) header(s Spec, name, text string) {
	if b.Headers == nil {
		b.Headers = map[string]string{}
	}
	name = strings.TrimSpace(name)
	for range 2 {
		m := variableOf().FindStringSubmatch(text)
		if m == nil || text != m[0] {
			break
		}
		if value := s.Env[m[1]]; variableOf().MatchString(value) {
			text = value
		}
	}
	bare := scheme().ReplaceAllString(text, "")
	if variableOf().ReplaceAllString(bare, "") != "" || bare == "" {
		text = scheme().FindString(text) + "${" + strings.ToUpper(unnamed().ReplaceAllString(name, "_")) + "}"
	}
	b.Headers[name] = text
}

// Direct is the server without the bridge, as it can be added.
func (b Bridge) Direct() Spec {
	return Spec{Type: cmp.Or(b.Type, "http"), URL: b.URL, Headers: b.Headers}
}

// Reason says why not to use the bridge.
func (b Bridge) Reason() string {
	said := "it is started through " + b.Name + ", a bridge to a server that ask can reach by itself"
	if b.Rounds {
		return said + ". The bridge reads numbers as JavaScript does: integers beyond 2^53 are rounded, so that a call with one is refused, and a result may have another one than the server sent"
	}
	return said + ". The bridge writes errors of the server as results"
}

// Command is the command that adds the server itself, "" if its address is not known.
func (b Bridge) Command(name string) string {
	if b.URL == "" {
		return ""
	}
	words := []string{"ask servers add", ShellWord(name), "--url", inQuotes(b.URL)}
	if b.Type != "" {
		words = append(words, "--type", b.Type)
	}
	for _, h := range slices.Sorted(maps.Keys(b.Headers)) {
		words = append(words, "--header", inQuotes(h+": "+b.Headers[h]))
	}
	return strings.Join(words, " ")
}

// inQuotes is a text as one word of a shell, which expands no variable in it.
func inQuotes(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Bridge finds the known bridge that starts a server of the file.
func (s Servers) Bridge(name string) (Bridge, bool) {
	spec, _, is := s.Spec(name)
	if !is || spec.Command == "" {
		return Bridge{}, false
	}
	return spec.Bridge()
}
