package confine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Permission is a name that a manifest may ask for. The names are from AgentBound (Bühler
// and others, "Securing AI Agent Execution", 2025).
type Permission string

// The permissions that are enforced. Each becomes effective only through a scope.
const (
	FilesRead     Permission = "mcp.ac.filesystem.read"
	FilesWrite    Permission = "mcp.ac.filesystem.write"
	FilesDelete   Permission = "mcp.ac.filesystem.delete"
	NetworkClient Permission = "mcp.ac.network.client"
	NetworkServer Permission = "mcp.ac.network.server"
	EnvRead       Permission = "mcp.ac.system.env.read"
	Exec          Permission = "mcp.ac.system.exec"
)

// PermissionInfo describes one permission. Scope is the member that makes it effective. A
// permission with "" cannot be granted and stays denied.
type PermissionInfo struct {
	Name  Permission `json:"name"`
	Scope string     `json:"scope,omitempty"`
	Means string     `json:"means"`
}

var permissions = []PermissionInfo{
	{FilesRead, "readPaths", "read files, and list directories"},
	{FilesWrite, "writePaths", "create files and directories, write them, and replace or rename them"},
	{FilesDelete, "deletePaths", "delete files and directories"},
	{NetworkClient, "allowedHosts", "connect to hosts"},
	{NetworkServer, "listenPorts", "accept connections at ports of this machine"},
	{"mcp.ac.network.bluetooth", "", "reach Bluetooth devices"},
	{EnvRead, "envVars", "read environment variables"},
	{"mcp.ac.system.env.write", "", "change the environment of other programs"},
	{Exec, "allowedCommands", "start programs"},
	{"mcp.ac.system.process", "", "list and signal other processes"},
	{"mcp.ac.peripheral.camera", "", "use cameras"},
	{"mcp.ac.peripheral.microphone", "", "use microphones"},
	{"mcp.ac.peripheral.speaker", "", "play sound"},
	{"mcp.ac.peripheral.screen.capture", "", "read the screen"},
	{"mcp.ac.location", "", "learn where the machine is"},
	{"mcp.ac.notifications.post", "", "post notifications"},
	{"mcp.ac.clipboard.read", "", "read the clipboard"},
	{"mcp.ac.clipboard.write", "", "change the clipboard"},
}

// Permissions lists all permissions, in a fixed order.
func Permissions() []PermissionInfo { return slices.Clone(permissions) }

func (p Permission) info() (PermissionInfo, bool) {
	i := slices.IndexFunc(permissions, func(i PermissionInfo) bool { return i.Name == p })
	if i < 0 {
		return PermissionInfo{}, false
	}
	return permissions[i], true
}

func (p Permission) short() string { return strings.TrimPrefix(string(p), "mcp.ac.") }

// Manifest states what a server needs, according to its author. It grants nothing by
// itself: scopes grant, and only what the manifest asks for. The zero value asks for
// nothing.
type Manifest struct {
	Description string       `json:"description"`
	Permissions []Permission `json:"permissions"`
	Scopes      *Scopes      `json:"scopes,omitempty"` // suggestions, until the operator makes them the scopes
}

// Scopes are what the operator grants. An absent or empty member grants nothing.
type Scopes struct {
	ReadPaths       Paths    `json:"readPaths,omitempty"`       // absolute; a directory covers what is below it
	WritePaths      Paths    `json:"writePaths,omitempty"`      // likewise; they do not grant reading
	DeletePaths     Paths    `json:"deletePaths,omitempty"`     // likewise
	AllowedHosts    []string `json:"allowedHosts,omitempty"`    // name:port, *.name:port or address:port
	ListenPorts     []uint16 `json:"listenPorts,omitempty"`     // TCP and UDP
	EnvVars         []string `json:"envVars,omitempty"`         // names
	AllowedCommands []string `json:"allowedCommands,omitempty"` // absolute paths, or names that are looked up in PATH
	Limits          Limits   `json:"limits,omitzero"`
}

// Limits bound each process of the server. In a delegated cgroup memory and processes are
// limits for all of them together. 0 means unlimited.
type Limits struct {
	MemoryMiB uint32 `json:"memoryMiB,omitempty"` // MiB of private writable memory; in a cgroup all memory
	FileMiB   uint32 `json:"fileMiB,omitempty"`   // size of any one written file
	// threads included: the user's, except root's; in a cgroup the server's
	Processes  uint32 `json:"processes,omitempty"`
	CPUSeconds uint32 `json:"cpuSeconds,omitempty"` // processor time
}

// manifestLimits allow more scopes than an operator would read.
var manifestLimits = schema.Limits{Bytes: 64 << 10, Depth: 6, Values: 5_000, Exponent: 9, Digits: 20}

// Parse reads a manifest strictly. An unknown or repeated member, an unknown
// permission and an empty description are errors that name the place.
func Parse(b []byte) (Manifest, error) {
	var m Manifest
	if err := schema.Decode(b, &m, manifestLimits); err != nil {
		return Manifest{}, malformed("the manifest", err)
	}
	if strings.TrimSpace(m.Description) == "" {
		return Manifest{}, invalid("/description is empty", "describe the server's purpose in one sentence")
	}
	names := make([]string, 0, len(permissions))
	for _, p := range permissions {
		names = append(names, string(p.Name))
	}
	for i, p := range m.Permissions {
		if _, known := p.info(); !known {
			return Manifest{}, invalid(fmt.Sprintf("/permissions/%d is %.80q, which is not a permission%s", i, p, verdict.Near(string(p), names)), "`ask manifest check` lists them")
		}
		if slices.Contains(m.Permissions[:i], p) {
			return Manifest{}, invalid(fmt.Sprintf("/permissions/%d repeats %s", i, p), "remove one of the two")
		}
	}
	if m.Scopes != nil {
		return m, m.Scopes.arguments("/scopes")
	}
	return m, nil
}

// ParseScopes reads scopes that are a separate document.
func ParseScopes(b []byte) (Scopes, error) {
	var s Scopes
	if err := schema.Decode(b, &s, manifestLimits); err != nil {
		return Scopes{}, malformed("the document of scopes", err)
	}
	return s, s.arguments("")
}

func malformed(document string, err error) error {
	f := verdict.Fail(verdict.ManifestInvalid, err, "%s has %v", document, err)
	if e, is := errors.AsType[*schema.Error](err); is && e.Unknown != "" {
		f.Hint = fmt.Sprintf("remove the member %.80q, or correct its name", e.Unknown)
	}
	return f
}

func invalid(why, remedy string) error {
	return verdict.Fail(verdict.ManifestInvalid, nil, "%s", why).WithHint(remedy)
}

func (m Manifest) asks(p Permission) bool { return slices.Contains(m.Permissions, p) }

// Consent returns the error of granting a permission. Either the manifest does not ask
// for it, or this program cannot enforce it. It is nil for the seven permissions that
// become effective through a scope.
func (m Manifest) Consent(p Permission) error {
	info, known := p.info()
	switch {
	case !known:
		return invalid(fmt.Sprintf("%.80q is not a permission", p), "`ask manifest check` lists them")
	case info.Scope == "":
		return verdict.Fail(verdict.ManifestUnenforceable, nil, "%s is not enforceable here, so it stays denied", p).
			WithHint("remove it from the grants; such actions can only be refused")
	case !m.asks(p):
		return invalid(fmt.Sprintf("the manifest does not ask for %s, which /scopes/%s grants", p, info.Scope),
			fmt.Sprintf("add %q to /permissions, or remove /scopes/%s", p, info.Scope))
	}
	return nil
}

// Granted returns the permissions with an entry in their member of the scopes.
func (s Scopes) Granted() []Permission {
	var all []Permission
	for p, list := range s.Lists() {
		if len(*list) > 0 {
			all = append(all, p)
		}
	}
	if len(s.ListenPorts) > 0 {
		all = append(all, NetworkServer)
	}
	slices.Sort(all)
	return all
}

// Lists returns the members of the scopes by their permission, except the ports.
func (s *Scopes) Lists() map[Permission]*[]string {
	return map[Permission]*[]string{
		FilesRead: (*[]string)(&s.ReadPaths), FilesWrite: (*[]string)(&s.WritePaths), FilesDelete: (*[]string)(&s.DeletePaths),
		NetworkClient: &s.AllowedHosts, EnvRead: &s.EnvVars, Exec: &s.AllowedCommands,
	}
}
