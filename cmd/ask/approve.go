package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/policy"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
)

func (a *app) approveRun(cmd *cobra.Command) action {
	a.saveFlag(cmd.Flags())
	digest := cmd.Flags().String("digest", "", "the `DIGEST` of the approval that was shown")
	return a.onDesk(func(ctx context.Context, d desk.Desk, args []string) error {
		return a.approve(ctx, d, args[0], *digest)
	})
}

func (a *app) approve(ctx context.Context, d desk.Desk, run, digest string) error {
	w, err := runs.At(d).Waiting(ctx, run)
	if err != nil {
		return err
	}
	if err := runs.At(d).Elsewhere(w); err != nil {
		return err
	}
	yes := gate.Yes{Approval: digest, How: gate.ByDigest}
	if digest == "" {
		yes, err = a.decided(ctx, d, w)
		if args := a.takeEdited(); args != nil && verdict.CodeOf(err) == verdict.ApprovalEdited {
			q, err := runs.At(d).Edited(ctx, w, args)
			if err != nil {
				return err
			}
			return a.askFor(ctx, d, w, q)
		}
		if err != nil {
			return err
		}
		yes.Approval = w.Approval.Digest
	}
	return a.carryOut(ctx, d, w, yes)
}

// carryOut stores the approval, and makes the call if no other process does. A waiting
// process makes its own call, and a client's call is made when the client asks again.
func (a *app) carryOut(ctx context.Context, d desk.Desk, w runs.Waiting, yes gate.Yes) error {
	q, err := w.Approved(d.By, yes.How, yes.Approval)
	if err != nil {
		return err
	}
	if w.Approval.State == approval.Pending {
		if err := runs.At(d).Decide(ctx, w, approval.Approved, yes.How); err != nil {
			return err
		}
	}
	if yes.Gives != nil {
		if err := runs.At(d).Give(ctx, *yes.Gives); err != nil {
			return err
		}
	}
	claim, err := runs.At(d).Claimed(ctx, w)
	switch until := w.Approval.Expires.Format(time.RFC3339); {
	case err != nil:
		return err
	case claim.State == approval.Spent:
		return a.settled(w, "approved: run "+w.Approval.RunID+" was waiting and makes the call")
	case claim.State != "":
		return decidedAgain(w.Approval.RunID, claim)
	case w.Approval.Client:
		return a.settled(w, "approved: no process waits for it now; the client's next call with these arguments is made, until "+until)
	}
	return a.askFor(ctx, d, w, q)
}

// decidedAgain is the refusal of an approval if the rules changed since the call was asked
// for.
func decidedAgain(run string, c runs.Claim) error {
	if c.State == approval.Pending {
		return verdict.Deny(verdict.ApprovalChanged, "the call was not made: rules, allowlist or settings have changed since run %s asked for it, and it is asked for once more", run).
			WithHint("`ask approve " + run + "` shows the call as it is decided now")
	}
	return verdict.Deny(verdict.ApprovalChanged, "the call was not made: rules, allowlist or settings have changed since run %s asked for it, and the run ended with %s", run, cmp.Or(c.Code, "no answer yet")).
		WithHint("`ask trace show " + run + "` shows what decided")
}

// askFor asks a question about the server of a call that waited.
func (a *app) askFor(ctx context.Context, d desk.Desk, w runs.Waiting, q host.Question) error {
	with := d.With
	with.Mode, with.Servers = setup.Plans, []string{w.Request.Server}
	return a.answer(ctx, with, false, func(context.Context, config.Settings, *setup.Ready) (host.Question, error) { return q, nil })
}

// settled reports a decision after which this process calls nothing.
func (a *app) settled(w runs.Waiting, text string) error {
	return a.Report(cli.Object{"run_id", w.Approval.RunID, "approval_digest", w.Approval.Digest, "note", text}, nil, func() { a.Print("%s", text) })
}

// decided asks at a terminal. A plain no is stored, so that a waiting process ends; any other
// answer leaves the call pending.
func (a *app) decided(ctx context.Context, d desk.Desk, w runs.Waiting) (gate.Yes, error) {
	ctx, limit := setup.WithLimit(ctx, time.Hour) // nothing runs yet that this could delay
	defer limit.End()
	t, there := a.person(limit).(*atTerminal)
	if !there {
		fmt.Fprint(a.Err, requestText(w.Request, w.Approval.Digest))
		return gate.Yes{}, verdict.Deny(verdict.ApprovalNeeded, "there is no terminal to ask at; --digest %s approves the call without one", w.Approval.Digest)
	}
	yes, answer, err := t.ask(ctx, w.Request, w.Approval.Digest)
	if err != nil && (answer == "n" || answer == "no") {
		err = cmp.Or(runs.At(d).Decide(ctx, w, approval.Denied, gate.AtTerminal), err)
	}
	return yes, err
}

