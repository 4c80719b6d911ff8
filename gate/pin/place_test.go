package pin_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
)

func TestAPlaceMatchesItselfAndTheZeroOneNothing(t *testing.T) {
	t.Parallel()
	full := pin.PlaceOf([]byte(`{"command":"a"}`), "TOKEN")
	if !full.Matches(full) || full.Credential != "TOKEN" {
		t.Errorf("%+v does not match itself", full)
	}
	for name, other := range map[string]pin.Place{
		"zero":               {},
		"of no text":         pin.PlaceOf(nil, "TOKEN"),
		"a credential alone": {Credential: "TOKEN"},
		"no credential":      pin.PlaceOf([]byte(`{"command":"a"}`), ""),
		"another credential": pin.PlaceOf([]byte(`{"command":"a"}`), "TOKEN2"),
		"another text":       pin.PlaceOf([]byte(`{"command":"b"}`), "TOKEN"),
		"another spelling":   pin.PlaceOf([]byte(`{"command": "a"}`), "TOKEN"),
	} {
		if full.Matches(other) || other.Matches(full) {
			t.Errorf("%s matches", name)
		}
		if other.Matches(other) != (other.Entry != "") {
			t.Errorf("%s, with itself: %v", name, other.Matches(other))
		}
	}
}
