// Package learn finds out what a server needs. It runs the server confined and watches
// its refused attempts.
//
// It vouches that the server never runs unconfined. A watched server writes only in a
// private HOME and TMPDIR, which are removed, and has no network, unless the operator
// granted such scopes at the start ([Options].From) or lets them take effect
// ([Options].Effective). Only calls that the operator marked as reading are repeated.
// Each call goes through the gates, with a trace; a call that is not reading also needs
// an approval.
//
// It does not vouch that a manifest is complete. An access that no call made the server
// attempt is not in it, and the consequences of a refused attempt appear only in the next
// run. Reading a variable is not visible, so all variables that the operator passes count
// as needed. No scope contains files of this program. Places of secrets, files executed
// at login, and files of a repository that run later are only in a scope that the
// operator typed (see [Result].Withheld).
//
// cmd/ask and eval/manifest call it.
package learn

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/session"
)

// Call is one call to the server. The operator marks the reading calls, which are
// repeated.
type Call struct {
	Tool      string
	Arguments jsontext.Value // an object; nil is an empty object
	Reading   bool
}

// Options describe the server and how to watch it. Program, Policy and Traces are
// required.
type Options struct {
	Name      string            // name of the server, for traces and approvals; "" is "server"
	Program   confine.Program   // its directory is ignored: it works in its private HOME
	Env       map[string]string // all its variables; each name becomes an envVar
	Calls     []Call
	From      confine.Manifest     // granted at the start; without a description it gets a default
	Effective []confine.Permission // attempts with these take effect in the next round; nil is only reading files
	Policy    host.Policy          // policy of the calls; its allowlist is made from Calls
	Traces    host.Traces
	Approver  host.Approver // approves calls that are not reading; nil approves none
	Typed     []string      // paths that the operator typed: they may be in the scopes despite a hazard
	Limits    session.Limits
	Now       func() time.Time // nil is the system's clock

	// Waits is called when a wait for the server begins, and over when it ends; nil calls
	// nothing.
	Waits func(what string) (over func())
}

// Result is the result of learning.
type Result struct {
	Manifest confine.Manifest  // with scopes
	Attempts []confine.Attempt // all attempts, each once, in order of time
	Withheld []Withheld        // attempts in no scope: the operator must type it, or nothing allows it
	Needless []confine.Attempt // attempts in no scope, because the server works without them
	Answers  []Answer          // from the last repetition of each call
	Rounds   int
	Proof    Proof // the last run, under the manifest
}

// Withheld is an attempt that gets no scope.
type Withheld struct {
	confine.Attempt
	Why string `json:"why"`
}

// Answer is the outcome of a call.
type Answer struct {
	Tool   string       `json:"tool"`
	Type   string       `json:"type"`
	Code   verdict.Code `json:"code,omitempty"`
	Result string       `json:"-"` // untrusted text
}

// maxRounds bounds how often the server is started. A server that attempts something new
// each time would never end.
const maxRounds = 16

// maxNeedless bounds the number of withdrawn grants: each needs a start.
const maxNeedless = 32

// Learn watches a server. With an error, the result still contains what was learned
// before it.
func Learn(ctx context.Context, o Options) (Result, error) {
	if o.Name == "" {
		o.Name = "server"
	}
	if o.Effective == nil {
		o.Effective = []confine.Permission{confine.FilesRead}
	}
	if o.Waits == nil {
		o.Waits = func(string) func() { return func() {} }
	}
	l := &learner{Options: o, seen: map[string]bool{}}
	l.program = confine.Program{Path: o.Program.Path, Args: o.Program.Args, Tree: o.Program.Tree, Own: o.Program.Own}
	if o.From.Scopes != nil {
		l.scopes, l.effective = *o.From.Scopes, *o.From.Scopes
	}
	for _, name := range slices.Sorted(maps.Keys(o.Env)) {
		l.grant(confine.EnvRead, name, true)
	}
	copies, err := newScratch()
	if err != nil {
		return l.Result, err
	}
	l.copies = copies
	err = l.learn(ctx)
	uncover(&l.scopes)
	l.Manifest = l.manifest(l.scopes)
	if err == nil {
		err = l.prove(ctx)
	}
	return l.Result, errors.Join(err, os.RemoveAll(copies.dir))
}

// learner is one run of Learn.
type learner struct {
	Options
	Result
	program confine.Program

	scopes    confine.Scopes // the scopes of the manifest
	effective confine.Scopes // the scopes that the server runs under
	seen      map[string]bool
	last      []confine.Attempt // attempts of the last round
	proving   bool
	tools     []string // tools that the server lists
	cut       bool     // calls that are not reading had refused attempts
	copies    *scratch
	mu        sync.Mutex
}

// learn makes the reading calls until nothing new is attempted, and withdraws grants that
// they do not need. Then it makes the other calls once, and the reading ones again. A
// server that does not start may start in the next round.
func (l *learner) learn(ctx context.Context) error {
	reading, others := l.parted()
	if err := l.repeat(ctx, reading); err != nil {
		return err
	}
	answers := l.Answers
	err := l.narrow(ctx, reading)
	if err != nil || len(others) == 0 {
		l.Answers = answers
		return err
	}
	_, err = l.round(ctx, others, l.Approver)
	made := l.Answers
	l.cut = len(l.last) > 0
	if err == nil && len(reading) > 0 { // the written files may lead to more reading
		for _, a := range l.Needless {
			l.seen[key(a)] = true // these same calls worked without it
		}
		err = l.repeat(ctx, reading)
		answers = l.Answers
	}
	l.Answers = slices.Concat(answers, made)
	return err
}

