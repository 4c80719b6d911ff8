package setup

import (
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
)

func TestAZeroKeySealsNothing(t *testing.T) {
	t.Parallel()
	for key, sealed := range map[pin.Key]bool{{}: false, {1}: true} {
		if seal := (Options{Parts: Parts{Key: &key}}).seal([]byte("hunter2")); (seal != "") != sealed {
			t.Errorf("%x seals %q", key[:1], seal)
		}
	}
}
