// Package valid checks structs by the tags of go-playground/validator, of which it has
// the few that this program uses. The library itself takes longer to initialize than
// all commands take to check; tests compare with it.
//
// It vouches that each field satisfies its tag. It does not vouch for the meaning of the
// fields together: the package that uses commands, addresses, headers and keys checks
// them. config and host/model call it before they open anything, and host/demo for its
// results.
package valid

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Struct names the first field that violates its tag, in its file's spelling, and the
// accepted values. It is "" if all are valid. It quotes no value, which may be a secret.
// It checks the structs inside a struct too. An unknown tag panics: each struct with
// tags has a test that calls Struct.
func Struct(v any) (wrong string) {
	s := reflect.Indirect(reflect.ValueOf(v))
	for i := range s.NumField() {
		f := s.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		if wrong := field(name, f.Tag.Get("validate"), s.Field(i)); wrong != "" {
			return wrong
		}
	}
	return ""
}

// field checks one field by its tag, and then the struct that it holds or points to.
func field(name, tags string, v reflect.Value) (wrong string) {
	for tag := range strings.SplitSeq(tags, ",") {
		switch {
		case tag == "omitempty" && v.IsZero():
			return ""
		case tag == "dive":
			return each(v)
		case tag != "" && !slices.ContainsFunc(strings.Split(tag, "|"), func(one string) bool { return satisfies(one, v) }):
			return violation(name, tag)
		}
	}
	if inside := reflect.Indirect(v); inside.Kind() == reflect.Struct {
		return Struct(inside.Interface())
	}
	return ""
}

func each(v reflect.Value) (wrong string) {
	for i := range v.Len() {
		if wrong := Struct(v.Index(i).Interface()); wrong != "" {
			return wrong
		}
	}
	return ""
}

func violation(name, tag string) string {
	rule, param, _ := strings.Cut(tag, "=")
	switch {
	case rule == "required":
		return name + " is missing"
	case rule == "oneof":
		return name + " is none of " + strings.ReplaceAll(param, " ", ", ")
	}
	return fmt.Sprintf("%s is not %s %s", name, rule, param)
}

// satisfies reports whether v satisfies one rule of a tag.
func satisfies(tag string, v reflect.Value) bool {
	rule, param, _ := strings.Cut(tag, "=")
	switch rule {
	case "omitempty":
		return true
	case "required":
		return !v.IsZero()
	case "oneof":
		return slices.Contains(strings.Fields(param), v.String())
	case "numbered":
		return numbered(param, v.String())
	case "datetime":
		_, err := time.Parse(param, v.String())
		return err == nil
	}
	bound, err := strconv.ParseInt(param, 10, 64)
	switch {
	case err == nil && (rule == "min" || rule == "gte"):
		return size(v) >= bound
	case err == nil && (rule == "max" || rule == "lte"):
		return size(v) <= bound
	}
	panic("valid: the tag " + tag + " is not known")
}

// size is a number itself, the characters of a text, or the length of a list.
func size(v reflect.Value) int64 {
	switch {
	case v.CanInt():
		return v.Int()
	case v.Kind() == reflect.String:
		return int64(utf8.RuneCountInString(v.String()))
	}
	return int64(v.Len())
}

// numbered reports whether a text is a prefix and a number of digits: the tag
// "numbered=policy- 3" accepts policy-002.
func numbered(param, text string) bool {
	prefix, digits, _ := strings.Cut(param, " ")
	number, ok := strings.CutPrefix(text, prefix)
	return ok && strconv.Itoa(len(number)) == digits && strings.Trim(number, "0123456789") == ""
}
