package schema

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func times(n int, s string) string { return strings.Repeat(s+",", n-1) + s }

// costly are schemas of a server with results of the same server. n scales the schema,
// and size scales the bytes of the value.
var costly = map[string]func(n, size int) (schema, value string){
	"uri on one text": func(n, size int) (string, string) {
		return all(n, `{"format":"uri"}`), `"a:` + strings.Repeat("a", size) + `"`
	},
	"uri on short texts": func(n, size int) (string, string) {
		return items(all(n, `{"format":"uri"}`)), "[" + times(size/60, `"http://example.com/a?b=c&d=`+strings.Repeat("e", 30)+`"`) + "]"
	},
	"uri on the longest": func(n, size int) (string, string) {
		return items(all(n, `{"format":"uri"}`)), "[" + times(max(size>>12, 1), `"http://a/`+strings.Repeat("%20", 1300)+`"`) + "]"
	},
	"email": func(n, size int) (string, string) {
		return items(all(n, `{"format":"email"}`)), "[" + times(size/200, `"`+strings.Repeat("a.", 30)+"a@"+strings.Repeat("b-b.", 30)+`cc"`) + "]"
	},
	"json": func(n, size int) (string, string) {
		return items(all(n, `{"format":"json"}`)), "[" + times(max(size>>12, 1), `"[`+times(2000, "1")+`]"`) + "]"
	},
	"date-time": func(n, size int) (string, string) {
		return items(all(n, `{"format":"date-time"}`)), "[" + times(max(size>>12, 1), `"2026-01-01T00:00:00.`+strings.Repeat("0", 4000)+`Z"`) + "]"
	},
	"uuid": func(n, size int) (string, string) {
		return items(all(n, `{"format":"uuid"}`)), "[" + times(size/40, `"01234567-89ab-cdef-0123-456789abcdef"`) + "]"
	},
	"int32": func(n, size int) (string, string) {
		return items(all(n, `{"format":"int32"}`)), "[" + times(size/6, "2e8") + "]"
	},
	"long numbers": func(n, size int) (string, string) {
		return items(all(n, `{"multipleOf":1e-300,"minimum":1e-308,"maximum":1e308}`)), "[" + times(size/6, "1e300") + "]"
	},
	"lengths": func(n, size int) (string, string) {
		return all(n, `{"minLength":1,"maxLength":2147483647}`), `"` + strings.Repeat("é", size/2) + `"`
	},
	"type alone": func(n, size int) (string, string) {
		return all(n, `{"type":"string"}`), `"` + strings.Repeat("a", size) + `"`
	},
	"lengths that do not fit": func(n, size int) (string, string) {
		return anyOf(n, `{"maxLength":1}`), `"` + strings.Repeat("é", size/2) + `"`
	},
	"const": func(n, size int) (string, string) {
		return anyOf(n, `{"const":"`+strings.Repeat("c", 100)+`"}`), `"` + strings.Repeat("a", size) + `"`
	},
	"long enum, referred to": func(n, size int) (string, string) {
		return `{"$defs":{"e":{"enum":["` + strings.Repeat("x", 90_000) + `"]},"t":true},` + anyOf(n, `{"$ref":"#/$defs/e"}`)[1:], `"` + strings.Repeat("a", size) + `"`
	},
	"enum of numbers": func(n, size int) (string, string) {
		var b strings.Builder
		for i := range n * 4 {
			b.WriteString(strconv.Itoa(i) + ",")
		}
		return items(`{"enum":[` + b.String() + `-1]}`), "[" + times(size/3, "-1") + "]"
	},
	"enum of texts": func(n, size int) (string, string) {
		var b strings.Builder
		for i := range n * 4 {
			b.WriteString(`"` + strconv.Itoa(i) + `",`)
		}
		return items(`{"anyOf":[{"enum":[` + b.String() + `"x"]},true]}`), "[" + times(size/3, `""`) + "]"
	},
	"const on an object": func(n, size int) (string, string) {
		return anyOf(n, `{"const":1.5}`), "[" + times(size/8, `{"a":1}`) + "]"
	},
	"enum on an object": func(n, size int) (string, string) {
		return anyOf(n, `{"enum":[null,"a"]}`), "[" + times(size/8, `{"a":1}`) + "]"
	},
	"unique, many": func(n, size int) (string, string) {
		var b strings.Builder
		for i := range size / 9 {
			fmt.Fprintf(&b, `{"a":%d},`, i)
		}
		return all(n, `{"uniqueItems":true}`), "[" + b.String() + "0]"
	},
	"unique, twenty": func(n, size int) (string, string) {
		var b strings.Builder
		for i := range 19 {
			fmt.Fprintf(&b, `[%s,%d],`, times(size/40, "1"), i)
		}
		return all(n, `{"uniqueItems":true}`), "[" + b.String() + "0]"
	},
	"the same items, refused": func(n, size int) (string, string) {
		return anyOf(n, `{"uniqueItems":true}`), "[" + times(size/2, "1") + "]"
	},
	"pattern": func(n, size int) (string, string) {
		return all(n, `{"pattern":"^[a-z]+$"}`), `"` + strings.Repeat("a", size) + `"`
	},
	"hard pattern": func(n, size int) (string, string) {
		return all(n, `{"pattern":"^[a-z]{1,70}$"}`), `"` + strings.Repeat("a", size) + `"`
	},
	"harder pattern": func(n, size int) (string, string) {
		return all(max(n/2, 1), `{"pattern":"^[a-z]{1,150}$"}`), `"` + strings.Repeat("x", size) + `"`
	},
	"pattern of a member": func(n, size int) (string, string) {
		return all(n, `{"patternProperties":{"^[a-z0-9_]{1,60}x$":true}}`), members(size, `1`)
	},
	"names": func(n, size int) (string, string) {
		return all(n, `{"propertyNames":{"maxLength":100,"minLength":1}}`), members(size, `1`)
	},
	"names that do not fit": func(n, size int) (string, string) {
		return anyOf(n, `{"propertyNames":{"maxLength":1}}`), members(size, `1`)
	},
	"members that may not be": func(n, size int) (string, string) {
		return anyOf(n, `{"additionalProperties":false}`), members(size, `1`)
	},
	"a long name that may not be": func(n, size int) (string, string) {
		return anyOf(n, `{"additionalProperties":false}`), `{"` + strings.Repeat("n", size) + `":1}`
	},
	"a long name above": func(n, size int) (string, string) {
		return `{"additionalProperties":` + items(anyOf(n, `{"type":"null"}`)) + `}`, `{"` + strings.Repeat("n", size/2) + `":[` + times(max(size/4, 1), "1") + `]}`
	},
	"a long name above what does not fit": func(n, size int) (string, string) {
		return `{"additionalProperties":` + items(`{"type":"null"}`) + `}`, `{"` + strings.Repeat("n", size/2) + `":[` + times(max(size/4, 1), "1") + `]}`
	},
	"missing": func(n, size int) (string, string) {
		var b strings.Builder
		for i := range n {
			b.WriteString(`"r` + strconv.Itoa(i) + `",`)
		}
		return items(`{"anyOf":[{"required":[` + b.String() + `"x"]},true]}`), "[" + times(size/3, "{}") + "]"
	},
	"many properties": func(n, size int) (string, string) {
		var b strings.Builder
		for i := range n {
			b.WriteString(`"r` + strconv.Itoa(i) + `":true,`)
		}
		return items(`{"properties":{` + b.String() + `"x":true}}`), "[" + times(size/3, "{}") + "]"
	},
	"many properties, many members": func(n, size int) (string, string) {
		var b strings.Builder
		for i := range n {
			b.WriteString(`"abc` + strconv.Itoa(i) + `":true,`)
		}
		return `{"properties":{` + b.String() + `"x":true}}`, members(size, "1")
	},
	"objects": func(n, size int) (string, string) { return all(n, `{"type":"object"}`), members(size, `1`) },
	"items that do not fit": func(n, size int) (string, string) {
		return items(anyOf(n, `{"type":"null"}`)), "[" + times(size/2, "1") + "]"
	},
	"items that fit": func(n, size int) (string, string) {
		return items(all(n, `{"type":"integer"}`)), "[" + times(size/2, "1") + "]"
	},
	"objects that fit": func(n, size int) (string, string) {
		return items(all(n, `{"type":"object","properties":{"a":{"type":"string"}}}`)), "[" + times(size/10, `{"a":"bc"}`) + "]"
	},
	"extra members": func(n, size int) (string, string) {
		return items(all(n, `{"additionalProperties":false}`)), "[" + times(size/8, `{"a":1}`) + "]"
	},
	"extra members, and no branch": func(_, size int) (string, string) {
		return items(`{"additionalProperties":false}`), "[" + times(size/8, `{"a":1}`) + "]"
	},
	"oneOf": func(n, size int) (string, string) {
		return items(`{"oneOf":[` + times(n, `{"minimum":5,"multipleOf":3}`) + `,{"maximum":4}]}`), "[" + times(size/2, "1") + "]"
	},
	"nothing contained": func(n, size int) (string, string) {
		return anyOf(n, `{"contains":{"type":"null"}}`), "[" + times(size/2, "1") + "]"
	},
	"sizes of a text": func(n, size int) (string, string) {
		return items(all(n, `{"minLength":5,"pattern":"x"}`)), "[" + times(size/3, `""`) + "]"
	},
	"sizes of an object": func(n, size int) (string, string) {
		return items(all(n, `{"minProperties":5,"required":["q"]}`)), "[" + times(size/3, `{}`) + "]"
	},
	"sizes of an array": func(n, size int) (string, string) {
		return items(all(n, `{"minItems":5,"contains":true}`)), "[" + times(size/3, `[]`) + "]"
	},
	"ranges": func(n, size int) (string, string) {
		return items(all(n, `{"minimum":5,"exclusiveMinimum":5,"multipleOf":7}`)), "[" + times(size/2, `1`) + "]"
	},
	"deep": func(n, size int) (string, string) {
		s, v := `{"type":"null"}`, "1"
		for range min(n, 12) {
			s = `{"anyOf":[{"items":` + s + `},true]}`
			v = "[" + v + "]"
		}
		return items(s), "[" + times(size/40, v) + "]"
	},
}

