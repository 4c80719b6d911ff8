// Package pin identifies tools. It has their descriptors, as the servers sent them, and the
// digests that compare two descriptors: of the bytes and of their meaning. [Compare] lists
// how two differ, and [Changes] what changed in the tools of a server; docs/pins.md has the
// classes.
//
// It vouches that descriptors of equal meaning differ only in the order of sets and in
// stated defaults. A safer change takes no argument that was refused before. The work is
// bounded for any listing. It does not vouch that a cue is an attack, or that a text
// without a cue is harmless. And it pins text, not behaviour: a server can keep every word
// of a descriptor and change what the tool does.
//
// gate, host/trust, config and eval call it.
package pin

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
)

// Descriptor is one entry of a server's tools/list, as received, with the server's
// instructions for all its tools. Anyone may make one; it vouches for nothing.
type Descriptor struct {
	Server       string         `json:"server"`                 // the name that the operator gave the server
	Raw          jsontext.Value `json:"raw"`                    // the Tool object of the MCP specification
	Instructions string         `json:"instructions,omitempty"` // the server's own, for its clients

	// OrderAt is the operator's consent for an approved tool, and counts in no digest. At
	// these places the server may write the names of lists in any order. They are JSON
	// Pointers to descriptions, titles and defaults.
	OrderAt []string `json:"order_at,omitempty"`
}

// Digest is the SHA-256 of a descriptor's server, canonical JSON and instructions. Its zero
// value equals the digest of no descriptor.
type Digest [sha256.Size]byte

func (d Digest) String() string { return "sha256:" + hex.EncodeToString(d[:]) }

// Digest hashes the whole descriptor, fields that onestep does not know
// included: RFC 8785 order, number literals kept.
func (d Descriptor) Digest() (Digest, error) {
	if err := schema.Check(d.Raw, schema.DescriptorLimits); err != nil {
		return Digest{}, fmt.Errorf("the descriptor has %w", err)
	}
	c, err := schema.Canonical(d.Raw)
	if err != nil {
		return Digest{}, fmt.Errorf("the descriptor has %w", err)
	}
	h := sha256.New()
	// The length keeps server "a" + tool "b…" apart from server "ab" + tool "…".
	fmt.Fprintf(h, "%d:%s:", len(d.Server), d.Server)
	h.Write(c)
	if d.Instructions != "" { // so a digest without them is unchanged from earlier versions
		fmt.Fprintf(h, "%d:%s", len(d.Instructions), d.Instructions)
	}
	return Digest(h.Sum(nil)), nil
}

// Fields are the members of a descriptor that onestep reads. Schemas stay raw.
type Fields struct {
	Name         string         `json:"name"`
	Title        string         `json:"title"`
	Description  string         `json:"description"`
	InputSchema  jsontext.Value `json:"inputSchema"`
	OutputSchema jsontext.Value `json:"outputSchema"`
	Annotations  Annotations    `json:"annotations"`
	Execution    jsontext.Value `json:"execution"` // how a call is carried out
}

// NeedsTask reports whether the server accepts calls of the tool only as tasks. The result
// of a task is fetched by further requests (execution.taskSupport, version 2025-11-25 of
// the protocol).
func (f Fields) NeedsTask() bool {
	var e struct {
		TaskSupport any `json:"taskSupport"`
	}
	return schema.DecodeOpen(f.Execution, &e, schema.DescriptorLimits) == nil && e.TaskSupport == "required"
}

// Annotations are a server's own hints about a tool. They are shown, and
// decide nothing: a server may lie.
type Annotations struct {
	Title       string `json:"title"`
	ReadOnly    *bool  `json:"readOnlyHint"`
	Destructive *bool  `json:"destructiveHint"`
	Idempotent  *bool  `json:"idempotentHint"`
	OpenWorld   *bool  `json:"openWorldHint"`
}

// hints are the four hints, if all are stated.
func (a Annotations) hints() (all [4]bool, stated bool) {
	for i, hint := range []*bool{a.ReadOnly, a.Destructive, a.Idempotent, a.OpenWorld} {
		if hint == nil {
			return [4]bool{}, false
		}
		all[i] = *hint
	}
	return all, true
}

// SameHints reports whether each of several tools states the same four hints. Some SDKs
// publish them for every tool unasked, and then they distinguish no tools.
func SameHints(tools []Descriptor) bool {
	var first [4]bool
	for i, d := range tools {
		f, err := d.Fields()
		hints, stated := f.Annotations.hints()
		if i == 0 {
			first = hints
		}
		if err != nil || !stated || hints != first {
			return false
		}
	}
	return len(tools) > 1
}

// Fields reads the descriptor strictly. With an error it gives only the name, if that can
// be read: a malformed twin of a tool is still its twin. Members that onestep does not know
// are allowed, because the specification adds some with every version.
func (d Descriptor) Fields() (Fields, error) {
	var f Fields
	if d.Raw.Kind() != '{' {
		return Fields{}, errors.New("the descriptor is not an object")
	}
	if err := schema.DecodeOpen(d.Raw, &f, schema.DescriptorLimits); err != nil {
		return Fields{Name: d.name()}, fmt.Errorf("the descriptor has %w", err)
	}
	return f, nil
}

// MayName reports whether a descriptor may be the tool's, even if it cannot be read. A
// tool's name is plain ASCII, so JSON writes it verbatim or with a backslash.
func (d Descriptor) MayName(tool string) bool {
	return bytes.Contains(d.Raw, []byte(`"`+tool+`"`)) || bytes.IndexByte(d.Raw, '\\') >= 0
}

func (d Descriptor) name() string {
	var n struct {
		Name string `json:"name"`
	}
	if err := schema.DecodeOpen(d.Raw, &n, schema.DescriptorLimits); err != nil {
		return ""
	}
	return n.Name
}

// Parts are the texts of a Tool object for a scan, with the names of members. Each is at
// its JSON Pointer in the object (RFC 6901). The instructions are the server's, and not
// among them.
func (d Descriptor) Parts() []scan.Part {
	var parts []scan.Part
	for leaf := range schema.Leaves(d.Raw) {
		if !leaf.Name && leaf.Kind != '"' {
			continue
		}
		kind := "schema"
		if at := leaf.Pointer(); at == "/description" || at == "/title" {
			kind = "description"
		}
		text := leaf.Text
		if leaf.Name {
			text = strings.ReplaceAll(text, "_", " ") // a sentence may be spelled as a name
		}
		parts = append(parts, scan.Part{Where: leaf.Pointer(), Kind: kind, Text: text})
	}
	return parts
}
