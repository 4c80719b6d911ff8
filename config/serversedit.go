package config

import (
	"bytes"
	"errors"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
)

// AddServers writes servers into a servers file of JSON and leaves every other
// byte as it is, comments too. The file is replaced whole or not at all; one
// that is not there is made, for its user alone; one that [LoadServers] would
// refuse is left, and so is one that has an entry of such a name. A dry run
// finds out whether it could be written, and leaves it too.
func AddServers(path string, add map[string]Spec, dry bool) error {
	return editServers(path, add, dry, func(t *tree) error {
		for _, name := range slices.Sorted(maps.Keys(add)) {
			if t.index(name) >= 0 {
				return verdict.Fail(verdict.UsageArgument, nil, "%s has a server %s already", path, escape.Line(name, 64))
			}
			if err := t.insert(t.in, name, add[name]); err != nil {
				return err
			}
		}
		return nil
	})
}

// RemoveServer takes an entry out of a servers file of JSON, with the comments
// on it, and leaves the rest as it is.
func RemoveServer(path, name string, dry bool) error {
	return editServers(path, map[string]Spec{name: {}}, dry, func(t *tree) error {
		if t.index(name) < 0 {
			return verdict.Fail(verdict.UsageArgument, nil, "%s has no server %s", path, escape.Line(name, 64))
		}
		t.remove(t.in, name)
		return nil
	})
}

// ConfineServer writes a manifest into an entry of a servers file of JSON, in place
// of the one that it has, and leaves the rest as it is. An entry whose scopes or
// sandbox would take the manifest's effect away is left.
func ConfineServer(path, name string, manifest confine.Manifest, dry bool) error {
	return ConfineServerAs(path, name, manifest, nil, dry)
}

// ConfineServerAs does the same, and has a command with its arguments take the place of
// the entry's, which is a front of it; nil leaves that.
func ConfineServerAs(path, name string, manifest confine.Manifest, command []string, dry bool) error {
	servers, err := LoadServers(path)
	if err != nil {
		return err
	}
	spec, _, there := servers.Spec(name)
	switch {
	case !there:
		return verdict.Fail(verdict.UsageArgument, nil, "%s has no server %s", path, escape.Line(name, 64))
	case spec.Command == "":
		return verdict.Fail(verdict.UsageArgument, nil, "server %s runs elsewhere: a manifest is for a server with a command", escape.Line(name, 64))
	case spec.Sandbox == sandboxOff || len(spec.Scopes) > 0 && spec.Scopes.Kind() != '[':
		return verdict.Fail(verdict.UsageArgument, nil, "server %s has scopes, or a sandbox that is \"off\", which count and not the manifest: remove them from %s first", escape.Line(name, 64), path)
	}
	named := map[string]Spec{name: spec}
	return editServers(path, named, dry, func(t *tree) error {
		entry, is := t.in.Members[t.index(name)].Value.Value.(*hujson.Object)
		if !is || len(entry.Members) == 0 {
			return verdict.Fail(verdict.ConfigInvalid, nil, "server %s of %s is not an object", escape.Line(name, 64), path)
		}
		if indexOf(entry, "manifest") >= 0 {
			t.remove(entry, "manifest")
		}
		var err error
		if len(command) > 0 {
			t.remove(entry, "command")
			if indexOf(entry, "args") >= 0 {
				t.remove(entry, "args")
			}
			err = t.insert(entry, "command", command[0])
			if spec.Command, spec.Args = command[0], nil; len(command) > 1 && err == nil {
				spec.Args = command[1:]
				err = t.insert(entry, "args", spec.Args)
			}
		}
		if err == nil {
			err = t.insert(entry, "manifest", manifest)
		}
		spec.Manifest = hujson.Value{Value: entry.Members[len(entry.Members)-1].Value.Value}.Pack()
		named[name] = spec
		return err
	})
}

