package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

func (a *app) replay(ctx context.Context, args []string) error {
	r, cut := a.readTrace(args[0])
	if cut != nil && verdict.CodeOf(cut) != verdict.TraceIncomplete {
		return cut
	}
	begin, err := replay.Begin(r.Events, r.Objects)
	if err != nil {
		return err
	}
	change, err := desk.NewPolicy(a.Flags, a.Options())
	if err != nil {
		return err
	}
	opt := r.Replay(version)
	opt.Change = change
	report, err := replay.Run(ctx, r.Events, opt)
	if err != nil {
		return err
	}
	a.sayVersion(report, begin)
	end := differs(report, change != nil)
	if end == nil {
		end = cut // what was recorded follows, and there is more that was not
	}
	if a.JSON {
		var failure *host.Failure
		if end != nil {
			failure = host.FailureOf(end)
		}
		a.Document(struct {
			SchemaVersion int    `json:"schema_version"`
			Path          string `json:"path"`
			replay.Report
			Error *host.Failure `json:"error,omitempty"`
		}{host.SchemaVersion, r.Path, report, failure})
		return a.EndWith(end)
	}
	a.printReplay(report)
	return end
}

// sayVersion comes before everything else: what another version decided may
// come out otherwise for that alone.
func (a *app) sayVersion(r replay.Report, begin trace.BeginBody) {
	if !r.OtherVersion {
		return
	}
	a.Say("Recorded by another version of ask (%s); this is %s.", cmp.Or(begin.Version, "it does not say which"), version)
	for _, gate := range r.NotRecomputed {
		a.Say("The verdict of the gate %s was not recomputed: it is the recorded one.", gate)
	}
}

// differs is nil where every verdict came out as recorded.
func differs(r replay.Report, underNewPolicy bool) error {
	if len(r.Differences) == 0 {
		return nil
	}
	d := r.Differences[0]
	text := fmt.Sprintf("the first verdict that differs is %s: it was %s, and is %s", d.Gate, describe(d.Was), describe(d.Now))
	switch {
	case underNewPolicy:
		return verdict.Fail(verdict.TracePolicy, nil, "%s", text)
	case r.OtherVersion:
		return verdict.Fail(verdict.TraceVersion, nil, "changed between versions: %s", text)
	}
	return verdict.Fail(verdict.TraceDiffers, nil, "%s", text)
}

func describe(d host.Verdict) string {
	switch {
	case d.Gate == "":
		return "not reached"
	case d.Code == "":
		return d.Verdict
	}
	return d.Verdict + " (" + string(d.Code) + ")"
}

func (a *app) printReplay(r replay.Report) {
	for _, d := range r.Outcome.Verdicts[:min(r.Recorded, len(r.Outcome.Verdicts))] {
		a.Print("%-10s %s", d.Gate, describe(d))
	}
	for _, d := range r.Differences {
		a.Print("changed: %s: was %s, is %s", d.Gate, describe(d.Was), describe(d.Now))
	}
	switch {
	case len(r.Differences) > 0:
	case r.Complete:
		a.Print("identical: %d verdicts, outcome %s", r.Recorded, r.Outcome.Type)
	default:
		a.Print("identical as far as it goes: %d verdicts", r.Recorded)
	}
}
