package confine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// Sandbox is the operator's setting for one server. The zero value confines it to the
// minimum: its own program and runtime, no network, no writing, no process. With a nil
// Sandbox a server has the user's rights.
type Sandbox struct {
	Off       bool     `json:"-"`                   // set by the operator: the server has the user's rights
	FilesOnly bool     `json:"files_only,omitzero"` // see [Options]
	Manifest  Manifest `json:"manifest"`
	Scopes    Scopes   `json:"scopes"`
}

// Confines reports whether a server is confined at all.
func (s *Sandbox) Confines() bool { return s != nil && !s.Off }

// Argued reports whether a scope names an argument of a call. Then each call needs a
// separate process, because the grant for one call must not serve another.
func (s *Sandbox) Argued() bool {
	return s.Confines() && slices.ContainsFunc(slices.Concat(s.Scopes.ReadPaths, s.Scopes.WritePaths, s.Scopes.DeletePaths), func(path string) bool {
		_, is, _ := argument(path) // an unreadable object counts as an argument, too
		return is
	})
}

// Document returns the sandbox as an approval keeps it, as canonical JSON. It is nil if
// nothing is confined. The order of lists does not count. Suggested scopes of the
// manifest grant nothing, and are left out.
func (s *Sandbox) Document() jsontext.Value {
	if !s.Confines() {
		return nil
	}
	kept := *s
	kept.Manifest.Scopes = nil
	kept.Manifest.Permissions = sorted(s.Manifest.Permissions)
	c := &kept.Scopes
	if s.FilesOnly { // then writing includes deleting
		c.DeletePaths = slices.Concat(c.DeletePaths, c.WritePaths)
	}
	for _, list := range c.Lists() {
		*list = sorted(*list)
	}
	c.ListenPorts = sorted(c.ListenPorts)
	b, err := json.Marshal(kept)
	if err == nil {
		b, err = schema.Canonical(b)
	}
	if err != nil {
		return jsontext.Value(`{}`) // it differs from every document
	}
	return b
}

func sorted[T cmp.Ordered](list []T) []T { return slices.Compact(slices.Sorted(slices.Values(list))) }

// Step is one difference between two documents of [Sandbox.Document].
type Step struct {
	Path     string // JSON Pointer (RFC 6901) into the document; "" is the whole document
	Was, Now jsontext.Value
	Wider    bool // the server may do more than before, or its manifest asks for more
	Why      string
}

// Compare returns the differences between an approved sandbox and the current one. Steps
// that widen it come first. A document that cannot be read widens it.
func Compare(was, now jsontext.Value) (steps []Step) {
	w, wrong := ReadDocument(was)
	n, err := ReadDocument(now)
	switch {
	case wrong != nil || err != nil:
		return []Step{{Was: was, Now: now, Wider: true, Why: "the approval of its sandbox cannot be read"}}
	case w == nil && n == nil:
		return nil
	case n == nil:
		return []Step{{Was: was, Wider: true, Why: "it is no longer confined: it has the rights of the user"}}
	case w == nil:
		return []Step{{Now: now, Why: "it is confined, and was not"}}
	}
	steps = slices.Concat(
		listed("/manifest/permissions", "permission", w.Manifest.Permissions, n.Manifest.Permissions),
		listed("/scopes/readPaths", "reading", w.Scopes.ReadPaths, n.Scopes.ReadPaths),
		listed("/scopes/writePaths", "writing", w.Scopes.WritePaths, n.Scopes.WritePaths),
		listed("/scopes/deletePaths", "deleting", w.Scopes.DeletePaths, n.Scopes.DeletePaths),
		listed("/scopes/allowedHosts", "connections to", w.Scopes.AllowedHosts, n.Scopes.AllowedHosts),
		listed("/scopes/listenPorts", "listening at port", w.Scopes.ListenPorts, n.Scopes.ListenPorts),
		listed("/scopes/envVars", "the variable", w.Scopes.EnvVars, n.Scopes.EnvVars),
		listed("/scopes/allowedCommands", "starting", w.Scopes.AllowedCommands, n.Scopes.AllowedCommands),
		limited(w.Scopes.Limits, n.Scopes.Limits))
	if w.FilesOnly != n.FilesOnly {
		steps = append(steps, Step{Path: "/files_only", Was: value(w.FilesOnly), Now: value(n.FilesOnly), Wider: n.FilesOnly, Why: "files only: its attempts are not recorded, and what it may write it may delete"})
		if !n.FilesOnly {
			steps[len(steps)-1].Why = "no longer files only: a supervisor decides, and records its attempts"
		}
	}
	if w.Manifest.Description != n.Manifest.Description {
		steps = append(steps, Step{
			Path: "/manifest/description", Was: value(w.Manifest.Description), Now: value(n.Manifest.Description), Why: "its manifest has another description",
		})
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return rank(a) - rank(b) })
	return steps
}