func all(n int, s string) string { return `{"allOf":[` + times(n, s) + `]}` }

// anyOf fits by its last branch alone: so the second validator is asked too.
func anyOf(n int, s string) string { return `{"anyOf":[` + times(n, s) + `,true]}` }

func items(s string) string { return `{"items":` + s + `}` }

func members(size int, v string) string {
	var b strings.Builder
	for i := range max(size/16, 1) {
		fmt.Fprintf(&b, `"abc%d":%s,`, i+1000, v)
	}
	return "{" + b.String() + `"x":1}`
}

// scaled is one of costly, compiled and parsed.
func scaled(t *testing.T, name string, n, size int) (Validator, []byte) {
	t.Helper()
	text, value := costly[name](n, size)
	s, err := Admit([]byte(text), Options{Role: Output})
	if err != nil {
		t.Fatal(name, err)
	}
	v, err := s.Compile()
	if err != nil {
		t.Fatal(name, err)
	}
	return v, []byte(value)
}

// steps is what the meter counts, up to one more than maxWork.
func steps(t *testing.T, v Validator, value []byte) int {
	t.Helper()
	parsed, err := parse(value, valueLimits)
	if err != nil {
		t.Fatal(err)
	}
	m := meter{v.v.programs, maxWork}
	m.hold(v.v.root, parsed, 0)
	return maxWork - m.left
}

