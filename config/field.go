package config

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/pin"
)

// field is a place in [Settings], and what it takes.
type field struct {
	takes string       // such as "true or false"
	toml  reflect.Type // of its values in a file
	set   func(text string, from Origin) bool
	show  func() []Value[any]
}

// single is the field of one value, which is read and then held to its bounds.
func single[T any](v *Value[T], takes string, toml reflect.Type, read func(string) (T, error), fits func(T) bool) field {
	set := func(text string, from Origin) bool {
		given, err := read(text)
		ok := err == nil && fits(given)
		if ok {
			*v = Value[T]{given, from}
		}
		return ok
	}
	show := func() []Value[any] {
		if d, ok := any(v.V).(time.Duration); ok {
			return []Value[any]{{d.String(), v.Origin}}
		}
		return []Value[any]{{v.V, v.Origin}}
	}
	return field{takes, toml, set, show}
}

func boolean(v *Value[bool]) field {
	return single(v, "true or false", aTruth, strconv.ParseBool, func(bool) bool { return true })
}

func whole(v *Value[int], least, most int) field {
	takes := fmt.Sprintf("a whole number from %d to %d", least, most)
	return single(v, takes, aNumber, strconv.Atoi, func(n int) bool { return least <= n && n <= most })
}

func duration(v *Value[time.Duration]) field {
	const takes = "a duration above zero with its unit, such as 30s or 5m"
	return single(v, takes, aText, time.ParseDuration, func(d time.Duration) bool { return d > 0 })
}

func text(v *Value[string], takes string, fits func(string) bool) field {
	return single(v, takes, aText, func(text string) (string, error) { return text, nil }, fits)
}

func anything(v *Value[string]) field {
	return text(v, "a text", func(string) bool { return true })
}

func choice(v *Value[string], values ...string) field {
	last := len(values) - 1
	takes := strings.Join(values[:last], ", ") + " or " + values[last]
	return text(v, takes, func(text string) bool { return slices.Contains(values, text) })
}

// classes are of changes, a list of them; a variable would have commas between.
func classes(v *Value[[]string]) field {
	read := func(text string) ([]string, error) { return namesOf(text), nil }
	f := single(v, "a list of informational, cosmetic and safer", aList, read, func(all []string) bool {
		_, err := pin.ParseAccept(all)
		return err == nil
	})
	f.show = func() []Value[any] { return []Value[any]{{strings.Join(v.V, ", "), v.Origin}} }
	return f
}

func path(v *Value[string]) field {
	return text(v, "a path", func(text string) bool { return text != "" })
}

// address is a URL. A password in it is shown to nobody.
func address(v *Value[string]) field {
	f := text(v, "a URL", func(text string) bool { return text != "" })
	f.show = func() []Value[any] {
		u, err := url.Parse(v.V)
		if err != nil {
			return []Value[any]{{"(not a URL)", v.Origin}}
		}
		return []Value[any]{{u.Redacted(), v.Origin}}
	}
	return f
}

// paths take one more from each layer.
func paths(v *[]Value[string]) field {
	var one Value[string]
	f := path(&one)
	read := f.set
	f.set = func(text string, from Origin) bool {
		ok := read(text, from)
		if ok {
			*v = append(*v, one)
		}
		return ok
	}
	f.show = func() (all []Value[any]) {
		for _, one := range *v {
			all = append(all, path(&one).show()...)
		}
		return all
	}
	return f
}
