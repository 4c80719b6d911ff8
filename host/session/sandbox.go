package session

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/trace"
)

// Policy compiles the server's sandbox. It is nil if nothing confines the server.
func (s Server) Policy() (*confine.Policy, error) {
	if s.Confine != nil {
		return s.Confine, nil
	}
	if !s.Sandbox.Confines() {
		return nil, nil
	}
	program := confine.Program{Path: s.Command, Args: s.Args, Dir: s.Dir, Own: s.Own}
	if s.Tree != "" {
		program.Tree = []string{s.Tree}
	}
	return s.Sandbox.Policy(program) // scopes that name an argument grant nothing here
}

// bound is the policy of one call. It grants the files that the call's arguments name.
func (s Server) bound(args jsontext.Value) (*confine.Policy, []trace.FileBody, error) {
	policy, err := s.Policy()
	if err == nil {
		policy, err = policy.Bind(args)
	}
	if err != nil {
		return nil, nil, err
	}
	var files []trace.FileBody
	for _, b := range policy.Bound() {
		files = append(files, trace.FileBody{Pointer: b.Pointer, Path: b.Path, Permission: string(b.Permission), Siblings: b.Siblings, ID: b.ID})
	}
	return policy, files, nil
}

// Bind finds the files that the arguments of a call name, if the scopes of its server
// name arguments. Call it before the call is approved: [Pool.Call] refuses a call if its
// approval is for other files. The files stay open until release is called, so that no
// later file can have the number of one of them.
func (p *Pool) Bind(server string, args jsontext.Value) (files []trace.FileBody, release func(), err error) {
	s := p.slots[server]
	if s == nil || !s.server.Sandbox.Argued() {
		return nil, func() {}, nil
	}
	policy, files, err := s.server.bound(args)
	if err != nil {
		return nil, nil, err
	}
	return files, policy.Release, nil
}

// callAlone makes the call in a separate process. Its policy grants what the call's
// arguments name, so no other call uses it.
func (p *Pool) callAlone(ctx context.Context, s *slot, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	server := s.server
	policy, files, err := server.bound(a.Args())
	if err != nil {
		return gate.RawResult{}, pin.Descriptor{}, err
	}
	defer policy.Release()
	if err := gate.Replaced(a.Files(), files); err != nil {
		return gate.RawResult{}, pin.Descriptor{}, err
	}
	server.Confine = policy
	p.forked.Store(true)
	c, live, err := p.alone(ctx, s, server, a.Tool())
	if c != nil {
		defer p.discard(c)
	}
	if err != nil {
		return gate.RawResult{}, live, err
	}
	before := len(c.refusals())
	raw, err := c.call(ctx, a, live, on, yes)
	raw.Sandbox = c.sandbox(before)
	return raw, live, err
}

// alone returns a connection that no other call uses, and the tool as listed on it.
func (p *Pool) alone(ctx context.Context, s *slot, server Server, tool string) (*conn, pin.Descriptor, error) {
	c, err := dial(ctx, server, p.limits, &s.strays, nil, s.version())
	if err != nil {
		return nil, pin.Descriptor{}, err
	}
	live, err := c.settled(ctx, tool)
	if !c.unlistable(err) {
		return c, live, err
	}
	<-p.discard(c)
	bounded, done := context.WithTimeout(ctx, newerTime)
	defer done()
	newer, dialled := dial(bounded, server, p.limits, &s.strays, nil, statelessVersion)
	if dialled != nil {
		return nil, live, err
	}
	if found, failed := newer.settled(ctx, tool); failed == nil {
		s.newer.Store(true)
		return newer, found, nil
	}
	return newer, live, err
}

// sandboxCodes are the codes of a start that failed because of the server's sandbox.
var sandboxCodes = []verdict.Code{verdict.SandboxUnavailable, verdict.ManifestInvalid, verdict.ManifestUnenforceable}

// off is the operator's last choice if a server cannot be confined.
const off = `; or write "sandbox": "files" into its entry, which needs less of the kernel, or "off", which gives the server all of your rights, and review it again`

// unconfined records why a server was not started: it cannot be confined as its entry
// says. The fault keeps its code and its words.
func (c *conn) unconfined(err error) error {
	f, is := errors.AsType[*verdict.Fault](err)
	if !is {
		return c.wire.fail(verdict.ServerStart, err, "its sandbox cannot be made: %v", err)
	}
	out := verdict.Fail(f.Code, err, "%s", f.Reason).WithHint(f.Hint)
	if f.Code == verdict.SandboxUnavailable {
		out.Hint += off
	}
	c.wire.trouble.CompareAndSwap(nil, out) // complete, before any other reader has the connection
	return out
}

