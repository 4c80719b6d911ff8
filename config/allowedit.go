package config

import (
	"bytes"
	"maps"
	"slices"

	"github.com/tailscale/hujson"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

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
