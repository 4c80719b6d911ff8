package config

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
)

// ClientFile is a file in which another client lists servers, or its part about one project.
// It changes an entry in its place and keeps every other byte.
type ClientFile struct {
	Path    string
	Project string // as Claude Code names it in its own file; "" is the file itself
	Servers Servers

	text     []byte
	from, to int // the bounds of the part
}

// ErrByHand is the cause if an entry is in a form that is not edited. Such an entry is on one
// line with others in TOML, on one line in YAML, or in several places.
var ErrByHand = errors.New("its entry is in a form that is not edited")

// projects is the member in which Claude Code has the settings of each project.
const projects = "projects"

// OpenClientFile reads a file that is to be changed. It returns the path behind a link, so
// that the link stays a link.
func OpenClientFile(path string) (target string, text []byte, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return "", nil, edit.Unreadable(path, err)
	}
	target, text, err = edit.Open(path)
	if err == nil && text == nil {
		err = verdict.Fail(verdict.ConfigMissing, nil, "%s does not exist", path)
	}
	return target, text, err
}

// ParseClientFile reads the text of a client's file, or its part about a project.
func ParseClientFile(path, project string, text []byte) (c ClientFile, err error) {
	c = ClientFile{Path: path, Project: project, text: text, to: len(text)}
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		c.from = len("\ufeff")
	}
	if project != "" {
		if err := c.narrow(); err != nil {
			return c, err
		}
	}
	c.Servers, err = parse(path, c.part(), true)
	return c, err
}

func (c *ClientFile) part() []byte { return c.text[c.from:c.to] }

// Text is the whole file.
func (c *ClientFile) Text() []byte { return c.text }

// ClientProjects are the projects that have a part in a client's file.
func ClientProjects(path string, text []byte) (names []string) {
	all, err := projectsOf(path, text)
	if err != nil {
		return nil
	}
	for _, m := range all {
		names = append(names, m.Name)
	}
	return names
}

// projectsOf are the parts about projects, each with its offset in the text.
func projectsOf(path string, text []byte) (all []schema.Member, err error) {
	if form(path) != "" {
		return nil, ErrNoServers
	}
	b, err := asJSON(path, text)
	if err == nil {
		err = schema.Check(b, serversLimits)
	}
	if err != nil {
		return nil, err
	}
	mark := len(text) - len(b)
	top, err := schema.Members(b)
	for _, m := range top {
		if m.Name != projects {
			continue
		}
		if all, err = schema.Members(m.Value); err != nil {
			return nil, err
		}
		for i := range all {
			all[i].At += mark + m.At
		}
	}
	return all, err
}

func (c *ClientFile) narrow() error {
	all, err := projectsOf(c.Path, c.text)
	if err != nil && !errors.Is(err, ErrNoServers) {
		return verdict.Fail(verdict.ConfigInvalid, err, "%s has %v", c.Path, err)
	}
	i := slices.IndexFunc(all, func(m schema.Member) bool { return m.Name == c.Project })
	if i < 0 {
		return verdict.Fail(verdict.ConfigInvalid, ErrNoServers, "%s has nothing about a project %s", c.Path, escape.Line(c.Project, 300))
	}
	c.from, c.to = all[i].At, all[i].At+len(all[i].Value)
	return nil
}

// form is the format of a file, by its extension: "toml", "yaml", or "" for JSON with
// comments.
func form(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".toml":
		return "toml"
	case ".yaml", ".yml":
		return "yaml"
	}
	return ""
}

// Entry is the bytes of a server's entry, and their offset in the file.
func (c *ClientFile) Entry(name string) (entry []byte, from int, err error) {
	e := c.Servers.entries[name]
	if e == nil {
		return nil, 0, verdict.Fail(verdict.UsageArgument, nil, "%s has no server %s", c.Path, escape.Line(name, 64))
	}
	var to int
	switch form(c.Path) {
	case "toml":
		at := edit.TOMLEntryOf(c.part(), tomlServers, name)
		from, to = at.From, at.To
	case "yaml":
		from, to = edit.YAMLBlock(c.part(), e.line)
	default:
		from, to = e.at, e.at+len(e.raw)
	}
	if from >= to {
		return nil, 0, ErrByHand
	}
	return c.part()[from:to], c.from + from, nil
}

