package cli

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/gate/escape"
)

// What is there to be copied is on a line of its own, which a terminal breaks and
// nothing marks. A stranger's part of it cannot pass for a line of the program: an
// address has the characters of RFC 3986 alone, JSON and commands are of plain ASCII,
// and JSON has no space. Anything else is escaped and marked as other text is.
var (
	addressForm = regexp.MustCompile(`^https?://[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+$`)
	jsonForm    = regexp.MustCompile(`^[\[{][!-~]*[\]}]$`)
	commandForm = regexp.MustCompile(`^ask [ -~]+$`)
)

// Address prints an address for a browser, as a link where the terminal has links.
func (a *App) Address(address string) {
	if a.links() && addressForm.MatchString(address) {
		a.alone(a.Err, "\x1b]8;;"+address+"\x1b\\"+address+"\x1b]8;;\x1b\\")
		return
	}
	a.copied(a.Err, addressForm, address)
}

// links reports whether stderr is a terminal that skips what it does not know (OSC 8):
// the console of Linux does not, and no other is known without a name.
func (a *App) links() bool {
	name := a.Env.Get("TERM")
	return a.colour(a.Err) && name != "" && name != "linux"
}

// JSONLine prints JSON of one line.
func (a *App) JSONLine(to *Stream, text string) { a.copied(to, jsonForm, text) }

// Step says what to do next: a command, after which a comment may follow. Where a row
// of the terminal has no room for both words and command, the command is alone.
func (a *App) Step(command string) {
	line := "next: " + command
	if width := a.Err.Width(); a.Quiet || width == 0 || len(line) <= width {
		a.Say("%s", line)
		return
	}
	command, comment, _ := strings.Cut(command, "   # ")
	a.Say("%s", strings.TrimSpace("next: "+comment))
	a.copied(a.Err, commandForm, command)
}

// commandsOf prints below a hint those of its commands, in backquotes, that the terminal's
// rows break.
func (a *App) commandsOf(hint string, rows []string) {
	for i, part := range strings.Split(hint, "`") {
		whole := strings.Contains(strings.Join(rows, "\n"), part)
		if i%2 == 1 && !whole && commandForm.MatchString(part) {
			a.copied(a.Err, commandForm, part)
		}
	}
}

func (a *App) copied(to *Stream, form *regexp.Regexp, text string) {
	if to.Terminal() && form.MatchString(text) {
		a.alone(to, text)
		return
	}
	fmt.Fprintln(to, escape.Line(text, MaxShown))
}

func (a *App) alone(to *Stream, text string) { _, _ = io.WriteString(to.Own(), text+"\n") } // its error is kept

// hint prints what to do next, and its long commands again where they can be copied.
func (a *App) hint(before, hint string) {
	line := before + Indent(escape.Text(hint, MaxShown))
	fmt.Fprintln(a.Err, line)
	if width := a.Err.Width(); width > 0 {
		var rows []string
		for one := range strings.SplitSeq(line, "\n") {
			rows = append(rows, show.Rows(one, width)...)
		}
		a.commandsOf(hint, rows)
	}
}
