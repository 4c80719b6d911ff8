package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

func (a *app) pruneCommand() *cobra.Command {
	var olderThan string
	var dry bool
	cmd := &cobra.Command{
		Use: "prune --older-than DURATION", Short: "Remove old traces, and the objects that no other trace refers to",
		Args: cli.Exactly(0, "prune takes nothing but flags"),
		RunE: func(*cobra.Command, []string) error { return a.prune(olderThan, dry) },
	}
	cmd.Flags().StringVar(&olderThan, "older-than", "", "remove traces that were last written more than a `DURATION` ago, such as 90d or 12h")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would be removed, and remove nothing")
	return cmd
}

func (a *app) prune(olderThan string, dry bool) error {
	age, err := parseAge(olderThan)
	if err != nil {
		return err
	}
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	p, err := host.TraceDir(s.TraceDir.V).Prune(time.Now().Add(-age), dry)
	for _, id := range p.Unreadable {
		a.Say("The trace of run %s is kept and cannot be read (`ask trace verify` says why): every object is kept for its sake.", id)
	}
	if err != nil {
		return err
	}
	if a.JSON {
		a.Document(pruned{host.SchemaVersion, s.TraceDir.V, dry, p.Traces, p.Objects, p.Unreadable, p.Bytes})
		return nil
	}
	verb := "removed"
	if dry {
		verb = "would remove"
	}
	for _, id := range p.Traces {
		fmt.Fprintf(a.Out, "%s trace %s\n", verb, guard.Line(id, 128))
	}
	fmt.Fprintf(a.Out, "%s %d traces and %d objects, %d bytes\n", verb, len(p.Traces), len(p.Objects), p.Bytes)
	return nil
}

type pruned struct {
	SchemaVersion int      `json:"schema_version"`
	TraceDir      string   `json:"trace_dir"`
	DryRun        bool     `json:"dry_run"`
	Traces        []string `json:"traces"`  // run ids
	Objects       []string `json:"objects"` // digests
	Unreadable    []string `json:"unreadable_traces"`
	Bytes         int64    `json:"bytes"`
}

// maxDays is the longest age; a time.Duration ends soon after it.
const maxDays = 100_000

// parseAge reads a duration of Go, or a number of days: 90d.
func parseAge(text string) (time.Duration, error) {
	if text == "" {
		return 0, cli.Usage(verdict.UsageFlag, "it needs --older-than, such as --older-than 90d")
	}
	age, err := time.ParseDuration(text)
	if number, isDays := strings.CutSuffix(text, "d"); isDays {
		var days uint64
		days, err = strconv.ParseUint(number, 10, 32)
		age = time.Duration(min(days, maxDays)) * 24 * time.Hour
	}
	if err != nil || age < 0 {
		return 0, cli.Usage(verdict.UsageFlag, "--older-than %q is not a duration such as 90d or 12h", text)
	}
	return age, nil
}
