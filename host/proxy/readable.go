package proxy

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// reader is the version of the protocol that the client agreed on. It decides which schemas
// the client can read. "" is a client that agreed on none: its version has no handshake.
type reader string

// objectsAlone reports whether structured content must be an object in the version.
func (v reader) objectsAlone() bool { return v != "" && v < stateless }

// tool is a descriptor as the client can read it, with the same meaning for the call. Some
// clients refuse the whole list for one schema of another form. left reports that the
// output schema was left off.
func (v reader) tool(descriptor []byte) (shown []byte, left bool) {
	members, err := schema.Envelope(descriptor, lineLimits)
	if err != nil {
		return descriptor, false
	}
	was := slices.Clone(members)
	input := false
	members = slices.DeleteFunc(members, func(m schema.Member) bool {
		input = input || m.Name == "inputSchema"
		if m.Name != "outputSchema" {
			return false
		}
		left = left || v.objectsAlone() && !ofObject(m.Value)
		return left
	})
	for i, m := range members {
		switch m.Name {
		case "inputSchema":
			members[i].Value = schema.Readable(typed(m.Value))
		case "outputSchema":
			members[i].Value = schema.Readable(m.Value)
		}
	}
	if !input { // it takes no arguments
		members = append(members, schema.Member{Name: "inputSchema", Value: jsontext.Value(`{"type":"object"}`)})
	}
	if slices.EqualFunc(was, members, func(a, b schema.Member) bool { return a.Name == b.Name && bytes.Equal(a.Value, b.Value) }) {
		return descriptor, false
	}
	return schema.Object(members), left
}

// ofObject reports whether a schema's root says that it describes an object.
func ofObject(raw jsontext.Value) bool { return text(member(raw, "type")) == "object" }

// typed is an input schema that says its type: arguments are an object in any case.
func typed(raw jsontext.Value) jsontext.Value {
	members, err := schema.Envelope(raw, lineLimits)
	if err != nil || member(raw, "type") != nil {
		return raw
	}
	return schema.Object(append([]schema.Member{{Name: "type", Value: jsontext.Value(`"object"`)}}, members...))
}

// result is a result as the client can read it. For a client that reads only objects, other
// structured content is removed, and replaces an empty content.
func (v reader) result(body []byte) []byte {
	structured := member(body, "structuredContent")
	if !v.objectsAlone() || structured == nil || structured.Kind() == '{' {
		return body
	}
	body = schema.Without(body, "structuredContent")
	if content, err := schema.Elements(member(body, "content")); structured.Kind() == 'n' || err == nil && len(content) > 0 {
		return body
	}
	members, err := schema.Envelope(schema.Without(body, "content"), outLimits)
	if err != nil {
		return body
	}
	content := fmt.Appendf(nil, `[{"type":"text","text":%s}]`, quoted(string(structured)))
	return schema.Object(append(members, schema.Member{Name: "content", Value: content}))
}
