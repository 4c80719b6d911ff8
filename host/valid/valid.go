// Package valid checks structs by the tags of go-playground/validator, which no other
// package imports.
//
// It vouches that each field satisfies its tag. It does not vouch for the meaning of the
// fields together: the package that uses commands, addresses, headers and keys checks
// them. config and host/model call it before they open anything, and host/demo for its
// results.
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
		return name // for "" the field's own name is used
	})
	if err := v.RegisterValidation("numbered", numbered); err != nil {
		panic(err) // impossible: the name is fixed and unused
	}
	return v
})

// numbered reports whether a text is a prefix and a number of digits: the tag
// "numbered=policy- 3" accepts policy-002.
func numbered(f validator.FieldLevel) bool {
	var prefix string
	var digits int
	if _, err := fmt.Sscan(f.Param(), &prefix, &digits); err != nil {
		return false
	}
	number, ok := strings.CutPrefix(f.Field().String(), prefix)
	return ok && len(number) == digits && strings.Trim(number, "0123456789") == ""
}

// Struct names the first field that violates its tag, in its file's spelling, and the
// accepted values. It is "" if all are valid. It quotes no value, which may be a secret.
// A tag that the library does not know panics: each struct with tags has a test that
// calls Struct.
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
