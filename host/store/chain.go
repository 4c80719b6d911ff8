package store

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"
	"time"

	"github.com/onestep-run/onestep/gate/pin"
)

// sum covers every column, and through the previous sum every earlier row of the place.
// Digests cover the server's texts.
func (d Decision) sum(before, raw, instructions string) string {
	return sum(before, number(d.Seq), d.Place.Entry, d.Place.Credential, d.Server, d.Tool, d.State, d.Reviewed, d.Meaning, raw, instructions,
		d.Review, d.Effect, d.By, d.How, number(stamp(d.At)))
}

// chain reads the decisions of places, one place after the other. It checks each against the
// previous one, and the last against its place. Its zero value has read nothing.
type chain struct {
	place      pin.Place
	last, want head
}

// next reads a row. A place that has lost all its decisions yields a row of NULLs, which no
// column accepts.
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
		return Decision{}, altered("decision %d is damaged, or an earlier one is missing", d.Seq)
	}
	if contentDigest(d.Raw) != raw || contentDigest(instructions) != told {
		return Decision{}, altered("the content of decision %d is damaged", d.Seq)
	}
	c.last = head{d.Seq, own}
	return d, nil
}

// end checks the last decision of a place: the place must name it.
func (c *chain) end() error {
	if c.last != c.want {
		return altered("a decision after %d is gone", c.last.seq)
	}
	return nil
}

// sum is the digest of a row: its texts, each with its length, so that no text can pass for
// two.
func sum(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		_, _ = io.WriteString(h, strconv.Itoa(len(t))+":"+t) // a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil))
}

// contentDigest is the digest of a server's bytes, "" for no bytes.
func contentDigest(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	d := sha256.Sum256(b)
	return hex.EncodeToString(d[:])
}

// bytesOf is the bytes for a column that is never NULL.
func bytesOf(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// Times have whole milliseconds, as in traces.
func stamp(t time.Time) int64 { return t.UnixMilli() }

func timeOf(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
