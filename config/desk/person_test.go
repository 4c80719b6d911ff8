package desk_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/host/trust"
)

// typist answers in order, and keeps what it is asked.
type typist struct{ answers, asked, shown []string }

func (p *typist) Show(part trust.Part) { p.shown = append(p.shown, part.Tool) }

func (p *typist) Answer(_ context.Context, name, _ string) (string, error) {
	p.asked = append(p.asked, name)
	answer := p.answers[0]
	p.answers = p.answers[1:]
	return answer, nil
}

// TestOneKeyAllowsAllAsWritingAndASecondAsReading: a claim stays a claim until
// the second key, and it is asked only of tools without a finding, a cue or a
// changing verb.
func TestOneKeyAllowsAllAsWritingAndASecondAsReading(t *testing.T) {
	t.Parallel()
	var r desk.Review
	r.Name = "s"
	part := func(name, claim string, worst pin.Class) {
		raw := `{"name":"` + name + `","annotations":{"readOnlyHint":` + claim + `}}`
		p := trust.Part{Tool: name, State: trust.New, Digest: "digest of " + name, Now: pin.Descriptor{Raw: jsontext.Value(raw)}}
		p.Change.Differences = []pin.Difference{{Class: worst}}
		r.Parts = append(r.Parts, p)
	}
	part("first", "true", pin.Contract)
	part("get_one", "true", pin.Contract)
	part("delete_one", "true", pin.Contract)
	part("put_one", "false", pin.Contract)
	part("cued", "true", pin.Cue)
	part("found", "true", pin.Contract)
	part("gone", "true", pin.Contract)
	r.Parts[6].State = trust.Gone
	r.Scanned.Findings = []scan.Finding{{Where: "/found/description"}}
	for name, c := range map[string]struct{ answers, asked, effects []string }{
		"write":        {[]string{"y", "W", ""}, []string{"first", "get_one", "as reading, as they claim: get_one"}, []string{"cued write", "delete_one write", "found write", "get_one write", "put_one write"}},
		"read":         {[]string{"y", "W", "y"}, []string{"first", "get_one", "as reading, as they claim: get_one"}, []string{"cued write", "delete_one write", "found write", "get_one read", "put_one write"}},
		"said before":  {[]string{"w", "W", "y"}, []string{"first", "get_one", "as reading, as they claim: get_one"}, []string{"cued write", "delete_one write", "first write", "found write", "get_one read", "put_one write"}},
		"without word": {[]string{"y", "a"}, []string{"first", "get_one"}, nil},
	} {
		p := &typist{answers: c.answers}
		v, err := r.Interview(t.Context(), p)
		if err != nil || len(v.Digests) != len(r.Parts) {
			t.Fatalf("%s: %+v, %v", name, v, err)
		}
		if diff := cmp.Diff(c.asked, p.asked); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
		var effects []string
		for _, tool := range strings.Fields("cued delete_one first found get_one gone put_one") {
			if e := v.Effects[tool]; e != "" {
				effects = append(effects, tool+" "+e)
			}
		}
		if diff := cmp.Diff(c.effects, effects); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
	}
}

// TestTheSameChangeOfSeveralToolsIsAskedAboutOnce: it is shown of each of them first,
// and "o" asks about each by itself.
func TestTheSameChangeOfSeveralToolsIsAskedAboutOnce(t *testing.T) {
	t.Parallel()
	var r desk.Review
	r.Name = "s"
	for _, name := range []string{"first", "second", "third", "fourth"} {
		p := trust.Part{Tool: name, State: trust.Changed, Digest: "digest of " + name, Alone: true}
		if name != "second" {
			p.Edit = "digest of the change"
		}
		r.Parts = append(r.Parts, p)
	}
	for name, c := range map[string]struct{ answers, asked, digests, rejected []string }{
		"all of them":  {[]string{"y", ""}, []string{"the same change of 3 tools", "second"}, []string{"digest of the change"}, nil},
		"and the rest": {[]string{"a", ""}, []string{"the same change of 3 tools", "second"}, []string{"digest of the change"}, nil},
		"none of them": {[]string{"", "y"}, []string{"the same change of 3 tools", "second"}, []string{"digest of second"}, nil},
		"rejected":     {[]string{"x", ""}, []string{"the same change of 3 tools", "second"}, nil, []string{"first", "third", "fourth"}},
		"each by itself": {
			[]string{"o", "y", "", "x", ""},
			[]string{"the same change of 3 tools", "first", "third", "fourth", "second"},
			[]string{"digest of first"},
			[]string{"fourth"},
		},
	} {
		p := &typist{answers: c.answers}
		v, err := r.Interview(t.Context(), p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for what, diff := range map[string]string{
			"asked": cmp.Diff(c.asked, p.asked), "digests": cmp.Diff(c.digests, v.Digests), "rejected": cmp.Diff(c.rejected, v.Rejected),
			"shown": cmp.Diff([]string{"first", "third", "fourth", "second"}, p.shown),
		} {
			if diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", name, what, diff)
			}
		}
	}
}