// repeat makes the reading calls until nothing new is attempted.
func (l *learner) repeat(ctx context.Context, reading []Call) error {
	for range maxRounds {
		more, err := l.round(ctx, reading, nil)
		if !more {
			return err
		}
	}
	return nil
}

// narrow withdraws each needless grant for an attempt: programs try many files that need
// not exist. A grant is needless if the server starts without it and answers the reading
// calls as before. If an answer varies between runs, the grant stays. If another call,
// and not only the start, tries the resource again, it is granted again.
func (l *learner) narrow(ctx context.Context, reading []Call) error {
	uncover(&l.effective)
	uncover(&l.scopes)
	answers := l.Answers
	for _, a := range l.Attempts {
		before, wanted := l.effective, l.scopes
		if len(l.Needless) == maxNeedless || !drop(&l.effective, a.Permission, a.Resource) || !drop(&l.scopes, a.Permission, a.Resource) {
			continue
		}
		if _, err := l.round(ctx, reading, nil); err == nil && slices.Equal(answers, l.Answers) {
			l.Needless = append(l.Needless, a)
			continue
		}
		l.effective, l.scopes = before, wanted
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if len(l.Needless) == 0 {
		return nil
	}
	_, err := l.round(ctx, nil, nil)
	for _, a := range l.Needless {
		if !slices.ContainsFunc(l.last, func(b confine.Attempt) bool { return key(a) == key(b) }) {
			delete(l.seen, key(a))
		}
	}
	return err
}

// parted returns the calls that are repeated and the others. A tool is reading if every
// call to it is.
func (l *learner) parted() (reading, others []Call) {
	changes := l.changes()
	for _, c := range l.Calls {
		if changes[c.Tool] {
			others = append(others, c)
		} else {
			reading = append(reading, c)
		}
	}
	return reading, others
}

// changes returns the called tools, and whether each may change something.
func (l *learner) changes() map[string]bool {
	changes := map[string]bool{}
	for _, c := range l.Calls {
		changes[c.Tool] = changes[c.Tool] || !c.Reading
	}
	return changes
}

// manifest asks for the permissions of the granted scopes.
func (l *learner) manifest(s confine.Scopes) confine.Manifest {
	m := confine.Manifest{Description: l.From.Description, Permissions: slices.Clone(l.From.Permissions), Scopes: &s}
	for _, p := range confine.Permissions() {
		if !slices.Contains(m.Permissions, p.Name) && slices.Contains(s.Granted(), p.Name) {
			m.Permissions = append(m.Permissions, p.Name)
		}
	}
	if m.Description == "" {
		m.Description = "learned from calls of " + l.Name
	}
	return m
}

// round starts the server, makes the calls, and ends it. It reports whether the next
// round would run with more grants.
func (l *learner) round(ctx context.Context, calls []Call, who host.Approver) (more bool, err error) {
	l.Rounds++
	scopes := l.effective
	changing := slices.ContainsFunc(calls, func(c Call) bool { return l.changes()[c.Tool] })
	if who != nil || changing { // a remote resource has no copy
		scopes.AllowedHosts, scopes.ListenPorts = nil, nil
	}
	raw, err := l.start(ctx, fmt.Sprintf("round %d", l.Rounds), scopes, calls, who)
	for i, a := range raw {
		if l.take(a, l.last[i]) {
			more = true
		}
	}
	return more, err
}

// start runs the server on copies of the files that it may write, and makes the calls. It
// returns the attempts with the server's paths, and keeps in last the attempts with the
// real paths.
func (l *learner) start(ctx context.Context, round string, scopes confine.Scopes, calls []Call, who host.Approver) (raw []confine.Attempt, err error) {
	if who == nil { // otherwise a user is asked meanwhile
		defer l.Waits(round + " of " + l.Name)()
	}
	l.Answers, l.last = nil, nil
	scopes = l.copies.scopes(scopes, named(l.program, l.Env, l.Calls), l.program.Own)
	program, env := l.program, map[string]string{}
	program.Args = nil
	for _, arg := range l.program.Args {
		program.Args = append(program.Args, l.copies.text(arg))
	}
	for name, value := range l.Env {
		env[name] = l.copies.text(value)
	}
	policy, err := confine.Resolve(l.manifest(scopes), scopes, program)
	if err != nil {
		return nil, err
	}
	if !l.proving {
		policy = policy.Learning()
	}
	pool := session.New([]session.Server{{
		Name: l.Name, Command: program.Path, Args: program.Args, Env: env, Confine: policy,
		Starting: func() func() { return l.Waits(session.Starting(l.Name, program.Path, program.Args) + ", " + round) },
		Refused: func(a confine.Attempt) {
			l.mu.Lock()
			defer l.mu.Unlock()
			raw = append(raw, a)
		},
	}}, l.Limits)
	err = l.ask(ctx, pool, calls, who)
	err = errors.Join(err, pool.Close())
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range raw {
		l.last = append(l.last, l.copies.attempt(a))
	}
	return raw, err
}
