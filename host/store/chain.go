package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"io"
	"strconv"
	"time"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

// sum covers every column, and by the sum before it every earlier row of the
// place. What the server said is named by its digests. The empty text is a note,
// which the first two schemas had and nobody wrote.
func (d Decision) sum(before, raw, instructions string) string {
	return sum(before, number(d.Seq), d.Place.Entry, d.Place.Credential, d.Server, d.Tool, d.State, d.Reviewed, d.Meaning, raw, instructions,
		d.Review, d.Effect, d.By, d.How, "", number(stamp(d.At)))
}

// chain reads the decisions of places, one place after the other, and holds
// each to the one before it and the last one to its place. Its zero value has
// read nothing.
type chain struct {
	place      pin.Place
	last, want head
}

// next reads a row. A place that has lost all its decisions gives one of NULLs,
// which no column takes.
func (c *chain) next(row scan) (Decision, error) {
	var d Decision
	var want head
	var own, raw, told string
	var at int64
	var instructions []byte
	err := row(&d.Place.Entry, &d.Place.Credential, &want.seq, &want.sum, &d.Seq, &d.Server, &d.Tool, &d.State, &d.Reviewed, &d.Meaning, &raw, &told,
		&d.Review, &d.Effect, &d.By, &d.How, &at, &own, &d.Raw, &instructions)
	if err != nil {
		return Decision{}, err
	}
	d.At, d.Instructions = timeOf(at), string(instructions)
	if d.Place != c.place {
		if err := c.end(); err != nil {
			return Decision{}, err
		}
		*c = chain{place: d.Place, want: want}
	}
	if d.sum(c.last.sum, raw, told) != own {
		return Decision{}, altered("decision %d is not what was written, or one before it is gone", d.Seq)
	}
	if contentDigest(d.Raw) != raw || contentDigest(instructions) != told {
		return Decision{}, altered("what decision %d is about is not what was written", d.Seq)
	}
	c.last = head{d.Seq, own}
	return d, nil
}

// end is after the last decision of a place: that must be the one which the
// place names.
func (c *chain) end() error {
	if c.last != c.want {
		return altered("a decision after %d is gone", c.last.seq)
	}
	return nil
}

// sum is the digest of a row: its texts, each with its length, so that no text
// can pass for two.
func sum(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		_, _ = io.WriteString(h, strconv.Itoa(len(t))+":"+t) // a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil))
}

// contentDigest is the digest of a server's bytes; no bytes have none.
func contentDigest(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	d := sha256.Sum256(b)
	return hex.EncodeToString(d[:])
}

// bytesOf is what a column takes that is never NULL.
func bytesOf(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// Times are kept as traces keep them: in whole milliseconds.
func stamp(t time.Time) int64 { return t.UnixMilli() }

func timeOf(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// Use notes that the approval of a run is used, for good: a pending approval is
// a file, and whoever restores that file gets nothing for it here. Of any number
// of callers in any number of processes one gets nil, when the row is on disk.
// The others get a denial, [verdict.ApprovalSpent], and so does a caller with
// the same digest for another run. On any other error the approval may be used
// and no call may be made.
func (s *Store) Use(ctx context.Context, run, digest string) error {
	if run == "" || digest == "" || len(run) > maxKey || len(digest) > maxKey {
		return misuse("the use of the approval %.80q of run %.80q cannot be noted", digest, run)
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		before := usedChain{run: run, digest: digest}
		if err := each(ctx, tx, usedQuery, nil, before.next); err != nil {
			return err
		}
		if before.found {
			return verdict.Deny(verdict.ApprovalSpent, "the approval of run %s was used before: its call may have left", run)
		}
		r := usedRow{run, digest, before.last.seq + 1, stamp(s.now())}
		return exec(ctx, tx, `INSERT INTO used (run, digest, seq, at, sum) VALUES ($1, $2, $3, $4, $5)`, r.run, r.digest, r.seq, r.at, r.sum(before.last.sum))
	})
}

// usedRow is a used approval as its row has it.
type usedRow struct {
	run, digest string
	seq, at     int64
}

func (r usedRow) sum(before string) string {
	return sum(before, r.run, r.digest, number(r.seq), number(r.at))
}

const usedQuery = `SELECT run, digest, seq, at, sum FROM used ORDER BY seq`

// usedChain reads the used approvals in their order, and checks each against the
// one before it. The last ones may be gone unnoticed: no other row names them.
type usedChain struct {
	run, digest string // to find
	found       bool   // one of the two
	last        head
}

func (c *usedChain) next(row scan) error {
	var r usedRow
	var own string
	if err := row(&r.run, &r.digest, &r.seq, &r.at, &own); err != nil {
		return err
	}
	if r.seq != c.last.seq+1 || r.sum(c.last.sum) != own {
		return altered("the used approval %d is not what was written, or one before it is gone", r.seq)
	}
	c.last = head{r.seq, own}
	c.found = c.found || r.run == c.run || r.digest == c.digest
	return nil
}
