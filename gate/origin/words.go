package origin

import (
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/secret"
)

// maxWords bounds the words of one origin, and beforeWords those before the source itself, in bytes.
const (
	maxWords    = 400
	beforeWords = 150
)

// around is a source with the words around it. The whole message is redacted first, because the
// words before a password say what it is.
func around(message string, start int, source string) string {
	text, found := secret.Redact(message)
	if len(found) > 0 {
		start = max(0, strings.Index(text, source))
	}
	from := max(0, start-beforeWords)
	return escape.Line(strings.ToValidUTF8(text[from:], ""), maxWords)
}
