package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

func (a *app) guardCommand() *cobra.Command {
	cmd := cli.Group("guard", "List and try the rules by which servers' texts are scanned")
	var server, kind string
	test := &cobra.Command{
		Use: "test FILE", Short: "Scan a text as if a server had said it", Args: cli.Exactly(1, "test takes one FILE, or - for stdin"),
		Long: `test redacts and scans a file by the built-in rules, as every result and every
description is. Of a JSON document every string is a text of its own. Nothing is
started and nothing is kept.

It ends with exit 10 where something hard is found: of a server, that would be
withheld.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.testGuard(cmd.Context(), args[0], server, kind)
		},
	}
	test.Flags().StringVar(&server, "server", "", "the `NAME` of a server, whose suppressions then hold")
	test.Flags().StringVar(&kind, "kind", "text", "`KIND` text, as of a result, or description")
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the rules", Args: cli.Exactly(0, "list takes nothing"),
			RunE: func(*cobra.Command, []string) error { return a.listRules() },
		},
		test,
		&cobra.Command{
			Use: "explain ID", Short: "Say what a rule is for, and what it leaves open", Args: cli.Exactly(1, "explain takes the ID of one rule"),
			RunE: func(_ *cobra.Command, args []string) error { return a.explainRule(args[0]) },
		})
	return cmd
}

func (a *app) listRules() error {
	rules := guard.BuiltIn()
	if a.JSON {
		a.Member("rules", rules)
		return nil
	}
	for _, r := range rules {
		fmt.Fprintf(a.Out, "%-20s %-5s %s\n", r.ID, r.Tier, r.Why)
	}
	return nil
}

func (a *app) explainRule(id string) error {
	r, known := guard.Explain(id)
	if !known {
		return cli.Usage(verdict.UsageArgument, "there is no rule %.64q; `ask guard list` lists them", id)
	}
	if a.JSON {
		a.Member("rule", r)
		return nil
	}
	effect, suppressed := "marked, and left out of a summary", "by a server's setting suppress, with a reason"
	if r.Tier == guard.Hard {
		effect = "withheld, with the result that holds it"
	}
	if r.Core {
		suppressed = "by nothing"
	}
	fmt.Fprintf(a.Out, "%s (%s)\n  finds:      %s\n  such text is %s\n  leaves:     %s\n  suppressed: %s\n", r.ID, r.Tier, r.Why, effect, r.Leaves, suppressed)
	return nil
}

// tried is what `ask guard test` found.
type tried struct {
	Redactions []guard.Redaction `json:"redactions"`
	Report     guard.Report      `json:"report"`
}

func (a *app) testGuard(ctx context.Context, file, server, kind string) error {
	if kind != "text" && kind != "description" {
		return cli.Usage(verdict.UsageFlag, "--kind is text or description, not %.40q", kind)
	}
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	policy, err := setup.Policy(s)
	if err != nil {
		return err
	}
	text, err := a.readBounded(ctx, file, schema.ResultLimits.Bytes)
	if err != nil {
		return err
	}
	parts, redactions := partsOf(text, kind)
	found := tried{append([]guard.Redaction{}, redactions...), policy.Guard.Scan(server, parts)}
	if found.Report.Hard() {
		err = verdict.Fail(verdict.EvalFailed, nil, "a finding is hard: of a server, this would be withheld")
	}
	if a.JSON {
		a.Document(struct {
			SchemaVersion int           `json:"schema_version"`
			Test          tried         `json:"test"`
			Error         *host.Failure `json:"error,omitempty"`
		}{host.SchemaVersion, found, failure(err)})
		return a.EndWith(err)
	}
	a.showTried(found)
	return err
}

func failure(err error) *host.Failure {
	if err == nil {
		return nil
	}
	return host.FailureOf(err)
}

// partsOf are the texts of a file after their redaction: all strings of a JSON
// document, or the file as it is.
func partsOf(text, kind string) (parts []guard.Part, redactions []guard.Redaction) {
	document, redactions, err := guard.RedactJSON([]byte(text))
	if err != nil || schema.Check(document, schema.ResultLimits) != nil {
		text, redactions = guard.Redact(text)
		return []guard.Part{{Kind: kind, Text: text}}, redactions
	}
	for leaf := range schema.Leaves(document) {
		if leaf.Kind == '"' && leaf.Text != "" {
			parts = append(parts, guard.Part{Where: leaf.Pointer(), Kind: kind, Text: leaf.Text})
		}
	}
	return parts, redactions
}

func (a *app) showTried(t tried) {
	for _, r := range t.Redactions {
		fmt.Fprintf(a.Out, "redacted  %d of the kind %s\n", r.Count, r.Kind)
	}
	for _, f := range t.Report.Findings {
		fmt.Fprintf(a.Out, "%-9s %s%s\n          %s\n          %s\n", f.Tier, f.Rule, at(f), f.Excerpt, f.Why)
	}
	if n := t.Report.Unlisted; n > 0 {
		fmt.Fprintf(a.Out, "          and %d more\n", n)
	}
	for _, e := range t.Report.Ledger {
		fmt.Fprintf(a.Out, "%-9s %d texts, %d bytes\n", e.State, e.Parts, e.Bytes)
	}
}

// at says where a finding is.
func at(f guard.Finding) string {
	if f.Where == "" {
		return fmt.Sprintf(" at byte %d", f.Start)
	}
	return fmt.Sprintf(" at %s, byte %d", guard.Line(f.Where, cli.MaxLine), f.Start)
}
