package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

func (a *app) exportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "export RUN", Short: "Write a trace as one file that needs no other", Args: oneTrace,
		Long: `export writes the lines of a finished trace, byte for byte, and after them what
they refer to in objects/. verify, show and replay take the file's path, and its
digest is the trace's own.`,
		RunE: func(_ *cobra.Command, args []string) error { return a.exportTrace(args[0], out) },
	}
	cmd.Flags().StringVar(&out, "out", "", "the `FILE` to make; without it the export goes to stdout")
	return cmd
}

func (a *app) exportTrace(name, out string) error {
	switch {
	case out == "" && a.JSON:
		return cli.Usage(verdict.UsageFlag, "with --json an export goes to a file: name it with --out")
	case out == "" && a.Out.Terminal():
		// It holds what strangers wrote, byte for byte.
		return cli.Usage(verdict.UsageFlag, "an export does not go to a terminal: name a file with --out")
	}
	path, f, err := a.openTrace(name)
	if err != nil {
		return err
	}
	defer f.Close()
	// Once without an output: half an export is of no use to anybody.
	if _, err := trace.Export(io.Discard, f, beside(path).Object); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return verdict.Fail(verdict.TraceMissing, err, "%s: %v", path, err)
	}
	if out == "" {
		_, err := trace.Export(a.Out, f, beside(path).Object)
		return err
	}
	digest, err := exportTo(out, f, beside(path).Object)
	if err != nil {
		return err
	}
	if a.JSON {
		a.Document(struct {
			SchemaVersion int    `json:"schema_version"`
			Path          string `json:"path"`
			Digest        string `json:"digest"`
		}{host.SchemaVersion, out, digest.Digest()})
		return nil
	}
	a.Say("Wrote %s, %s.", out, digest.Digest())
	return nil
}

// exportTo makes a new file that its owner alone can read.
func exportTo(path string, r io.Reader, objects trace.Objects) (trace.Hash, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return trace.Hash{}, cli.Usage(verdict.UsageFlag, "--out %s: %v", path, errors.Unwrap(err))
	}
	digest, err := trace.Export(f, r, objects)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return digest, errors.Join(err, os.Remove(path))
	}
	return digest, nil
}