func rank(s Step) int {
	if s.Wider {
		return 0
	}
	return 1
}

// ReadDocument reads the result of [Sandbox.Document]. It returns nil for an empty one.
func ReadDocument(text jsontext.Value) (*Sandbox, error) {
	if len(text) == 0 {
		return nil, nil
	}
	s := new(Sandbox)
	return s, schema.Decode(text, s, manifestLimits)
}

// listed compares two lists. Each new entry widens, even if another one covers it.
func listed[T cmp.Ordered](path, what string, was, now []T) (steps []Step) {
	for _, one := range sorted(now) {
		if !slices.Contains(was, one) {
			steps = append(steps, Step{Path: path, Now: value(one), Wider: true, Why: fmt.Sprintf("%s %.300v is new", what, one)})
		}
	}
	for _, one := range sorted(was) {
		if !slices.Contains(now, one) {
			steps = append(steps, Step{Path: path, Was: value(one), Why: fmt.Sprintf("%s %.300v is gone", what, one)})
		}
	}
	return steps
}

// limited compares limits. 0 means unlimited.
func limited(was, now Limits) (steps []Step) {
	for _, l := range []struct {
		name     string
		was, now uint32
	}{
		{"memoryMiB", was.MemoryMiB, now.MemoryMiB},
		{"fileMiB", was.FileMiB, now.FileMiB},
		{"processes", was.Processes, now.Processes},
		{"cpuSeconds", was.CPUSeconds, now.CPUSeconds},
	} {
		if l.was == l.now {
			continue
		}
		s := Step{Path: "/scopes/limits/" + l.name, Was: value(l.was), Now: value(l.now), Why: "the limit " + l.name + " is lower"}
		if l.was != 0 && (l.now == 0 || l.now > l.was) {
			s.Wider, s.Why = true, "the limit "+l.name+" is higher, or gone"
		}
		steps = append(steps, s)
	}
	return steps
}

func value(v any) jsontext.Value {
	b, _ := json.Marshal(v) // v is a text or a number; a text that is not UTF-8 gives no value
	return b
}

// Lines describe a sandbox for the operator: its grants, and the permissions that its
// manifest asks for without a grant. They contain the operator's and the author's texts.
func (s *Sandbox) Lines() (lines []string) {
	switch {
	case s == nil || s.Off:
		return []string{"not confined: it has all of your rights"}
	case len(s.Scopes.Granted()) == 0:
		lines = append(lines, "confined to its own program: no network, no writing, no process, none of your files")
	default:
		lines = append(lines, "confined; it may do this, and nothing else")
	}
	if s.FilesOnly {
		lines = append(lines, "files only: no network, and its attempts are not recorded")
	}
	writes, deletes := "write, replace and rename in", slices.Clone(s.Scopes.DeletePaths)
	if s.FilesOnly {
		writes = "without a supervisor it creates and deletes in"
		deletes = slices.DeleteFunc(deletes, func(path string) bool { return slices.Contains(s.Scopes.WritePaths, path) })
	}
	for _, l := range []struct {
		may string
		of  []string
	}{
		{"read", s.Scopes.ReadPaths},
		{writes, s.Scopes.WritePaths},
		{"delete in", deletes},
		{"connect to", s.Scopes.AllowedHosts},
		{"see the variables", s.Scopes.EnvVars},
		{"start", s.Scopes.AllowedCommands},
	} {
		if len(l.of) > 0 {
			lines = append(lines, l.may+" "+strings.Join(l.of, ", "))
		}
	}
	if len(s.Scopes.ListenPorts) > 0 {
		lines = append(lines, fmt.Sprintf("listen at the ports %d", s.Scopes.ListenPorts))
	}
	for _, h := range s.Scopes.Hazards() {
		lines = append(lines, h.String())
	}
	for _, p := range s.Manifest.Permissions {
		switch info, _ := p.info(); {
		case info.Scope == "":
			lines = append(lines, fmt.Sprintf("its manifest asks for %s, which is not enforceable here and stays denied", p.short()))
		case !slices.Contains(s.Scopes.Granted(), p):
			lines = append(lines, fmt.Sprintf("its manifest asks for %s, and no %s grant it", p.short(), info.Scope))
		}
	}
	return lines
}

// Policy compiles the sandbox for a program. See [Resolve].
func (s *Sandbox) Policy(program Program) (*Policy, error) {
	return Resolve(s.Manifest, s.Scopes, program)
}
