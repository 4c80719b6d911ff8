package store

import (
	"context"
	"database/sql"
	"reflect"
	"slices"

	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/verdict"
)

// redeeming are the steps of a redemption, in order. Each checks and spends one thing in the
// given transaction; its error undoes all of them.
var redeeming = []func(context.Context, *sql.Tx, grant.Redemption) error{sameLabels, takeCalls, useApproval, useGrant, giveGrant, setMarks}

// Redeem checks and spends everything that a call needs, in one transaction. Of any number of
// processes one uses an approval, and after a grant is revoked it answers no call. The result
// is on disk when Redeem returns nil; on any error no call may be made.
func (s *Store) Redeem(ctx context.Context, r grant.Redemption) error {
	if r.Empty() {
		return nil
	}
	if r.Approval != "" && s.absent() {
		return unasked(r.Approval)
	}
	return s.write(ctx, func(tx *sql.Tx) error { return redeem(ctx, tx, r) })
}

func redeem(ctx context.Context, tx *sql.Tx, r grant.Redemption) error {
	for _, step := range redeeming {
		if err := step(ctx, tx, r); err != nil {
			return err
		}
	}
	return nil
}

// sameLabels fails if the conversation has a label that the rules have not read.
func sameLabels(ctx context.Context, tx *sql.Tx, r grant.Redemption) error {
	if r.Labelled == "" {
		return nil
	}
	marks, err := marksIn(ctx, tx, `WHERE id = $1 AND mark <> $2`, r.Labelled, grant.Ended)
	if err != nil {
		return err
	}
	for _, m := range marks {
		if !slices.Contains(r.Labels, m.Name) {
			return verdict.Deny(verdict.StateLabels, "the conversation was labelled %.40q while the call waited for an approval", m.Name)
		}
	}
	return nil
}

func useApproval(ctx context.Context, tx *sql.Tx, r grant.Redemption) error {
	if r.Approval == "" {
		return nil
	}
	_, err := step(ctx, tx, r.Approval, r.Digest, approval.Step{To: approval.Spent, Now: r.Now})
	return err
}

// useGrant fails unless the grant is as it was read, neither revoked nor expired.
func useGrant(ctx context.Context, tx *sql.Tx, r grant.Redemption) error {
	if r.Uses == nil {
		return nil
	}
	all, err := grantsIn(ctx, tx, `WHERE id = $1`, r.Uses.ID)
	if err != nil {
		return err
	}
	ended, err := endedIn(ctx, tx, r.Uses.Conversation)
	switch {
	case err != nil:
		return err
	case len(all) != 1 || !reflect.DeepEqual(all[0].Grant, *r.Uses):
		return verdict.Deny(verdict.GrantEnded, "the grant %.80q is missing or has changed since it was read", r.Uses.ID)
	case !all[0].Revoked.IsZero():
		return verdict.Deny(verdict.GrantEnded, "%s revoked the grant %.80q", all[0].RevokedBy, r.Uses.ID)
	case ended:
		return verdict.Deny(verdict.GrantEnded, "the conversation of the grant %.80q has ended", r.Uses.ID)
	case !r.Now.Before(r.Uses.Until):
		return verdict.Deny(verdict.GrantEnded, "the grant %.80q has expired", r.Uses.ID)
	}
	return nil
}

func giveGrant(ctx context.Context, tx *sql.Tx, r grant.Redemption) error {
	if r.Gives == nil {
		return nil
	}
	return give(ctx, tx, *r.Gives)
}

func setMarks(ctx context.Context, tx *sql.Tx, r grant.Redemption) error {
	for _, m := range r.Marks {
		if err := setMark(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}