// A server's schema and its own result could keep the program busy for hours, although
// both are short enough to be read.
func TestEveryFactorOfTheWorkIsCounted(t *testing.T) {
	t.Parallel()
	for name := range costly {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, small := scaled(t, name, 4, 1<<10)
			little := steps(t, v, small)
			if little > maxWork/10 {
				t.Errorf("%d steps for a small value", little)
			}
			v, large := scaled(t, name, 4, 256<<10)
			if more := steps(t, v, large); more < 3*little && name != "uri on one text" {
				t.Errorf("%d steps for a value, %d for one 256 times as large", little, more)
			}
			v, small = scaled(t, name, 100, 1<<10)
			if more := steps(t, v, small); more < 3*little/2 && !fixed[name] {
				t.Errorf("%d steps for a schema, %d for one 25 times as large", little, more)
			}
		})
	}
}

// A validator keeps each of its reasons until it is done. 250 000 empty texts that are
// too short and match no pattern took 260 MiB.
func TestEveryReasonIsPaidFor(t *testing.T) {
	t.Parallel()
	for name := range costly {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, value := scaled(t, name, 3, 1<<10)
			parsed, err := parse(value, valueLimits)
			if err != nil {
				t.Fatal(err)
			}
			if paid, kept := steps(t, v, value), len(v.v.first.mismatches(parsed)); paid < kept*evaluation {
				t.Errorf("%d steps for %d reasons", paid, kept)
			}
		})
	}
}

