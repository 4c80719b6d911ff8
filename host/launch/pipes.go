package launch

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/secret"
)

type pipe struct{ r, w *os.File }

func (p *pipe) open() (err error) {
	p.r, p.w, err = os.Pipe()
	return err
}

// connected makes the three pipes and runs start with the child's ends in place. The
// child owns these from then on.
func (p *Process) connected(start func() error) error {
	var in, out, err pipe
	if e := errors.Join(in.open(), out.open(), err.open()); e != nil {
		closeFiles(in.r, in.w, out.r, out.w, err.r, err.w)
		return e
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = in.r, out.w, err.w
	p.Stdin, p.Stdout, p.stdout, p.stderr = in.w, out.r, out.r, err.r
	e := start()
	closeFiles(in.r, out.w, err.w) // the child's ends
	if e != nil {
		closeFiles(in.w, out.r, err.r)
	}
	return e
}

func closeFiles(files ...*os.File) {
	for _, f := range files {
		_ = f.Close() // for a nil file this is a harmless error
	}
}

// tailMax is the size of the kept end of stderr. It is more than is ever shown: a secret
// across the cut must still be recognized.
const tailMax = 16 << 10

type tail struct {
	secrets secret.Values

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

// torn returns how many of the first bytes may be the end of a secret that was cut. It is
// at most the rest of a line, because each line of a secret counts as a secret.
func (t *tail) torn(text []byte) int {
	most := min(t.secrets.Longest(), len(text))
	if line := bytes.IndexByte(text[:most], '\n'); line >= 0 {
		return line
	}
	return most
}
