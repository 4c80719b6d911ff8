package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
)

// asker asks whoever sits at the terminal for an input of the servers file; nil
// where nobody does.
func (a *app) asker(ctx context.Context) config.Asker {
	in := a.keyboard()
	if in == nil {
		return nil
	}
	return func(i config.Input) (string, error) {
		prompt := guard.Line(cmp.Or(i.Description, i.ID), cli.MaxLine)
		if len(i.Options) > 0 {
			prompt += " (" + guard.Line(strings.Join(i.Options, ", "), cli.MaxLine) + ")"
		}
		if i.Password {
			text, err := a.hidden(ctx, in, prompt+" (it is not shown): ")
			return string(text), err
		}
		if i.Default != "" {
			prompt += " [" + guard.Line(i.Default, 80) + "]"
		}
		fmt.Fprint(a.Err, prompt+": ")
		line, err := readLine(ctx, bufio.NewReader(in))
		return cmp.Or(strings.TrimSpace(line), i.Default), err
	}
}

// hidden reads a line that is not shown. An interrupt gives the terminal its
// echo back before the process ends.
func (a *app) hidden(ctx context.Context, f *os.File, prompt string) ([]byte, error) {
	before, err := term.GetState(int(f.Fd()))
	if err == nil {
		err = hush(f) // before anything is asked for, lest a quick answer be shown
	}
	if err != nil {
		return nil, fmt.Errorf("the terminal cannot be read without an echo: %w", err)
	}
	fmt.Fprint(a.Err, prompt)
	type line struct {
		text []byte
		err  error
	}
	read := make(chan line, 1)
	go func() { // a read cannot be told to stop; the process ends instead
		text, err := term.ReadPassword(int(f.Fd()))
		read <- line{text, err}
	}()
	select {
	case <-ctx.Done():
		err := term.Restore(int(f.Fd()), before)
		return nil, verdict.Fail(verdict.CallInterrupted, err, "interrupted before an answer was given")
	case l := <-read:
		fmt.Fprintln(a.Err)
		return l.text, errors.Join(l.err, term.Restore(int(f.Fd()), before))
	}
}
