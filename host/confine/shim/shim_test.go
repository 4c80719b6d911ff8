package shim

import (
	"reflect"
	"testing"
)

func TestAConfigurationIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	want := Config{Watch: true, Alone: true, Path: "/run/x/forbidden", Filter: []byte("12345678"), Seal: []byte("abcdefgh"), Env: []string{"A=1", "B="}, Limits: []Limit{{1, 1 << 40}, {9, 7}}}
	got, ok := decode(want.Encode()[4:])
	if !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v is read as %+v, %v", want, got, ok)
	}
}

// A configuration that is cut anywhere is refused: half a filter allows what the other
// half refuses.
func TestACutConfigurationIsNone(t *testing.T) {
	t.Parallel()
	whole := Config{Path: "/p", Filter: []byte("12345678"), Seal: []byte("abcdefgh"), Env: []string{"A=1"}, Limits: []Limit{{1, 2}}}.Encode()[4:]
	full := len(whole) - 12 // without limits it is whole again
	for n := range whole {
		if c, ok := decode(whole[:n]); ok && n != full {
			t.Errorf("the first %d of %d bytes are read as %+v", n, len(whole), c)
		}
	}
	if _, ok := decode(append(whole, 0)); ok {
		t.Error("a configuration with a byte after its end is read")
	}
}
