package confine

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/escape"
)

// Change is one operation of a JSON patch (RFC 6902).
type Change struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// Attempt is one action that a server tried and was refused. Its resource is the server's
// own text and may have raced: it shows the request, and decided nothing.
type Attempt struct {
	// read, write, delete, start, connect, resolve, listen, send, change mode, change times
	Action     string     `json:"action"`
	Resource   string     `json:"resource"`
	Permission Permission `json:"permission,omitempty"` // that would allow it; "" if none would
	Scope      string     `json:"scope,omitempty"`
	Patch      []Change   `json:"patch,omitempty"`
	Process    string     `json:"process"` // name of the thread that tried
	PID        int        `json:"pid"`
	Time       time.Time  `json:"time"`
}

const maxResource = 300

// String is the attempt as a line to display: "blocked: read /etc/passwd (needs
// filesystem.read with readPaths)".
func (a Attempt) String() string {
	line := "blocked: " + a.Action
	switch {
	case a.Resource != "":
		line += " " + escape.Line(a.Resource, maxResource)
	case a.Permission == Exec: // refused before the process started, so the program is unknown
		line += " a program, which `ask manifest learn` names"
	}
	if a.Permission == "" {
		return line + " (no permission allows it)"
	}
	return fmt.Sprintf("%s (needs %s with %s)", line, a.Permission.short(), a.Scope)
}

// Scoped returns the attempt with the scope of its permission. Use it for an attempt that
// was read from a record.
func (a Attempt) Scoped() Attempt {
	info, _ := a.Permission.info()
	a.Scope = info.Scope
	return a
}

// patch returns the changes that make a manifest with scopes allow a resource.
func (p *Policy) patch(needs Permission, resource string) []Change {
	info, known := needs.info()
	if !known || info.Scope == "" {
		return nil
	}
	var changes []Change
	switch {
	case len(p.manifest.Permissions) == 0:
		changes = append(changes, Change{"add", "/permissions", []Permission{needs}})
	case !p.manifest.asks(needs):
		changes = append(changes, Change{"add", "/permissions/-", needs})
	}
	var value any = resource
	if needs == NetworkServer {
		port, err := strconv.ParseUint(resource, 10, 16)
		if err != nil {
			return nil
		}
		value = port
	}
	granted := p.scopes.Granted()
	switch {
	case slices.Contains(granted, needs):
		return append(changes, Change{"add", "/scopes/" + info.Scope + "/-", value})
	case len(granted) == 0 && p.scopes.Limits == (Limits{}):
		return append(changes, Change{"add", "/scopes", map[string]any{info.Scope: []any{value}}})
	}
	return append(changes, Change{"add", "/scopes/" + info.Scope, []any{value}})
}

// maxAttempts bounds the attempts that are kept for one server, and so their memory.
const maxAttempts = 1000

type audit struct {
	policy *Policy
	report func(Attempt) // nil for none

	mu       sync.Mutex
	seen     map[string]bool
	attempts []Attempt
	unlisted int
}

// record records an attempt that was not recorded before.
func (a *audit) record(action, resource string, needs Permission, pid int, process string) {
	key := action + "\x00" + resource
	a.mu.Lock()
	if a.seen[key] {
		a.mu.Unlock()
		return
	}
	if len(a.attempts) >= maxAttempts {
		a.unlisted++
		a.mu.Unlock()
		return
	}
	if a.seen == nil {
		a.seen = map[string]bool{}
	}
	a.seen[key] = true
	info, _ := needs.info()
	one := Attempt{
		Action: action, Resource: resource, Permission: needs, Scope: info.Scope, Patch: a.policy.patch(needs, resource),
		PID: pid, Process: process, Time: time.Now(),
	}
	a.attempts = append(a.attempts, one)
	a.mu.Unlock()
	if a.report != nil {
		a.report(one)
	}
}

// missed counts an attempt that came too fast to be compared with the policy.
func (a *audit) missed() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.unlisted++
}

func (a *audit) list() ([]Attempt, int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.attempts), a.unlisted
}

// Report describes a start, for the trace.
type Report struct {
	Machine
	FilesOnly bool     `json:"files_only,omitempty"` // see [Options]
	Manifest  string   `json:"manifest_sha256"`      // of manifest and scopes
	Bound     []Bound  `json:"bound,omitempty"`      // grants for arguments of the call
	NotHeld   []string `json:"not_held,omitempty"`   // parts that this machine cannot enforce
	Counted   bool     `json:"counted"`              // limits of memory and processes are for all processes together
	Proved    []string `json:"proved"`               // what the server's process tried first, and was refused
}

// digest identifies the manifest and the scopes of a policy.
func (p *Policy) digest() string {
	b, err := json.Marshal([]any{p.manifest, p.scopes}, json.Deterministic(true))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// Options are the inputs of a start from outside. The zero value keeps attempts only for
// [Confined.Attempts].
type Options struct {
	Record func(Attempt) // called once for each attempt, from any goroutine

	// FilesOnly starts the server without a supervisor, for a machine that has none. Then
	// no attempt is recorded, no connection can be granted, and no mode or time of a file
	// can be changed. writePaths also grant deleting, because the files that the server
	// made are not known. Files and processes are confined as always.
	FilesOnly bool
}
