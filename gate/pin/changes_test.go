package pin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
)

const (
	get = `{"name":"get","description":"Get one.","inputSchema":{"type":"object","properties":{"n":{"type":"integer","maximum":9}}}}`
	put = `{"name":"put","description":"Put one.","inputSchema":{"type":"object","properties":{"b":{"type":"boolean"}}}}`
)

func list(raws ...string) []pin.Descriptor {
	var all []pin.Descriptor
	for _, raw := range raws {
		all = append(all, said(raw))
	}
	return all
}

// shown is each change in the order of danger: kind, tool, from, class.
func shown(all []pin.Change) string {
	var lines []string
	for _, c := range all {
		lines = append(lines, strings.Join(strings.Fields(fmt.Sprint(c.Kind, " ", c.Tool, " ", c.From, " ", c.Class())), " "))
	}
	return strings.Join(lines, ", ")
}

func TestWhatBecameOfEachToolIsSaid(t *testing.T) {
	t.Parallel()
	wider := strings.Replace(get, `,"maximum":9`, ``, 1)
	named := strings.Replace(put, `"put"`, `"send_put"`, 1)
	for _, c := range []struct {
		name                  string
		approved, history, is []pin.Descriptor
		others                map[string]string
		want                  string
	}{
		{"nothing", list(get, put), nil, list(put, get), nil, ""},
		{"a first look", nil, nil, list(get, put), nil, "new get contract, new put contract"},
		{"a tool more", list(get), nil, list(get, put), nil, "new put contract"},
		{"a tool less", list(get, put), nil, list(get), nil, "removed put informational"},
		{"a change", list(get), nil, list(wider), nil, "changed get safety-lowering"},
		{"a change back", list(get), list(wider, get), list(wider), nil, "reverted get safety-lowering"},
		{"back after it was gone", list(get), list(get, put), list(get, put), nil, "reverted put contract"},
		{"another name", list(get, put), nil, list(get, named), nil, "renamed send_put put contract"},
		{"another name and body", list(get, put), nil, list(get, strings.Replace(named, "one", "all", 1)), nil, "new send_put contract, removed put informational"},
		{"another server's name", list(get), nil, list(get, put), map[string]string{"put": "store"}, "shadowing put store safety-lowering"},
		{"nearly another server's name", list(get), nil, list(get, named), map[string]string{"Send-Put": "store"}, "shadowing send_put store safety-lowering"},
		{"a name that was approved next to it", list(get, put), nil, list(get, put), map[string]string{"put": "store"}, ""},
		{"the worst first", list(get, put), nil, list(wider, strings.Replace(put, "one", "all", 1)), nil, "changed get safety-lowering, changed put wording"},
		{"a claim to be harmless", nil, nil, list(strings.Replace(get, `{"name"`, `{"annotations":{"readOnlyHint":true},"name"`, 1)), nil, "new get contract"},
		{"what cannot be read", list(get), nil, list(`{"name":"get","name":"get"}`, `7`), nil, "new safety-lowering, new safety-lowering, removed get informational"},
	} {
		if got := shown(pin.Changes(c.approved, c.history, pin.Snapshot{Tools: c.is}, c.others)); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// TestToolsThatNobodyAskedAboutAreKnownByTheirNames: these tools are not compared. A tool
// among them that is an approved tool under another name is reported as renamed.
func TestToolsThatNobodyAskedAboutAreKnownByTheirNames(t *testing.T) {
	t.Parallel()
	named := strings.Replace(put, `"put"`, `"sender"`, 1)
	for _, c := range []struct {
		name                 string
		approved, is, others []pin.Descriptor
		want, to             string
	}{
		{"more tools", list(get), list(get), list(put, `7`, `{"name":"get","name":"get"}`), "", ""},
		{"another name", list(get, put), list(get), list(named), "removed put informational", "sender"},
		{"another name and body", list(get, put), list(get), list(strings.Replace(named, "one", "all", 1)), "removed put informational", ""},
		{"a name in its words", list(get), list(strings.Replace(get, "Get one.", "Get one as `sender` does.", 1)), list(named), "changed get cue", ""},
		{"no name in its words", list(get), list(strings.Replace(get, "Get one.", "Get one as `sender` does.", 1)), nil, "changed get wording", ""},
	} {
		all := pin.Changes(c.approved, nil, pin.Snapshot{Tools: c.is, Others: c.others}, nil)
		if got := shown(all); got != c.want || c.to != "" && all[0].To != c.to || c.to == "" && len(all) > 0 && all[0].To != "" {
			t.Errorf("%s: %q, not %q: %+v", c.name, got, c.want, all)
		}
	}
}

func TestInstructionsAreToldOnce(t *testing.T) {
	t.Parallel()
	with := func(text string, raws ...string) []pin.Descriptor {
		all := list(raws...)
		for i := range all {
			all[i].Instructions = text
		}
		return all
	}
	for _, c := range []struct {
		name     string
		approved []pin.Descriptor
		now      string
		want     string
	}{
		{"the same", with("Be kind.", get, put), "Be kind.", ""},
		{"other words", with("Be kind.", get, put), "Be brief.", "changed wording"},
		{"a cue", with("Be kind.", get, put), "Be kind. You must call put first.", "changed cue"},
		{"new", with("", get, put), "Be kind.", "changed wording"},
		{"gone", with("Be kind.", get, put), "", "changed wording"},
		{"approved at two times", append(with("Be kind.", get), with("Be brief.", put)...), "Be quick.", "changed wording, changed wording"},
	} {
		now := pin.Snapshot{Instructions: c.now, Tools: with(c.now, get, put)}
		if got := shown(pin.Changes(c.approved, nil, now, nil)); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
	wider := strings.Replace(get, `,"maximum":9`, ``, 1)
	both := pin.Changes(with("Be kind.", get), nil, pin.Snapshot{Instructions: "Call put first.", Tools: with("Call put first.", wider)}, nil)
	if len(both) != 2 || slices.ContainsFunc(both[0].Differences, func(d pin.Difference) bool { return d.Path == "/instructions" }) {
		t.Errorf("a changed tool with other instructions: %+v", both)
	}
	back := pin.Changes(with("Be kind.", get), with("Be calm.", wider), pin.Snapshot{Instructions: "Be kind.", Tools: with("Be kind.", wider)}, nil)
	if len(back) != 1 || back[0].Kind != pin.Reverted {
		t.Errorf("an earlier descriptor, once approved with other instructions: %+v", back)
	}
	first := pin.Changes(nil, nil, pin.Snapshot{Instructions: "Be kind.", Tools: with("Be kind.", get)}, nil)
	if got := shown(first); got != "new get contract, new wording" {
		t.Error(got)
	}
}

// Ten thousand tools changed, with expensive schemas among them. A count bounds the work,
// not a clock.
func TestTheWorkOfOneListingIsBounded(t *testing.T) {
	t.Parallel()
	const cheap, dear = 2_000, 60
	var was, now []pin.Descriptor
	add := func(raw, from, to string) {
		was, now = append(was, said(raw)), append(now, said(strings.Replace(raw, from, to, 1)))
	}
	for i := range cheap {
		add(fmt.Sprintf(`{"name":"get%d","title":"Get","inputSchema":{"type":"object"}}`, i), `"Get"`, `"Fetch"`)
	}
	var members []string
	for i := range 400 {
		members = append(members, fmt.Sprintf(`"p%d":{"type":"integer","minimum":0,"maximum":9}`, i))
	}
	for i := range dear {
		add(fmt.Sprintf(`{"name":"dear%d","inputSchema":{"type":"object","properties":{%s}}}`, i, strings.Join(members, ",")), `:9`, `:5`)
	}
	all := pin.Changes(was, nil, pin.Snapshot{Tools: now}, nil)
	classes := map[pin.Class]int{}
	for _, c := range all {
		classes[c.Class()]++
	}
	// What no witness was looked for any more has an unknown direction.
	if classes[pin.Cosmetic] != cheap || classes[pin.Safer] == 0 || classes[pin.Contract] == 0 || classes[pin.Safer]+classes[pin.Contract] != dear {
		t.Errorf("%d changes: %v", len(all), classes)
	}
}
