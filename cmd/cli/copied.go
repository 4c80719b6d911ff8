package cli

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/gate/escape"
)

// Text to be copied is on a separate line, which a terminal may break and which has no
// mark. Untrusted text in it cannot pass for a line of the program. An address has
// only characters of RFC 3986, and a command is plain ASCII. A row that begins within
// a string of JSON begins with an escape (see [show.JSON]). Anything else is escaped
// and marked like other text.
var (
	addressForm = regexp.MustCompile(`^https?://[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+$`)
	commandForm = regexp.MustCompile(`^ask [ -~]+$`)
)

// Address prints an address for a browser, as a link where the terminal has links.
func (a *App) Address(address string) {
	if a.links() && addressForm.MatchString(address) {
		a.alone(a.Err, "\x1b]8;;"+address+"\x1b\\"+address+"\x1b]8;;\x1b\\")
		return
	}
	a.copied(a.Err, addressForm.MatchString(address), address)
}

// links reports whether stderr is a terminal that shows or skips links (OSC 8). The
// console of Linux does not, and a terminal without a name is unknown.
func (a *App) links() bool {
	name := a.Env.Get("TERM")
	return a.colour(a.Err) && name != "" && name != "linux"
}

// JSONText prints JSON, of one line or more.
func (a *App) JSONText(to *Stream, text []byte) {
	for line := range strings.Lines(string(escape.JSON(text))) {
		a.alone(to, show.JSON(strings.TrimSuffix(line, "\n"), 0, to.Width()))
	}
}

// Command prints a command of the program's own words and of JSON (see [show.JSON]).
func (a *App) Command(to *Stream, command string) {
	a.copied(to, escape.Line(command, MaxShown) == command, command)
}

// Step prints the next step: a command, which a comment may follow. If a row of the
// terminal is too short for both, the command gets a separate line.
func (a *App) Step(command string) {
	line := "next: " + command
	if width := a.Err.Width(); a.Quiet || width == 0 || len(line) <= width {
		a.Say("%s", line)
		return
	}
	command, comment, _ := strings.Cut(command, "   # ")
	a.Say("%s", strings.TrimSpace("next: "+comment))
	a.copied(a.Err, commandForm.MatchString(command), command)
}

// Hint prints the next step after a label.
func (a *App) Hint(to *Stream, label, hint string) {
	shown := label + Indent(escape.Text(hint, MaxShown))
	fmt.Fprintln(to, shown)
	a.commandsOf(to, hint, shown)
}

// commandsOf prints the commands of a text that are in backquotes and that the
// terminal's rows break. They follow the shown text.
func (a *App) commandsOf(to *Stream, text, shown string) {
	width := to.Width()
	if width == 0 {
		return
	}
	var rows []string
	for line := range strings.SplitSeq(shown, "\n") {
		rows = append(rows, show.Rows(line, width)...)
	}
	whole := strings.Join(rows, "\n")
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 && commandForm.MatchString(part) && !strings.Contains(whole, part) {
			a.alone(to, part)
		}
	}
}

func (a *App) copied(to *Stream, plain bool, text string) {
	if to.Terminal() && plain {
		a.alone(to, text)
		return
	}
	fmt.Fprintln(to, escape.Line(text, MaxShown))
}

func (a *App) alone(to *Stream, text string) { _, _ = io.WriteString(to.Own(), text+"\n") } // the stream keeps it
