package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// All text output is bounded and escaped, because it may contain untrusted text. In
// JSON documents the escapes are those of JSON: a decoder gets every character, and a
// terminal gets no invisible one.

// The bounds of text on a terminal, in bytes; [Stream.Limit] lifts them elsewhere.
const (
	MaxShown = 256 << 10
	MaxLine  = 2 << 10
)

// Document prints one JSON document on stdout, or the requested form of it.
func (a *App) Document(v any) {
	b, err := json.Marshal(v, jsontext.Multiline(true), jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		b = []byte(`{"error":{"code":"internal.failure","message":"the document cannot be written","hint":"","retryable":false}}`)
	}
	if a.formed.form == nil {
		a.JSONText(a.Out, b)
		return
	}
	absent, err := a.form(b)
	if a.Out.err == nil { // else another message reports it
		a.formed.err = err
	}
	if absent != "" {
		a.Say("The document has no %s: --%s reads what --json prints, with the members %s.", absent, a.formed.flag, memberNames(b))
	}
}

func memberNames(document jsontext.Value) string {
	members, _ := schema.Members(document) // a document is well formed
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.Name
	}
	return strings.Join(names, ", ")
}

// Object is a document of members in this order, each value after its name. A nil
// failure is left out.
type Object []any

// MarshalJSONTo writes the version of the documents, and then the members.
func (o Object) MarshalJSONTo(to *jsontext.Encoder) error {
	err := errors.Join(to.WriteToken(jsontext.BeginObject), json.MarshalEncode(to, "schema_version"), json.MarshalEncode(to, host.SchemaVersion))
	for i := 0; i+1 < len(o) && err == nil; i += 2 {
		if f, is := o[i+1].(*host.Failure); !is || f != nil {
			err = errors.Join(json.MarshalEncode(to, o[i]), json.MarshalEncode(to, o[i+1]))
		}
	}
	return errors.Join(err, to.WriteToken(jsontext.EndObject))
}

// Report prints a document, which includes the error if there is one, or the text of a
// success. It returns the command's end.
func (a *App) Report(document any, err error, text func()) error {
	if err != nil && !a.JSON {
		return err
	}
	return a.ReportAnyway(document, err, text)
}

// ReportAnyway prints the text of a failure, too.
func (a *App) ReportAnyway(document any, err error, text func()) error {
	if a.JSON {
		a.Document(document)
		return a.EndWith(err)
	}
	text()
	return err
}

// Say prints one line for the user on stderr, unless -q was given. All arguments stay
// on that line, so that untrusted text cannot pass for another line. If the rows of a
// terminal break a command in backquotes, Say prints the command again on a separate
// line.
func (a *App) Say(format string, args ...any) {
	if a.Quiet {
		return
	}
	text := fmt.Sprintf(format, args...)
	line := escape.Line(text, MaxLine)
	fmt.Fprintln(a.Err, line)
	if strings.Count(text, "`") == strings.Count(format, "`") { // else some backquotes are not the program's
		a.commandsOf(a.Err, text, line)
	}
}

// Next prints what to do next, after its subject.
func (a *App) Next(of, hint string) {
	if !a.Quiet {
		a.Hint(a.Err, of+": next: ", hint)
	}
}

// Print prints one line of text on stdout.
func (a *App) Print(format string, args ...any) {
	fmt.Fprintln(a.Out, escape.Line(fmt.Sprintf(format, args...), MaxLine))
}

// Table prints rows on stdout, aligned.
func (a *App) Table(rows [][]string) { fmt.Fprint(a.Out, show.Table(rows)) }

// Result prints one value: under its name in a document, or as text.
func (a *App) Result(name string, v any, text func()) error {
	return a.Report(Object{name, v}, nil, text)
}

// InALine puts text of several lines into one. It keeps the first line, and the last,
// where programs usually say what failed. escape.Line writes out the rest.
func InALine(text string) string {
	text = strings.TrimSpace(text)
	first, rest, more := strings.Cut(text, "\n")
	if !more {
		return text
	}
	return first + " … " + strings.TrimSpace(rest[strings.LastIndexByte(rest, '\n')+1:])
}

// Failure prints a code, its meaning here and what to do about it.
func (a *App) Failure(what string, f *host.Failure) {
	fmt.Fprintf(a.Err, "%s %s\n", a.Bold(a.Err, what+":"), escape.Line(string(f.Code), MaxLine))
	fmt.Fprintf(a.Err, "  why:  %s\n", show.Under(8, escape.Text(f.Message, MaxShown)))
	if f.Hint != "" {
		a.Hint(a.Err, "  next: ", f.Hint)
	}
}