// With is the file with other bytes as a server's entry. The result is parsed again: only
// that entry may differ.
func (c *ClientFile) With(name string, entry []byte) (ClientFile, error) {
	was, from, err := c.Entry(name)
	if err != nil {
		return *c, err
	}
	text := slices.Concat(c.text[:from], entry, c.text[from+len(was):])
	is, err := ParseClientFile(c.Path, c.Project, text)
	is.Servers.own = c.Servers.own
	if err != nil || !reflect.DeepEqual(c.rest(name), is.rest(name)) || c.rest(name) == nil {
		return *c, verdict.Fail(verdict.ConfigInvalid, errors.Join(err, ErrByHand), "%s: server %s cannot be changed without changing more; change it by hand", c.Path, escape.Line(name, 64))
	}
	return is, nil
}

// rest is everything in the file except one entry.
func (c *ClientFile) rest(name string) (all map[string]any) {
	if form(c.Path) == "toml" {
		all, _ = decodeTOML(c.part())
	} else if b, err := asJSON(c.Path, c.part()); err == nil {
		v, _ := schema.Any(b)
		all, _ = v.(map[string]any)
	}
	in := all
	if inner, is := all[openCode].(map[string]any); is && c.Servers.field != openCode {
		if _, there := all[c.Servers.field]; !there {
			in = inner
		}
	}
	switch servers := in[c.Servers.field].(type) {
	case map[string]any:
		delete(servers, name)
	case []any:
		in[c.Servers.field] = slices.DeleteFunc(servers, func(v any) bool { return named(title(schema.Literal(v))) == name })
	}
	return all
}

// Same reports whether a server's entry still means the same as these bytes. A client that
// writes its file again may change the layout.
func (c *ClientFile) Same(name string, entry []byte) bool {
	now, _, err := c.Entry(name)
	if err != nil {
		return false
	}
	if bytes.Equal(now, entry) {
		return true
	}
	was, err := c.With(name, entry)
	if err != nil || was.Servers.entries[name] == nil {
		return false
	}
	a, errA := schema.Canonical(c.Servers.entries[name].raw)
	b, errB := schema.Canonical(was.Servers.entries[name].raw)
	return errors.Join(errA, errB) == nil && bytes.Equal(a, b)
}

// Lines are the lines of a server's entry, with its secrets concealed. ok is false if they
// cannot be concealed.
func (c *ClientFile) Lines(name string) (lines []string, ok bool) {
	entry, from, err := c.Entry(name)
	if err != nil {
		return nil, false
	}
	shown, ok := c.concealed(name, entry)
	if !ok {
		return nil, false
	}
	before := string(c.text[1+bytes.LastIndexByte(c.text[:from], '\n') : from])
	before = before[1+strings.LastIndexAny(before, "{,}"):] // the rest of the line belongs to another entry
	return strings.Split(strings.ReplaceAll(before+shown, "\r", ""), "\n"), true
}

// concealed is an entry without its secrets. It reports false if a secret remains in another
// spelling than its plain text: then nothing may be shown.
func (c *ClientFile) concealed(name string, entry []byte) (string, bool) {
	spec, _, is := c.Servers.Spec(name)
	if !is {
		return "", false
	}
	secrets, hidden := spec.Secrets(), map[string]string{}
	for field, text := range spec.Fields() {
		hidden[field] = text
	}
	without := func(mark string) string {
		text := string(entry)
		for _, field := range secrets {
			quoted := edit.Literal(hidden[field])
			text = strings.ReplaceAll(text, string(quoted[1:len(quoted)-1]), mark)
			text = strings.ReplaceAll(text, hidden[field], mark)
		}
		return text
	}
	after, err := c.With(name, []byte(without("concealed")))
	if err != nil {
		return "", false
	}
	shown, _, is := after.Servers.Spec(name)
	for field, now := range shown.Fields() {
		is = is && (!slices.Contains(secrets, field) || now != hidden[field])
	}
	text, _ := secret.Redact(without(byName))
	return text, is
}
