package template

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Part is a part of a document that no template has.
type Part struct {
	At  string `json:"at"` // JSON Pointer
	Why string `json:"why"`
}

// listing is a server.json: the description of a server in a registry, by the schema of the
// official registry of 2025-12-11.
type listing struct {
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Packages    []jsontext.Value `json:"packages"`
	Remotes     []jsontext.Value `json:"remotes"`
}

type pack struct {
	Kind      string     `json:"registryType"`
	Registry  string     `json:"registryBaseUrl"`
	Name      string     `json:"identifier"`
	Version   string     `json:"version"`
	Launcher  string     `json:"runtimeHint"`
	Transport transport  `json:"transport"`
	Before    []argument `json:"runtimeArguments"`
	After     []argument `json:"packageArguments"`
	Variables []argument `json:"environmentVariables"`
}

type transport struct {
	Type      string            `json:"type"`
	URL       string            `json:"url"`
	Headers   []argument        `json:"headers"`
	Variables map[string]stated `json:"variables"`
}

// argument is an argument, a header or a variable.
type argument struct {
	stated

	Type      string            `json:"type"` // positional or named
	Name      string            `json:"name"`
	Hint      string            `json:"valueHint"`
	Repeated  bool              `json:"isRepeated"`
	Variables map[string]stated `json:"variables"`
}

// stated is a value, or what a user gives.
type stated struct {
	Description string   `json:"description"`
	Format      string   `json:"format"`
	Value       string   `json:"value"`
	Default     string   `json:"default"`
	Example     string   `json:"placeholder"`
	Choices     []string `json:"choices"`
	Required    bool     `json:"isRequired"`
	Secret      bool     `json:"isSecret"`
}

// FromRegistry makes a template of each package and each remote server of a server.json, also
// of one in a registry's answer. Every member is in a template, or named with the reason why
// not. usual reports whether the launchers of a kind of package ask the registry at an
// address anyway: a package of another registry would be another package.
func FromRegistry(document []byte, usual func(kind, address string) bool) (all []Template, left []Part, err error) {
	root, err := unwrapped(document)
	if err != nil {
		return nil, nil, verdict.Fail(verdict.ConfigInvalid, err, "the server.json has %v", err)
	}
	var l listing
	if err := schema.DecodeOpen(root.Value, &l, limits); err != nil {
		return nil, nil, verdict.Fail(verdict.ConfigInvalid, err, "the server.json has %v", err)
	}
	if l.Name == "" {
		return nil, nil, verdict.Fail(verdict.ConfigInvalid, nil, "the server.json names no server")
	}
	left = unread(root.Name, root.Value, reflect.TypeFor[listing]())
	name := config.ServerName(l.Name[strings.LastIndexByte(l.Name, '/')+1:])
	add := func(of string, parts []jsontext.Value, convert func(*conversion, jsontext.Value) string) {
		for i, raw := range parts {
			c := &conversion{at: fmt.Sprintf("%s/%s/%d", root.Name, of, i), usual: usual}
			c.Name, c.Meaning = name, line(l.Description)
			why := convert(c, raw)
			if why == "" {
				why = c.refused()
			}
			if why != "" {
				left = append(left, Part{c.at, why})
				continue
			}
			all, left = append(all, c.Template), append(left, c.left...)
		}
	}
	add("packages", l.Packages, (*conversion).pack)
	add("remotes", l.Remotes, (*conversion).remote)
	return all, left, nil
}

// unwrapped is the server's own object, under its pointer.
func unwrapped(document []byte) (root schema.Member, err error) {
	root.Value = document
	if err := schema.Check(document, limits); err != nil {
		return root, err
	}
	members, err := schema.Members(root.Value)
	for _, m := range members {
		if m.Name == "server" && m.Value.Kind() == '{' {
			return schema.Member{Name: "/server", Value: m.Value}, nil
		}
	}
	return root, err
}

// conversion is a template that is being made.
type conversion struct {
	Template

	at    string
	left  []Part
	why   string // it cannot be made
	usual func(kind, address string) bool
}

// refused is why the template cannot be used, or "".
func (c *conversion) refused() string {
	if c.why != "" {
		return c.why
	}
	for field, text := range c.Server.Fields() {
		if escape.Line(text, len(text)+1) != text {
			return field + " has characters that are not visible"
		}
	}
	if secrets := c.Server.Secrets(); len(secrets) > 0 {
		return secrets[0] + " seems to be a secret itself"
	}
	if _, err := config.NewServers("/", map[string]config.Spec{c.Name: c.Server}); err != nil {
		return err.Error()
	}
	return ""
}

