package gate

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Attachment is a part of a result next to its text. No gate reads it: it is shown by
// its size and digest, is never evidence, and is not scanned. A link is not followed.
type Attachment struct {
	Type   string `json:"type"`             // the server's text, cut
	MIME   string `json:"mime,omitempty"`   // the server's word, cut
	Bytes  int    `json:"bytes"`            // 0 for a link
	SHA256 string `json:"sha256,omitempty"` // of the bytes, as sha256: and digits; absent for a link
	URI    string `json:"uri,omitempty"`    // of a resource or a link: the server's text, cut

	data []byte
}

// Data returns the attached bytes, which are untrusted.
func (a Attachment) Data() []byte { return a.data }

// Bounds for the kept attachments of a result.
const (
	maxAttachments = 64
	maxMIME        = 128
	maxURI         = 2 << 10
)

// content is the content of a result's blocks.
type content struct {
	text        string // of all text blocks
	texts       int
	attachments []Attachment
	unlisted    int // further attachments
}

// content reads the blocks. For an unknown or malformed block it returns an error,
// with the content of the other blocks.
func (g *Gate) content(blocks []jsontext.Value) (content, error) {
	var c content
	var first error
	var texts []string
	for i, raw := range blocks {
		text, attached, err := g.block(i+1, raw)
		switch {
		case err != nil && first == nil:
			first = err
		case err != nil:
		case attached == nil:
			texts = append(texts, text)
		case len(c.attachments) == maxAttachments:
			c.unlisted++
		default:
			c.attachments = append(c.attachments, *attached)
		}
	}
	c.text, c.texts = strings.Join(texts, "\n"), len(texts)
	return c, first
}

// block returns the text of one block, or its attachment.
func (g *Gate) block(n int, raw jsontext.Value) (string, *Attachment, error) {
	malformed := verdict.Deny(verdict.OutputInvalid, "content block %d is malformed", n)
	var kind struct {
		Type string `json:"type"`
	}
	if err := schema.DecodeOpen(raw, &kind, g.limits); err != nil || raw.Kind() != '{' {
		return "", nil, malformed
	}
	if kind.Type == "text" {
		var block struct {
			Text *string `json:"text"`
		}
		if err := schema.DecodeOpen(raw, &block, g.limits); err != nil {
			return "", nil, malformed
		}
		if block.Text == nil {
			return "", nil, verdict.Deny(verdict.OutputContent, "content block %d has type text, but no text", n)
		}
		return *block.Text, nil, nil
	}
	read, known := attachments[kind.Type]
	if !known {
		return "", nil, verdict.Deny(verdict.OutputContent, "content block %d has the unknown type %.32q", n, kind.Type)
	}
	var block attached
	if err := schema.DecodeOpen(raw, &block, g.limits); err != nil {
		return "", nil, malformed
	}
	a, ok := read(block)
	if !ok {
		return "", nil, malformed
	}
	a.Type = kind.Type
	return "", &a, nil
}

// attached are the members of blocks other than text.
type attached struct {
	held
	Data     *string `json:"data"`
	Resource *held   `json:"resource"`
}

type held struct {
	MIME string  `json:"mimeType"`
	URI  string  `json:"uri"`
	Text *string `json:"text"`
	Blob *string `json:"blob"`
}

// attachments are readers for the types of blocks other than text in MCP.
var attachments = map[string]func(attached) (Attachment, bool){
	"image": func(b attached) (Attachment, bool) { return encoded(b.MIME, "", b.Data) },
	"audio": func(b attached) (Attachment, bool) { return encoded(b.MIME, "", b.Data) },
	"resource_link": func(b attached) (Attachment, bool) {
		return Attachment{MIME: verdict.Cut(b.MIME, maxMIME), URI: verdict.Cut(b.URI, maxURI)}, b.URI != ""
	},
	"resource": func(b attached) (Attachment, bool) {
		r := b.Resource
		switch {
		case r == nil || (r.Text == nil) == (r.Blob == nil):
			return Attachment{}, false
		case r.Text != nil:
			return attach(r.MIME, r.URI, []byte(*r.Text)), true
		}
		return encoded(r.MIME, r.URI, r.Blob)
	},
}

func encoded(mime, uri string, text *string) (Attachment, bool) {
	if text == nil {
		return Attachment{}, false
	}
	data, err := base64.StdEncoding.Strict().DecodeString(*text)
	return attach(mime, uri, data), err == nil
}

func attach(mime, uri string, data []byte) Attachment {
	sum := sha256.Sum256(data)
	return Attachment{MIME: verdict.Cut(mime, maxMIME), URI: verdict.Cut(uri, maxURI), Bytes: len(data), SHA256: "sha256:" + hex.EncodeToString(sum[:]), data: data}
}
