package servers

import (
	"context"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// SplitName is [tools.SplitName]. For the name of a tool alone its error also names the
// servers with such a tool in the allowlist.
func (s Servers) SplitName(name string) (server, tool string, err error) {
	server, tool, err = tools.SplitName(name)
	if err == nil {
		return server, tool, nil
	}
	var all []string
	for _, server := range s.Allowlist.Servers() {
		if slices.Contains(s.Allowlist.Tools(server), name) {
			all = append(all, server+"/"+name)
		}
	}
	if len(all) == 0 {
		return "", "", err
	}
	return "", "", verdict.Fail(verdict.UsageArgument, nil, "%q is not SERVER/TOOL; did you mean %s?", name, strings.Join(all, " or "))
}

// Preflight reports whether a tool can be called in its approved form.
type Preflight struct {
	SchemaVersion int           `json:"schema_version"`
	Server        string        `json:"server"`
	Tool          string        `json:"tool"`
	Ready         bool          `json:"ready"`
	Digest        string        `json:"digest,omitempty"` // of the approved tool
	Error         *host.Failure `json:"error,omitempty"`
}

// Preflight asks a server for a tool's current definition. A given digest must be the
// approved one. It calls and writes nothing. The returned error is about the request; the
// result contains the error of the check.
func (s Servers) Preflight(ctx context.Context, name, digest string) (p Preflight, err error) {
	server, tool, err := s.SplitName(name)
	if err != nil {
		return p, err
	}
	if err := s.Configured(server); err != nil {
		return p, err
	}
	if err := s.Refusal(ctx); err != nil {
		return p, err
	}
	d := s.Desk
	d.With.Live = true
	asked := false
	p = Preflight{SchemaVersion: host.SchemaVersion, Server: server, Tool: tool}
	bad := d.List(ctx, []string{server}, func(c catalog.Catalog) (err error) {
		asked = true
		p.Digest, err = tools.AsApproved(c, server, tool, digest)
		return err
	})
	if bad != nil && !asked {
		return p, bad
	}
	p.Ready, p.Error = bad == nil, host.FailureOf(bad)
	return p, nil
}
