package session

import (
	"testing"
	"time"
)

func TestAServerHasAMinuteToStart(t *testing.T) {
	t.Parallel()
	if got := (Limits{}).withDefaults().StartTimeout; got != time.Minute {
		t.Errorf("it has %s", got)
	}
}
