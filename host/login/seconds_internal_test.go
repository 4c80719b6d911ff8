package login

import (
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

func TestALifetimeIsANumberOrItsDecimalText(t *testing.T) {
	t.Parallel()
	const unknown = -1
	for text, want := range map[string]int64{
		"3600": 3600, `"3600"`: 3600, "3600.0": 3600, "3.6e3": 3600, "3.6E+3": 3600, "36000e-1": 3600, "3600.9": 3600, `"3600.9"`: 3600, `"003600"`: 3600, "0.0000000000001": 0,
		"1e300": maxSeconds, "99999999999999999999999999999999": maxSeconds, `"999999999999999999"`: maxSeconds, `"1.99999999999999999"`: 2,
		"0": 0, `"0"`: 0, "0.0": 0, "0e5": 0, "0.99": 0, `"0.99"`: 0, `"00"`: 0, "1e-300": 0,
		"-1": unknown, "-0.5": unknown, "-0": unknown, "-3600": unknown, `"-1"`: unknown, `"+3600"`: unknown, `" 3600"`: unknown, `"3600 "`: unknown, `"3600s"`: unknown, `"3.6e3"`: unknown,
		`""`: unknown, `"soon"`: unknown, `"1,5"`: unknown, `".5"`: unknown, `"5."`: unknown, `"0x10"`: unknown, `"1_000"`: unknown, `"Infinity"`: unknown, `"NaN"`: unknown,
		`"1234567890123456789"`: unknown, `"0000000000000000001"`: unknown, `"\u0663"`: unknown, `"36\n"`: unknown, `"\u0033600"`: 3600,
		"null": unknown, "true": unknown, "[3600]": unknown, `{"s":3600}`: unknown,
	} {
		var got struct {
			Lifetime seconds `json:"expires_in"`
		}
		got.Lifetime = seconds{7, true}
		if err := schema.DecodeOpen([]byte(`{"expires_in":`+text+`}`), &got, documentLimits); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if got.Lifetime.known != (want != unknown) || got.Lifetime.known && got.Lifetime.n != want {
			t.Errorf("%s: %+v, want %d", text, got.Lifetime, want)
		}
		if got.Lifetime.over() != (want == 0) {
			t.Errorf("%s: over %v", text, got.Lifetime.over())
		}
	}
}
