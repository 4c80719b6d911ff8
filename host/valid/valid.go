// Package valid checks structs by the tags of go-playground/validator, which
// nothing else imports.
//
// It vouches that each field is as its tag says. It does not vouch for what the
// fields mean together: commands, addresses, headers and keys are checked by the
// package that uses them. config and host/model call it before they open
// anything, and host/demo for its results.
package valid

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/go-playground/validator/v10"
)

var checker = sync.OnceValue(func() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name // "" is the field's own
	})
	if err := v.RegisterValidation("numbered", numbered); err != nil {
		panic(err) // the name is fixed, and free
	}
	return v
})

// numbered reports whether a text is a prefix and so many digits: the tag
// "numbered=policy- 3" takes policy-002.
func numbered(f validator.FieldLevel) bool {
	var prefix string
	var digits int
	if _, err := fmt.Sscan(f.Param(), &prefix, &digits); err != nil {
		return false
	}
	number, ok := strings.CutPrefix(f.Field().String(), prefix)
	return ok && len(number) == digits && strings.Trim(number, "0123456789") == ""
}

// Struct names the first field that is not as its tag says, as its file spells
// it, and what it takes; "" where all are. It quotes no value, which may be a
// secret. A tag that the library does not know panics: each struct with tags has
// a test that comes here.
func Struct(v any) (wrong string) {
	var all validator.ValidationErrors
	if !errors.As(checker().Struct(v), &all) {
		return ""
	}
	switch f := all[0]; f.Tag() {
	case "required":
		return f.Field() + " is missing"
	case "oneof":
		return f.Field() + " is none of " + strings.ReplaceAll(f.Param(), " ", ", ")
	default:
		return fmt.Sprintf("%s is not %s %s", f.Field(), f.Tag(), f.Param())
	}
}
