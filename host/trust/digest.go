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

// reviewed is what an approval keeps of what was looked at: also what another
// client is told, where that is something else.
func reviewed(d pin.Descriptor, other string) (string, error) {
	digest, err := Reviewed(d)
	if err != nil || other == "" {
		return digest, err
	}
	return digestOf("two faces", digest, other), nil
}

// inAnyOrder begins the digest that an approval keeps, where it is of the same
// words in any order: every sum of the chain covers it.
const inAnyOrder = "any order "

// writeOrder is that digest with the places at which any order is accepted.
func writeOrder(digest string, places []string) string {
	b, err := json.Marshal(places)
	if err != nil {
		return digest // of texts; nothing is accepted
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

// onlyAfterCall begins that digest, where a session listed the tool only after a call.
const onlyAfterCall = "after a call "

// orders are the places at which any order of names is accepted of a part: those of
// the approval before, which stay accepted, and those that this review showed.
func (r Review) orders(p Part) []string {
	all := slices.Concat(r.pins.Tools[p.Tool].OrderAt, p.orderAt)
	slices.Sort(all)
	return slices.Compact(all)
}

// partDigest covers the place, the tool, what is said of it now and what another
// client is told, so that an approval of one is none of another. It covers what
// is said by its meaning: a server that writes a set in another order each time
// can be approved.
func (r *Review) partDigest(p Part) (string, error) {
	meaning, err := p.Now.Meaning()
	if err != nil {
		return "", fmt.Errorf("the descriptor has no digest: %w", err)
	}
	return digestOf("part", r.Place.Entry, r.Place.Credential, string(r.Artifact), p.Tool, p.kind(), meaning.String(), p.other, r.Told), nil
}

// kind is what an approval of the part means: that the tool is gone, that its
// words count in any order, that it counts as reading although it tried to write, or
// none of these; and whether the server lists it only after a call.
func (p Part) kind() string {
	late := ""
	if p.Late {
		late = onlyAfterCall
	}
	switch {
	case p.State == Reordered:
		return late + string(Reordered) + " " + strings.Join(p.orderAt, " ")
	case p.Wrote:
		return late + "wrote"
	case p.State == Gone:
		return late + string(Gone)
	}
	return late + "as it is"
}

// programDigest covers the place and what is started there.
func (r *Review) programDigest() string {
	return digestOf("program", r.Place.Entry, r.Place.Credential, string(r.Artifact))
}

// sameEdits gives one digest to the tools whose change is the same to the byte, so
// that one decision approves all of them. It covers the digest of each: where one
// of them is something else by then, or another tool joins, it approves nothing.
func (r *Review) sameEdits() {
	having := map[string][]int{}
	for i, p := range r.Parts {
		if p.State != Changed || p.Tool == "" || p.Change.Kind != pin.Changed || !p.Open() || p.Rejected || len(p.Change.Differences) == 0 {
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

// digest covers every part that is to be decided, whether by itself alone, and
// what is about all of them. A review with nothing to decide, but for what was
// rejected, or is decided on again, has none.
func (r *Review) digest() string {
	texts := []string{"review", r.Place.Entry, r.Place.Credential, string(r.Artifact), r.Told}
	open := false
	// In the order of their names: what is approved of another server in between moves
	// what shadows it to the front.
	byName := slices.SortedStableFunc(slices.Values(r.Parts), func(a, b Part) int { return strings.Compare(a.Tool, b.Tool) })
	for _, p := range byName {
		if p.Again() {
			p.Digest = "" // as in a review that asks nothing again
		}
		texts = append(texts, p.Tool, string(p.State), p.Digest, fmt.Sprint(p.Alone))
		open = open || p.Open() && !p.Rejected
	}
	if !open && !r.ToldDiffers {
		return ""
	}
	return digestOf(texts...)
}

// infoDigest is kept with an approval of what a server calls itself: that is its
// own word, decides nothing, and is not part of any digest that is approved.
func infoDigest(info string) string { return digestOf("info", info) }

// otherProgram reports whether what is started has to be approved again. Another
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
