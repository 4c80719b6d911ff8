package config

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
)

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
