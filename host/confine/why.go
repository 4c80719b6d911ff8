package confine

import (
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Answer says whether a policy allows something, and why.
type Answer struct {
	Action   string     `json:"action"`
	Resource string     `json:"resource"`
	Allowed  bool       `json:"allowed"`
	Because  string     `json:"because"`
	Needs    Permission `json:"needs,omitempty"` // the permission that would allow it
	Patch    []Change   `json:"patch,omitempty"` // of a manifest with scopes (RFC 6902)
}

// Why answers for a resource: an absolute path (read, write, delete and start),
// or host:port (connect). Anything else is the name of a command.
func (p *Policy) Why(resource string) []Answer {
	switch {
	case filepath.IsAbs(resource):
		path := resource
		if actual, err := filepath.EvalSymlinks(path); err == nil {
			path = actual
		}
		path = filepath.Clean(path)
		return []Answer{p.whyPath("read", path, read), p.whyPath("write", path, write), p.whyPath("delete", path, remove), p.whyPath("start", path, execute)}
	case strings.Contains(resource, ":"):
		return []Answer{p.whyHost(resource)}
	}
	path, err := exec.LookPath(resource)
	if err != nil {
		return []Answer{{Action: "start", Resource: resource, Because: "no such program is in PATH"}}
	}
	if actual, err := filepath.EvalSymlinks(path); err == nil {
		path = actual
	}
	return []Answer{p.whyPath("start", path, execute)}
}

func (p *Policy) whyPath(action, path string, a access) Answer {
	if g, ok := p.granting(path, a); ok && !p.barred(path, a) {
		return Answer{Action: action, Resource: path, Allowed: true, Because: g.why + ": " + g.path}
	}
	answer := p.denied(action, path, permissionOf(a))
	for _, one := range p.arguments {
		if one.access&a != 0 && beneath(one.root.path, path) {
			answer.Because = fmt.Sprintf("%s grants it to a call whose argument %s names it", one.why, one.Arg)
		}
	}
	return answer
}

// barred reports whether a grant has no effect. Without a command that may be started,
// the server can replace itself by its own program, and start nothing. A granted
// directory itself can be deleted only with a grant for its parent.
func (p *Policy) barred(path string, a access) bool {
	switch a {
	case execute:
		return len(p.scopes.AllowedCommands) == 0
	case remove:
		file := func(g grant) bool { return g.path == path && g.info.Mode().IsRegular() }
		return !p.holds(filepath.Dir(path), remove) && !slices.ContainsFunc(p.grants, file)
	}
	return false
}

func permissionOf(a access) Permission {
	switch a {
	case write, device:
		return FilesWrite
	case remove:
		return FilesDelete
	case execute:
		return Exec
	}
	return FilesRead
}

func (p *Policy) whyHost(resource string) Answer {
	r, err := parseHost(resource)
	switch {
	case err != nil:
		return Answer{Action: "connect", Resource: resource, Because: fmt.Sprintf("it %v", err)}
	case r.name == "" && p.hosts.allowsAddr(netip.AddrPortFrom(r.addr, r.port)):
		return Answer{Action: "connect", Resource: resource, Allowed: true, Because: "the address is in /scopes/allowedHosts"}
	case r.name != "" && p.hosts.allowsName(r.name, r.port):
		return Answer{Action: "connect", Resource: resource, Allowed: true, Because: "the name is covered by /scopes/allowedHosts; internal addresses have to be listed as addresses"}
	}
	return p.denied("connect", net.JoinHostPort(strings.Trim(strings.TrimSuffix(resource, fmt.Sprintf(":%d", r.port)), "[]"), fmt.Sprint(r.port)), NetworkClient)
}

// denied returns a negative answer, with the change that makes it positive.
func (p *Policy) denied(action, resource string, needs Permission) Answer {
	info, _ := needs.info()
	return Answer{
		Action: action, Resource: resource, Needs: needs, Patch: p.patch(needs, resource),
		Because: fmt.Sprintf("needs %s with %s", needs.short(), info.Scope),
	}
}
