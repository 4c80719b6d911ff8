package review_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/config/desk/review"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/host/trust"
)

// typist answers in order, and keeps what it is asked.
type typist struct {
	answers, asked, shown, listed []string
	leaves                        bool // a list before its end
}

func (p *typist) Show(_ context.Context, part trust.Part) error {
	p.shown = append(p.shown, part.Tool)
	return nil
}

func (p *typist) List(_ context.Context, groups []review.Group, as func(tool string) string) (bool, error) {
	for _, g := range groups {
		p.listed = append(p.listed, g.String())
		for _, part := range g.Parts {
			p.listed = append(p.listed, part.Tool+" "+as(part.Tool))
		}
	}
	return !p.leaves, nil
}

func (p *typist) Answer(_ context.Context, name, _ string) (string, error) {
	p.asked = append(p.asked, name)
	answer := p.answers[0]
	p.answers = p.answers[1:]
	return answer, nil
}

func (p *typist) Confirm(ctx context.Context, tool, loosens string) (bool, error) {
	answer, err := p.Answer(ctx, tool+" "+loosens, "y/N")
	return answer == "y", err
}

// TestOneKeyListsAllAndAnotherAllowsThem: a claim stays a claim until the second
// key, and counts only for tools without a finding, a cue or a changing verb. A tool
// with a finding is decided on separately.
func TestOneKeyListsAllAndAnotherAllowsThem(t *testing.T) {
	t.Parallel()
	var r review.Review
	r.Name = "s"
	part := func(name, claim string, worst pin.Class) {
		raw := `{"name":"` + name + `","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":` + claim + `}}`
		p := trust.Part{Tool: name, State: trust.New, Digest: "digest of " + name, Now: pin.Descriptor{Raw: jsontext.Value(raw)}}
		p.Change.Differences = []pin.Difference{{Class: worst, Why: "names a host: x.example"}}
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
	all := "these 5 tools, 1 as reading and 3 as writing"
	for name, c := range map[string]struct {
		answers, asked, effects []string
		left                    int // parts that were not approved
		leaves                  bool
	}{
		"as listed":        {[]string{"y", "W", "y", "w"}, []string{"first", "get_one", all, "found"}, []string{"cued write", "delete_one write", "found write", "get_one read", "put_one write"}, 0, false},
		"as writing":       {[]string{"y", "W", "w", "w"}, []string{"first", "get_one", all, "found"}, []string{"cued write", "delete_one write", "found write", "get_one write", "put_one write"}, 0, false},
		"not as listed":    {[]string{"w", "W", "", "", "", "", "", "", ""}, []string{"first", "get_one", all, "get_one", "delete_one", "put_one", "cued", "found", "gone"}, []string{"first write"}, 6, false},
		"not to its end":   {[]string{"w", "W", "", "", "", "", "", ""}, []string{"first", "get_one", "get_one", "delete_one", "put_one", "cued", "found", "gone"}, []string{"first write"}, 6, true},
		"without allowing": {[]string{"y", "a", "y", ""}, []string{"first", "get_one", "these 5 tools", "found"}, nil, 1, false},
	} {
		p := &typist{answers: c.answers, leaves: c.leaves}
		v, err := r.Interview(t.Context(), p)
		if err != nil || len(v.Digests) != len(r.Parts)-c.left {
			t.Fatalf("%s: %+v, %v", name, v, err)
		}
		if diff := cmp.Diff(c.asked, p.asked); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
		if name == "as listed" {
			listed := []string{"3 claim to read, 1 of them with a cue: host names", "get_one read", "delete_one write", "cued write", "1 claims to change something", "put_one write", "1 is removed", "gone "}
			if diff := cmp.Diff(listed, p.listed); diff != "" {
				t.Errorf("listed (-want +got):\n%s", diff)
			}
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
	var r review.Review
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
