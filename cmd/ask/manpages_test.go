package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/onestep-run/onestep/cmd/cli"
)

var manual = flag.String("man", "", "write the manual pages of a release into this folder")

// Every command has a manual page, which is the same whenever it is made. A
// release has the pages that this test writes, so that ask does not link what
// formats them.
func TestManualPages(t *testing.T) {
	t.Parallel()
	dir := *manual
	if dir == "" {
		dir = t.TempDir()
	}
	root := (&app{App: cli.New("test")}).root()
	header := &doc.GenManHeader{Section: "1", Source: "onestep", Manual: "onestep", Date: new(time.Unix(0, 0).UTC())}
	root.DisableAutoGenTag = true
	if err := doc.GenManTree(root, header, dir); err != nil {
		t.Fatal(err)
	}
	pages := 0
	everyCommand(root, func(c *cobra.Command) {
		pages++
		text, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"))
		if err != nil || !strings.Contains(string(text), ".SH SYNOPSIS") || !strings.Contains(string(text), `Jan 1970`) {
			t.Errorf("%s: %v\n%.300s", c.CommandPath(), err, text)
		}
	})
	const least = 60
	if pages < least {
		t.Errorf("there are %d pages", pages)
	}
}

func everyCommand(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			everyCommand(below, do)
		}
	}
}
