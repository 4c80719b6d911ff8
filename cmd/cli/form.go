package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

// formed is what --yaml, --jq or --template make of a command's document. Its
// zero value leaves it as it is.
type formed struct {
	flag string
	form show.Form
	err  error // of making it
}

// Whole reports whether the whole document is printed, errors included. Where
// an expression may leave them out, they are said in text.
func (a *App) Whole() bool { return a.JSON && (a.formed.flag == "" || a.formed.flag == "yaml") }

// unformed is what went wrong in making something of the document.
func (a *App) unformed() error {
	if a.formed.err == nil {
		return nil
	}
	return verdict.Fail(verdict.OutputForm, a.formed.err, "--%s: %v", a.formed.flag, a.formed.err)
}

func (a *App) formFlags(f *pflag.FlagSet) {
	f.Var(&formFlag{a, "yaml", yamlForm}, "yaml", "print the document that --json prints as YAML")
	f.Lookup("yaml").NoOptDefVal = "true"
	f.Var(&formFlag{a, "jq", jqForm}, "jq", "print what a jq `EXPRESSION` makes of the document that --json prints")
	f.Var(&formFlag{a, "template", a.template}, "template", "print what a Go `TEMPLATE` makes of the document that --json prints")
}

func (a *App) template(text string) (show.Form, error) {
	return show.Template(text, a.Out.Width(), time.Now, formLimits)
}

func jqForm(expression string) (show.Form, error) { return show.JQ(expression, formLimits) }

// formLimits are far more than a document of the largest result needs.
var formLimits = show.Limits{Time: 10 * time.Second, Memory: 256 << 20}

func yamlForm(wanted string) (show.Form, error) {
	yes, err := strconv.ParseBool(wanted)
	if err == nil && !yes {
		err = errors.New("leave it out instead")
	}
	return show.YAML, err
}

// formFlag chooses a form. What can be made of no document is refused as the
// flag is read, before anything runs.
type formFlag struct {
	app  *App
	name string
	read func(text string) (show.Form, error)
}

func (f *formFlag) String() string { return "" }

// Type is what the help calls an argument that the flag's usage does not name.
func (f *formFlag) Type() string { return "bool" }

// Set reads the form.
func (f *formFlag) Set(text string) error {
	if f.app.formed.flag != "" {
		return errors.New("--yaml, --jq and --template exclude each other, and each is given once")
	}
	form, err := f.read(text)
	if err != nil {
		return err
	}
	f.app.JSON, f.app.formed = true, formed{flag: f.name, form: form}
	return nil
}

// form writes what is made of a document: data where it goes on to a program,
// and on a terminal a stranger's text, escaped and behind marks.
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
