package lexical_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
)

func tool(raw string) pin.Descriptor { return pin.Descriptor{Server: "k", Raw: []byte(raw)} }

// A number of the question is not the version of an API.
func TestANumberIsNotTheVersionOfAnAPI(t *testing.T) {
	t.Parallel()
	c := admitAs(
		t, func(string) bool { return false },
		tool(`{"name":"resources_scale","description":"Scale a resource.","inputSchema":{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"name":{"type":"string"},"scale":{"type":"integer"}},"required":["apiVersion","kind","name","scale"]}}`),
	)
	for words, version := range map[string]string{
		"scale the resource web-1 to 3":                            "",
		"scale the resource web-1 of kind Deployment to 3":         "",
		"scale the resource web-1 with apiVersion apps/v1 to 3":    `"apiVersion":"apps/v1"`,
		"scale the resource web-1 with api version batch/v1 to 12": `"apiVersion":"batch/v1"`,
	} {
		list, p := offered(t, c, words)
		all := strings.Join(append(list, string(p.Said)), "\n")
		if !strings.Contains(all, "resources_scale") {
			t.Errorf("%q: no call is offered: %s", words, all)
		}
		if version == "" && strings.Contains(all, `"apiVersion":`) || !strings.Contains(all, version) {
			t.Errorf("%q: %s", words, all)
		}
	}
}
