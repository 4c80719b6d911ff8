package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

func (a *app) replayCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "replay RUN",
		Short: "Run a trace's question again, without model, servers or network",
		Long: `replay computes every verdict anew and reports the first that differs.
With --allowlist or --config it does so under that policy, and lists which
verdicts change.`,
		Args: oneTrace,
		RunE: func(cmd *cobra.Command, args []string) error { return a.replay(cmd, args[0]) },
	}
}

func (a *app) replay(cmd *cobra.Command, name string) error {
	r, cut := a.readTrace(name)
	if cut != nil && verdict.CodeOf(cut) != verdict.TraceIncomplete {
		return cut
	}
	begin, err := replay.Begin(r.events, r.objects)
	if err != nil {
		return err
	}
	change, err := a.newPolicy()
	if err != nil {
		return err
	}
	report, err := replay.Run(cmd.Context(), r.events, replay.Options{Change: change, Types: typesOf(begin), Version: version, Objects: r.objects})
	if err != nil {
		return err
	}
	a.sayVersion(report, begin)
	end := differs(report, change != nil)
	if end == nil {
		end = cut // what was recorded follows, and there is more that was not
	}
	if a.JSON {
		d := replayed{
			SchemaVersion: host.SchemaVersion, Path: r.path, Outcome: report.Outcome,
			Complete: report.Complete, Differences: report.Differences,
			NotRecomputed: report.NotRecomputed, OtherVersion: report.OtherVersion,
		}
		if end != nil {
			d.Error = host.FailureOf(end)
		}
		a.Document(d)
		return a.EndWith(end)
	}
	a.printReplay(report)
	return end
}

type replayed struct {
	SchemaVersion int                 `json:"schema_version"`
	Path          string              `json:"path"`
	Complete      bool                `json:"complete"`
	OtherVersion  bool                `json:"other_version"`  // another version of ask recorded the trace
	NotRecomputed []string            `json:"not_recomputed"` // gates whose verdict was taken from the record
	Differences   []replay.Difference `json:"differences"`
	Outcome       host.Outcome        `json:"outcome"`
	Error         *host.Failure       `json:"error,omitempty"`
}

// newPolicy is what changes of the recorded policy: nil for nothing. Only what
// a flag names takes the recorded part's place.
func (a *app) newPolicy() (func(host.Policy) host.Policy, error) {
	if a.Flags.Config == "" && len(a.Flags.Given) == 0 {
		return nil, nil
	}
	s, _, err := a.Settings()
	if err != nil {
		return nil, err
	}
	listed := s.Allowlist.Origin.Kind == config.FromFlag || s.Allowlist.Origin == config.Origin{Kind: config.FromFile, Name: a.Flags.Config}
	if a.Flags.Config == "" && !listed {
		return nil, nil
	}
	named, err := setup.Policy(s)
	if err != nil {
		return nil, err
	}
	return func(p host.Policy) host.Policy {
		allowlist := p.Allowlist
		if listed {
			allowlist = config.LoadAllowlist(s.Allowlist.V)
		}
		if a.Flags.Config != "" {
			p = named
		}
		p.Allowlist = allowlist
		return p
	}, nil
}

// typesOf: a run of the demo checked its results against the demo's Go types too.
func typesOf(begin trace.BeginBody) map[string]func([]byte) error {
	if replay.InProcess(begin) {
		return demo.Types()
	}
	return nil
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

func describe(d host.Decision) string {
	switch {
	case d.Gate == "":
		return "not reached"
	case d.Code == "":
		return d.Verdict
	}
	return d.Verdict + " (" + string(d.Code) + ")"
}

func (a *app) printReplay(r replay.Report) {
	for _, d := range r.Outcome.Decisions[:min(r.Recorded, len(r.Outcome.Decisions))] {
		fmt.Fprintln(a.Out, guard.Line(fmt.Sprintf("%-10s %s", d.Gate, describe(d)), cli.MaxLine))
	}
	for _, d := range r.Differences {
		fmt.Fprintln(a.Out, guard.Line(fmt.Sprintf("changed: %s: was %s, is %s", d.Gate, describe(d.Was), describe(d.Now)), cli.MaxLine))
	}
	switch {
	case len(r.Differences) > 0:
	case r.Complete:
		fmt.Fprintf(a.Out, "identical: %d verdicts, outcome %s\n", r.Recorded, r.Outcome.Type)
	default:
		fmt.Fprintf(a.Out, "identical as far as it goes: %d verdicts\n", r.Recorded)
	}
}
