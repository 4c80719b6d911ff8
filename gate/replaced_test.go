package gate_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Any difference between the approved files and the present ones refuses the call:
// every member of a file counts.
func TestACallOfOtherFilesThanWereApprovedIsRefused(t *testing.T) {
	t.Parallel()
	is := trace.FileBody{Pointer: "/path", Path: "/data/a", Permission: "read", ID: "1"}
	other := func(change func(f *trace.FileBody)) []trace.FileBody {
		f := is
		change(&f)
		return []trace.FileBody{f}
	}
	for name, now := range map[string][]trace.FileBody{
		"none":                  nil,
		"one more":              {is, {Pointer: "/to", Path: "/data/b", Permission: "read", ID: "2"}},
		"another argument":      other(func(f *trace.FileBody) { f.Pointer = "/to" }),
		"another path":          other(func(f *trace.FileBody) { f.Path = "/data/b" }),
		"another permission":    other(func(f *trace.FileBody) { f.Permission = "write" }),
		"the whole directory":   other(func(f *trace.FileBody) { f.Siblings = true }),
		"another file":          other(func(f *trace.FileBody) { f.ID = "2" }),
		"a file without a name": {{}},
	} {
		if code := verdict.CodeOf(gate.Replaced([]trace.FileBody{is}, now)); code != verdict.ApprovalChanged {
			t.Errorf("%s: %q", name, code)
		}
		if code := verdict.CodeOf(gate.Replaced(now, []trace.FileBody{is})); code != verdict.ApprovalChanged {
			t.Errorf("%s, approved so: %q", name, code)
		}
	}
	if err := gate.Replaced([]trace.FileBody{is}, []trace.FileBody{is}); err != nil {
		t.Errorf("the same file: %v", err)
	}
	if err := gate.Replaced(nil, nil); err != nil {
		t.Errorf("no file: %v", err)
	}
}
