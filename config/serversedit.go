package config

import (
	"bytes"
	"errors"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
)

// AddServers writes servers into a servers file of JSON and keeps every other byte, comments
// too. The file is replaced whole or not at all. A missing file is made, for its user alone.
// A file that [LoadServers] would refuse is left, and so is a file that already has an entry
// of such a name. A dry run checks whether the file could be written, and leaves it too.
func AddServers(path string, add map[string]Spec, dry bool) error {
	return editServers(path, add, dry, func(t *tree) error {
		for _, name := range slices.Sorted(maps.Keys(add)) {
			if t.index(name) >= 0 {
				return verdict.Fail(verdict.UsageArgument, nil, "%s has a server %s already", path, escape.Line(name, 64))
			}
			if err := t.Insert(t.in, name, add[name]); err != nil {
				return err
			}
		}
		return nil
	})
}

// RemoveServer removes an entry from a servers file of JSON, with the entry's comments, and
// keeps the rest.
func RemoveServer(path, name string, dry bool) error {
	return editServers(path, map[string]Spec{name: {}}, dry, func(t *tree) error {
		if t.index(name) < 0 {
			return verdict.Fail(verdict.UsageArgument, nil, "%s has no server %s", path, escape.Line(name, 64))
		}
		t.Remove(t.in, name)
		return nil
	})
}

// ConfineServer writes a manifest into an entry of a servers file of JSON, in place of any
// other manifest. It keeps the rest. It leaves an entry in which scopes or sandbox would
// override the manifest. The command replaces the entry's, which is a front to it; a nil
// command keeps the entry's.
func ConfineServer(path, name string, manifest confine.Manifest, command []string, dry bool) error {
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
		if edit.Index(entry, "manifest") >= 0 {
			t.Remove(entry, "manifest")
		}
		var err error
		if len(command) > 0 {
			t.Remove(entry, "command")
			if edit.Index(entry, "args") >= 0 {
				t.Remove(entry, "args")
			}
			err = t.Insert(entry, "command", command[0])
			if spec.Command, spec.Args = command[0], nil; len(command) > 1 && err == nil {
				spec.Args = command[1:]
				err = t.Insert(entry, "args", spec.Args)
			}
		}
		if err == nil {
			err = t.Insert(entry, "manifest", manifest)
		}
		spec.Manifest = hujson.Value{Value: entry.Members[len(entry.Members)-1].Value.Value}.Pack()
		named[name] = spec
		return err
	})
}

// UnconfineServer removes the manifest of a server's entry. It reports whether the entry had
// a manifest.
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
		if !is || edit.Index(entry, "manifest") < 0 {
			return verdict.Fail(verdict.ConfigInvalid, nil, "server %s of %s has no manifest of its own", escape.Line(name, 64), path)
		}
		t.Remove(entry, "manifest")
		return nil
	})
}

// editServers reads, changes, checks and replaces a file. The result is parsed again: only
// the named servers may differ, and each must be as given.
func editServers(path string, named map[string]Spec, dry bool, change func(*tree) error) error {
	_, err := edit.Rewrite(path, dry, func(path string, text []byte) ([]byte, error) { return changed(path, text, named, change) })
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
	after := t.Text()
	return after, was.onlyChanged(after, named)
}

// tree is a servers file that keeps every byte that no edit changes.
type tree struct {
	*edit.JSON
	in *hujson.Object // the object with the servers
}

func treeOf(text []byte) (*tree, error) {
	doc, err := edit.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	for _, name := range holders {
		for _, at := range []string{"/" + name, "/mcp/" + name} {
			if in := doc.Object(at); in != nil {
				return &tree{doc, in}, nil
			}
		}
	}
	return nil, errors.New("its servers are not in an object")
}

// index is the index of an entry, usable or not; -1 without such an entry.
func (t *tree) index(name string) int { return edit.Index(t.in, name) }

// onlyChanged checks that a text contains the requested changes and no others.
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

// but are all entries except the named ones, as written.
func (s Servers) but(named map[string]Spec) map[string]string {
	all := map[string]string{}
	for name, e := range s.entries {
		if _, changed := named[name]; !changed {
			all[name] = string(e.raw)
		}
	}
	return all
}

// AllowTools adds tools of a server to an allowlist, as tools that read or tools that write.
// It keeps the rest of the file, replaces the file whole or not at all, and makes a missing
// one. It leaves a file that allows nothing because of a mistake.
//
// A server with a plain list is refused: to state the effect of one tool there would state it
// of the others. A dry run writes nothing, and fails in the same cases.
func AllowTools(path, server string, reads map[string]bool, dry bool) error {
	_, err := edit.Rewrite(path, dry, func(path string, text []byte) ([]byte, error) { return allowed(path, text, server, reads) })
	return err
}

// allowed is the text of an allowlist that also allows the tools.
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
			return nil, verdict.Fail(verdict.UsageArgument, nil, "%s has a plain list for server %s, which does not say what each tool does; `ask tools --undecided` prints a list that does", path, escape.Line(server, 64))
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

// allow puts a tool into the list of tools that read or that write, with the options that it
// has. It reports whether the server has such lists.
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
	if i := edit.Index(lists, from); i >= 0 {
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

// memberOf is the value of a member. A missing or null member is set to otherwise.
func memberOf(of *hujson.Object, name string, otherwise hujson.ValueTrimmed) hujson.ValueTrimmed {
	i := edit.Index(of, name)
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

// position is the index of a tool in a list, by its name or as an object that names it.
func position(list *hujson.Array, tool string) int {
	if list == nil {
		return -1
	}
	return slices.IndexFunc(list.Elements, func(e hujson.Value) bool {
		if o, is := e.Value.(*hujson.Object); is {
			if i := edit.Index(o, "name"); i >= 0 {
				e = o.Members[i].Value
			}
		}
		l, is := e.Value.(hujson.Literal)
		return is && l.Kind() == '"' && l.String() == tool
	})
}
