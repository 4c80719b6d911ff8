package launch

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/guard"
)

// tailMax is how much of stderr is kept. More than is ever shown: a secret
// that straddles the cut must still be recognized.
const tailMax = 16 << 10

// tail is the end of what was written to it.
type tail struct {
	secrets guard.Secrets

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
	text, cut := slices.Clone(t.kept), t.cut
	t.mu.Unlock()
	if cut {
		text = text[t.torn(text):]
	}
	said := strings.TrimSpace(t.secrets.Redact(string(text)))
	if over := len(said) - max; over > 0 {
		said = said[over:]
	}
	return strings.ToValidUTF8(said, "\uFFFD")
}

// torn is how many of the first bytes may be the end of a secret that was cut
// through: the rest of a line at most, as each line of a secret is one.
func (t *tail) torn(text []byte) int {
	most := min(t.secrets.Longest(), len(text))
	if line := bytes.IndexByte(text[:most], '\n'); line >= 0 {
		return line
	}
	return most
}
