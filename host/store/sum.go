package store

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"
	"time"
)

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
