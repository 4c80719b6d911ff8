package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// ringsOf writes the rings of the leaf that holds a text.
func ringsOf(value, leaf string) (text string) {
	for l := range schema.Leaves(jsontext.Value(value)) {
		if l.Text != leaf || l.Name {
			continue
		}
		for _, g := range schema.Rings(jsontext.Value(value), l.Path(), 1) {
			text += fmt.Sprintf("%v%d+%d", g.Kind, g.Total, g.Before)
			for _, m := range g.Kept {
				text += fmt.Sprintf(" %s=%s", m.Name, m.Value)
			}
			text += "\n"
		}
	}
	return text
}

func TestRingsAreWhatAValueIsIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ value, want string }{
		{`"x"`, ""},
		{`{"a":1,"b":"x","c":{"d":[]}}`, "{3+1 a=1 c={\"d\":[]}\n"},
		{`{"a":{"b":{"c":"x"}},"d":null}`, "{2+0 d=null\n{1+0\n{1+0\n"},
		{`[0,1,2,"x",4,5]`, "[6+2 =0 =2 =\"x\" =4\n"},
		{`[[0],{"a":"x"},[2],[3]]`, "[4+1 =[0] =[2]\n{1+0\n"},
		{`[["h"],[1],[2],["x"]]`, "[4+2 =[\"h\"] =[2]\n[1+0 =\"x\"\n"},
	} {
		if got := ringsOf(c.value, "x"); got != c.want {
			t.Errorf("%s: %q, want %q", c.value, got, c.want)
		}
	}
}

func TestRingsEndWhereAValueDoes(t *testing.T) {
	t.Parallel()
	const whole = `{"a":[1,{"b":"x","c":2}],"d":3}`
	var way []schema.Step
	for l := range schema.Leaves(jsontext.Value(whole)) {
		if l.Text == "x" {
			way = l.Path()
		}
	}
	for n := range len(whole) {
		for _, value := range []string{whole[:n], whole[:n] + "]", whole[:n] + "}", whole[:n] + strings.Repeat("[", 9)} {
			if got := schema.Rings(jsontext.Value(value), way, 1); len(got) > 3 {
				t.Errorf("%s: %v", value, got)
			}
		}
	}
}
