// Package scan sends a server's answer to external scanners: a local command, an HTTP
// endpoint, or a language model. docs/guard.md has the contract. Each scanner gets one
// JSON document with the answer's texts, and returns one with its findings.
//
// It vouches that a scanner's answer is exactly one bounded document of that form, read
// within the time of its context, or an error; that a command gets only the environment
// of a server, and has ended when the scan ends; and that an endpoint is asked once, at
// its own address, without a proxy. It does not vouch that a scanner finds anything, or
// that an endpoint keeps the texts secret: secrets were removed from them before.
//
// host calls the scanners and judges their findings; config/setup makes them.
package scan

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	gatescan "github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/exchange"
	"github.com/onestep-run/onestep/host/launch"
	"github.com/onestep-run/onestep/trace"
)

// version is the version of the contract.
const version = 1

// maxReply bounds a reply, in bytes. The findings of any answer need less.
const maxReply = 1 << 20

// replyLimits limit one reply to a normal program's output.
var replyLimits = schema.Limits{Bytes: maxReply, Depth: 4, Values: 20_000, Exponent: 9, Digits: 12}

// question is the document for a scanner.
type question struct {
	SchemaVersion int    `json:"schema_version"`
	Server        string `json:"server"`
	Tool          string `json:"tool"`
	Parts         []part `json:"parts"`
}

type part struct {
	Where string `json:"where"`
	Kind  string `json:"kind"`
	Text  string `json:"text"`
}

// reply is a scanner's answer. It must have findings, even if only [].
type reply struct {
	Findings *[]trace.FindingBody `json:"findings"`
}

// ask writes the sample for a scanner. Only texts are sent.
func ask(s host.Sample) ([]byte, error) {
	q := question{SchemaVersion: version, Server: s.Server, Tool: s.Tool, Parts: []part{}}
	for _, p := range s.Parts {
		if p.Unscanned == "" {
			q.Parts = append(q.Parts, part{p.Where, p.Kind, p.Text})
		}
	}
	b, err := json.Marshal(q, jsontext.EscapeForHTML(true)) // for the same reason as the planner's prompts
	if err != nil {
		return nil, errors.New("the texts cannot be put to a scanner")
	}
	return b, nil
}

// readReply reads a scanner's answer. A tier other than the two is an error, because its
// meaning is unknown.
func readReply(b []byte) ([]gatescan.Finding, error) {
	var r reply
	if err := schema.Decode(b, &r, replyLimits); err != nil {
		return nil, fmt.Errorf("its answer has %w", err)
	}
	if r.Findings == nil {
		return nil, errors.New(`its answer has no "findings"`)
	}
	tiers := map[string]gatescan.Tier{gatescan.Hard.String(): gatescan.Hard, gatescan.Soft.String(): gatescan.Soft}
	var all []gatescan.Finding
	for _, f := range *r.Findings {
		tier, known := tiers[f.Tier]
		if !known {
			return nil, errors.New("its answer has a finding that is neither hard nor soft")
		}
		all = append(all, gatescan.Finding{Rule: f.Rule, Tier: tier, Where: f.Where, Start: f.Start, End: f.End, Why: f.Why})
	}
	return all, nil
}

// Command is a local program. It reads the document on stdin, writes its answer
// to stdout, and exits 0.
type Command []string

// Scan starts the program, and ends it with all processes that it started.
func (c Command) Scan(ctx context.Context, s host.Sample) ([]gatescan.Finding, error) {
	document, err := ask(s)
	if err != nil {
		return nil, err
	}
	if len(c) == 0 {
		return nil, errors.New("there is no command")
	}
	answer, err := exchange.Run(ctx, launch.Command{Path: c[0], Args: c[1:]}, document, maxReply)
	if err != nil {
		return nil, err
	}
	return readReply(answer)
}
