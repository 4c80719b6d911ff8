package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

// olderThan adds the option of commands that end or remove old data; parseAge reads it.
func olderThan(cmd *cobra.Command, usage string) *string {
	return cmd.Flags().String("older-than", "", usage)
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

// effectOptions name tools as reading or as writing.
type effectOptions struct{ read, write []string }

// Apply adds the flags.
func (o *effectOptions) Apply(f *cli.FlagSet, reads, writes string) {
	f.StringArrayVar(&o.read, "read", nil, reads)
	f.StringArrayVar(&o.write, "write", nil, writes)
}

// effects are the effects of the named tools.
func (o effectOptions) effects() (map[string]string, error) {
	effects := map[string]string{}
	for _, tool := range o.read {
		effects[tool] = tools.Reads
	}
	for _, tool := range o.write {
		if effects[tool] == tools.Reads {
			return nil, cli.Usage(verdict.UsageArgument, "%s is named by both --read and --write", escape.Line(tool, 64))
		}
		effects[tool] = tools.Writes
	}
	return effects, nil
}
