package schema_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/schema"
)

func TestANumberThatAFloatDoesNotHoldIsFound(t *testing.T) {
	t.Parallel()
	for value, pointer := range map[string]string{
		`{"n":9007199254740992}`: "", `{"n":-9007199254740992}`: "", `{"n":0.1}`: "", `{"n":1.5e3}`: "", `{"n":-0}`: "", `{"n":1e-300}`: "", `{"n":9007199254740992.0}`: "",
		`{"n":"9007199254740993"}`: "", `{"9007199254740993":1}`: "", `{"n":[true,null,{}]}`: "", `{"n":123456789.125}`: "",
		`{"n":9007199254740993}`: "/n", `{"n":-9007199254740993}`: "/n", `{"n":9007199254740994}`: "/n", `{"n":12345678901234567890}`: "/n",
		`{"n":9007199254740993.0}`: "/n", `{"n":9.007199254740993e15}`: "/n", `{"n":1e16}`: "/n", `{"n":1e300}`: "/n",
		`{"a":{"b":[1,{"c":9007199254740993}]}}`: "/a/b/1/c", `[[9007199254740993]]`: "/0/0",
		`{"n":0.1234567890123456789}`: "/n", `{"n":1.00000000000000000001}`: "/n", `{"n":9007199254740.9931}`: "/n", `{"n":1e-400}`: "/n",
	} {
		at, literal, found := schema.Rounded([]byte(value))
		if at != pointer || found != (pointer != "") || found && literal == "" {
			t.Errorf("%s: %q, %q, %v", value, at, literal, found)
		}
	}
}
