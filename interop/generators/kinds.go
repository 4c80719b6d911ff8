package main

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"net/url"
	"time"
)

type (
	value[T any] struct {
		Value T `json:"value"`
	}
	omitempty[T any] struct {
		Value T `json:"value,omitempty"`
	}
	omitzero[T any] struct {
		Value T `json:"value,omitzero"`
	}
	described struct {
		Value string `json:"value" jsonschema:"the name of the thing"`
	}
	inner struct {
		C int `json:"c"`
	}
	outer struct {
		A string `json:"a"`
		B inner  `json:"b"`
	}
	pointers struct {
		A *string `json:"a"`
		B *inner  `json:"b,omitempty"`
	}
	Embedded  struct{ C int }
	embedding struct {
		Embedded
		A string `json:"a"`
	}
	hidden struct {
		A string `json:"a"`
		B string `json:"-"`
	}
	quoted struct {
		N int `json:"n,string"`
	}
	unnamed struct{ First, Second string }
	tree    struct {
		Name     string  `json:"name"`
		Children []*tree `json:"children,omitempty"`
	}
	color string
	// marked writes itself as text.
	marked struct{ text string }
)

func (m marked) MarshalText() ([]byte, error) { return []byte(m.text), nil }

func (m *marked) UnmarshalText(b []byte) error {
	m.text = string(b)
	return nil
}

// constructs are the types of Go, with arguments in JSON. The same type is a tool's
// input and output, and the tool returns its argument.
var constructs = []construct{
	of[value[string]]("string", `{"value":"open"}`),
	of[value[bool]]("bool", `{"value":true}`),
	of[value[int]]("int", `{"value":7}`),
	of[value[int]]("int_of_2_53", `{"value":9007199254740993}`),
	of[value[int8]]("int8", `{"value":-7}`),
	of[value[int32]]("int32", `{"value":7}`),
	of[value[int64]]("int64", `{"value":9223372036854775807}`),
	of[value[uint]]("uint", `{"value":7}`),
	of[value[uint8]]("uint8", `{"value":7}`),
	of[value[uint64]]("uint64", `{"value":18446744073709551615}`),
	of[value[float32]]("float32", `{"value":1.5}`),
	of[value[float64]]("float64", `{"value":1.5}`),
	of[value[rune]]("rune", `{"value":97}`),
	of[value[color]]("named_string", `{"value":"red"}`),
	of[value[any]]("any", `{"value":{"a":[1,"b"]}}`),
	of[value[any]]("any_null", `{"value":null}`),
	of[value[*string]]("pointer", `{"value":"a"}`),
	of[value[*string]]("pointer_null", `{"value":null}`),
	of[omitempty[string]]("omitempty", `{}`),
	of[omitempty[*string]]("omitempty_pointer", `{}`),
	of[omitempty[[]string]]("omitempty_list", `{}`),
	of[omitzero[time.Time]]("omitzero_time", `{}`),
	of[described]("described", `{"value":"a"}`),

	of[value[time.Time]]("time", `{"value":"2026-11-27T10:30:00Z"}`),
	of[value[time.Duration]]("duration", `{"value":1000000000}`),
	of[value[json.RawMessage]]("raw_message", `{"value":[1]}`),
	of[value[json.Number]]("number", `{"value":"7"}`),
	of[value[[]byte]]("bytes", `{"value":[104,105]}`),
	of[value[*big.Int]]("big_int", `{"value":"7"}`),
	of[value[big.Float]]("big_float", `{"value":"1.5"}`),
	of[value[netip.Addr]]("ip_address", `{"value":"192.0.2.7"}`),
	of[value[url.URL]]("url", `{"value":{"Scheme":"https","Host":"example.com"}}`),
	of[value[marked]]("text_marshaler", `{"value":"a"}`),
	of[value[complex128]]("complex", `{"value":1}`),
	of[value[chan int]]("channel", `{"value":1}`),
	of[value[func()]]("function", `{"value":1}`),

	of[value[[]string]]("list", `{"value":["a","b"]}`),
	of[value[[]string]]("list_null", `{"value":null}`),
	of[value[[2]int]]("array", `{"value":[1,2]}`),
	of[value[[][]float64]]("list_of_lists", `{"value":[[1.5],[2.5]]}`),
	of[value[[]inner]]("list_of_structs", `{"value":[{"c":1}]}`),
	of[value[[]*inner]]("list_of_pointers", `{"value":[{"c":1},null]}`),
	of[value[[]any]]("list_of_any", `{"value":[1,"a",null]}`),
	of[value[map[string]int]]("map", `{"value":{"a":1}}`),
	of[value[map[string]any]]("map_of_any", `{"value":{"a":[1]}}`),
	of[value[map[string]inner]]("map_of_structs", `{"value":{"a":{"c":1}}}`),
	of[value[map[int]string]]("map_with_numbers", `{"value":{"1":"a"}}`),
	of[value[map[string]struct{}]]("map_as_set", `{"value":{"a":{}}}`),

	of[outer]("struct", `{"a":"x","b":{"c":1}}`),
	of[pointers]("struct_of_pointers", `{"a":null}`),
	of[embedding]("struct_embedded", `{"a":"x","C":1}`),
	of[hidden]("struct_hidden", `{"a":"x"}`),
	of[quoted]("struct_quoted", `{"n":"7"}`),
	of[unnamed]("struct_without_tags", `{"First":"a","Second":"b"}`),
	of[struct{}]("struct_empty", `{}`),
	of[value[*tree]]("recursive", `{"value":{"name":"a","children":[{"name":"b"}]}}`),
	of[map[string]any]("root_map", `{"a":1}`),
	of[map[string]int]("root_map_of_int", `{"a":1}`),
	of[any]("root_any", `{"a":1}`),

	returns("output_list", []string{"a", "b"}),
	returns("output_empty_list", []string{}),
	returns("output_nil_list", []string(nil)),
	returns("output_list_of_structs", []inner{{C: 1}}),
	returns("output_string", "a"),
	returns("output_int", 7),
	returns("output_bool", true),
	returns("output_struct", outer{A: "x", B: inner{C: 1}}),
	returns("output_pointer", &inner{C: 1}),
	returns("output_nil_pointer", (*inner)(nil)),
	returns("output_map", map[string]int{"a": 1}),
	returns("output_any", any(map[string]any{"a": 1})),
	returns("output_any_list", any([]any{1, "a"})),
	returns("output_bytes", value[[]byte]{[]byte("hi")}),
	returns("output_time", value[time.Time]{time.Date(2026, 11, 27, 10, 30, 0, 0, time.UTC)}),
}
