//go:build amd64 || arm64

package confine

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// watched reports whether a watcher ends the processes that the server starts. Without a
// command it starts none. Older kernels cannot confine signals.
func (c *Confined) watched() bool { return c.policy.runs() && c.report.Landlock >= scopedABI }

// watcher makes the inputs of a watcher. The watcher ends with this program.
func (c *Confined) watcher() (outer, life *os.File, err error) {
	if outer, err = newOuterRuleset(); err != nil {
		return nil, nil, unavailable(err, "Landlock refused a ruleset (%v)", err)
	}
	if c.life, life, err = ends(); err != nil {
		return nil, nil, errors.Join(err, outer.Close())
	}
	return outer, life, nil
}

// endWatched makes the watcher end the server's processes, and waits for that.
func (c *Confined) endWatched() error {
	if c.life == nil {
		return nil
	}
	life := c.life
	c.life = nil
	defer func() { _ = life.Close() }()
	if err := errors.Join(life.CloseWrite(), life.SetReadDeadline(time.Now().Add(lastGrace))); err != nil {
		return err
	}
	if _, err := life.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		return fmt.Errorf("processes that the server started may still run: %w", err)
	}
	return nil
}
