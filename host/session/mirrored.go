package session

import (
	"encoding/base64"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
)

// headersOf are the headers that repeat arguments of a call, for what stands
// between us and the server and reads no bodies. What a header does not take as
// it is, it takes in base64: version 2026-07-28 of the protocol, transports,
// value encoding.
func headersOf(mirrored []schema.Mirrored) map[string]string {
	headers := make(map[string]string, len(mirrored))
	for _, m := range mirrored {
		headers[m.Header] = headerValue(m.Value)
	}
	return headers
}

const (
	encodedPrefix = "=?base64?"
	encodedSuffix = "?="
)

// headerValue is a text as a header has it. One that looks encoded is encoded.
func headerValue(text string) string {
	hidden := strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
	looks := strings.HasPrefix(text, encodedPrefix) && strings.HasSuffix(text, encodedSuffix)
	if hidden || looks || text != strings.TrimSpace(text) {
		return encodedPrefix + base64.StdEncoding.EncodeToString([]byte(text)) + encodedSuffix
	}
	return text
}
