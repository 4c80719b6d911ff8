package runs

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/trace"
)

// Refused is an attempt of a confined server that the kernel refused, over all runs with that
// attempt. Resource is the server's own text.
type Refused struct {
	Server     string         `json:"server"`
	Action     string         `json:"action"`
	Resource   string         `json:"resource"`
	Permission string         `json:"permission,omitempty"` // the permission that would allow it
	Patch      jsontext.Value `json:"patch,omitempty"`      // the change of a manifest with scopes (RFC 6902)
	Runs       []string       `json:"runs"`
	First      string         `json:"first"` // RFC 3339
	Last       string         `json:"last"`
}

// Refused are the attempts of the named runs, or of all, each once and in order. A trace that
// cannot be read to its end counts up to its error, which is returned with the list.
func (r Runs) Refused(names []string) (all []Refused, unlisted int, err error) {
	if len(names) == 0 {
		if names, err = r.IDs(); err != nil {
			return nil, 0, err
		}
	}
	var wrong error
	for _, name := range names {
		run, err := r.Read(name)
		if err != nil && wrong == nil {
			wrong = err
		}
		server := ""
		for _, e := range run.Events {
			switch e.Kind {
			case trace.Approval:
				server = part[struct {
					Server string `json:"server"`
				}](e).Server
			case trace.Result:
				if b := part[trace.ResultBody](e).Sandbox; b != nil {
					unlisted += b.Unlisted
					for _, a := range b.Blocked {
						all = merged(all, server, cmp.Or(trace.RunID(filepath.Base(run.Path)), name), a)
					}
				}
			}
		}
	}
	return all, unlisted, wrong
}

// part is the body of an event, or the zero value if its kind is not known here.
func part[T any](e trace.Event) (b T) {
	if schema.DecodeOpen(e.Body, &b, schema.ResultLimits) != nil {
		var none T
		return none
	}
	return b
}

// merged adds an attempt to the attempts of earlier runs.
func merged(all []Refused, server, run string, a trace.AttemptBody) []Refused {
	i := slices.IndexFunc(all, func(r Refused) bool {
		return r.Server == server && r.Action == a.Action && r.Resource == a.Resource
	})
	if i < 0 {
		return append(all, Refused{server, a.Action, a.Resource, a.Permission, a.Patch, []string{run}, a.Time, a.Time})
	}
	if !slices.Contains(all[i].Runs, run) {
		all[i].Runs = append(all[i].Runs, run)
	}
	all[i].Last = a.Time
	return all
}
