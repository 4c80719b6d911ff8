package valid_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"

	"github.com/onestep-run/onestep/host/valid"
)

type tagged struct {
	Model string `validate:"required"`
	Kind  string `json:"type,omitempty" validate:"omitempty,oneof=stdio http"`
	Seed  int    `validate:"min=0"`
	Port  int    `json:"port" validate:"omitempty,gte=10,lte=20"`
	Title string `json:"title" validate:"max=3"`
	On    string `json:"on" validate:"omitempty,datetime=2006-01-02"`
	Deep  *deep  `json:"deep"`
	Flat  deep
	All   []deep `json:"all" validate:"max=2,dive"`
	Sure  bool   `json:"sure" validate:"required"`
	inner string
}

type deep struct {
	Name string `json:"name" validate:"omitempty,oneof=a b"`
}

func TestTheFirstWrongFieldIsNamedAndItsValueIsNot(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]tagged{
		"":                            {Model: "m", Kind: "http", Sure: true},
		"Model is missing":            {Kind: "SECRET"},
		"type is none of stdio, http": {Model: "m", Kind: "SECRET"},
		"Seed is not min 0":           {Model: "m", Seed: -1},
	} {
		if got := valid.Struct(v); got != want {
			t.Errorf("%+v: %q, want %q", v, got, want)
		}
	}
}

// The tags mean what they mean to the library that they are named after.
func TestTagsMeanWhatTheLibrarySays(t *testing.T) {
	t.Parallel()
	library := validator.New(validator.WithRequiredStructEnabled())
	library.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	})
	good := tagged{Model: "m", Sure: true}
	changes := map[string]func(*tagged){
		"nothing": func(*tagged) {}, "model": func(v *tagged) { v.Model = "" }, "blank model": func(v *tagged) { v.Model = " " },
		"kind": func(v *tagged) { v.Kind = "ftp" }, "good kind": func(v *tagged) { v.Kind = "stdio" }, "seed": func(v *tagged) { v.Seed = -1 },
		"low port": func(v *tagged) { v.Port = 9 }, "first port": func(v *tagged) { v.Port = 10 }, "last port": func(v *tagged) { v.Port = 20 },
		"high port": func(v *tagged) { v.Port = 21 }, "short title": func(v *tagged) { v.Title = "äöü" }, "long title": func(v *tagged) { v.Title = "abcd" },
		"date": func(v *tagged) { v.On = "2026-11-27" }, "no date": func(v *tagged) { v.On = "2026-11-31" },
		"deep": func(v *tagged) { v.Deep = &deep{"a"} }, "wrong deep": func(v *tagged) { v.Deep = &deep{"c"} }, "wrong flat": func(v *tagged) { v.Flat.Name = "c" },
		"two": func(v *tagged) { v.All = []deep{{"a"}, {"b"}} }, "one wrong": func(v *tagged) { v.All = []deep{{"a"}, {"c"}} },
		"three": func(v *tagged) { v.All = make([]deep, 3) }, "unsure": func(v *tagged) { v.Sure = false }, "unexported": func(v *tagged) { v.inner = "x" },
	}
	for name, change := range changes {
		v := good
		change(&v)
		want := ""
		var all validator.ValidationErrors
		if errors.As(library.Struct(v), &all) {
			want = all[0].Field()
		}
		got, _, _ := strings.Cut(valid.Struct(&v), " is ")
		if got != want {
			t.Errorf("%s: %q is wrong, the library says %q", name, got, want)
		}
	}
}

func TestAnUnknownTagIsNotPassedOver(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a tag that is not known checks nothing")
		}
	}()
	valid.Struct(struct {
		A string `validate:"email"`
	}{"x"})
}
