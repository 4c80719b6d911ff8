package host_test

import (
	"testing"

	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/internal/recorded"
)

// TestNothingExaminedIsNotExamined: the zero value of what a replay is given
// makes no host, which would look at no answer.
func TestNothingExaminedIsNotExamined(t *testing.T) {
	t.Parallel()
	c := newBench(t).config
	if _, err := host.New(c); err != nil {
		t.Fatal(err)
	}
	c.Recorded = &recorded.Run{}
	if _, err := host.New(c); err == nil {
		t.Error("it makes a host")
	}
}
