package setup

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/trust"
)

// live is the configuration of a host. It is read again when one of its files has
// changed. Flags and environment stay those of the start. So do the planner, the
// writer, the time of a run, and the places of state and traces.
type live struct {
	options Options
	records host.Config // the parts that keep the records of runs

	mu     sync.Mutex
	now    *configured
	open   []*connected
	ending sync.WaitGroup
	errs   []error
}

// configured is one reading of the configuration.
type configured struct {
	Inventory

	settings config.Settings
	config   host.Config
	files    []deciding
	reached  []session.Server
	key      string // a text for everything that the connections to the servers depend on
	servers  *connected
}

// deciding is a file that decides, with its stamp from before it was read.
type deciding struct {
	what string
	*disk.Stamp
}

// connected are the connections to the servers of one reading, or of several readings
// with the same servers.
type connected struct {
	pool     *Pool
	started  *programs
	readings int
}

// Latest implements [host.Config.Latest]. It returns the previous reading if no file
// has changed since.
func (l *live) Latest(context.Context) (host.Config, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now.unchanged() {
		return l.now.config, nil
	}
	settings, err := l.settings()
	if err != nil {
		return host.Config{}, err
	}
	is, err := l.read(settings)
	if err == nil {
		err = l.complete(is)
	}
	switch {
	case err != nil:
		return host.Config{}, err
	case is.same(l.now):
		l.now.files = is.files
	default:
		is.config.Reading = l.now.config.Reading + 1
		l.connect(is)
		l.now = is
	}
	return l.now.config, nil
}

// settings reads the settings again. It refuses a change that a running process cannot
// follow: state and traces would stay at the old place, while the settings name the
// new one.
func (l *live) settings() (config.Settings, error) {
	was := l.now.settings
	s, err := was.Again()
	if err != nil {
		return s, err
	}
	moved := func(key, from, to string) error {
		return verdict.Fail(verdict.ConfigInvalid, nil, "the setting %s is now %s, and this process began with %s", key, to, from).
			WithHint("start the program again, or put the setting back")
	}
	switch {
	case s.StateFile.V != was.StateFile.V:
		return s, moved("state_file", was.StateFile.V, s.StateFile.V)
	case s.TraceDir.V != was.TraceDir.V:
		return s, moved("trace_dir", was.TraceDir.V, s.TraceDir.V)
	}
	return s, nil
}

// read reads servers, allowlist and rules. It stamps each file before it reads it, so
// that the next check finds a change in between.
func (l *live) read(s config.Settings) (*configured, error) {
	c := &configured{settings: s}
	for _, f := range s.Files() {
		c.files = append(c.files, deciding{settingsFile, f})
	}
	for _, f := range l.options.Files(s) {
		for _, stamp := range config.Stamps(f.Path) {
			c.files = append(c.files, deciding{f.What, stamp})
		}
	}
	var err error
	if c.Inventory, err = Open(s, l.options); err != nil {
		return nil, err
	}
	l.options.state = c.State
	if c.config.Policy, err = c.Policy(s); err != nil {
		return nil, err
	}
	if file, is := c.Registry.(config.Servers); is {
		for _, f := range config.Stamps(file.Manifests(l.options.environ(), l.options.Ask, c.names())...) {
			c.files = append(c.files, deciding{"manifest", f})
		}
	}
	return c, nil
}

// settingsFile is the name of a configuration file in a record of the files.
const settingsFile = "settings"

// Files returns the files that decide about calls, each with its kind. It leaves out
// the files of the settings and the servers' manifests. It reads none of them.
func (o Options) Files(s config.Settings) (all []host.File) {
	add := func(what, path string) {
		if abs, err := filepath.Abs(path); err == nil && path != "" {
			all = append(all, host.File{What: what, Path: abs})
		}
	}
	if o.Registry == nil && !o.Demo {
		add("servers", s.Servers.V)
	}
	if o.Allowlist == nil {
		add("allowlist", s.Allowlist.V)
	}
	for _, one := range s.Policy {
		if o.CallRules == nil {
			add("policy", one.V)
		}
	}
	for _, one := range s.Rules {
		if o.InputRules == nil {
			add("input rules", one.V)
		}
	}
	if path, is := o.Pins.(PinsFile); is {
		add("pins", string(path))
	}
	return all
}

