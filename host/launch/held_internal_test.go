package launch

import (
	"errors"
	"testing"
	"testing/synctest"
)

// The processes of the only server are not recorded before its first signal, so no other
// server may start until it has ended, or its processes are recorded.
func TestNoServerStartsWhileTheOnlyOneEndsUnrecorded(t *testing.T) {
	t.Parallel()
	for name, over := range map[string]func(*families){
		"recorded": (*families).resume,
		"ended": func(f *families) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.release()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := &families{adopting: true, running: 1}
				if first, again := f.hold(), f.hold(); !first || !again {
					t.Fatal("the only server does not hold others")
				}
				began := false
				go func() { _ = f.start(func() error { began = true; return errors.New("no program") }) }()
				synctest.Wait()
				if began {
					t.Error("another server started")
				}
				over(f)
				synctest.Wait()
				if !began {
					t.Error("no server starts any more")
				}
			})
		})
	}
}

func TestServersAreHeldForTheOnlyAdoptingOneAlone(t *testing.T) {
	t.Parallel()
	for _, f := range []*families{{running: 1}, {adopting: true}, {adopting: true, running: 2}} {
		if f.hold() || f.held != nil {
			t.Errorf("%d servers, adopting %v: others are held", f.running, f.adopting)
		}
	}
}