// UnconfineServer removes the manifest of a server's entry. It reports whether there
// was one.
func UnconfineServer(path, name string, dry bool) (there bool, err error) {
	servers, err := LoadServers(path)
	if err != nil {
		return false, err
	}
	spec, _, known := servers.Spec(name)
	if !known {
		return false, verdict.Fail(verdict.UsageArgument, nil, "%s has no server %s", path, escape.Line(name, 64))
	}
	if len(spec.Manifest) == 0 {
		return false, nil
	}
	spec.Manifest = nil
	return true, editServers(path, map[string]Spec{name: spec}, dry, func(t *tree) error {
		entry, is := t.in.Members[t.index(name)].Value.Value.(*hujson.Object)
		if !is || indexOf(entry, "manifest") < 0 {
			return verdict.Fail(verdict.ConfigInvalid, nil, "server %s of %s has no manifest of its own", escape.Line(name, 64), path)
		}
		t.remove(entry, "manifest")
		return nil
	})
}

// editServers reads, changes, checks and replaces a file. What comes out is
// read again: nothing but the named servers may differ, and each of them is as
// it was given.
func editServers(path string, named map[string]Spec, dry bool, change func(*tree) error) error {
	_, err := rewrite(path, dry, func(path string, text []byte) ([]byte, error) { return changed(path, text, named, change) })
	return err
}

func changed(path string, text []byte, named map[string]Spec, change func(*tree) error) ([]byte, error) {
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".toml" || ext == ".yaml" || ext == ".yml" {
		return nil, verdict.Fail(verdict.UsageArgument, nil, "%s is not JSON: ask reads it, but does not write it", path)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{\n  \"mcpServers\": {}\n}\n")
	}
	was, err := ParseServers(path, text)
	if err != nil {
		return nil, err
	}
	t, err := treeOf(text)
	if err != nil {
		return nil, verdict.Fail(verdict.ConfigInvalid, err, "%s: %v", path, err)
	}
	if err := change(t); err != nil {
		return nil, err
	}
	after := append([]byte(t.mark), bytes.TrimSuffix(t.doc.Pack(), []byte("\n"))...)
	return after, was.onlyChanged(after, named)
}

// tree is a servers file that keeps every byte that no edit changes.
type tree struct {
	mark    string // of the byte order, where there is one
	newline string
	doc     hujson.Value
	at      string         // a JSON Pointer to what holds the servers
	in      *hujson.Object // which is this
}

func treeOf(text []byte) (*tree, error) {
	t := &tree{newline: "\n"}
	if body, marked := bytes.CutPrefix(text, []byte("\ufeff")); marked {
		t.mark, text = "\ufeff", body
	}
	if bytes.Contains(text, []byte("\r\n")) {
		t.newline = "\r\n"
	}
	var err error
	if t.doc, err = hujson.Parse(lineEnded(text)); err != nil {
		return nil, err
	}
	for _, name := range holders {
		for _, at := range []string{"/" + name, "/mcp/" + name} {
			if v := t.doc.Find(at); v != nil && t.in == nil {
				t.at = at
				t.in, _ = v.Value.(*hujson.Object)
			}
		}
	}
	if t.in == nil {
		return nil, errors.New("its servers are not in an object")
	}
	return t, nil
}

// index is where an entry is, usable or not; -1 where there is none.
func (t *tree) index(name string) int { return indexOf(t.in, name) }

func indexOf(in *hujson.Object, name string) int {
	return slices.IndexFunc(in.Members, func(m hujson.ObjectMember) bool {
		l, is := m.Name.Value.(hujson.Literal)
		return is && l.String() == name
	})
}

