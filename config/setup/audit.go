package setup

import (
	"io"
	"path/filepath"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/audit"
)

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
		f := verdict.Fail(verdict.ConfigInvalid, nil, "audit_required (%s) is set, and there is no audit", s.AuditRequired.Origin)
		f.Hint = "set audit, or ASK_AUDIT, to a file or to stderr"
		return f
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
