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

// A command without help could not be found, and help without a command would lie. A
// command below which there are others is a group, or has work itself.
func TestEveryCommandHasHelpAndWork(t *testing.T) {
	t.Parallel()
	works := map[string]bool{}
	for _, c := range commands {
		if works[c.path] {
			t.Errorf("ask %s has work twice", c.path)
		}
		works[c.path] = true
	}
	sections := 0
	everyCommand(cli.Commands(help)[""], func(c *cobra.Command) {
		sections++
		path := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), "ask"), " ")
		switch {
		case c.Short == "" || strings.HasPrefix(c.Short, "!"):
			t.Errorf("the help of ask %s begins with %q", path, c.Short)
		case !works[path] && !c.HasSubCommands():
			t.Errorf("ask %s has help and no work", path)
		}
		delete(works, path)
	})
	for path := range works {
		t.Errorf("ask %s has work and no help", path)
	}
	if found := strings.Count(help, "\n# ") - strings.Count(help, "\n- ")/2; found != sections {
		t.Errorf("the help has %d sections for %d commands", found, sections)
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
