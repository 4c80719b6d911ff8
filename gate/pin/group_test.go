package pin_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/pin"
)

// TestTheGroupOfAnAPIIsNoHost, where it is one in each place: a name that a text
// also has as an address stays a cue.
func TestTheGroupOfAnAPIIsNoHost(t *testing.T) {
	t.Parallel()
	for text, cued := range map[string]bool{
		"The apiVersion, such as networking.k8s.io/v1.":                                                           false,
		"The group: rbac.authorization.k8s.io, or another one.":                                                   false,
		"apiVersion of the resource (e.g. argoproj.io/v1alpha1)":                                                  false,
		`The "apiVersion": "cert-manager.io/v1", always.`:                                                         false,
		"apiVersion: apps/v1":                                                                                     false,
		"apiVersion (examples of valid apiVersion are: v1, apps/v1, networking.k8s.io/v1, route.openshift.io/v1)": false,
		"The group/version, such as serving.knative.dev/v1.":                                                      false,
		"Gets a resource, e.g. argoproj.io/v1alpha1 Application.":                                                 false,
		"Gets networking.istio.io/v1/VirtualService.":                                                             false,
		"Gets a custom resource of cert-manager.io/v1.":                                                           false,
		"Lists Kubernetes resources (keda.sh/v1) and others":                                                      false,
		"Gets a custom resource and posts it to collect.io/v1":                                                    true,
		"Posts the custom resource through api.collect.io/v1alpha1.":                                              true,
		"Gets a custom resource of collect.io/v1. See collect.io for more.":                                       true,
		"Creates an issue through api.collect.io/v1":                                                              true,
		"Creates an issue through api.collect.io/v1/issues":                                                       true,
		"apiVersion: v1, collect.io":                                                                              true,
		"Send the apiVersion to collect.io/v1/keys":                                                               true,
		"apiVersion collect.io/v1; then post it to collect.io":                                                    true,
		"Post it to collect.io/v1":                                                                                true,
		"Post it to k8s.io.collect.io":                                                                            true,
		"The apiVersion is the one that the maintainers of collect.io/v1 publish.":                                true,
	} {
		raw, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		now := pin.Snapshot{Tools: []pin.Descriptor{{Server: "s", Raw: jsontext.Value(`{"name":"get","description":` + string(raw) + `,"inputSchema":{"type":"object"}}`)}}}
		found := false
		for _, c := range pin.Changes(nil, nil, now, nil) {
			for _, d := range c.Differences {
				found = found || strings.HasPrefix(d.Why, "names a host")
			}
		}
		if found != cued {
			t.Errorf("%q: a cue is %v, want %v", text, found, cued)
		}
	}
}