// insert puts a member after the others: on lines of its own, as far from the
// margin as the first, unless that shares the line of its brace.
func (t *tree) insert(in *hujson.Object, name string, of any) error {
	before, after := t.newline+"    ", t.newline+"  "
	margin, lines, comma := "    ", true, false
	if n := len(in.Members); n > 0 {
		first, last := string(in.Members[0].Name.BeforeExtra), string(in.AfterExtra)
		i := strings.LastIndexByte(first, '\n')
		margin, lines, comma = first[i+1:], i >= 0, in.Members[n-1].Value.AfterExtra != nil
		before, after = last, ""
		if lines { // a comment stays with the entry before, and the brace on its line
			before = strings.TrimRight(last, " \t\r\n")
			after = last[len(before):]
			before += t.newline + margin
		}
	}
	value, err := t.value(of, margin, lines)
	if err != nil {
		return err
	}
	if comma { // after the last one, too
		value.AfterExtra = hujson.Extra{}
	}
	key := hujson.Value{BeforeExtra: hujson.Extra(before), Value: hujson.String(name)}
	in.Members = append(in.Members, hujson.ObjectMember{Name: key, Value: value})
	in.AfterExtra = hujson.Extra(after)
	return nil
}

func (t *tree) value(of any, margin string, lines bool) (hujson.Value, error) {
	how := []json.Options{json.Deterministic(true)}
	if lines {
		how = append(how, jsontext.WithIndentPrefix(margin), jsontext.WithIndent("  "))
	}
	b, err := json.Marshal(of, how...)
	if err != nil {
		return hujson.Value{}, err
	}
	value, err := hujson.Parse(bytes.ReplaceAll(b, []byte("\n"), []byte(t.newline)))
	value.AfterExtra = nil
	if lines {
		value.BeforeExtra = hujson.Extra(" ")
	}
	return value, err
}

// remove takes a member out, with the comments above it and next to it. What is
// on the line before, and whether the last one has a comma, stays.
func (t *tree) remove(in *hujson.Object, name string) {
	i := indexOf(in, name)
	gone := in.Members[i]
	rest := slices.Delete(in.Members, i, i+1)
	in.Members = rest
	next := &in.AfterExtra
	if i < len(rest) {
		next = &rest[i].Name.BeforeExtra
	} else if i > 0 {
		rest[i-1].Value.AfterExtra = gone.Value.AfterExtra // the comma, or none
	}
	end := bytes.IndexByte(*next, '\n')
	switch before, _, lines := bytes.Cut(gone.Name.BeforeExtra, []byte("\n")); {
	case end >= 0 && lines:
		*next = slices.Concat(bytes.TrimRight(before, "\r"), []byte(t.newline), (*next)[end+1:])
	case end < 0 && i < len(rest):
		*next = gone.Name.BeforeExtra
	}
}

// onlyChanged holds a changed text to what was asked for.
func (s Servers) onlyChanged(text []byte, named map[string]Spec) error {
	is, err := ParseServers(s.path, text)
	if err != nil || !reflect.DeepEqual(s.but(named), is.but(named)) {
		return verdict.Fail(verdict.ConfigInvalid, err, "%s cannot be changed without changing more; change it by hand", s.path)
	}
	for name, spec := range named {
		e := is.entries[name]
		if e == nil { // removed
			continue
		}
		if e.wrong != "" {
			return verdict.Fail(verdict.UsageArgument, nil, "server %s: %s", escape.Line(name, 64), escape.Line(e.wrong, 300))
		}
		if !reflect.DeepEqual(e.spec(), spec) {
			return verdict.Fail(verdict.UsageArgument, nil, "server %s would be read with other values than given", escape.Line(name, 64))
		}
	}
	return nil
}

// but are all entries but the named ones, as they are written.
func (s Servers) but(named map[string]Spec) map[string]string {
	all := map[string]string{}
	for name, e := range s.entries {
		if _, changed := named[name]; !changed {
			all[name] = string(e.raw)
		}
	}
	return all
}

// AllowTools writes into an allowlist of tools of a server that they read, or that
// they write, and leaves the rest as it is. The file is replaced whole or not at
// all, and made where there is none; one that allows nothing because of a mistake
// is left. A server with a plain list is refused: to say of one tool what it does
// would be to say it of the others. A dry run writes nothing, and fails as another
// would.
func AllowTools(path, server string, reads map[string]bool, dry bool) error {
	_, err := rewrite(path, dry, func(path string, text []byte) ([]byte, error) { return allowed(path, text, server, reads) })
	return err
}

