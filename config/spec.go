package config

import (
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
)

// Spec is a server in the members that most clients share, with variables unexpanded. It is
// the form for a servers file, whatever form was read.
type Spec struct {
	Type    string            `json:"type,omitempty" validate:"omitempty,oneof=stdio http sse streamablehttp"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Dir     string            `json:"cwd,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	OAuth   *OAuth            `json:"oauth,omitempty"`
	Sandboxed
}

// Spec is the named server as its file spells it, and the line of its entry. It reports false
// for a missing entry and for an entry that cannot be used.
func (s Servers) Spec(name string) (spec Spec, line int, there bool) {
	e := s.entries[name]
	if e == nil || e.wrong != "" {
		return Spec{}, 0, false
	}
	return e.spec(), e.line, true
}

// spec states the type if it could be another.
func (e *entry) spec() Spec {
	s := e.mapped(func(_, text string) string { return text })
	if len(s.Args) == 0 {
		s.Args = nil // an empty list says the same
	}
	if s.Type = ""; e.URL != "" {
		s.Type = e.kind()
	}
	return s
}

// Fields are the fields of a server that hold text, in their order.
func (s Spec) Fields() iter.Seq2[string, string] {
	return func(yield func(field, text string) bool) {
		more := true
		s.mapped(func(field, text string) string {
			more = more && yield(field, text)
			return text
		})
	}
}

// mapped is a copy with each text replaced, by its field.
func (s Spec) mapped(to func(field, text string) string) Spec {
	table := func(in string, was map[string]string) map[string]string {
		is := maps.Clone(was)
		for _, name := range slices.Sorted(maps.Keys(was)) {
			is[name] = to(in+name, was[name])
		}
		return is
	}
	s.Command, s.Args = to("command", s.Command), slices.Clone(s.Args)
	for i, arg := range s.Args {
		s.Args[i] = to(fmt.Sprintf("args[%d]", i), arg)
	}
	s.Env = table("env.", s.Env)
	s.Dir, s.URL = to("cwd", s.Dir), to("url", s.URL)
	s.Headers = table("headers.", s.Headers)
	s.OAuth = s.OAuth.mapped(to)
	return s
}

// Copied is the named server in the spelling that has the same meaning in another file.
// References that only its own file explains are replaced by their values. A relative path
// stays relative to the directory of the file, and an input becomes the variable that
// replaces it. The members of [Servers.Unstated] are left out.
func (s Servers) Copied(name string) (spec Spec, there bool) {
	spec, _, there = s.Spec(name)
	if !there {
		return spec, false
	}
	if !s.own && spec.OAuth != nil { // a copy
		spec.OAuth.Issuer, spec.OAuth.PKCE = "", ""
	}
	fixed := editors(s.path, func(string) (string, bool) { return "", false })
	spec = spec.mapped(func(_, text string) string { return s.carried(text, fixed) })
	spec.Sandboxed = spec.absolute(filepath.Dir(s.path))
	if spec.Dir != "" || len(spec.Relative()) > 0 {
		spec.Dir = resolve(filepath.Dir(s.path), spec.Dir)
	}
	return spec, true
}

// carried is a text without the references that only its own file explains.
func (s Servers) carried(text string, fixed map[string]string) string {
	return reference().ReplaceAllStringFunc(text, func(ref string) string {
		m := reference().FindStringSubmatch(ref)
		if m[4] != "" {
			return "${" + s.inputs[m[4]].variable() + "}"
		}
		if v := fixed[m[1]]; v != "" && ofWorkspace(m[1]) {
			return v
		}
		return ref
	})
}

// Relative are the fields with a path that is relative to the server's working directory.
func (s Spec) Relative() (fields []string) {
	if s.Dir != "" {
		return nil
	}
	for field, text := range s.Fields() {
		slashed := filepath.ToSlash(text)
		whole := filepath.IsAbs(text) || strings.HasPrefix(text, "${")
		switch {
		case strings.HasPrefix(slashed, "./"), strings.HasPrefix(slashed, "../"):
			fields = append(fields, field)
		case field == "command" && strings.Contains(slashed, "/") && !whole:
			fields = append(fields, field)
		}
	}
	return fields
}

