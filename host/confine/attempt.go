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

// Attempt is one thing that a server tried and was refused. Its resource is the
// server's own text and may have raced: it says what was asked for, and decided
// nothing.
type Attempt struct {
	Action     string     `json:"action"` // read, write, delete, start, connect, resolve, listen, send, change mode, change times
	Resource   string     `json:"resource"`
	Permission Permission `json:"permission,omitempty"` // that would allow it; "" where none does
	Scope      string     `json:"scope,omitempty"`
	Patch      []Change   `json:"patch,omitempty"`
	Process    string     `json:"process"` // the name of the thread that tried
	PID        int        `json:"pid"`
	Time       time.Time  `json:"time"`
}

// maxResource bounds a path or a name in a line for people.
const maxResource = 300

// String is a line for people: "blocked: read /etc/passwd (needs
// filesystem.read with readPaths)".
func (a Attempt) String() string {
	line := "blocked: " + a.Action
	switch {
	case a.Resource != "":
		line += " " + escape.Line(a.Resource, maxResource)
	case a.Permission == Exec: // refused before there was a process, so which one is not known
		line += " a program, which `ask manifest learn` names"
	}
	if a.Permission == "" {
		return line + " (no permission allows it)"
	}
	return fmt.Sprintf("%s (needs %s with %s)", line, a.Permission.short(), a.Scope)
}

// Scoped is an attempt with the scope that its permission becomes effective by, for
// one that was read from a record.
func (a Attempt) Scoped() Attempt {
	info, _ := a.Permission.info()
	a.Scope = info.Scope
	return a
}

// patch is what a manifest with scopes lacks to allow a resource.
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

// maxAttempts bounds what is kept of one server: one that tries everything
// costs no more memory than one that tries this much.
const maxAttempts = 1000

// audit keeps each attempt once.
type audit struct {
	policy *Policy
	now    func() time.Time
	report func(Attempt) // nil for none

	mu       sync.Mutex
	seen     map[string]bool
	attempts []Attempt
	unlisted int
}

// add records an attempt that was not recorded before.
func (a *audit) add(action, resource string, needs Permission, pid int, process string) {
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
		PID: pid, Process: process, Time: a.now(),
	}
	a.attempts = append(a.attempts, one)
	a.mu.Unlock()
	if a.report != nil {
		a.report(one)
	}
}

// missed counts an attempt that came too fast to be compared.
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

// Report is what a start came to: for the trace.
type Report struct {
	Machine
	FilesOnly bool     `json:"files_only,omitempty"` // see [Options]
	Manifest  string   `json:"manifest_sha256"`      // of manifest and scopes
	Bound     []Bound  `json:"bound,omitempty"`      // what arguments of the call were granted
	NotHeld   []string `json:"not_held,omitempty"`   // what this machine cannot hold of it
	Counted   bool     `json:"counted"`              // its limits of memory and processes are of all its processes together
	Proved    []string `json:"proved"`               // what the server's process tried before its program ran, and was refused
}

// digest names the manifest and the scopes that a policy was made of.
func (p *Policy) digest() string {
	b, err := json.Marshal([]any{p.manifest, p.scopes}, json.Deterministic(true))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// Options are the parts of a start that come from outside. The zero value keeps
// attempts for [Confined.Attempts] alone.
type Options struct {
	Now    func() time.Time // the clock of attempts; nil for the system's
	Record func(Attempt)    // called once for each attempt, from any goroutine

	// FilesOnly does without a supervisor, where this machine gives none: no
	// attempt is recorded, no connection can be granted, no mode and no time of a
	// file is changed, and writePaths grant deleting, too: nothing knows which files
	// the server made. Files and processes are as closed as ever.
	FilesOnly bool
}
