package setup_test

import (
	"testing"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/host/session"
)

func TestEachLimitOfASessionIsASetting(t *testing.T) {
	t.Parallel()
	length := func(n int) config.Value[time.Duration] { return config.Value[time.Duration]{V: time.Duration(n)} }
	inv, err := setup.Open(config.Settings{
		StartTimeout: length(1), Connect: length(2), Call: length(3), CloseGrace: length(4), MaxMessage: config.Value[int]{V: 5},
	}, setup.Options{Demo: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := (session.Limits{StartTimeout: 1, ConnectTimeout: 2, CallTimeout: 3, CloseGrace: 4, MaxMessage: 5}); inv.Limits != want {
		t.Errorf("the limits are %+v, want %+v", inv.Limits, want)
	}
}