// Indent puts the further lines of the program's own text under its first line; text
// that may be untrusted goes through [show.Under].
func Indent(s string) string {
	return strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n        ")
}

// Bold and Dim colour text that is already escaped.
func (a *App) Bold(w *Stream, s string) string { return a.paint(w, "1", s) }

// Dim is for less important text.
func (a *App) Dim(w *Stream, s string) string { return a.paint(w, "2", s) }

func (a *App) paint(w *Stream, sgr, s string) string {
	if !a.colour(w) {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

// colour reports whether w is a terminal and its user wants colour (no-color.org: a
// NO_COLOR that is not empty turns it off).
func (a *App) colour(w *Stream) bool {
	switch {
	case a.NoColor, a.JSON, a.Env.Get("NO_COLOR") != "", a.Env.Get("TERM") == "dumb":
		return false
	}
	return w.Terminal()
}

// formed is the form that --yaml, --jq or --template give to a command's document. Its
// zero value does not change it.
type formed struct {
	flag string
	form show.Form
	err  error // of the form
}

// Whole reports whether the whole document is printed, with its errors. If an
// expression may leave out the errors, they are printed as text.
func (a *App) Whole() bool { return a.JSON && (a.formed.flag == "" || a.formed.flag == "yaml") }

// unformed returns the error of the form.
func (a *App) unformed() error {
	if a.formed.err == nil {
		return nil
	}
	return verdict.Fail(verdict.OutputForm, a.formed.err, "--%s: %v", a.formed.flag, a.formed.err)
}

func (a *App) formFlags(f *pflag.FlagSet) {
	add := func(name, usage string, read func(text string) (show.Form, error)) {
		f.Var(textFlag{"bool", func(text string) error { return a.choose(name, text, read) }}, name, usage)
	}
	add("yaml", "print the document that --json prints as YAML", yamlForm)
	f.Lookup("yaml").NoOptDefVal = "true"
	add("jq", "print the results of a jq `EXPRESSION` on the document of --json", func(text string) (show.Form, error) { return show.JQ(text, formLimits) })
	add("template", "print the output of a Go `TEMPLATE` on the document of --json", func(text string) (show.Form, error) {
		return show.Template(text, a.Out.Width(), time.Now, formLimits)
	})
}

// formLimits are far more than a document of the largest result needs.
var formLimits = show.Limits{Time: 10 * time.Second, Memory: 256 << 20}

func yamlForm(wanted string) (show.Form, error) {
	yes, err := strconv.ParseBool(wanted)
	if err == nil && !yes {
		err = errors.New("leave it out instead")
	}
	return show.YAML, err
}

// choose sets a form. A form that cannot work on any document is refused when its flag
// is read, before anything runs.
func (a *App) choose(flag, text string, read func(text string) (show.Form, error)) error {
	if a.formed.flag != "" {
		return errors.New("--yaml, --jq and --template exclude each other, and each is given once")
	}
	form, err := read(text)
	if err == nil {
		a.JSON, a.formed = true, formed{flag: flag, form: form}
	}
	return err
}

// form writes the form of a document. A program gets data. A terminal gets escaped
// text after marks, because it is untrusted.
func (a *App) form(document []byte) (absent string, err error) {
	if !a.Out.Terminal() {
		return a.formed.form(a.ctx, a.Out, document)
	}
	var made bytes.Buffer
	absent, err = a.formed.form(a.ctx, &made, document)
	if made.Len() > 0 {
		fmt.Fprintln(a.Out, show.Marked(strings.TrimSuffix(escape.Text(made.String(), MaxShown), "\n")))
	}
	return absent, err
}

// Text to be copied is on a separate line, which a terminal may break and which has no
// mark. Untrusted text in it cannot pass for a line of the program. An address has
// only characters of RFC 3986, and a command is plain ASCII. A row that begins within
// a string of JSON begins with an escape (see [show.JSON]). Anything else is escaped
// and marked like other text.
var (
	addressForm = lex.Pattern(`^https?://[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+$`)
	commandForm = lex.Pattern(`^ask [ -~]+$`)
)

// Address prints an address for a browser, as a link where the terminal has links.
func (a *App) Address(address string) {
	if a.links() && addressForm().MatchString(address) {
		a.alone(a.Err, "\x1b]8;;"+address+"\x1b\\"+address+"\x1b]8;;\x1b\\")
		return
	}
	a.copied(a.Err, addressForm().MatchString(address), address)
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
	a.copied(a.Err, commandForm().MatchString(command), command)
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
		if i%2 == 1 && commandForm().MatchString(part) && !strings.Contains(whole, part) {
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
