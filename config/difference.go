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

// Differences are the members by which a client's entry is another server than this
// one of the servers file, each with the file that has it where only one does. What
// only the servers file says of confinement and login makes no difference: it limits
// the server, or logs in to it, and reaches no other. No value is part of them.
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
		case strings.HasPrefix(field, "oauth."): // as a whole, below
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

// same reports whether two entries are confined alike, however it is laid out.
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
