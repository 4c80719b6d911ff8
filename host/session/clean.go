package session

import (
	"errors"
	"slices"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
)

// clean is a result without the keys that the server was given, which a trace,
// a screen and a model must not get; and, where the result is an error, without
// what is a secret by its role, as in every other message. It is marked where it is
// not what the server wrote. A result that cannot be cleaned is not kept, and an
// error that cannot be is still an error.
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
	case !w.changed: // what it holds is a word of the protocol
		return gate.RawResult{Body: body}, nil
	}
	return gate.RawResult{Body: washed, Redacted: true}, nil
}

// unclean is what is kept of an error that cannot be cleaned.
const unclean = `{"content":[{"type":"text","text":"(its message repeats a secret that the server was given, and is not kept)"}],"isError":true}`

// washing takes values out of the strings of a result, and leaves the protocol's own
// words as they are: names of members, types, numbers.
type washing struct {
	hide    secret.Values
	changed bool
}

var errUnclean = errors.New("a value where it cannot be replaced")

func (w *washing) say(at schema.Place, text string) (string, error) {
	switch {
	case at.Name && !part(at.Path[:len(at.Path)-1]).has(text), at.Number && part(at.Path) == nil:
		if w.hide.Holds([]byte(text)) {
			return "", errUnclean // it is the server's own, and says something by what it is
		}
		return text, nil
	case at.Name, at.Number, part(at.Path).says(text):
		return text, nil
	}
	said := w.hide.Strip(text)
	w.changed = w.changed || said != text
	return said, nil
}

// shape is what the protocol says of one value of a result: the members of an
// object, the items of an array, the words that are its own. nil is anything.
type shape struct {
	members map[string]*shape
	items   *shape
	words   []string
}

// result is a CallToolResult of all versions of the protocol, with the blocks that
// its content may hold.
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

// meta has names of the protocol's next to those of the server's own.
var meta = &shape{members: map[string]*shape{
	"progressToken":                        {},
	"io.modelcontextprotocol/related-task": {members: map[string]*shape{"taskId": {}}},
}}

// part is what the protocol says of a place, nil where that is the server's own.
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
