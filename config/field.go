package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// field is a place in [Settings], and what it takes.
type field struct {
	takes string // such as "true or false"
	toml  string // the type of its values in a file
	set   func(text string, from Origin) bool
	show  func() []Value[any]
}

// single is the field of one value, in a file written as a string.
func single[T any](v *Value[T], takes string, read func(text string) (T, bool)) field {
	set := func(text string, from Origin) bool {
		given, ok := read(text)
		if ok {
			*v = Value[T]{given, from}
		}
		return ok
	}
	return field{takes, "string", set, func() []Value[any] { return []Value[any]{{v.V, v.Origin}} }}
}

func text(v *Value[string]) field {
	return single(v, "a text", func(text string) (string, bool) { return text, true })
}

func path(v *Value[string]) field {
	return single(v, "a path", func(text string) (string, bool) { return text, text != "" })
}

// paths take one more from each layer.
func paths(v *[]Value[string]) field {
	f := field{takes: "a path", toml: "string"}
	f.set = func(text string, from Origin) bool {
		if text != "" {
			*v = append(*v, Value[string]{text, from})
		}
		return text != ""
	}
	f.show = func() (all []Value[any]) {
		for _, one := range *v {
			all = append(all, Value[any]{one.V, one.Origin})
		}
		return all
	}
	return f
}

func choice(v *Value[string], values ...string) field {
	last := len(values) - 1
	takes := strings.Join(values[:last], ", ") + " or " + values[last]
	return single(v, takes, func(text string) (string, bool) { return text, slices.Contains(values, text) })
}

func boolean(v *Value[bool]) field {
	f := single(v, "true or false", func(text string) (bool, bool) {
		given, err := strconv.ParseBool(text)
		return given, err == nil
	})
	f.toml = "bool"
	return f
}

func whole(v *Value[int], least, most int) field {
	f := single(v, fmt.Sprintf("a whole number from %d to %d", least, most), func(text string) (int, bool) {
		given, err := strconv.Atoi(text)
		return given, err == nil && least <= given && given <= most
	})
	f.toml = "int64"
	return f
}

func duration(v *Value[time.Duration]) field {
	f := single(v, "a duration above zero with its unit, such as 30s or 5m", func(text string) (time.Duration, bool) {
		given, err := time.ParseDuration(text)
		return given, err == nil && given > 0
	})
	f.show = func() []Value[any] { return []Value[any]{{v.V.String(), v.Origin}} }
	return f
}
