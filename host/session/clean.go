package session

import (
	"errors"
	"slices"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
)

// clean removes from a result the keys that the server was given. A trace, a screen and a
// model must not get them. From an error it removes every secret of the server, as from
// any other message. A changed result is marked as redacted. A result that cannot be
// cleaned is refused; an error that cannot be cleaned keeps only [unclean].
func (c *conn) clean(body []byte) (gate.RawResult, error) {
	hide, failed := c.keys(), isError(body)
	if failed {
		hide = c.secrets()
	}
	if !failed && !hide.Holds(body) {
		return gate.RawResult{Body: body}, nil
	}
	w := washing{hide: hide}
	washed, err := schema.Rewrite(body, w.say)
	switch {
	case err != nil && failed:
		return gate.RawResult{Body: []byte(unclean), Redacted: true}, nil
	case err != nil:
		return gate.RawResult{}, verdict.Deny(verdict.OutputInvalid, "the result repeats a secret that server %s was given, where it cannot be replaced: nothing of it is kept", c.server.Name)
	case !w.changed: // the value is only found in a word of the protocol
		return gate.RawResult{Body: body}, nil
	}
	return gate.RawResult{Body: washed, Redacted: true}, nil
}

// unclean replaces an error that cannot be cleaned.
const unclean = `{"content":[{"type":"text","text":"(its message repeats a secret that the server was given, and is not kept)"}],"isError":true}`

// washing removes values from the strings of a result, except the protocol's own words.
type washing struct {
	hide    secret.Values
	changed bool
}

var errUnclean = errors.New("a value where it cannot be replaced")

func (w *washing) say(at schema.Place, text string) (string, error) {
	switch {
	case at.Name && !part(at.Path[:len(at.Path)-1]).has(text), at.Number && part(at.Path) == nil:
		if w.hide.Holds([]byte(text)) {
			return "", errUnclean // it is the server's own name or number, and would mean something else without it
		}
		return text, nil
	case at.Name, at.Number, part(at.Path).says(text):
		return text, nil
	}
	said := w.hide.Strip(text)
	w.changed = w.changed || said != text
	return said, nil
}

// shape describes one value of a result in the protocol. It has the members of an object,
// the items of an array, the protocol's own words. nil allows anything.
type shape struct {
	members map[string]*shape
	items   *shape
	words   []string
}

// result is a CallToolResult of all versions of the protocol, with its kinds of block.
var result = &shape{members: map[string]*shape{
	"content":           {items: block},
	"structuredContent": nil,
	"isError":           {},
	"resultType":        {words: []string{"complete", "input_required", "task"}},
	"inputRequests":     nil,
	"requestState":      {},
	"_meta":             meta,
}}

var block = &shape{members: map[string]*shape{
	"type":        {words: []string{"text", "image", "audio", "resource", "resource_link"}},
	"text":        {},
	"data":        {},
	"mimeType":    {},
	"uri":         {},
	"name":        {},
	"title":       {},
	"description": {},
	"size":        {},
	"icons":       {items: icon},
	"annotations": annotations,
	"resource":    resource,
	"_meta":       meta,
}}

var icon = &shape{members: map[string]*shape{
	"src": {}, "mimeType": {}, "sizes": {items: &shape{}}, "theme": {words: []string{"light", "dark"}},
}}

var resource = &shape{members: map[string]*shape{
	"uri": {}, "mimeType": {}, "text": {}, "blob": {}, "annotations": annotations, "_meta": meta,
}}

var annotations = &shape{members: map[string]*shape{
	"audience": {items: &shape{words: []string{"user", "assistant"}}}, "priority": {}, "lastModified": {},
}}

// meta has names from the protocol next to the server's own names.
var meta = &shape{members: map[string]*shape{
	"progressToken":                        {},
	"io.modelcontextprotocol/related-task": {members: map[string]*shape{"taskId": {}}},
}}

// part is the shape of a place in a result, or nil if the server defines it.
func part(path []string) *shape {
	at := result
	for _, name := range path {
		switch {
		case at == nil:
			return nil
		case at.items != nil:
			at = at.items
		default:
			at = at.members[name]
		}
	}
	return at
}

func (s *shape) has(name string) bool {
	if s == nil {
		return false
	}
	_, known := s.members[name]
	return known
}

func (s *shape) says(word string) bool { return s != nil && slices.Contains(s.words, word) }
