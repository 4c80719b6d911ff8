package cli

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host"
)

// Everything printed as text may hold a stranger's words, and is bounded and
// escaped. In JSON documents the escapes are those of JSON: what decodes them
// gets every character, and a terminal none that does not show.

// The bounds of text on a terminal, in bytes; [Stream.Limit] lifts them elsewhere.
const (
	MaxShown = 256 << 10
	MaxLine  = 2 << 10
)

// Document prints one JSON document on stdout, or what was asked to be made of it.
func (a *App) Document(v any) {
	b, err := json.Marshal(v, jsontext.Multiline(true), jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		b = []byte(`{"error":{"code":"internal.failure","message":"the document cannot be written","hint":"","retryable":false}}`)
	}
	if a.formed.form == nil {
		fmt.Fprintf(a.Out, "%s\n", escape.JSON(b))
		return
	}
	absent, err := a.form(b)
	if a.Out.err == nil { // else it is said by itself
		a.formed.err = err
	}
	if absent != "" {
		a.Say("The document has no %s: --%s reads what --json prints, with the members %s.", absent, a.formed.flag, memberNames(b))
	}
}

// memberNames are the names of a document's members.
func memberNames(document jsontext.Value) string {
	members, _ := schema.Members(document) // a document is well formed
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.Name
	}
	return strings.Join(names, ", ")
}

// Member prints a document that holds one thing under its name.
func (a *App) Member(name string, v any) {
	a.Document(struct {
		SchemaVersion int            `json:"schema_version"`
		Member        map[string]any `json:",embed"`
	}{host.SchemaVersion, map[string]any{name: v}})
}

// Say tells the user one line on stderr, unless -q was given. Whatever is put
// into it stays on that line: what a stranger wrote cannot pass for another.
func (a *App) Say(format string, args ...any) {
	if !a.Quiet {
		fmt.Fprintln(a.Err, escape.Line(fmt.Sprintf(format, args...), MaxLine))
	}
}

// Print prints one line of text on stdout.
func (a *App) Print(format string, args ...any) {
	fmt.Fprintln(a.Out, escape.Line(fmt.Sprintf(format, args...), MaxLine))
}

// Table prints rows on stdout, aligned.
func (a *App) Table(rows [][]string) { fmt.Fprint(a.Out, show.Table(rows)) }

// Result prints one thing: under its name in a document, or as text.
func (a *App) Result(name string, v any, text func()) error {
	if a.JSON {
		a.Member(name, v)
	} else {
		text()
	}
	return nil
}

// InALine is text of several lines in one: its first, and its last, in which
// programs say what was wrong. escape.Line writes out what else there is.
func InALine(text string) string {
	text = strings.TrimSpace(text)
	first, rest, more := strings.Cut(text, "\n")
	if !more {
		return text
	}
	return first + " … " + strings.TrimSpace(rest[strings.LastIndexByte(rest, '\n')+1:])
}

// Failure prints a code, what it means here and what to do about it.
func (a *App) Failure(what string, f *host.Failure) {
	fmt.Fprintf(a.Err, "%s %s\n", a.Bold(a.Err, what+":"), escape.Line(string(f.Code), MaxLine))
	fmt.Fprintf(a.Err, "  why:  %s\n", show.Under(8, escape.Text(f.Message, MaxShown)))
	if f.Hint != "" {
		fmt.Fprintf(a.Err, "  next: %s\n", Indent(escape.Text(f.Hint, MaxShown)))
	}
}

// Indent sets the further lines of a text of ours under its first; what may be a
// stranger's goes through [show.Under].
func Indent(s string) string {
	return strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n        ")
}

// Bold and Dim colour text that is already escaped.
func (a *App) Bold(w *Stream, s string) string { return a.paint(w, "1", s) }

// Dim is for what is said in passing.
func (a *App) Dim(w *Stream, s string) string { return a.paint(w, "2", s) }

func (a *App) paint(w *Stream, sgr, s string) string {
	if !a.colour(w) {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

// colour reports whether w is a terminal whose user wants colour
// (no-color.org: a NO_COLOR that is set and not empty says no).
func (a *App) colour(w *Stream) bool {
	return !a.NoColor && !a.JSON && a.Get("NO_COLOR") == "" && a.Get("TERM") != "dumb" && w.Terminal()
}
