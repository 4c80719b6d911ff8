package setup

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/audit"
	"github.com/onestep-run/onestep/host/decision"
	"github.com/onestep-run/onestep/host/model"
	"github.com/onestep-run/onestep/host/scan"
	"github.com/onestep-run/onestep/host/store"
)

// scanners returns the scanners of the settings, by name, and the program's own. It starts and
// asks nothing.
func (o Options) scanners(s config.Settings) (all []host.NamedScanner, err error) {
	for _, name := range slices.Sorted(maps.Keys(s.Scanners)) {
		of := s.Scanners[name]
		one, err := o.scanner(s, of)
		if err != nil {
			return nil, verdict.Fail(verdict.ConfigInvalid, err, "[scanner.%s]: %v", name, err)
		}
		all = append(all, host.NamedScanner{Scanner: one, Name: name, Limit: of.Timeout.V})
	}
	return append(all, o.Scanners...), nil
}

func (o Options) scanner(s config.Settings, of config.ScannerSettings) (host.Scanner, error) {
	command, url, judge := of.Command.V != "", of.URL.V != "", of.Model.V != ""
	switch {
	case command && !url && !judge:
		return scan.Command(strings.Fields(of.Command.V)), nil
	case url && !command && !judge:
		return scan.NewEndpoint(of.URL.V)
	case judge && !command && !url:
		return o.judge(s, of)
	}
	return nil, errors.New("a scanner has exactly one of command, url and model")
}

// judge returns a model as a scanner, at the endpoint of its provider.
func (o Options) judge(s config.Settings, of config.ScannerSettings) (host.Scanner, error) {
	s.Model = of.Model
	cfg, err := modelConfig(s, o)
	if err != nil {
		return nil, err
	}
	client, err := model.New(cfg)
	if err != nil {
		return nil, err
	}
	return scan.Judge{Chat: client}, nil
}

// points returns the decision points of the settings. It starts and asks nothing.
func (o Options) points(s config.Settings) (all []host.DecisionPoint, err error) {
	for _, d := range s.Decisions {
		p := decision.Point{Name: d.Of, Limit: d.Timeout.V, OnError: d.OnError.V}
		if d.URL.V != "" {
			p, err = p.Endpoint(d.URL.V)
		} else {
			p, err = p.Command(strings.Fields(d.Command.V), filepath.Dir(d.Origin().Name))
		}
		if err != nil {
			return nil, verdict.Fail(verdict.ConfigInvalid, err, "decision (%s): %v", d.Origin(), err)
		}
		all = append(all, p)
	}
	return all, nil
}

// seal returns the HMAC of an answer, with a key derived from this machine's key.
// Without that key it returns "".
func (o Options) seal(answer []byte) string {
	key, err := o.key()
	if err != nil || key == (pin.Key{}) {
		return ""
	}
	derived := sha256.Sum256([]byte(key.Digest("the key of sealed answers")))
	return pin.Key(derived).Digest(string(answer))
}

// quarantine keeps withheld results in the state, within a limit of age and size. Whenever
// it keeps a result, it deletes those that are too old, and then the oldest ones.
type quarantine struct {
	store *store.Store
	now   func() time.Time
	age   time.Duration
	size  int64
}

// Quarantine returns the quarantine that the settings describe, in a state.
func Quarantine(s config.Settings, state *store.Store, now func() time.Time) host.Quarantine {
	return quarantine{state, now, s.QuarantineAge.V, int64(s.QuarantineSize.V)}
}

// Keep implements [host.Quarantine]. It first makes room for the new result, which it
// keeps however large it is. Old results that cannot be deleted now can be deleted
// later, so their failure does not prevent keeping the new one.
func (q quarantine) Keep(ctx context.Context, w host.Withheld) error {
	_, _ = q.store.Purge(ctx, q.now().Add(-q.age))
	_, _ = q.store.Shrink(ctx, max(0, q.size-int64(len(w.Body))))
	return q.store.Keep(ctx, store.Kept{
		Run: w.RunID, Trace: w.Trace, Server: w.Server, Tool: w.Tool, Rules: w.Rules, Body: w.Body, Created: w.Created,
	})
}

// lostLines is the name of the file that counts the lines missing from the audit. It
// is next to the state, because the audit's own folder may be full.
const lostLines = "audit.lost"

// AuditLost returns the counter of the lines missing from the audit, or "" without a
// state.
func AuditLost(s config.Settings) audit.Lost {
	if s.StateFile.V == "" {
		return ""
	}
	return audit.Lost(filepath.Join(filepath.Dir(s.StateFile.V), lostLines))
}

// auditing gives a host its audit: the program's own, or the audit that the settings
// name.
func (o Options) auditing(s config.Settings, c *host.Config) error {
	if o.Mode >= Catalogs {
		return nil
	}
	c.Audit, c.AuditRequired = o.Audit, s.AuditRequired.V
	if c.Audit == nil {
		c.Audit = named(s, o.Stderr)
	}
	if c.AuditRequired && c.Audit == nil {
		return verdict.Fail(verdict.ConfigInvalid, nil, "audit_required (%s) is set, and there is no audit", s.AuditRequired.Origin).
			WithHint("set audit, or ASK_AUDIT, to a file or to stderr")
	}
	return nil
}

func named(s config.Settings, stderr io.Writer) host.Audit {
	switch name := s.Audit.V; {
	case name == "", name == config.AuditOff, name == config.AuditStderr && stderr == nil:
		return nil
	case name == config.AuditStderr:
		return audit.NewStream(stderr, AuditLost(s))
	default:
		return audit.File{Path: name, Lost: AuditLost(s)}
	}
}
