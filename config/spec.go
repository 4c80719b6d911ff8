package config

import (
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Spec is a server in the members that most clients share, variables
// unexpanded: what is written into a servers file, whatever form it was read
// from.
type Spec struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Dir     string            `json:"cwd,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

// Spec is the named server as its file spells it, and the line that it begins
// on; there is none where the file has no such entry, or one that cannot be used.
func (s Servers) Spec(name string) (spec Spec, line int, there bool) {
	e := s.entries[name]
	if e == nil || e.wrong != "" {
		return Spec{}, 0, false
	}
	return e.spec(), e.line, true
}

// spec names the type where there is a choice.
func (e *entry) spec() Spec {
	s := Spec{Command: e.Command, Args: slices.Clone(e.Args), Env: texts(e.Env), Dir: e.Dir, URL: e.URL, Headers: texts(e.Headers)}
	if e.URL != "" {
		s.Type = e.server("").Kind()
	}
	return s
}

func texts(table map[string]plainText) map[string]string {
	if len(table) == 0 {
		return nil
	}
	out := map[string]string{}
	for name, text := range table {
		out[name] = string(text)
	}
	return out
}

// Copied is the named server as another file has to spell it to mean the same:
// what only its own file explains is written out. A relative path is left
// relative to where the file was, and an input becomes the variable that is
// asked for it.
func (s Servers) Copied(name string) (spec Spec, line int, there bool) {
	spec, line, there = s.Spec(name)
	if !there {
		return spec, line, false
	}
	fixed := editors(s.path, func(string) (string, bool) { return "", false })
	swap := func(text string) string { return s.carried(text, fixed) }
	spec.Command, spec.Dir, spec.URL = swap(spec.Command), swap(spec.Dir), swap(spec.URL)
	for i := range spec.Args {
		spec.Args[i] = swap(spec.Args[i])
	}
	for _, table := range []map[string]string{spec.Env, spec.Headers} {
		for name, text := range table {
			table[name] = swap(text)
		}
	}
	if spec.Dir != "" || len(spec.Relative()) > 0 {
		spec.Dir = resolve(filepath.Dir(s.path), spec.Dir)
	}
	return spec, line, true
}

// carried is a text without the references that only its own file explains.
func (s Servers) carried(text string, fixed map[string]string) string {
	return reference().ReplaceAllStringFunc(text, func(ref string) string {
		m := reference().FindStringSubmatch(ref)
		if m[4] != "" {
			return "${" + s.inputs[m[4]].variable() + "}"
		}
		if v := fixed[m[1]]; v != "" && strings.HasPrefix(m[1], "workspace") {
			return v
		}
		return ref
	})
}

// Relative are the fields that hold a path which is relative to wherever the
// server starts.
func (s Spec) Relative() (fields []string) {
	if s.Dir != "" {
		return nil
	}
	for field, text := range s.fields() {
		switch slashed := filepath.ToSlash(text); {
		case strings.HasPrefix(slashed, "./"), strings.HasPrefix(slashed, "../"),
			field == "command" && strings.Contains(slashed, "/") && !filepath.IsAbs(text) && !strings.HasPrefix(text, "${"):
			fields = append(fields, field)
		}
	}
	return fields
}

// fields are the fields of a server in their order.
func (s Spec) fields() func(yield func(field, text string) bool) {
	e := entry{Command: s.Command, Args: s.Args, Dir: s.Dir, URL: s.URL, Env: plain(s.Env), Headers: plain(s.Headers)}
	return e.texts()
}

func plain(table map[string]string) map[string]plainText {
	out := map[string]plainText{}
	for name, text := range table {
		out[name] = plainText(text)
	}
	return out
}

// Secrets are the fields that seem to hold a secret in plain sight, where a
// variable could stand for it. It goes by names and by the shape of a URL: a
// password as the third argument of a program is not seen.
func (s Spec) Secrets() (fields []string) {
	asks := false // whether the argument before names a secret
	for field, text := range s.fields() {
		_, name, _ := strings.Cut(field, ".")
		switch {
		case name != "":
			if secretName(name) && literal(text) || secretURL(text) {
				fields = append(fields, field)
			}
		case strings.HasPrefix(field, "args["):
			option, value, joined := strings.Cut(text, "=")
			option = strings.TrimLeft(option, "-")
			if asks && literal(text) || joined && secretName(option) && literal(value) || secretURL(text) || secretHeader(text) {
				fields = append(fields, field)
			}
			asks = !joined && strings.HasPrefix(text, "-") && secretName(option)
		case secretURL(text):
			fields = append(fields, field)
		}
	}
	return fields
}

// what is read of names and values, made at first use.
var sensitive = sync.OnceValue(func() (re struct{ secret, place, scheme, harmless *regexp.Regexp }) {
	re.secret = regexp.MustCompile(`(?i)token|secret|passw|pwd|pass$|api[-_]?key|[-_]key$|^key$|auth|credential|cookie|private|signature|dsn$`)
	re.place = regexp.MustCompile(`(?i)(file|path|dir|sock|url|uri|host|port|user|type|mode|enabled|env|tokens)$`)
	re.scheme = regexp.MustCompile(`(?i)^\s*(bearer|basic|token|apikey)\s+`)
	re.harmless = regexp.MustCompile(`(?i)^\s*(|true|false|yes|no|on|off|none|-?\d{1,4})\s*$`)
	return re
})

// secretName reports whether a name is one that secrets have.
func secretName(name string) bool {
	re := sensitive()
	return re.secret.MatchString(name) && !re.place.MatchString(name)
}

// literal reports whether a text says something by itself, beside its references.
func literal(text string) bool {
	if strings.HasPrefix(text, "-") && !strings.Contains(text, " ") && len(text) < 24 {
		return false // the next option
	}
	return !sensitive().harmless.MatchString(sensitive().scheme.ReplaceAllString(reference().ReplaceAllString(text, ""), ""))
}

// secretURL reports whether a URL carries a password, or a secret in its query.
func secretURL(text string) bool {
	u, err := url.Parse(reference().ReplaceAllString(text, ""))
	if err != nil || u.Scheme == "" {
		return false
	}
	if password, has := u.User.Password(); has && password != "" {
		return true
	}
	query := u.Query()
	return slices.ContainsFunc(slices.Collect(maps.Keys(query)), func(name string) bool {
		return secretName(name) && slices.ContainsFunc(query[name], literal)
	})
}

// secretHeader reports whether an argument is a header with a secret, as the
// programs take that bring a remote server to stdio.
func secretHeader(text string) bool {
	name, value, is := strings.Cut(text, ":")
	return is && !strings.ContainsAny(name, " /") && secretName(name) && literal(value)
}
