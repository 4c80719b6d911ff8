package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
)

// Floor is a reason why a person has to approve a call, even if a rule allows it.
type Floor struct {
	Reason string
	// Grantable reports whether a grant can answer the floor: the person who gave the
	// grant saw this reason. No grant answers any other floor.
	Grantable bool
}

// Floors returns the floors of the call. A mark on free text adds a floor only if
// intent is strict.
func (q Question) Floors() (all []Floor) {
	r, hints := q.Record, q.Record.Annotations
	writes := r.Effect != "read"
	add := func(holds bool, f Floor) {
		if holds {
			all = append(all, f)
		}
	}
	add(q.Terminal, Floor{"the allowlist requires an approval at a terminal for each call of the tool", false})
	add(hints.Destructive != nil && *hints.Destructive, Floor{"the server says that the tool is destructive (destructiveHint)", true})
	add(q.Strict, Floor{"the call carries a mark, and intent is strict", false})
	if !writes {
		return all
	}
	add(r.Resource.ID == nil, Floor{"the call's object is unknown; the allowlist can name it (resource)", false})
	add(r.Resource.ID != nil && !r.Resource.Stated, Floor{"an argument that names the call's object carries a mark", false})
	reached := slices.ContainsFunc(r.Marked, func(at string) bool { return reaches(q.Input.Root(), at) })
	add(reached, Floor{"an argument that is a recipient or an address carries a mark", false})
	add(r.NotAsked != nil, Floor{"the question does not plainly ask for the change", false})
	return all
}

// Free returns the JSON Pointers of the arguments that are free text. A person may
// leave them open in a grant. An argument that names the resource, a recipient or an
// address is not free text. Neither is an argument that the schema limits to some
// texts.
func (q Question) Free() (all []string) {
	root := q.Input.Root()
	for l := range schema.Leaves(q.Record.Arguments) {
		at := l.Pointer()
		about := slices.ContainsFunc(q.Record.Resource.Arguments, func(of string) bool { return within(at, of) })
		isText := !l.Name && l.Kind == '"'
		if !isText || about || reaches(root, at) {
			continue
		}
		said := find(root, pathOf(at))
		texts := slices.ContainsFunc(said, func(n *schema.Node) bool { kind, _ := n.Value("type"); return kind == "string" })
		limited := slices.ContainsFunc(said, func(n *schema.Node) bool {
			return slices.ContainsFunc([]string{"enum", "const", "pattern", "format"}, func(keyword string) bool { _, has := n.Value(keyword); return has })
		})
		if texts && !limited {
			all = append(all, at)
		}
	}
	return all
}

// digest returns a digest of the whole content of a rule. It does not depend on the
// rule's place.
func (r *Rule) digest() string {
	texts := append([]string{string(r.Effect), string(r.when.said), string(r.where.said)}, r.Tools...)
	for _, at := range r.Takes {
		texts = append(texts, "takes "+at) // no tool can have this name
	}
	return together(texts)
}

// together returns one digest of texts, each with its length; "" for no texts.
func together(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	var all strings.Builder
	for _, t := range texts {
		all.WriteString(strconv.Itoa(len(t)) + ":" + t)
	}
	sum := sha256.Sum256([]byte(all.String()))
	return "sha256:" + hex.EncodeToString(sum[:])
}