// allowed is the text of an allowlist that allows the tools as well.
func allowed(path string, text []byte, server string, reads map[string]bool) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	was, err := catalog.ParseAllowlist(text)
	if err != nil {
		return nil, verdict.Fail(verdict.ConfigInvalid, err, "%s is not an allowlist: %v", path, err)
	}
	doc, err := hujson.Parse(text)
	if err != nil {
		return nil, verdict.Fail(verdict.ConfigInvalid, err, "%s: %v", path, err)
	}
	want := effects(was)
	for _, tool := range slices.Sorted(maps.Keys(reads)) {
		want[[2]string{server, tool}] = catalog.Effect{Reads: reads[tool], Stated: true, Approval: was.Effect(server, tool).Approval}
		if !allow(&doc, server, tool, reads[tool]) {
			return nil, verdict.Fail(verdict.UsageArgument, nil, "%s has a plain list for server %s, which does not say what each tool does; `ask tools --undecided` prints one that does", path, escape.Line(server, 64))
		}
	}
	after := doc.Pack()
	is, err := catalog.ParseAllowlist(after)
	if err != nil || !maps.Equal(want, effects(is)) {
		return nil, verdict.Fail(verdict.ConfigInvalid, err, "%s cannot be changed without changing more; change it by hand", path)
	}
	return after, nil
}

func effects(of catalog.Allowlist) map[[2]string]catalog.Effect {
	all := map[[2]string]catalog.Effect{}
	for _, s := range of.Servers() {
		for _, t := range of.Tools(s) {
			all[[2]string{s, t}] = of.Effect(s, t)
		}
	}
	return all
}

// allow puts a tool into the list of what reads or of what writes, with the
// options that it has. It reports whether the server has such lists.
func allow(doc *hujson.Value, server, tool string, reads bool) bool {
	to, from := "write", "read"
	if reads {
		to, from = from, to
	}
	root, _ := doc.Value.(*hujson.Object)
	lists, is := memberOf(root, server, &hujson.Object{}).(*hujson.Object)
	if !is {
		return false
	}
	written := hujson.Value{Value: hujson.String(tool)}
	if i := indexOf(lists, from); i >= 0 {
		other, _ := lists.Members[i].Value.Value.(*hujson.Array)
		if at := position(other, tool); at >= 0 {
			written.Value = other.Elements[at].Value
			other.Elements = slices.Delete(other.Elements, at, at+1)
		}
	}
	target, is := memberOf(lists, to, &hujson.Array{}).(*hujson.Array)
	if is && position(target, tool) < 0 {
		if n := len(target.Elements); n > 0 {
			written.BeforeExtra = slices.Clone(target.Elements[n-1].BeforeExtra)
		}
		target.Elements = append(target.Elements, written)
	}
	return is
}

// memberOf is the value of a member, which is added where there is none or null.
func memberOf(of *hujson.Object, name string, otherwise hujson.ValueTrimmed) hujson.ValueTrimmed {
	i := indexOf(of, name)
	if i < 0 {
		key := hujson.Value{Value: hujson.String(name)}
		if n := len(of.Members); n > 0 {
			key.BeforeExtra = slices.Clone(of.Members[n-1].Name.BeforeExtra)
		}
		i = len(of.Members)
		of.Members = append(of.Members, hujson.ObjectMember{Name: key, Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: otherwise}})
	}
	if v := &of.Members[i].Value; v.Value.Kind() == 'n' {
		v.Value = otherwise
	}
	return of.Members[i].Value.Value
}

// position is where a list has a tool, by its name or as an object that names it.
func position(list *hujson.Array, tool string) int {
	if list == nil {
		return -1
	}
	return slices.IndexFunc(list.Elements, func(e hujson.Value) bool {
		if o, is := e.Value.(*hujson.Object); is {
			if i := indexOf(o, "name"); i >= 0 {
				e = o.Members[i].Value
			}
		}
		l, is := e.Value.(hujson.Literal)
		return is && l.Kind() == '"' && l.String() == tool
	})
}
