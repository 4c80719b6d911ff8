package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/onestep-run/onestep/gate/pin"
)

// Reviewed is the digest of what was looked at: the descriptor's bytes and the
// instructions, whatever name a file gives the server.
func Reviewed(d pin.Descriptor) (string, error) {
	d.Server = ""
	digest, err := d.Digest()
	if err != nil {
		return "", fmt.Errorf("the descriptor has no digest: %w", err)
	}
	return digest.String(), nil
}

// partDigest covers the place, the tool and what is said of it now, so that an
// approval of one is none of another.
func (r *Review) partDigest(p Part) string {
	reviewed, err := Reviewed(p.Now)
	if err != nil {
		return ""
	}
	return digestOf("part", r.Place.Entry, r.Place.Credential, string(r.Artifact), p.Tool, fmt.Sprint(p.State == Gone), reviewed, r.Told)
}

// programDigest covers the place and what is started there.
func (r *Review) programDigest() string {
	return digestOf("program", r.Place.Entry, r.Place.Credential, string(r.Artifact))
}

// digest covers every part that is to be decided, whether by itself alone, and
// what is about all of them. A review with nothing to decide, but for what was
// rejected, has none.
func (r *Review) digest() string {
	texts := []string{"review", r.Place.Entry, r.Place.Credential, string(r.Artifact), r.Told}
	open := false
	for _, p := range r.Parts {
		texts = append(texts, p.Tool, string(p.State), p.Digest, fmt.Sprint(p.Alone))
		open = open || p.Open() && !p.Rejected
	}
	if !open && !r.ToldDiffers {
		return ""
	}
	return digestOf(texts...)
}

// otherProgram reports whether what is started has to be approved anew. Another
// interpreter has not.
func otherProgram(all []pin.Difference) bool {
	return slices.ContainsFunc(all, func(d pin.Difference) bool { return d.Class < pin.Informational })
}

func digestOf(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		_, _ = io.WriteString(h, fmt.Sprintf("%d:%s", len(t), t)) // a hash never fails
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
