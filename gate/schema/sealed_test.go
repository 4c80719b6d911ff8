package schema

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Admission refuses such schemas. Were it to miss one, the validators still
// could reach nothing.
func TestNoValidatorReachesNetworkOrFiles(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		fmt.Fprint(w, `{"type":"string"}`)
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "s.json")
	if err := os.WriteFile(file, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{server.URL + "/s.json", server.URL + "/s.json#/a", "file://" + file, "s.json"} {
		for _, s := range []string{
			`{"$ref":%q}`, `{"type":"object","properties":{"a":{"$ref":%q}}}`, `{"allOf":[{"$ref":%q}]}`,
			`{"$schema":%q,"type":"object"}`, `{"$id":%q,"$ref":"other"}`, `{"$defs":{"a":{"$ref":%q}},"$ref":"#/$defs/a"}`, `{"$dynamicRef":%q}`,
		} {
			raw := fmt.Appendf(nil, s, at)
			if _, err := Admit(raw, Options{Role: Output}); err == nil {
				t.Errorf("%s: admitted", raw)
			}
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			_, first := compileUnguarded(compileFirst, doc)
			_, second := compileUnguarded(compileSecond, doc)
			if first == nil && second == nil {
				t.Errorf("%s: both validators compile it", raw)
			}
		}
	}
	if n := requests.Load(); n != 0 {
		t.Errorf("%d requests were made", n)
	}
}

func compileUnguarded[T any](compile func(any) (T, error), doc any) (v T, err error) {
	err = guarded(func() error {
		v, err = compile(doc)
		return err
	})
	return v, err
}

func TestAPanicIsARefusal(t *testing.T) {
	t.Parallel()
	if err := guarded(func() error { panic("x") }); err == nil {
		t.Error("a panic passed")
	}
}
