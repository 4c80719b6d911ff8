package launch

import (
	"errors"
	"os"
)

// pipe is the two ends of one pipe.
type pipe struct{ r, w *os.File }

func (p *pipe) open() (err error) {
	p.r, p.w, err = os.Pipe()
	return err
}

// connected makes the three pipes and runs start with their other ends in
// place, which belong to the child from there on.
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
		_ = f.Close() // of a nil file too: that is an error, and harmless
	}
}