func (c *conversion) fail(format string, args ...any) {
	if c.why == "" {
		c.why = fmt.Sprintf(format, args...)
	}
}

// launchers start packages of a kind.
var launchers = map[string]struct {
	command       string
	args          []string
	name, version string // patterns
	between       string
}{
	"npm":  {"npx", []string{"-y"}, `(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*`, `\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?`, "@"},
	"pypi": {"uvx", nil, `[A-Za-z0-9][A-Za-z0-9._-]*`, `\d+(\.\d+)*([._-]?[a-z]+\d*)*(\+[0-9a-z.]+)?`, "@"},
	"oci":  {"docker", []string{"run", "-i", "--rm"}, `[a-z0-9][A-Za-z0-9._/-]*(:\d+/[A-Za-z0-9._/-]+)?`, `[A-Za-z0-9_][A-Za-z0-9._-]*`, ":"},
}

func matches(pattern, text string) bool {
	return regexp.MustCompile(`^(?:` + pattern + `)$`).MatchString(text)
}

// pack converts a package. It returns why it cannot.
func (c *conversion) pack(raw jsontext.Value) string {
	var p pack
	if err := schema.DecodeOpen(raw, &p, limits); err != nil {
		return "it has " + err.Error()
	}
	by, known := launchers[p.Kind]
	switch {
	case !known:
		return fmt.Sprintf("packages of the kind %.40q are not started", p.Kind)
	case p.Registry != "" && !c.usual(p.Kind, p.Registry):
		return fmt.Sprintf("it is in the registry %.200q, which %s does not ask", p.Registry, by.command)
	case p.Launcher != "" && p.Launcher != by.command:
		return fmt.Sprintf("%s would start it, and the document wants %.40q", by.command, p.Launcher)
	case p.Transport.Type != "stdio":
		return fmt.Sprintf("a package is started over stdio, and this one has %.40q", p.Transport.Type)
	}
	whole := p.exact(by.between)
	if whole == "" {
		return "its identifier and version do not name one exact package"
	}
	c.left = unread(c.at, raw, reflect.TypeFor[pack]())
	c.Server.Command, c.Server.Args = by.command, slices.Clone(by.args)
	c.args("/runtimeArguments", p.Before)
	for i, v := range p.Variables {
		c.set(&c.Server.Env, fmt.Sprintf("%s/environmentVariables/%d", c.at, i), v)
		if p.Kind == "oci" { // docker passes no variable on by itself
			c.Server.Args = append(c.Server.Args, "-e", v.Name)
		}
	}
	c.Server.Args = append(c.Server.Args, whole)
	c.args("/packageArguments", p.After)
	return ""
}

// exact is the whole name of one version, or "".
func (p pack) exact(between string) string {
	of, name, version := launchers[p.Kind], p.Name, p.Version
	if p.Kind == "oci" {
		image, digest, _ := strings.Cut(p.Name, "@")
		if digest != "" && matches(`sha256:[0-9a-f]{64}`, digest) && matches(of.name+`(:`+of.version+`)?`, image) {
			return p.Name
		}
		if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
			name, version = name[:i], name[i+1:]
		}
	}
	if !matches(of.name, name) || !matches(of.version, version) || version == "latest" {
		return ""
	}
	return name + between + version
}

// remote converts a server that is reached by its address.
func (c *conversion) remote(raw jsontext.Value) string {
	var r transport
	if err := schema.DecodeOpen(raw, &r, limits); err != nil {
		return "it has " + err.Error()
	}
	kind, known := map[string]string{"streamable-http": "http", "sse": "sse"}[r.Type]
	if !known || r.URL == "" {
		return fmt.Sprintf("servers of the kind %.40q are not reached", r.Type)
	}
	c.left = unread(c.at, raw, reflect.TypeFor[transport]())
	c.Server.Type, c.Server.URL = kind, c.inserted("", r.URL, r.Variables)
	for i, h := range r.Headers {
		c.set(&c.Server.Headers, fmt.Sprintf("%s/headers/%d", c.at, i), h)
	}
	return ""
}

// set converts a header or a variable.
func (c *conversion) set(table *map[string]string, at string, a argument) {
	if _, twice := (*table)[a.Name]; a.Name == "" || twice {
		c.fail("%s has the name of another, or none", at[len(c.at)+1:])
		return
	}
	if *table == nil {
		*table = map[string]string{}
	}
	(*table)[a.Name] = c.text(at, a.Name, a)
}

