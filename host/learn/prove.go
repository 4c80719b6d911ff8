package learn

import (
	"context"
	"slices"

	"github.com/onestep-run/onestep/host/confine"
)

// Proof is the last run. The server runs under the learned manifest, on copies, with the
// reading calls.
type Proof struct {
	Answers []Answer          `json:"answers"`
	Refused []confine.Attempt `json:"refused"` // besides the needless attempts
	Untried []Untried         `json:"untried"`
}

// Untried is a tool or a grant that the last run did not test.
type Untried struct {
	Name string `json:"name"` // a tool, or an element of a scope
	Why  string `json:"why"`
}

// prove starts the server under the final manifest, and makes the reading calls.
// Connections, ports and programs take effect only if the operator granted them for
// learning.
func (l *learner) prove(ctx context.Context) error {
	learned := l.Answers
	defer func() { l.Answers = learned }()
	l.proving = true
	scopes := l.scopes
	l.untry(&scopes)
	reading, others := l.parted()
	_, err := l.start(ctx, "the proving run", scopes, reading, nil)
	l.Proof.Answers = l.Answers
	l.Proof.Refused = slices.DeleteFunc(l.last, func(a confine.Attempt) bool {
		return slices.ContainsFunc(l.Needless, func(b confine.Attempt) bool { return key(a) == key(b) })
	})
	for _, c := range others {
		why := "its call was refused something and is not repeated: run learn again with --from and this manifest"
		if l.cut && !slices.ContainsFunc(l.Proof.Untried, func(u Untried) bool { return u.Name == c.Tool }) {
			l.Proof.Untried = append(l.Proof.Untried, Untried{c.Tool, why})
		}
	}
	for _, tool := range l.tools {
		if _, called := l.changes()[tool]; !called {
			l.Proof.Untried = append(l.Proof.Untried, Untried{tool, "no call of it was given"})
		}
	}
	return err
}

// untry removes from scopes the grants that do not take effect while a server is watched.
func (l *learner) untry(s *confine.Scopes) {
	for _, one := range []struct {
		p    confine.Permission
		list *[]string
		was  []string
	}{{confine.NetworkClient, &s.AllowedHosts, l.effective.AllowedHosts}, {confine.Exec, &s.AllowedCommands, l.effective.AllowedCommands}} {
		*one.list = slices.DeleteFunc(slices.Clone(*one.list), func(name string) bool {
			out := !slices.Contains(l.Effective, one.p) && !slices.Contains(one.was, name)
			if out {
				l.Proof.Untried = append(l.Proof.Untried, Untried{name, "it was not granted while learning"})
			}
			return out
		})
	}
	if !slices.Contains(l.Effective, confine.NetworkServer) {
		s.ListenPorts = l.effective.ListenPorts
	}
	for path, err := range l.copies.failed {
		_, copied := l.copies.copyOf(path)
		if !copied && err != nil && slices.Contains(slices.Concat(l.scopes.WritePaths, l.scopes.DeletePaths), path) {
			l.Proof.Untried = append(l.Proof.Untried, Untried{path, "writing in it: " + err.Error()})
		}
	}
}
