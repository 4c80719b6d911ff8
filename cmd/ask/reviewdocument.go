package main

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/trust"
)

// reviewDocument is a review as `--json` prints it.
type reviewDocument struct {
	Server       string               `json:"server"`
	Error        *host.Failure        `json:"error,omitempty"`
	Place        pin.Place            `json:"place"`
	Entry        jsontext.Value       `json:"entry,omitempty"`
	Protocol     string               `json:"protocol,omitempty"`
	Info         string               `json:"info,omitempty"`         // what the server calls itself
	InfoDiffers  bool                 `json:"info_differs,omitempty"` // from what it called itself when it was approved
	Artifact     jsontext.Value       `json:"artifact,omitempty"`     // what is started
	Program      []differenceDocument `json:"program"`                // how that differs from what was approved
	Unasked      *host.Failure        `json:"unasked,omitempty"`      // why it is not known whether it has two faces
	Instructions string               `json:"instructions"`
	Twin         *trust.Twin          `json:"twin,omitempty"` // with another credential, approved as it is
	Also         []string             `json:"also"`           // the other names of this very server
	Digest       string               `json:"digest"`         // of all that is to be decided; "" where nothing is
	Tools        []partDocument       `json:"tools"`
	Findings     []guard.Finding      `json:"findings"`
	Ledger       []guard.Entry        `json:"ledger"`
}

type partDocument struct {
	Tool        string               `json:"tool"`
	State       trust.State          `json:"state"`
	Kind        string               `json:"kind,omitempty"`
	From        string               `json:"from,omitempty"`
	To          string               `json:"to,omitempty"` // of a removed tool: its name now, where that is not reviewed
	Digest      string               `json:"digest,omitempty"`
	OneByOne    bool                 `json:"one_by_one,omitempty"`
	Rejected    bool                 `json:"rejected,omitempty"` // by a person: nobody is asked again
	Why         string               `json:"why,omitempty"`
	Descriptor  jsontext.Value       `json:"descriptor,omitempty"`
	Differences []differenceDocument `json:"differences"`
}

type differenceDocument struct {
	Class    string         `json:"class"`
	Path     string         `json:"path"`
	Why      string         `json:"why"`
	Was      jsontext.Value `json:"was,omitempty"`
	Now      jsontext.Value `json:"now,omitempty"`
	Wider    jsontext.Value `json:"wider,omitempty"`
	Narrower jsontext.Value `json:"narrower,omitempty"`
}

func (r reviewed) document() reviewDocument {
	d := reviewDocument{Server: r.Name, Also: append([]string{}, r.also...), Twin: r.Twin, Program: []differenceDocument{}, Tools: []partDocument{}, Findings: []guard.Finding{}, Ledger: []guard.Entry{}}
	if r.err != nil {
		d.Error = host.FailureOf(r.err)
		return d
	}
	d.Place, d.Entry, d.Artifact, d.Protocol, d.Info, d.Instructions, d.Digest = r.Place, r.Shown, r.Artifact, r.Protocol, r.Info, r.Told, r.Digest
	d.Findings, d.Ledger = append(d.Findings, r.Scanned.Findings...), append(d.Ledger, r.Scanned.Ledger...)
	d.Program, d.InfoDiffers = differenceDocuments(r.Program), r.InfoDiffers
	if r.Unasked != nil {
		d.Unasked = host.FailureOf(r.Unasked)
	}
	for _, p := range r.Parts {
		d.Tools = append(d.Tools, documentOf(p))
	}
	return d
}

func documentOf(p trust.Part) partDocument {
	return partDocument{
		Tool: p.Tool, State: p.State, Kind: p.Change.Kind, From: p.Change.From, To: p.Change.To, Digest: p.Digest, OneByOne: p.Alone, Rejected: p.Rejected, Why: p.Why,
		Descriptor: p.Now.Raw, Differences: differenceDocuments(p.Change.Differences),
	}
}

func differenceDocuments(all []pin.Difference) []differenceDocument {
	docs := []differenceDocument{}
	for _, d := range all {
		docs = append(docs, differenceDocument{d.Class.String(), d.Path, d.Why, d.Was, d.Now, d.Wider, d.Narrower})
	}
	return docs
}