func TestWhatCouldTakeLongIsRefused(t *testing.T) {
	t.Parallel()
	// Seconds of work come first: a test without that order would take hours.
	if v, value := barely(t, "items that fit"); !tooCostly(v.Check(value)) {
		t.Fatal("a check of little more than the bound is made")
	}
	for name := range costly {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, value := scaled(t, name, 120, 1<<20)
			err := v.Check(value)
			if cheap[name] && steps(t, v, value) > maxWork {
				t.Error("it costs too much to be checked")
			}
			if !tooCostly(err) && !cheap[name] {
				t.Errorf("it came to %v", err)
			}
		})
	}
}

func tooCostly(err error) bool {
	var m *Mismatch
	return errors.As(err, &m) && strings.Contains(m.Detail, "too costly")
}

// barely is one of costly that is above the bound, and at half its size is not.
func barely(t *testing.T, name string) (Validator, []byte) {
	t.Helper()
	for size := 1 << 10; ; size *= 2 {
		if v, value := scaled(t, name, 10, size); steps(t, v, value) > maxWork {
			return v, value
		}
	}
}

// fixed are those of which the schema does not grow.
var fixed = map[string]bool{"extra members, and no branch": true, "a long name above what does not fit": true, "deep": true}

// cheap are those that are checked at this size.
var cheap = map[string]bool{
	"extra members, and no branch":  true,
	"many properties, many members": true,
	"uri on one text":               true, // longer than a formatted text can be
	"type alone":                    true, "a long name that may not be": true, "objects": true,
}

// What honest servers send in large is checked.
func TestLargeResultsAreChecked(t *testing.T) {
	t.Parallel()
	for schema, value := range map[string]string{
		`{"type":"object","required":["text"],"properties":{"text":{"type":"string","minLength":1},"url":{"type":"string","format":"uri"},"id":{"pattern":"^[A-Z]{2,4}-[0-9]+$"}}}`:                          `{"id":"AB-1","url":"https://example.com/","text":"` + strings.Repeat("a", 8<<20-100) + `"}`,
		items(`{"type":"object","required":["id"],"properties":{"id":{"type":"string","pattern":"^INC[0-9]{7}$"},"opened":{"format":"date"},"state":{"enum":["open","closed"]},"title":{"type":"string"}}}`): "[" + times(20_000, `{"id":"INC0010001","opened":"2026-11-21","state":"open","title":"`+strings.Repeat("t", 100)+`"}`) + "]",
	} {
		s, err := Admit([]byte(schema), Options{Role: Output})
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Compile()
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Check([]byte(value)); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
	}
}

func TestAFormattedTextIsBounded(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{maxFormatted: true, maxFormatted + 1: false} {
		if got := fitsFormat("uri", "a:"+strings.Repeat("b", n-2)); got != want {
			t.Errorf("%d bytes: %v", n, got)
		}
	}
}
