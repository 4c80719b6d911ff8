package setup_test

import (
	"bytes"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/trust"
)

var update = flag.Bool("update", false, "write the demo's pins again")

// TestTheDemoCarriesItsPins: the file is what the demo's servers say. A change
// of a tool is a change of the file, and shows in its diff.
func TestTheDemoCarriesItsPins(t *testing.T) {
	t.Parallel()
	inv, err := setup.Open(config.Settings{}, setup.Options{Demo: true})
	if err != nil {
		t.Fatal(err)
	}
	var all []trust.Exported
	for _, name := range inv.Names() {
		at, text := inv.Place(name)
		l := inv.Target(name, false).List(t.Context(), "")
		if l.Err != nil {
			t.Fatal(l.Err)
		}
		all = append(all, trust.Exported{Name: name, Entry: text, Credential: at.Credential, Pins: built(t, l)})
	}
	want, err := trust.Export(all)
	if err != nil {
		t.Fatal(err)
	}
	const file = "../../host/demo/pins.json"
	if *update {
		if err := os.WriteFile(file, append(want, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(bytes.TrimSpace(demo.Pins()), want) {
		t.Error("host/demo/pins.json is not what the demo's servers say; write it again with: go test ./config/setup -run Pins -update")
	}
}

// built are the pins of tools that are part of the program.
func built(t *testing.T, l catalog.Listing) trust.Pins {
	t.Helper()
	p := trust.Pins{Tools: map[string]trust.Pin{}}
	for _, d := range l.Tools {
		f, err := d.Fields()
		if err != nil {
			t.Fatal(err)
		}
		p.Instructions = d.Instructions
		p.Tools[f.Name] = trust.Pin{Raw: d.Raw, Instructions: d.Instructions, By: "onestep", How: "built in", At: time.Unix(0, 0)}
	}
	return p
}
