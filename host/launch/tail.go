package launch

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// tailMax is how much of stderr is kept. More than is ever shown: a secret
// that straddles the cut must still be recognized.
const tailMax = 16 << 10

// tail is the end of what was written to it.
type tail struct {
	secrets []string

	mu   sync.Mutex
	kept []byte
	cut  bool
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - tailMax; over > 0 {
		t.kept, t.cut = slices.Delete(t.kept, 0, over), true
	}
	return len(b), nil
}

func (t *tail) last(max int) string {
	t.mu.Lock()
	text, cut := string(t.kept), t.cut
	t.mu.Unlock()
	if cut && len(t.secrets) > 0 {
		// The first bytes may be the end of a secret that was cut through.
		text = text[min(len(t.secrets[0]), len(text)):]
	}
	text = strings.TrimSpace(Redact(text, t.secrets))
	if over := len(text) - max; over > 0 {
		text = text[over:]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// redacted stands where a configured value stood.
const redacted = "[redacted]"

// secretMin is the length below which a value hides nothing: removing every
// "1" and "true" would garble a message and protect nobody.
const secretMin = 4

// Values are the configured values that must not be quoted, longest first.
func Values(configured map[string]string) []string {
	var all []string
	for _, v := range configured {
		if len(v) >= secretMin {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return all
}

// Redact replaces every value in text, as it stands. A server that spells a
// value in another way, in base64 for one, gets it through.
func Redact(text string, values []string) string {
	for _, v := range values {
		text = strings.ReplaceAll(text, v, redacted)
	}
	return text
}
