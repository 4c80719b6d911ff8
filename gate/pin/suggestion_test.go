package pin_test

import (
	"slices"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
)

func withMeta(meta string) pin.Descriptor {
	return pin.Descriptor{Server: "s", Raw: []byte(`{"name":"move","inputSchema":{"type":"object"},"_meta":` + meta + `}`)}
}

// A changed suggestion needs a person, however small its change is.
func TestAChangedSuggestionNeedsAReview(t *testing.T) {
	t.Parallel()
	accept, err := pin.ParseAccept([]string{"informational", "cosmetic", "safer"})
	if err != nil {
		t.Fatal(err)
	}
	const was = `{"run.onestep/resource":"ticket:{a}","run.onestep/rules":[{"effect":"ask","tools":["s/move"]}]}`
	for name, now := range map[string]string{
		"another resource": `{"run.onestep/resource":"ticket:{b}","run.onestep/rules":[{"effect":"ask","tools":["s/move"]}]}`,
		"more white space": `{"run.onestep/resource":"ticket: {a}","run.onestep/rules":[{"effect":"ask","tools":["s/move"]}]}`,
		"no resource":      `{"run.onestep/rules":[{"effect":"ask","tools":["s/move"]}]}`,
		"another rule":     `{"run.onestep/resource":"ticket:{a}","run.onestep/rules":[{"effect":"allow","tools":["s/move"]}]}`,
		"no rules":         `{"run.onestep/resource":"ticket:{a}"}`,
		"nothing":          `{}`,
	} {
		found, err := pin.Compare(withMeta(was), withMeta(now))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", name, found, err)
		}
		if !slices.ContainsFunc(found, func(d pin.Difference) bool { return d.Class == pin.Contract }) {
			t.Errorf("%s: %+v", name, found)
		}
		if accept.Takes(found) {
			t.Errorf("%s passes without a person", name)
		}
	}
}

func TestWhatIsNoSuggestionIsNone(t *testing.T) {
	t.Parallel()
	for _, meta := range []string{`null`, `[]`, `{}`, `"x"`, `{"run.onestep/resource":7,"run.onestep/rules":{"effect":"deny"}}`, `{"run.onestep/rules":["deny"]}`} {
		if s := withMeta(meta).Suggestions(); s.Resource != "" || len(s.Rules) > 0 {
			t.Errorf("%s: %+v", meta, s)
		}
	}
	s := withMeta(`{"run.onestep/resource":"ticket:{a}","run.onestep/rules":[{"tools":["s/move"],"effect":"ask"}]}`).Suggestions()
	if s.Resource != "ticket:{a}" || !slices.Equal(s.Rules, []string{`{"effect":"ask","tools":["s/move"]}`}) {
		t.Errorf("%+v", s)
	}
}
