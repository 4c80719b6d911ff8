package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// Reviewed is the digest of a reviewed description: the descriptor's bytes and the
// instructions. It does not depend on the server's name in a file.
func Reviewed(d pin.Descriptor) (string, error) {
	d.Server = ""
	digest, err := d.Digest()
	if err != nil {
		return "", fmt.Errorf("the descriptor has no digest: %w", err)
	}
	return digest.String(), nil
}

// reviewed is the digest that an approval keeps of a reviewed description. It covers a
// different description for another client, too.
func reviewed(d pin.Descriptor, other string) (string, error) {
	digest, err := Reviewed(d)
	if err != nil || other == "" {
		return digest, err
	}
	return digestOf("two faces", digest, other), nil
}

// inAnyOrder begins the digest in an approval that accepts the same words in any order.
// Every sum of the chain covers it.
const inAnyOrder = "any order "

// writeOrder returns such a digest with the places where any order is accepted.
func writeOrder(digest string, places []string) string {
	b, err := json.Marshal(places)
	if err != nil {
		return digest // cannot fail; no order is accepted
	}
	return inAnyOrder + string(b) + " " + digest
}

// readOrder reads what writeOrder wrote, or a digest without places.
func readOrder(text string) (digest string, places []string) {
	rest, with := strings.CutPrefix(text, inAnyOrder)
	i := strings.LastIndex(rest, "] ")
	if !with || i < 0 || schema.Decode([]byte(rest[:i+1]), &places, schema.DescriptorLimits) != nil {
		return text, nil
	}
	return rest[i+2:], places
}

// onlyAfterCall begins the digest if a session listed the tool only after a call.
const onlyAfterCall = "after a call "

// orders returns the places where any order of names is accepted for a part. These are
// the places of the previous approval, and the places that this review showed.
func (r Review) orders(p Part) []string {
	all := slices.Concat(r.pins.Tools[p.Tool].OrderAt, p.orderAt)
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// partDigest covers the place, the tool, its current description and the description for
// another client. So an approval is for one part only. It covers the meaning of the
// description: a server that writes a set in another order each time can be approved.
func (r *Review) partDigest(p Part) (string, error) {
	meaning, err := p.Now.Meaning()
	if err != nil {
		return "", fmt.Errorf("the descriptor has no digest: %w", err)
	}
	return digestOf("part", r.Place.Entry, r.Place.Credential, string(r.Artifact), p.Tool, p.kind(), meaning.String(), p.other, r.Told), nil
}

// kind is the meaning of an approval of the part. The tool is gone, its words count in any
// order, it counts as reading although it tried to write, or nothing of this; and whether
// the server lists it only after a call.
func (p Part) kind() string {
	kind := "as it is"
	switch {
	case p.State == Reordered:
		kind = string(Reordered) + " " + strings.Join(p.orderAt, " ")
	case p.Wrote:
		kind = "wrote"
	case p.State == Gone:
		kind = string(Gone)
	}
	if p.Late {
		return onlyAfterCall + kind
	}
	return kind
}

// sameEdits gives one digest to tools with the same change, byte for byte, so that one
// decision approves all of them. It covers the digest of each. If one of them changes
// again, or another tool joins, it approves nothing.
func (r *Review) sameEdits() {
	having := map[string][]int{}
	for i, p := range r.Parts {
		if p.State != Changed || p.Change.Kind != pin.Changed || p.Rejected {
			continue
		}
		if p.Tool == "" || !p.Open() || len(p.Change.Differences) == 0 {
			continue
		}
		var edits []string
		for _, d := range p.Change.Differences {
			edits = append(edits, d.Class.String(), d.Path, string(d.Was), string(d.Now), d.Why)
		}
		key := digestOf(edits...)
		having[key] = append(having[key], i)
	}
	for _, tools := range having {
		var digests []string
		for _, i := range tools {
			digests = append(digests, r.Parts[i].Digest)
		}
		slices.Sort(digests)
		for _, i := range tools {
			if len(tools) > 1 {
				r.Parts[i].Edit = digestOf(append([]string{"edit"}, digests...)...)
			}
		}
	}
}

// digest covers every part that waits for a decision, with a separate digest or not, and
// the texts about all parts. It is "" for a review with nothing to decide except rejected
// parts and parts that are decided on again.
func (r *Review) digest() string {
	texts := []string{"review", r.Place.Entry, r.Place.Credential, string(r.Artifact), r.Told}
	open := false
	// Sorted by name: an approval at another server in between moves a shadowing tool to
	// the front.
	byName := slices.SortedStableFunc(slices.Values(r.Parts), func(a, b Part) int { return strings.Compare(a.Tool, b.Tool) })
	for _, p := range byName {
		if p.Again() {
			p.Digest = "" // as in a review without Again
		}
		texts = append(texts, p.Tool, string(p.State), p.Digest, fmt.Sprint(p.Alone))
		open = open || p.Open() && !p.Rejected
	}
	if !open && !r.ToldDiffers {
		return ""
	}
	return digestOf(texts...)
}

// infoDigest is the digest of a server's own name, kept with an approval. The name is the
// server's claim, decides nothing, and is not part of any approved digest.
func infoDigest(info string) string { return digestOf("info", info) }

// otherProgram reports whether the program has to be approved again. Another interpreter
// does not require this.
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
