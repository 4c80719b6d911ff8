//go:build amd64 || arm64

package confine

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// watched reports whether a watcher ends what the server starts. Without a
// command it starts nothing; older kernels let no signal be held inside.
func (c *Confined) watched() bool { return c.policy.runs() && c.report.Landlock >= scopedABI }

// watcher makes what a watcher is given. It ends with this program.
func (c *Confined) watcher() (outer, life *os.File, err error) {
	if outer, err = newOuterRuleset(); err != nil {
		return nil, nil, unavailable(err, "Landlock refused a ruleset (%v)", err)
	}
	if c.life, life, err = ends(); err != nil {
		return nil, nil, errors.Join(err, outer.Close())
	}
	return outer, life, nil
}

// endWatched has the watcher end what the server started, and waits until it did.
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
