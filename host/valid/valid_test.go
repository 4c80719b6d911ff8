package valid_test

import (
	"testing"

	"github.com/onestep-run/onestep/host/valid"
)

func TestTheFirstWrongFieldIsNamedAndItsValueIsNot(t *testing.T) {
	t.Parallel()
	type tagged struct {
		Model string `validate:"required"`
		Kind  string `json:"type,omitempty" validate:"omitempty,oneof=stdio http"`
		Seed  int    `validate:"min=0"`
	}
	for want, v := range map[string]tagged{
		"":                            {Model: "m", Kind: "http"},
		"Model is missing":            {Kind: "SECRET"},
		"type is none of stdio, http": {Model: "m", Kind: "SECRET"},
		"Seed is not min 0":           {Model: "m", Seed: -1},
	} {
		if got := valid.Struct(v); got != want {
			t.Errorf("%+v: %q, want %q", v, got, want)
		}
	}
}