// args converts arguments of a command.
func (c *conversion) args(of string, all []argument) {
	for i, a := range all {
		at := fmt.Sprintf("%s%s/%d", c.at, of, i)
		switch {
		case a.Type == "positional" && a.Value+a.Hint != "":
			if a.Name = a.Hint; a.Value == "-y" && slices.Contains(c.Server.Args, "-y") {
				continue // it is there
			}
			c.Server.Args = append(c.Server.Args, c.text(at, a.Name, a))
		case a.Type == "named" && a.Name != "":
			c.Server.Args = append(c.Server.Args, a.Name+"="+c.text(at, strings.TrimLeft(a.Name, "-"), a))
		default:
			c.fail("%s is neither a positional argument with a value or a hint, nor a named one", at[len(c.at)+1:])
		}
	}
}

// text is the text of a value: fixed, or an input.
func (c *conversion) text(at, name string, a argument) string {
	if a.Value == "" {
		return c.input(at, name, a.stated, a.Repeated)
	}
	if a.Repeated {
		c.left = append(c.left, Part{at + "/isRepeated", "its value is fixed"})
	}
	return c.inserted(name+"_", a.Value, a.Variables)
}

var variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([^{}]*)\}`) })

// inserted is a text with its variables as inputs. A name that is not a variable stays.
func (c *conversion) inserted(prefix, text string, variables map[string]stated) string {
	if strings.Contains(text, "${") {
		c.fail("%.80q has ${, which names a variable in a servers file", text)
		return ""
	}
	return variable().ReplaceAllStringFunc(text, func(ref string) string {
		name := ref[1 : len(ref)-1]
		v, is := variables[name]
		switch {
		case !is:
			return ref
		case v.Value != "":
			return c.inserted("", v.Value, nil)
		}
		return c.input(c.at, prefix+name, v, false)
	})
}

// input adds an input, and is the reference to it.
func (c *conversion) input(at, name string, g stated, repeated bool) string {
	is := Input{
		Name: regexp.MustCompile(`\W`).ReplaceAllString(name, "_"), Description: line(g.Description), Format: g.Format,
		Secret: g.Secret, Required: g.Required, Repeated: repeated, Default: g.Default, Choices: g.Choices,
	}
	if g.Example != "" {
		is.Description = line(strings.TrimSpace(is.Description + " (such as " + g.Example + ")"))
	}
	if is.Format == "string" {
		is.Format = ""
	}
	if g.Secret && g.Default != "" {
		is.Default = ""
		c.left = append(c.left, Part{at + "/default", "a secret has no default"})
	}
	same := slices.ContainsFunc(c.Inputs, func(other Input) bool { return other.Name == is.Name })
	switch {
	case is.Name == "" || matches(`\d.*`, is.Name):
		c.fail("no variable can be named %.80q", name)
	case same:
		c.fail("two of its inputs would be called %.80q", is.Name)
	case is.Default != "" && !is.takes(is.Default):
		c.fail("the default of %.80q is not one of its values", is.Name)
	}
	c.Inputs = append(c.Inputs, is)
	return "${" + is.Name + "}"
}

// maxLine bounds a stranger's text, in bytes.
const maxLine = 300

func line(text string) string { return escape.Line(verdict.Cut(text, maxLine), 4*maxLine) }

// reasons are why members are not read that could matter.
var reasons = map[string]string{
	"fileSha256":              "the file is not fetched here: `ask servers fetch` keeps the digest of a fetched package",
	"postInstallInstructions": "nothing is installed here",
}

// unread names the members of a value that its type does not read, at any depth.
func unread(at string, raw jsontext.Value, as reflect.Type) (left []Part) {
	members, err := schema.Members(raw)
	switch {
	case as.Kind() == reflect.Slice && as != reflect.TypeFor[jsontext.Value]():
		var all []jsontext.Value
		if schema.DecodeOpen(raw, &all, limits) != nil {
			return nil
		}
		for i, one := range all {
			left = append(left, unread(fmt.Sprintf("%s/%d", at, i), one, as.Elem())...)
		}
		return left
	case err != nil, as.Kind() != reflect.Struct && as.Kind() != reflect.Map:
		return nil
	}
	for _, m := range members {
		here := line(at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(m.Name))
		to, is := memberOf(as, m.Name)
		if !is {
			left = append(left, Part{here, cmp.Or(reasons[m.Name], "the server is reached or started without it")})
			continue
		}
		left = append(left, unread(here, m.Value, to)...)
	}
	return left
}

// memberOf is the type of a member that a type reads.
func memberOf(as reflect.Type, name string) (reflect.Type, bool) {
	if as.Kind() == reflect.Map {
		return as.Elem(), true
	}
	for _, f := range reflect.VisibleFields(as) {
		if f.Tag.Get("json") == name {
			return f.Type, true
		}
	}
	return nil, false
}
