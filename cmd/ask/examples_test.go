package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
)

// The help of every command shows a command line of that command, and the program accepts
// every line that it shows.
func TestEveryHelpHasAnExampleThatParses(t *testing.T) {
	t.Parallel()
	pages := 0
	everyCommand(withHelp(), func(c *cobra.Command) {
		pages++
		if !strings.Contains(c.Example, c.CommandPath()) {
			t.Errorf("%s has no example of its own: %q", c.CommandPath(), c.Example)
		}
		for _, words := range simple(c.Example) {
			if why := notTaken(words); why != "" {
				t.Errorf("%s: %q: %s", c.CommandPath(), words, why)
			}
		}
	})
	const least = 90
	if pages < least {
		t.Errorf("there are %d pages", pages)
	}
}

func TestAWrongExampleIsFound(t *testing.T) {
	t.Parallel()
	for line, right := range map[string]bool{
		"ask trace verify latest": true, "ask guard list > rules.txt": true, `ask "a question"`: true, "ls": true,
		"ask trace verify": false, "ask guard list all": false, "ask trace lst": false, "ask tools list --everything": false,
		"ask models key set": false, "ask servers fetch --before": false, "ask anything": false,
	} {
		if why := notTaken(simple(line)[0]); (why == "") != right {
			t.Errorf("%s: %q", line, why)
		}
	}
}

// An example in the table of a command that has one itself would hide it.
func TestTheTableOfExamplesFitsTheCommands(t *testing.T) {
	t.Parallel()
	root := withHelp()
	for _, of := range helpExamples {
		c, rest, err := root.Find(strings.Fields(of.path))
		if err != nil || len(rest) > 0 || c.Hidden {
			t.Errorf("there is no ask %s", of.path)
		} else if c.Example != of.lines {
			t.Errorf("ask %s has an example already: %q", of.path, c.Example)
		}
	}
}

func withHelp() *cobra.Command {
	a := &app{App: cli.New("test")}
	root := a.root()
	root.InitDefaultHelpCmd()
	return root
}

// notTaken says why the program does not take these words, as far as that can be
// seen without running them.
func notTaken(words []string) string {
	if words[0] != "ask" {
		return ""
	}
	var args []string
	for _, word := range words[1:] {
		if word == ">" || word == "<" {
			break
		}
		args = append(args, strings.Trim(word, `"'`))
	}
	c, rest, err := withHelp().Find(args)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err == nil && !c.DisableFlagParsing {
		rest = c.Flags().Args()
		err = c.ValidateArgs(rest)
	}
	switch {
	case err != nil:
		return err.Error()
	case c.HasSubCommands() && len(rest) > 0 && c.HasParent():
		return "there is no " + c.CommandPath() + " " + rest[0]
	case !c.HasParent() && len(rest) > 0:
		if _, err := rootQuestion(c, rest); err != nil {
			return err.Error()
		}
	}
	return ""
}
