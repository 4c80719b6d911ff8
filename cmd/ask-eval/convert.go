package main

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/convert"
	"github.com/onestep-run/onestep/gate/verdict"
)

func (a *app) convertCommand() *cobra.Command {
	var with convert.Files
	cmd := &cobra.Command{
		Use:   "convert FORMAT FILE...",
		Short: "Turn a published corpus into rows that the suites read",
		Long: `convert reads files of a public corpus as its authors publish them, and prints the
rows that a suite reads, one JSON object a line. They are only reshaped: names
of types become those of JSON Schema, and nothing is reworded.

  bfcl              BFCL_v4_*.json of ShishirPatil/gorilla, for planner
  injecagent        test_cases_*.json of uiuc-kang-lab/InjecAgent, for injection
  injecagent-tools  tools.json of the same, for injection --tools
  xstest            xstest_prompts.csv of paul-rottger/xstest, for requests

A file's answers and tools are looked for where the publication has them: in
possible_answer and in tools.json, next to it.`,
		Example: `  ask eval convert xstest xstest_prompts.csv > requests.jsonl
  ask eval convert bfcl BFCL_v4_simple_python.json BFCL_v4_multiple.json > planner.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return cli.Usage(verdict.UsageArgument, "convert takes a format (%s) and its files", strings.Join(convert.Formats(), ", "))
			}
			return a.convert(args[0], args[1:], with)
		},
	}
	cmd.Flags().StringVar(&with.Answers, "answers", "", "`FILE` of the answers, for bfcl")
	cmd.Flags().StringVar(&with.Tools, "tools", "", "`FILE` of the tools, for injecagent")
	return cmd
}

// convert prints nothing unless every file has the published shape.
func (a *app) convert(format string, files []string, with convert.Files) error {
	rows := []jsontext.Value{}
	for _, file := range files {
		more, err := convert.Rows(format, file, with)
		if err != nil {
			return err
		}
		rows = append(rows, more...)
	}
	if a.JSON {
		a.Document(struct {
			SchemaVersion int              `json:"schema_version"`
			Rows          []jsontext.Value `json:"rows"`
		}{eval.SchemaVersion, rows})
		return nil
	}
	for _, r := range rows {
		if _, err := a.Out.Write(append(r, '\n')); err != nil {
			return err
		}
	}
	a.Say("%d rows of %s.", len(rows), format)
	return nil
}
