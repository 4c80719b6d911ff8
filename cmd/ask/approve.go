package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/replay"
)

func (a *app) approveCommand() *cobra.Command {
	var digest string
	cmd := &cobra.Command{
		Use:   "approve RUN",
		Short: "Show the call that a run waits for, and make it once it is approved",
		Long: `approve shows the pending call of a run in full. At a terminal it asks; elsewhere
it needs --digest, the approval digest that was looked at. The call goes through
every gate again, and is made only if it is the very call that was shown.`,
		Example: "  ask approve RUN_ID\n  ask approve RUN_ID --digest sha256:…",
		Args:    cli.Exactly(1, "approve takes a run id"),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.approve(cmd.Context(), args[0], digest) },
	}
	a.saver.register(cmd)
	cmd.Flags().StringVar(&digest, "digest", "", "the `DIGEST` of the approval that was looked at")
	return cmd
}

func (a *app) approve(ctx context.Context, run, digest string) error {
	w, err := a.waiting(run)
	if err != nil {
		return err
	}
	how := gate.ByDigest
	if digest == "" {
		if how, err = a.approved(ctx, w); err != nil {
			return err
		}
		digest = w.pending.Digest
	}
	if digest != w.pending.Digest {
		return verdict.Deny(verdict.ApprovalChanged, "the pending approval of run %s is %s", run, w.pending.Digest)
	}
	with := a.Options()
	with.NoPlans, with.Servers = true, []string{w.view.Server}
	return a.answer(ctx, with, func(context.Context, config.Settings) (host.Question, error) {
		q := w.question
		q.Approval = &host.Binding{RunID: run, Digest: digest, By: subject(), How: how, Record: w.record}
		return q, nil
	})
}

// approved asks at a terminal.
func (a *app) approved(ctx context.Context, w waiting) (how string, err error) {
	ctx, limit := withLimit(ctx, time.Hour) // nothing runs yet that could be held up
	defer limit.end()
	t, there := a.person(limit).(*atTerminal)
	if !there {
		fmt.Fprint(a.Err, w.view.text(w.pending.Digest))
		return "", verdict.Deny(verdict.ApprovalNeeded, "nobody is at a terminal; with --digest %s the call is approved from elsewhere", w.pending.Digest)
	}
	yes, err := t.ask(ctx, w.view, w.pending.Digest)
	return yes.How, err
}

// waiting is a run that waits for an approval, read from its verified trace.
type waiting struct {
	pending  host.Pending
	question host.Question
	record   jsontext.Value
	view     view
}

func (a *app) waiting(run string) (w waiting, err error) {
	s, _, err := a.Settings()
	if err != nil {
		return w, err
	}
	if w.pending, err = host.TraceDir(s.TraceDir.V).Look(run); err != nil {
		return w, err
	}
	r, err := a.readTrace(run)
	if err != nil {
		return w, err
	}
	if last := r.events[len(r.events)-1].Hash.Digest(); last != w.pending.Trace {
		return w, verdict.Fail(verdict.TraceDigest, nil, "the trace of run %s is %s, and was %s when the approval was asked for", run, last, w.pending.Trace)
	}
	if w.question, w.record, err = replay.Waiting(r.events, r.objects); err != nil {
		return w, err
	}
	if sum := sha256.Sum256(w.record); "sha256:"+hex.EncodeToString(sum[:]) != w.pending.Digest {
		return w, verdict.Deny(verdict.ApprovalUnknown, "the trace of run %s does not hold what is to be approved", run)
	}
	w.view, err = viewOf(w.record, w.question, w.pending.Claim)
	return w, err
}

func (a *app) approvalsCommand() *cobra.Command {
	cmd := cli.Group("approvals", "The calls that wait for a person")
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the pending approvals", Args: cli.Exactly(0, "list takes nothing"),
			RunE: func(*cobra.Command, []string) error { return a.listApprovals() },
		},
		&cobra.Command{
			Use: "show RUN", Short: "Show one pending approval in full", Args: cli.Exactly(1, "show takes a run id"),
			RunE: func(_ *cobra.Command, args []string) error { return a.showApproval(args[0]) },
		})
	return cmd
}

// approvalRow is one pending approval as it is listed.
type approvalRow struct {
	RunID   string    `json:"run_id"`
	Digest  string    `json:"approval_digest"`
	Subject string    `json:"subject"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	Expired bool      `json:"expired"`
}

func rowOfPending(p host.Pending, now time.Time) approvalRow {
	return approvalRow{p.RunID, p.Digest, p.Subject, p.Created, p.Expires, now.After(p.Expires)}
}

func (a *app) listApprovals() error {
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	all, err := host.TraceDir(s.TraceDir.V).Pending()
	if err != nil {
		return verdict.Fail(verdict.ConfigUnreadable, err, "%s: %v", s.TraceDir.V, err)
	}
	rows := []approvalRow{}
	for _, p := range all {
		rows = append(rows, rowOfPending(p, time.Now()))
	}
	if a.JSON {
		a.Document(struct {
			SchemaVersion int           `json:"schema_version"`
			Approvals     []approvalRow `json:"approvals"`
		}{host.SchemaVersion, rows})
		return nil
	}
	for _, r := range rows {
		state := "expires " + r.Expires.Format(time.RFC3339)
		if r.Expired {
			state = "expired"
		}
		fmt.Fprintf(a.Out, "%s  %s  asked by %s\n", guard.Line(r.RunID, 128), state, guard.Line(r.Subject, cli.MaxLine))
	}
	return nil
}

func (a *app) showApproval(run string) error {
	w, err := a.waiting(run)
	if err != nil {
		return err
	}
	if a.JSON {
		a.Document(struct {
			SchemaVersion int            `json:"schema_version"`
			Approval      approvalRow    `json:"approval"`
			Record        jsontext.Value `json:"record"`
		}{host.SchemaVersion, rowOfPending(w.pending, time.Now()), w.record})
		return nil
	}
	fmt.Fprint(a.Out, w.view.text(w.pending.Digest))
	return nil
}
