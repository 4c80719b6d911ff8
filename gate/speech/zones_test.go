package speech_test

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The list of zones is that of the Go release that it was made of, or an older one.
func TestZonesAreThoseOfIANA(t *testing.T) {
	t.Parallel()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var all []string
	for _, f := range z.File {
		all = append(all, f.Name)
	}
	b, err := os.ReadFile("zones.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		names := strings.Fields(line)
		for _, city := range names[1:] {
			if !slices.Contains(all, names[0]+"/"+city) {
				t.Errorf("%s/%s is no zone", names[0], city)
			}
		}
	}
}