// approvals is a group that can also wait for calls.
func (a *app) approvals(cmd *cobra.Command) action {
	watch := cmd.Flags().Bool("watch", false, "show each pending call in full, and ask: y approves it, g grants later ones too, n refuses it, Enter skips it")
	return func(ctx context.Context, args []string) error {
		if !*watch || len(args) > 0 {
			return cli.WrongVerb(cmd, args)
		}
		return a.onDesk(a.watchApprovals)(ctx, args)
	}
}

func (a *app) deny(ctx context.Context, d desk.Desk, args []string) error {
	w, err := runs.At(d).Waiting(ctx, args[0])
	if err != nil {
		return err
	}
	return a.decide(ctx, d, w, approval.Denied, "refused: the call of run "+w.Approval.RunID+" is not made")
}

func (a *app) revoke(ctx context.Context, d desk.Desk, args []string) error {
	w, err := runs.At(d).Waiting(ctx, args[0])
	if err != nil {
		return err
	}
	if w.Approval.State != approval.Approved {
		return verdict.Fail(verdict.UsageArgument, nil, "the call of run %s waits, and no one has approved it", args[0]).
			WithHint("`ask approvals deny " + args[0] + "` refuses it")
	}
	return a.decide(ctx, d, w, approval.Revoked, "revoked: no call is made with the approval of run "+w.Approval.RunID)
}

// decide stores a decision that was typed as a command, and reports it.
func (a *app) decide(ctx context.Context, d desk.Desk, w runs.Waiting, state approval.State, text string) error {
	if err := runs.At(d).Decide(ctx, w, state, gate.ByDigest); err != nil {
		return err
	}
	return a.settled(w, text)
}

// watchEvery is how often the inbox checks for new calls.
const watchEvery = 250 * time.Millisecond

// watchApprovals asks for each pending call once. It also reports the error of each once.
func (a *app) watchApprovals(ctx context.Context, d desk.Desk, _ []string) error {
	if a.keyboard() == nil {
		return cli.Usage(verdict.UsageArgument, "--watch needs a terminal; elsewhere `ask approvals list` and `ask approve RUN --digest DIGEST` do the same")
	}
	a.Say("Waiting for calls to approve. Ctrl-C ends this; `ask approvals list` lists the remaining calls.")
	seen := map[string]bool{}
	for {
		all, err := runs.At(d).Approvals(ctx, func(run string, err error) {
			if !seen[run] {
				a.Say("the approval of run %s cannot be given: %v", run, err)
			}
			seen[run] = true
		})
		if err != nil && verdict.CodeOf(err) != verdict.StateLocked { // the next round tries again
			return err
		}
		for _, p := range all {
			if seen[p.RunID] || p.Expired || p.State != approval.Pending {
				continue
			}
			seen[p.RunID] = true
			if err := a.approve(ctx, d, p.RunID, ""); err != nil && ctx.Err() == nil {
				a.sayUndecided(ctx, d, p.RunID, err)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watchEvery):
		}
	}
}

// sayUndecided reports why a call is not made. If the call still waits, it also prints how to
// show it again.
func (a *app) sayUndecided(ctx context.Context, d desk.Desk, run string, err error) {
	w, gone := runs.At(d).Waiting(ctx, run)
	if verdict.CodeOf(err) != verdict.ApprovalRefused || gone != nil || w.Approval.State != approval.Pending {
		a.Say("run %s: %v", run, err)
		return
	}
	a.Say("skipped, still waiting: run %s; `ask approve %s` shows it again", run, run)
}

// approvalLine is an approval on one line. Its first word is the run's id, for scripts.
func approvalLine(r runs.Approval) string {
	state := "expires " + r.Expires.Format(time.RFC3339)
	switch {
	case r.Expired:
		state = "expired"
	case r.State == approval.Approved:
		state = "approved, not used, " + state
	}
	by := "asked by " + escape.Line(r.Subject, 64)
	if r.ClientName != "" {
		by += " with " + escape.Line(strings.TrimSpace(r.ClientName+" "+r.ClientVersion), 160)
	}
	if r.Question != "" {
		by += ": " + escape.Line(r.Question, 200)
	}
	return strings.Join([]string{escape.Line(r.RunID, 128), state, escape.Line(r.Tool, 260) + " " + escape.Line(account.Brief(account.Compact(r.Arguments), 300), 500), by}, "  ")
}