// blocked reports a refused attempt. The server chose its words, so keys that it was
// given are redacted. A folder is not.
func (c *conn) blocked(a confine.Attempt) {
	if c.server.Refused != nil {
		c.server.Refused(a)
		return
	}
	if c.server.Blocked == nil {
		return
	}
	a.Resource, a.Process = c.keys().Redact(a.Resource), c.keys().Redact(a.Process)
	c.server.Blocked(c.server.Name, a)
}

// traced counts the attempts that the trace already has, so that each is recorded once.
type traced struct {
	mu sync.Mutex
	n  int
}

// confined returns the server's confinement, or nil for a server with the user's rights.
func (c *conn) confined() *confine.Confined {
	if c.process == nil {
		return nil
	}
	return c.process.Confined()
}

func (c *conn) refusals() (all []confine.Attempt) {
	if confined := c.confined(); confined != nil {
		all, _ = confined.Attempts()
	}
	return all
}

// maxBlocked bounds the attempts in one line of a trace.
const maxBlocked = 100

// sandbox records the server's sandbox and the attempts refused since the last record.
// before is the number of attempts when the call began. It returns nil for a server with
// the user's rights.
func (c *conn) sandbox(before int) *trace.SandboxBody {
	confined := c.confined()
	if confined == nil {
		return nil
	}
	r := confined.Report()
	body := &trace.SandboxBody{Kernel: r.Kernel, Landlock: r.Landlock, Sockets: r.Sockets, Manifest: r.Manifest, Proved: r.Proved, FilesOnly: r.FilesOnly, NotHeld: r.NotHeld, Counted: r.Counted}
	for _, b := range r.Bound {
		body.Bound = append(body.Bound, c.keys().Quote(b.Path, maxQuote))
	}
	c.traced.mu.Lock()
	defer c.traced.mu.Unlock()
	all, unlisted := confined.Attempts()
	from := c.traced.n
	latest := all[from:]
	c.traced.n, body.Unlisted = len(all), unlisted
	if len(latest) > maxBlocked {
		latest, body.Unlisted = latest[:maxBlocked], unlisted+len(latest)-maxBlocked
	}
	for i, a := range latest {
		b := c.attempt(a)
		b.InCall = from+i >= before
		body.Blocked = append(body.Blocked, b)
	}
	return body
}

// attempt records an attempt, without the secrets that the server was given.
func (c *conn) attempt(a confine.Attempt) trace.AttemptBody {
	b := trace.AttemptBody{
		Action: a.Action, Resource: c.keys().Quote(a.Resource, maxQuote), Permission: string(a.Permission), Process: c.keys().Quote(a.Process, maxQuote), Time: a.Time.UTC().Format(time.RFC3339Nano),
	}
	if b.Resource == a.Resource && len(a.Patch) > 0 { // otherwise the patch would contain the secret
		b.Patch, _ = json.Marshal(a.Patch) // cannot fail; without it the permission still says what is missing
	}
	return b
}

// maxRefused is the number of attempts that a message names.
const maxRefused = 3

// refusedAttempts lists what a server that ended early was refused, or "": usually its
// scopes lack it. Attempts that the server's last words name come first, then the latest
// attempts: programs try much at their start that they do not need.
func (c *conn) refusedAttempts() string {
	all := c.refusals()
	if len(all) == 0 {
		return ""
	}
	var lines []string
	for _, a := range decisive(all, c.process.Tail(maxTail)) {
		a.Resource = c.keys().Redact(a.Resource)
		lines = append(lines, a.String())
	}
	return "if it needs the refused access, grant it in the scopes of its entry (`ask manifest why` shows the line): " + strings.Join(lines, "; ")
}

// decisive returns the attempts that most likely made a server end, at most maxRefused.
// The latest attempts that its own words name come first, then the latest of the others.
func decisive(all []confine.Attempt, said string) (some []confine.Attempt) {
	named := func(a confine.Attempt) bool {
		return a.Resource != "" && (strings.Contains(said, a.Resource) || strings.Contains(said, path.Base(a.Resource)))
	}
	for _, first := range []bool{true, false} {
		for _, a := range slices.Backward(all) {
			if len(some) < maxRefused && named(a) == first {
				some = append(some, a)
			}
		}
	}
	return some
}