// Secrets are the fields that seem to contain a secret in plain text instead of a variable.
// They are the texts that [Servers.Place] conceals, and texts with a shape that guard knows.
// A password among many arguments is missed.
func (s Spec) Secrets() (fields []string) {
	var c concealer
	s = s.mapped(func(_, text string) string { return bareOf(text) })
	args := c.args(s.Args)
	for field, text := range s.Fields() {
		_, name, _ := strings.Cut(field, ".")
		is := c.variable(name, text)
		if strings.HasPrefix(field, "args[") {
			is, args = args[0], args[1:]
		}
		if _, shapes := secret.Redact(text); is != text || len(shapes) > 0 {
			fields = append(fields, field)
		}
	}
	return fields
}

// Concealed is the server for display: a mark replaces every secret in plain text.
func (s Spec) Concealed() Spec {
	var c concealer
	secrets, args := s.Secrets(), c.args(s.Args)
	return s.mapped(func(field, text string) string {
		switch {
		case field == "command", field == "cwd":
			return c.value("", text)
		case field == "url":
			text, _ = secret.Redact(c.address(text))
		case strings.HasPrefix(field, "args["):
			text, _ = secret.Redact(args[0])
			args = args[1:]
		case slices.Contains(secrets, field):
			return byName
		}
		return text
	})
}

// CommandLine is the command of a stdio server as a shell takes it, "" for any other server.
// Secrets are concealed and variables unexpanded.
func (s Spec) CommandLine() string {
	if s.Command == "" {
		return ""
	}
	shown := s.Concealed()
	words := []string{ShellWord(shown.Command)}
	for _, arg := range shown.Args {
		words = append(words, ShellWord(arg))
	}
	return strings.Join(words, " ")
}

// ShellWord is a text as one word of a shell. References to variables stay.
func ShellWord(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n\"'\\`&;|<>()*?[]#~!", r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// wordy matches literals next to a secret that are not secrets themselves.
var wordy = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[:=][ \t]*)((?:bearer|basic|token|apikey)[ \t]+|(?:true|false|yes|no|on|off|none|-?\d{1,4})$)`)
})

// bareOf is a text without the name of a header's scheme. A boolean and a small number
// become empty: no secret is so short.
func bareOf(text string) string { return wordy().ReplaceAllString(text, "$1") }

// Differences are the members by which a client's entry is another server than this entry of
// the servers file. A member that only one file has is named with that file. Confinement and
// login that only the servers file states make no difference: they limit the server, or log
// in to it, and reach no other. The result contains no value.
func (s Spec) Differences(client Spec) (all []string) {
	if s.Type != client.Type {
		all = append(all, "type differs")
	}
	if !slices.Equal(s.Args, client.Args) {
		all = append(all, "args differs")
	}
	s.Args, client.Args = nil, nil
	ours, theirs := maps.Collect(s.Fields()), maps.Collect(client.Fields())
	names := slices.Sorted(maps.Keys(ours))
	for _, field := range slices.Sorted(maps.Keys(theirs)) {
		if _, is := ours[field]; !is {
			names = append(names, field)
		}
	}
	for _, field := range names {
		_, here := ours[field]
		_, there := theirs[field]
		switch shown := escape.Line(field, 64); {
		case strings.HasPrefix(field, "oauth."): // compared as a whole, below
		case !there:
			all = append(all, shown+" is only in the servers file")
		case !here:
			all = append(all, shown+" is only in the client's file")
		case ours[field] != theirs[field]:
			all = append(all, shown+" differs")
		}
	}
	if client.OAuth != nil && !reflect.DeepEqual(s.OAuth, client.OAuth) {
		all = append(all, "oauth differs")
	}
	if client.says() && !s.Sandboxed.same(client.Sandboxed) {
		all = append(all, "manifest, scopes or sandbox differs")
	}
	return all
}

// same reports whether two entries have the same confinement, in any layout.
func (s Sandboxed) same(other Sandboxed) bool {
	equal := func(a, b jsontext.Value) bool {
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		one, errA := schema.Canonical(a)
		two, errB := schema.Canonical(b)
		return errA == nil && errB == nil && string(one) == string(two)
	}
	return s.Sandbox == other.Sandbox && equal(s.Manifest, other.Manifest) && equal(s.Scopes, other.Scopes)
}
