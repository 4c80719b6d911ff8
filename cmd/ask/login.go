package main

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/login"
)

func (a *app) logIn(cmd *cobra.Command) action {
	var r login.Request
	f := cmd.Flags()
	f.StringArrayVar(&r.Scopes, "scope", nil, "ask for a `SCOPE` besides those asked for before, instead of those that the server names")
	f.StringVar(&r.Account, "account", "", "a `LABEL` for the account, where you have several")
	paste := f.Bool("no-browser", false, "print the address for a browser elsewhere, and read the address that it ends at")
	device := f.Bool("device", false, "print a code to enter in a browser elsewhere")
	return a.onServers((*app).servers, func(ctx context.Context, s servers.Servers, args []string) error {
		switch {
		case *paste && *device:
			return cli.Usage(verdict.UsageFlag, "--no-browser and --device exclude each other: give one")
		case *paste:
			r.Way = login.Paste
		case *device:
			r.Way = login.Device
		}
		is, err := s.LogIn(ctx, args[0], r, &loginUser{a})
		if err != nil {
			return err
		}
		a.showLogin(is)
		a.Say("Next: `ask servers review %s` shows its tools, and approves them.", args[0])
		return nil
	})
}

func (a *app) logOut(ctx context.Context, s servers.Servers, args []string) error {
	is, err := s.LogOut(ctx, args[0])
	if err != nil {
		return err
	}
	a.showLogin(is)
	if !is.Revoked {
		a.Say("The tokens are deleted here. They could not be revoked at %s, and stay valid there until they expire.", escape.Line(is.Issuer, cli.MaxLine))
	}
	return nil
}

func (a *app) showLogin(is *servers.LoginState) {
	_ = a.Result("login", is, func() { a.Print("%s: %s", is.Server, is) })
	if len(is.Missing) > 0 {
		a.Say("Not granted: %s", escape.Line(strings.Join(is.Missing, " "), cli.MaxLine))
	}
}

// loginUser is the user of a login at the command line.
type loginUser struct{ *app }

// Confirm shows the subject of the login, and asks if there is a terminal.
func (a *loginUser) Confirm(ctx context.Context, o login.Offer) error {
	fmt.Fprintf(a.Err, "Log in to %s\n", escape.Line(o.Server, cli.MaxLine))
	p := labelled{a.Err, cli.MaxShown}
	p.line("at", o.Issuer)
	for _, what := range o.Stated {
		p.line("note", map[string]string{
			"issuer": servers.IssuerStated + ": the server publishes no document that names one",
			"pkce":   "PKCE (S256) stated by the operator: the issuer's document does not name it",
		}[what])
	}
	if o.Foreign {
		p.line("warning", "that is not the server's host: continue only if you know that users of the server log in there")
	}
	if len(o.Others) > 0 {
		p.line("or at", strings.Join(o.Others, ", ")+" (\"oauth\": {\"issuer\": …} chooses)")
	}
	p.line("token for", o.Resource)
	p.line("client", strings.TrimPrefix(o.Client+", from "+o.How, ", from "))
	p.some("scopes", strings.Join(o.Scopes, " "))
	p.some("redirect", o.Redirect)
	p.some("account", o.Account)
	in := a.keyboard()
	if in == nil {
		return nil
	}
	answer, err := a.prompt(ctx, bufio.NewReader(in), "Log in there? [y/N] ")
	if answer == "y" {
		return nil
	}
	return verdict.Fail(verdict.LoginDenied, err, "the answer was not \"y\"; nothing was opened, and nothing was registered")
}

// Open opens the address in the user's browser.
func (a *loginUser) Open(ctx context.Context, address string) error {
	if err := browse(ctx, address); err != nil {
		a.Say("No browser could be opened here. Open this address in one on this machine, or begin again with --no-browser:")
	} else {
		a.Say("A browser was opened. If it shows no page, open this address in it:")
	}
	a.Address(address)
	return nil
}

// browserTime is how long the program that opens a browser may take to pass the address on.
const browserTime = 10 * time.Second

func browse(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, browserTime)
	defer cancel()
	opener := "xdg-open"
	if runtime.GOOS == "darwin" {
		opener = "open"
	}
	return exec.CommandContext(ctx, opener, address).Run()
}

// Paste asks the user to open the address elsewhere, and reads the final address.
func (a *loginUser) Paste(ctx context.Context, address string) (string, error) {
	a.Say("Open this address in a browser:")
	a.Address(address)
	a.Say("It leads to an address that begins with http://127.0.0.1 and shows no page. Paste that address here:")
	line, err := a.readLine(ctx, bufio.NewReaderSize(a.In, 64<<10))
	return strings.TrimSpace(line), err
}

// Notice reports an event while the login waits for the user.
func (a *loginUser) Notice(text string) { a.Say("%s", text) }

// Enter asks the user to enter a code elsewhere.
func (a *loginUser) Enter(_ context.Context, address, code string, until time.Time) error {
	a.Say("Until %s open this address in a browser, and enter the code %s", until.Format("15:04:05"), escape.Line(code, 80))
	a.Address(address)
	return nil
}