// texts returns the program's own rules, as a trace has files.
func (o Options) texts() (all []host.File) {
	add := func(what, name string, text []byte) {
		all = append(all, host.File{What: what, Path: name, Digest: fmt.Sprintf("sha256:%x", sha256.Sum256(text))})
	}
	for _, f := range o.CallRules {
		add("policy", f.Name, f.Text)
	}
	for _, t := range o.InputRules {
		add("input rules", t.Name, t.Text)
	}
	return all
}

// names returns the servers that the host may reach.
func (i Inventory) names() []string {
	if i.with.Servers != nil {
		return i.with.Servers
	}
	return i.Allowlist.Servers()
}

// complete adds the other parts that decide about a call, and how its server is
// reached. It starts nothing.
func (l *live) complete(c *configured) (err error) {
	o, s := l.options, c.settings
	to := &c.config
	to.Types, to.Version, to.ApprovalTTL = c.Types, o.Version, s.ApprovalTTL.V
	to.Traces, to.Approvals, to.Quarantine = l.records.Traces, l.records.Approvals, l.records.Quarantine
	if err := o.auditing(s, to); err != nil {
		return err
	}
	if to.Scanners, err = o.scanners(s); err != nil {
		return err
	}
	if to.Points, err = o.points(s); err != nil {
		return err
	}
	to.Seal = o.seal
	c.reached, _ = c.Resolve(c.names()) // a server that lacks a variable reports it when it is called
	if to.Servers, err = c.identified(c.reached); err != nil {
		return err
	}
	slices.SortStableFunc(c.files, func(a, b deciding) int { return strings.Compare(a.what, b.what) })
	for _, f := range c.files {
		to.Files = append(to.Files, host.File{What: f.what, Path: f.Path, Digest: f.Digest})
	}
	to.Files, to.Counts = append(to.Files, o.texts()...), o.Counts
	c.key, err = c.serversKey()
	return err
}

// serversKey returns a text that changes if a server changes, or the way in which it
// is reached.
func (c *configured) serversKey() (string, error) {
	type server struct {
		Identity pin.Identity
		Place    pin.Place
		Own      string
		Wrong    string
	}
	of := map[string]any{}
	for _, s := range c.reached {
		one := server{Identity: c.Identity(pin.Key{}, s), Own: fmt.Sprintf("%+v", c.of[s.Name])}
		if one.Place, _ = c.Place(s.Name); s.Wrong != nil {
			one.Wrong = s.Wrong.Error()
		}
		of[s.Name] = one
	}
	for _, f := range c.files {
		if f.what == "pins" {
			of["/pins"] = f.Digest // not a possible name of a server
		}
	}
	b, err := json.Marshal(of, json.Deterministic(true))
	return string(b), err
}

// connect gives a reading its connections, those of the previous reading if its
// servers are the same.
func (l *live) connect(c *configured) {
	if l.now != nil && l.now.key == c.key {
		c.servers = l.now.servers
	} else {
		c.servers = &connected{}
		c.servers.pool, c.servers.started = c.dialled(c.reached)
		l.open = append(l.open, c.servers)
	}
	of := c.servers
	of.readings++
	c.config.Source, c.config.Caller = c.trusted(c.reached, of.pool, c.config.Policy, of.started, of.started.beforeCall)
	c.config.Latest, c.config.Retired = l.Latest, func() { l.retire(of) }
}

// retire ends connections that no reading uses any more. No caller waits for it.
func (l *live) retire(c *connected) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.readings--; c.readings > 0 {
		return
	}
	l.open = slices.DeleteFunc(l.open, func(o *connected) bool { return o == c })
	l.ending.Go(func() {
		err := c.pool.Pool.Close()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.errs = append(l.errs, err)
	})
}

// close ends all connections.
func (l *live) close() error {
	l.mu.Lock()
	open := l.open
	l.open = nil
	l.mu.Unlock()
	var errs []error
	for _, c := range open {
		errs = append(errs, c.pool.Close())
	}
	l.ending.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(append(errs, l.errs...)...)
}

// unchanged reports whether every file is as it was when it was read.
func (c *configured) unchanged() bool {
	return !slices.ContainsFunc(c.files, func(f deciding) bool { return !config.Unchanged(f.Stamp) })
}

// same reports whether another reading decides in the same way, because a file may
// have been written again with the same text.
func (c *configured) same(other *configured) bool {
	return c.settings.Equal(other.settings) && c.config.Policy.Digest() == other.config.Policy.Digest() && c.key == other.key
}

// watched returns the caller of the latest reading, zero if the host only lists.
func (l *live) watched() (w trust.Watched) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w, _ = l.now.config.Caller.(trust.Watched)
	return w
}
