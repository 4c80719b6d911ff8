package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
)

func (a *app) quarantineCommand() *cobra.Command {
	cmd := cli.Group("quarantine", "The results that are withheld, because a scanner found what talks to a model")
	cmd.AddCommand(a.quarantineListCommand(), a.quarantineShowCommand(), a.quarantineReleaseCommand(), a.quarantineKeepCommand(), a.quarantineDropCommand(), a.quarantinePurgeCommand())
	return cmd
}

func (a *app) quarantineListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the withheld results, the oldest first", Args: cli.Exactly(0, "list takes nothing"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listWithheld(cmd.Context()) },
	}
}

func (a *app) quarantineShowCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show RUN", Short: "Show a withheld result to a person, with everything escaped", Args: cli.Exactly(1, "show takes a run id"),
		Long: `show prints what a scanner withheld. It is a stranger's text: read it as evidence,
and do not hand it to a model.`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.showWithheld(cmd.Context(), args[0]) },
	}
}

func (a *app) quarantineDropCommand() *cobra.Command {
	return &cobra.Command{
		Use: "drop RUN", Short: "Remove a withheld result for good", Args: cli.Exactly(1, "drop takes a run id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withState(func(s *store.Store) error {
				err := s.Drop(cmd.Context(), args[0])
				if err == nil {
					a.sayDropped(1)
				}
				return err
			})
		},
	}
}

func (a *app) quarantinePurgeCommand() *cobra.Command {
	var olderThan string
	cmd := &cobra.Command{
		Use: "purge --older-than DURATION", Short: "Remove old withheld results for good", Args: cli.Exactly(0, "purge takes nothing but flags"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			age, err := parseAge(olderThan)
			if err != nil {
				return err
			}
			return a.withState(func(s *store.Store) error {
				n, err := s.Purge(cmd.Context(), time.Now().Add(-age))
				if err == nil {
					a.sayDropped(n)
				}
				return err
			})
		},
	}
	cmd.Flags().StringVar(&olderThan, "older-than", "", "remove what was withheld more than a `DURATION` ago, such as 90d or 12h")
	return cmd
}

// withState gives the state to a command, and closes it.
func (a *app) withState(do func(*store.Store) error) (err error) {
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	state := store.At(s.StateFile.V, time.Now)
	defer func() {
		if closed := state.Close(); err == nil {
			err = closed
		}
	}()
	return do(state)
}

// withheldRow is one withheld result as it is listed.
type withheldRow struct {
	RunID    string     `json:"run_id"`
	Trace    string     `json:"trace_digest"`
	Server   string     `json:"server"`
	Tool     string     `json:"tool"`
	Rules    []string   `json:"rules"`
	Size     int64      `json:"size"`
	Created  time.Time  `json:"created"`
	By       string     `json:"released_by,omitempty"`
	Released *time.Time `json:"released,omitempty"`
}

func rowOfKept(k store.Kept) withheldRow {
	row := withheldRow{k.Run, k.Trace, k.Server, k.Tool, k.Rules, k.Size, k.Created, k.By, nil}
	if k.By != "" {
		row.Released = &k.Released
	}
	return row
}

func (r withheldRow) state() string {
	if r.By == "" {
		return "withheld"
	}
	return "released by " + r.By
}

func (a *app) listWithheld(ctx context.Context) error {
	return a.withState(func(s *store.Store) error {
		all, err := s.AllKept(ctx)
		if err != nil {
			return err
		}
		rows := []withheldRow{}
		for _, k := range all {
			rows = append(rows, rowOfKept(k))
		}
		if a.JSON {
			a.Member("quarantine", rows)
			return nil
		}
		a.printWithheld(rows)
		return nil
	})
}

// sayKept says that one is kept.
func (a *app) sayKept(r withheldRow) {
	if a.JSON {
		a.Member("kept", r)
		return
	}
	a.printWithheld([]withheldRow{r})
}

func (a *app) printWithheld(rows []withheldRow) {
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d bytes\t%s\n", guard.Line(r.RunID, 128), r.Created.Format(time.RFC3339), guard.Line(r.Server+"/"+r.Tool, 160),
			guard.Line(strings.Join(r.Rules, " "), 160), r.Size, guard.Line(r.state(), 160))
	}
	w.Flush()
}

// showWithheld escapes the result for JSON too: nothing that reads the document may
// meet it as it is.
func (a *app) showWithheld(ctx context.Context, run string) error {
	return a.withState(func(s *store.Store) error {
		k, err := s.Kept(ctx, run)
		if err != nil {
			return err
		}
		row, escaped := rowOfKept(k), guard.Text(string(k.Body), cli.MaxShown)
		if a.JSON {
			a.Document(struct {
				SchemaVersion int         `json:"schema_version"`
				Withheld      withheldRow `json:"withheld"`
				Escaped       string      `json:"escaped"`
			}{host.SchemaVersion, row, escaped})
			return nil
		}
		for _, line := range [][2]string{
			{"run", row.RunID},
			{"trace", row.Trace},
			{"tool", row.Server + "/" + row.Tool},
			{"rules", strings.Join(row.Rules, " ")},
			{"created", row.Created.Format(time.RFC3339)},
			{"state", row.state()},
		} {
			fmt.Fprintf(a.Out, "%-10s %s\n", line[0], guard.Line(line[1], cli.MaxLine))
		}
		fmt.Fprintf(a.Out, "result     %s\n", cli.Indent(escaped))
		return nil
	})
}

func (a *app) sayDropped(n int64) {
	if a.JSON {
		a.Member("dropped", n)
		return
	}
	fmt.Fprintf(a.Out, "dropped %d\n", n)
}