func (a *app) listApprovals(cmd *cobra.Command) action {
	expired := cmd.Flags().Bool("all", false, "also list what expired")
	return a.onDesk(func(ctx context.Context, d desk.Desk, _ []string) error {
		all, err := runs.At(d).Approvals(ctx, func(run string, err error) { a.Say("the approval of run %s cannot be given: %v", run, err) })
		if err != nil {
			return err
		}
		rows := slices.DeleteFunc(slices.Clone(all), func(r runs.Approval) bool { return r.Expired && !*expired })
		return a.Result("approvals", rows, func() {
			for _, r := range rows {
				fmt.Fprintln(a.Out, approvalLine(r))
			}
			if len(rows) == 0 {
				a.Say("nothing waits")
			}
			if left := len(all) - len(rows); left > 0 {
				a.Say("%d expired; --all lists them", left)
			}
		})
	})
}

func (a *app) showApproval(ctx context.Context, d desk.Desk, args []string) error {
	w, err := runs.At(d).Waiting(ctx, args[0])
	if err != nil {
		return err
	}
	return a.Report(cli.Object{"approval", w.Approval, "record", w.Record}, nil, func() {
		fmt.Fprint(a.Out, requestText(w.Request, w.Approval.Digest))
	})
}

func (a *app) listGrants(cmd *cobra.Command) action {
	ended := cmd.Flags().Bool("all", false, "also list those that ended")
	return a.onDesk(func(ctx context.Context, d desk.Desk, _ []string) error {
		grants, err := policy.At(d).Grants(ctx)
		if err != nil {
			return err
		}
		rows := slices.DeleteFunc(slices.Clone(grants), func(g policy.Grant) bool { return !*ended && !g.Stands() })
		return a.Result("grants", rows, func() {
			printTable(a, rows, func(g policy.Grant) []string {
				until, state := "until "+g.Until.Format(time.RFC3339), escape.Line(g.State, 160)
				return []string{escape.Line(g.ID, 128), escape.Line(g.Server+"/"+g.Tool, 300), escape.Line(g.Resource, 300), escape.Line(g.Conversation, 128), until, state}
			})
			if left := len(grants) - len(rows); left > 0 {
				a.Say("%d ended; --all lists them", left)
			}
		})
	})
}

func (a *app) printRevoked(g policy.Grant) {
	a.Print("%s  %s", escape.Line(g.ID, 128), escape.Line(g.State, 160))
}

func (a *app) explainGrant(ctx context.Context, s servers.Servers, args []string) error {
	return result(a, "grant", (*app).printGrant)(policy.ExplainGrant(ctx, s, args[0]))
}

func (a *app) printGrant(g policy.Grant) {
	row := func(name, value string) { fmt.Fprintf(a.Out, "%-13s %s\n", name, escape.Line(value, cli.MaxLine)) }
	row("grant", g.ID)
	row("state", g.State)
	row("tool", g.Server+"/"+g.Tool)
	row("resource", g.Resource)
	row("conversation", g.Conversation)
	row("asked by", g.Subject)
	row("given by", g.By+" ("+g.How+"), "+g.Created.Format(time.RFC3339))
	row("until", g.Until.Format(time.RFC3339))
	if g.Why != "" {
		row("because", g.Why)
	}
	if g.Destructive {
		row("destroys", "the server suggests it, and the person saw it")
	}
	var fixed, open []string
	for _, v := range g.Fixed {
		fixed = append(fixed, account.Position(v.Pointer))
	}
	for _, at := range g.Open {
		open = append(open, account.Position(at))
	}
	row("stay", strings.Join(fixed, ", "))
	if len(open) > 0 {
		row("may change", strings.Join(open, ", "))
	}
}

func (a *app) endConversations(cmd *cobra.Command) action {
	old := olderThan(cmd, "end those in which nothing was granted or labelled for a `DURATION`, such as 7d or 12h")
	return a.onDesk(func(ctx context.Context, d desk.Desk, ids []string) (err error) {
		switch named := len(ids) == 1; {
		case len(ids) > 1, named == (*old != ""), named && ids[0] == "":
			return cli.Usage(verdict.UsageArgument, "end takes the ID of a conversation, or --older-than")
		}
		age := time.Duration(0)
		if len(ids) == 0 {
			if age, err = parseAge(*old); err != nil {
				return err
			}
		}
		return result(a, "ended", (*app).printEnded)(policy.At(d).EndConversations(ctx, strings.Join(ids, ""), age))
	})
}

func (a *app) printEnded(ids []string) {
	for _, id := range ids {
		a.Print("ended %s", escape.Line(id, 256))
	}
}

func (a *app) printConversations(all []policy.Conversation) {
	printTable(a, all, func(c policy.Conversation) []string {
		row := []string{escape.Line(c.ID, 256), c.Last.Format(time.RFC3339), verdict.Count(c.Grants, "grant"), strings.Join(c.Labels, " "), ""}
		if c.Ended {
			row[4] = "ended"
		}
		return row
	})
}
