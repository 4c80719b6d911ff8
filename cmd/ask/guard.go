package main

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
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
description is. A JSON object is taken for a whole answer of a tool, anything else
for a text of one. Nothing is started and nothing is kept.

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
	answer, err := answerOf(file, text)
	if err != nil {
		return err
	}
	answer, redactions, err := guard.RedactJSON(answer)
	if err != nil {
		return err
	}
	parts := gate.New(gate.Options{}).Parts(gate.RawResult{Body: answer})
	for i := range parts {
		if kind != "text" {
			parts[i].Kind = kind
		}
	}
	found := tried{append([]guard.Redaction{}, redactions...), policy.Guard.Scan(server, parts)}
	if found.Report.Hard() {
		hard := verdict.Fail(verdict.EvalFailed, nil, "a finding is hard: of a server, this would be withheld")
		hard.Hint = "`ask guard explain RULE` says what the rule is for, and whether a server's setting suppress can leave it out"
		err = hard
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

// answerOf is what a server answers that says what a file holds: the file, where
// it is a JSON object, and else a text of it.
func answerOf(file, said string) ([]byte, error) {
	if !utf8.ValidString(said) {
		return nil, cli.Usage(verdict.UsageArgument, "%s is not UTF-8: no answer is", guard.Line(file, cli.MaxLine))
	}
	if jsontext.Value(said).Kind() == '{' && schema.Check([]byte(said), schema.ResultLimits) == nil {
		return []byte(said), nil
	}
	block := map[string]string{"type": "text", "text": said}
	return json.Marshal(map[string]any{"content": []any{block}})
}

func (a *app) showTried(t tried) {
	for _, r := range t.Redactions {
		fmt.Fprintf(a.Out, "redacted    %d of the kind %s\n", r.Count, r.Kind)
	}
	for _, f := range t.Report.Findings {
		fmt.Fprintf(a.Out, "%-11s %s at %s, byte %d\n            %s\n            %s\n", f.Tier, f.Rule, guard.Line(f.Where, cli.MaxLine), f.Start, f.Excerpt, f.Why)
	}
	if n := t.Report.Unlisted; n > 0 {
		fmt.Fprintf(a.Out, "            and %d more\n", n)
	}
	for _, e := range t.Report.Ledger {
		fmt.Fprintf(a.Out, "%-11s %d texts, %d bytes\n", e.State, e.Parts, e.Bytes)
	}
}
