package lexical_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/pin"
)

func tool(raw string) pin.Descriptor { return pin.Descriptor{Server: "k", Raw: []byte(raw)} }

// What reads and lacks nothing is offered before what changes and lacks something.
func TestAReadyReadingCallIsOfferedFirst(t *testing.T) {
	t.Parallel()
	c := admitAs(
		t, func(name string) bool { return name == "list_backups" },
		tool(`{"name":"backup_copy","description":"Copy a backup to a place.","inputSchema":{"type":"object","properties":{"source":{"type":"string"},"target":{"type":"string"}},"required":["source","target"]}}`),
		tool(`{"name":"list_backups","description":"List all backups.","inputSchema":{"type":"object","properties":{}}}`),
	)
	for _, words := range []string{"backup copy", "copy the backups somewhere, or which backups do we have"} {
		list, _ := offered(t, c, words)
		write, read := -1, -1
		for i, s := range list {
			if strings.HasPrefix(s, "k/backup_copy") && strings.Contains(s, " needs ") {
				write = i
			}
			if strings.HasPrefix(s, "k/list_backups") {
				read = i
			}
		}
		if read < 0 || write < 0 || read > write {
			t.Errorf("%q: %q", words, list)
		}
	}
}

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
